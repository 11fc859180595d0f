/** The objects that an event names, whatever the game: a card before a seat, a section, a gap, a grave. */
import type { Happened } from "../../net/wire";

interface Where {
  seat?: unknown;
  slot?: unknown;
  row?: unknown;
  col?: unknown;
}
const isNumber = (it: unknown): it is number => typeof it === "number";

export function objectsOf(event: Happened): string[] {
  const { detail } = event;
  const at = (detail.place ?? detail) as Where;
  // With a target, `at` is where it lies, and the slot is the actor's own.
  const seat = (isNumber(detail.target) ? [event.seat] : [detail.at, at.seat, event.seat]).find(isNumber);
  const keys: string[] = [];
  if (isNumber(at.slot) && seat !== undefined) keys.push(`slot:${seat}:${at.slot}`, `surplus:${at.slot}`);
  if (isNumber(detail.target) && isNumber(detail.at)) keys.push(`slot:${detail.at}:${detail.target}`);
  for (const kind of ["section", "gap"] as const) if (isNumber(detail[kind])) keys.push(`${kind}:${detail[kind]}`);
  if (isNumber(at.row) && isNumber(at.col)) keys.push(`grave:${at.row}:${at.col}`);
  return keys;
}

/** A try that failed: its card shakes. */
export const isMiss = (event: Happened): boolean => /^(wrong_|missed_|late_|too_slow)/.test(event.what);
