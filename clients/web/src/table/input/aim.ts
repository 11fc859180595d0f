/**
 * From offers to taps. Every offer is expanded into ways: complete moves, each with the objects that name it on the
 * table. A tap picks an object; when the picked objects name one whole move, it is sent, or its button lights.
 */
import type { Choice, Move, Offer } from "../../net/wire";

export interface Way {
  offer: Offer;
  move: Move;
  keys: string[];
  /** What each choice was filled with, for labels. */
  parts: Record<string, unknown>[];
  isRace: boolean;
}
/** The objects that a filled choice of a move points at: `slot:1:2`, `hand:y3_1`, `pile:main` … */
export type KeysOf = (move: string, part: Record<string, unknown>, you: number) => string[];

const MOST_WAYS = 3000;

function* subsets<T>(values: readonly T[], least: number, most: number, from = 0, picked: number[] = []): Generator<number[]> {
  if (picked.length >= least) yield picked;
  if (picked.length === most) return;
  for (let i = from; i < values.length; i++) yield* subsets(values, least, most, i + 1, [...picked, i]);
}

function adds(choice: Extract<Choice, { k: "some" }>, picked: readonly number[]): boolean {
  if (!choice.weights.length) return true;
  const sum = picked.reduce((all, i) => all + (choice.weights[i] ?? 0), 0);
  return choice.sum_least !== null ? sum >= choice.sum_least : !choice.sums.length || choice.sums.includes(sum);
}

/** Every way to fill one choice. Null: too many, or amounts, which a person fills with steppers. */
export function fillings(choice: Choice): Record<string, unknown>[] | null {
  if (choice.optional) return [{}];
  if (choice.k === "one") return choice.rows.map((row) => Object.fromEntries(choice.fields.map((field, n) => [field, row[n]])));
  if (choice.k === "amounts") return null;
  const found: Record<string, unknown>[] = [];
  for (const picked of subsets(choice.values, choice.least, Math.min(choice.most, choice.values.length))) {
    if (adds(choice, picked)) found.push({ [choice.field]: picked.map((i) => choice.values[i]) });
    if (found.length > MOST_WAYS) return null;
  }
  return found;
}

const seatOf = (value: unknown): unknown => (value && typeof value === "object" ? (value as { seat?: unknown }).seat : value);

export function agrees(offer: Offer, parts: readonly Record<string, unknown>[]): boolean {
  if (!offer.where || parts.length < 2) return true;
  const [one, two] = parts.map((part) => Object.values(part)[0]);
  if (one === undefined || two === undefined) return true;
  if (offer.where === "different_seats") return seatOf(one) !== seatOf(two);
  return JSON.stringify(one) !== JSON.stringify(two);
}

export function waysOf(offers: readonly Offer[], keysOf: KeysOf, raceMoves: readonly string[], you: number): { ways: Way[]; builders: Offer[] } {
  const ways: Way[] = [];
  const builders: Offer[] = [];
  for (const offer of offers) {
    let lists: Record<string, unknown>[][] = [[]];
    let fits = true;
    for (const choice of offer.choices) {
      const options = fillings(choice);
      if (options === null || lists.length * options.length > MOST_WAYS) {
        fits = false;
        break;
      }
      lists = lists.flatMap((list) => options.map((option) => [...list, option]));
    }
    if (!fits) {
      builders.push(offer);
      continue;
    }
    const named = new Set<string>();
    for (const parts of lists) {
      if (!agrees(offer, parts)) continue;
      const keys = [...new Set((parts.length ? parts : [{}]).flatMap((part) => keysOf(offer.move, part, you)))];
      // Several fillings that the same objects name: the first one is meant.
      const name = [...keys].sort().join(" ");
      if (keys.length && named.has(name)) continue;
      named.add(name);
      ways.push({ offer, parts, keys, move: Object.assign({ t: offer.move }, ...parts) as Move, isRace: raceMoves.includes(offer.move) });
    }
  }
  return { ways, builders };
}

const within = (some: readonly string[], all: readonly string[]): boolean => some.every((key) => all.includes(key));
const classOf = (key: string): string => key.slice(0, key.indexOf(":"));

export interface Tapped {
  picked: string[];
  send: Way | null;
}

/** What a tap means. Objects of a hand are lifted first and sent by a second tap; other objects act at once. */
export function tap(ways: readonly Way[], picked: readonly string[], key: string, lifts: (way: Way) => boolean, weak: readonly string[] = []): Tapped | null {
  const whole = (keys: readonly string[]): Way[] => ways.filter((way) => way.keys.length === keys.length && within(keys, way.keys));
  if (picked.includes(key)) {
    const done = whole(picked);
    if (done.length === 1 && done[0] && picked.length === 1) return { picked: [], send: done[0] };
    return { picked: picked.filter((it) => it !== key), send: null };
  }
  for (const keys of [[...picked, key], [key]]) {
    const fitting = ways.filter((way) => within(keys, way.keys));
    if (!fitting.length) continue;
    const done = whole(keys);
    const longer = fitting.filter((way) => way !== done[0] && !weak.includes(way.move.t));
    if (done.length === 1 && done[0] && !longer.length && !lifts(done[0])) return { picked: [], send: done[0] };
    return { picked: keys, send: null };
  }
  return null;
}

/**
 * What a drag means: the taps that say the same. Onto an object that names one move together with the dragged one:
 * both. A card that is a move by itself, let go outside the own panel: that card. A drawn card or a pile onto
 * something lit: that object.
 */
export function dragTaps(ways: readonly Way[], from: string, to: string | null, outside: boolean): string[] {
  if (to && ways.some((way) => way.keys.includes(from) && way.keys.includes(to))) return [from, to];
  const alone = ways.some((way) => way.keys.length === 1 && way.keys[0] === from);
  if (alone) return outside || classOf(from) === "pile" ? [from] : [];
  return to && ways.some((way) => way.keys.includes(to)) ? [to] : [];
}

/** What can be tapped now, given what is picked. */
export function litKeys(ways: readonly Way[], picked: readonly string[]): Set<string> {
  const lit = new Set<string>();
  for (const way of ways) {
    if (within(picked, way.keys)) way.keys.forEach((key) => lit.add(key));
    else for (const key of way.keys) if (classOf(key) === "hand" && picked.every((it) => classOf(it) === "hand")) lit.add(key);
  }
  return lit;
}

/** The moves that a button sends now: named by exactly what is picked, and those that name nothing on the table. */
export const ripe = (ways: readonly Way[], picked: readonly string[]): Way[] =>
  ways.filter((way) => !way.keys.length || (way.keys.length === picked.length && within(picked, way.keys)));
