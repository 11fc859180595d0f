/** Which of the held moves comes next. */

import type { Evidence, Params, WaitMark } from "./record.js";
import { patience } from "./score.js";

/**
 * The score each held move is sorted by. A closer counts from `notBefore`, and its seat's other moves stay behind it.
 * `drawn` has the score at which each seat's last closer was released.
 */
export function sortedBy(
  held: readonly Evidence[],
  notBefore: number,
  drawn: ReadonlyMap<number | null, number>,
): number[] {
  const behind = new Map(drawn);
  return held.map((it) => {
    if (it.kind === "closer") {
      const score = Math.max(it.score, notBefore, behind.get(it.seat) ?? 0);
      behind.set(it.seat, score);
      return score;
    }
    return it.kind === "other" ? Math.max(it.score, behind.get(it.seat) ?? 0) : it.score;
  });
}

/** A dead heat that has begun: its number, and the lowest score in it. */
export interface Tie {
  number: number;
  base: number;
}

/**
 * The lowest score and all within `eps` of it: their places in `held`, in the order of the toss.
 * `ties` has the tickets of the heats that have begun, and gets the new ones.
 */
export function deadHeat(
  held: readonly Evidence[],
  scores: readonly number[],
  coins: ReadonlyMap<number | null, string>,
  ties: Map<number, Tie>,
  eps: number,
  fresh: number,
): [Tie, number[]] {
  const at = (place: number): Evidence => held[place] as Evidence;
  const score = (place: number): number => scores[place] as number;
  const lowest = [...held.keys()].reduce((best, place) => (score(place) < score(best) ? place : best), 0);
  let tie = ties.get(at(lowest).ticket);
  if (tie === undefined || score(lowest) > tie.base + eps) {
    tie = { number: fresh, base: score(lowest) };
    ties.set(at(lowest).ticket, tie);
  }
  const limit = tie.base + eps;
  const group = [...held.keys()].filter((place) => score(place) <= limit);
  for (const place of group) if (!ties.has(at(place).ticket)) ties.set(at(place).ticket, tie);
  const coin = (place: number): string => coins.get(at(place).seat) ?? "";
  return [tie, group.sort((a, b) => (coin(a) < coin(b) ? -1 : coin(a) > coin(b) ? 1 : a - b))];
}

/** Can this seat no longer come in below that score? */
export function isSettled(mark: WaitMark, score: number, params: Params): boolean {
  if (mark.last !== null && mark.last >= score) return true;
  if (mark.shown === null || mark.clock === null) return false;
  return mark.clock > mark.shown + score + patience(mark.path, params);
}

/** When this move, sorted by that score, is released whatever is still awaited. */
export function hardAt(params: Params, opened: number, it: Evidence, score: number): number {
  return (score > it.score ? Math.max(it.reached, opened + score) : it.reached) + params.hard;
}
