/** Compares a race's record with the steps of the log, both ways: what was released was carried out or refused. */

import type { Raced } from "./entries.js";
import type { Evidence } from "./record.js";

/** From this version of the log on, every race entry has `refused`. */
const TELLS_REFUSALS = 3;

/** A step that was carried out in a race. */
export interface Done {
  step: number;
  evidence: Evidence;
}

/** `done`: the steps with evidence since the race before. `version`: that of the log. */
export function* releaseFaults(raced: Raced, done: readonly Done[], version: number): Generator<string> {
  const { moves } = raced.record;
  if (version >= TELLS_REFUSALS && raced.refused === null) yield "the refused moves are not recorded";
  const place = new Map(moves.map((it, number) => [it.ticket, number]));
  if (place.size !== moves.length) return yield "a move is there twice";
  const found = done.findIndex((it) => place.has(it.evidence.ticket));
  const first = found < 0 ? done.length : found;
  if (first > 0 && version >= TELLS_REFUSALS && !raced.reopened)
    yield `the move of step ${done[0]?.step} is not in the record`;
  const own = done.slice(first);
  if (own.some(({ evidence }) => !moves.some((move) => isSame(move, evidence))))
    return yield "a move's evidence is not that of the record";
  const order = own.map((it) => place.get(it.evidence.ticket) as number);
  if (order.some((it, number) => number > 0 && (order[number - 1] as number) >= it))
    yield "the moves were not carried out in the order of the record";
  yield* missing(raced, own, place);
}

/** Every released move has its step or its refusal. A clock that was stopped before its turn has neither. */
function* missing(
  { record, refused: told }: Raced,
  own: readonly Done[],
  place: ReadonlyMap<number, number>,
): Generator<string> {
  const stepOf = new Map(own.map((it) => [it.evidence.ticket, it.step]));
  for (const { after } of record.throws) {
    const ticket = record.moves[after - 1]?.ticket;
    if (ticket !== undefined && !stepOf.has(ticket))
      yield `ticket ${ticket}: it succeeded by the record, and no step carries it out`;
  }
  if (told === null) return;
  const refused = new Map(told.map((it) => [it.ticket, it]));
  if (refused.size !== told.length || told.some((it) => !place.has(it.ticket) || stepOf.has(it.ticket)))
    yield "a refusal is not of a released move without a step";
  for (const [mine, { ticket, kind, seat }] of record.moves.entries()) {
    if (stepOf.has(ticket)) continue;
    const refusal = refused.get(ticket);
    if (refusal === undefined) {
      if (kind !== "clock" || seat !== null)
        yield `ticket ${ticket}: released, and neither carried out nor refused`;
    } else if (
      [...stepOf].some(([other, step]) => step <= refusal.after !== (place.get(other) as number) < mine)
    )
      yield `ticket ${ticket}: not refused at its place in the order`;
  }
}

/** Both were read in the order of the shape, so the same evidence is the same text. */
function isSame(one: Evidence, two: Evidence): boolean {
  return JSON.stringify(one) === JSON.stringify(two);
}
