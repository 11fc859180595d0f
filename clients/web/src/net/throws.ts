/** Which throws of a race were wrong. The `race` message says when a hand came, and the events of the views what the card was. */
import type { Happened, Mark, RaceReport, View } from "./wire";

/** The events that tell how a throw ended, in games in which a throw may be wrong. */
const IS_WRONG: Readonly<Record<string, boolean>> = {
  slapped: false, late_slap: false, wrong_slap: true,
  scurried: false, too_slow: false, wrong_throw: true, grabbed: false, missed_grab: true, pounced: false, missed_pounce: true,
};
/** For each race and seat: whether each of its throws was wrong, in their order. */
const seen = new Map<string, Map<number, boolean[]>>();

/** Call it with each new view. Returns the key of the race to which its throws belong, or null if it tells of none. */
export function noteThrows(before: View | null, view: View): string | null {
  const throws = view.last.filter((it: Happened) => it.seat !== null && it.what in IS_WRONG);
  const key = before?.race?.key ?? view.race?.key ?? null;
  if (key === null || !throws.length || before?.seq === view.seq) return null;
  const race = seen.get(key) ?? new Map<number, boolean[]>();
  for (const it of throws) race.set(it.seat as number, [...(race.get(it.seat as number) ?? []), IS_WRONG[it.what] as boolean]);
  seen.set(key, race);
  if (seen.size > 50) seen.delete(seen.keys().next().value as string);
  return key;
}

export const forgetThrows = (): void => seen.clear();

/** The same race, with the wrong throws marked as such. Nothing changes for a seat some of whose throws were not seen, as after a reload. */
export function withWrongThrows(race: RaceReport): RaceReport {
  const throws = seen.get(race.key);
  if (!throws) return race;
  const isDone = (mark: Mark, seat: number): boolean => mark.seat === seat && mark.verdict === "done";
  const all = new Map([...throws].filter(([seat, wrong]) => race.marks.filter((mark) => isDone(mark, seat)).length === wrong.length));
  const next = new Map<number, number>();
  const marks = race.marks.map((mark): Mark => {
    if (mark.verdict !== "done" || !all.has(mark.seat)) return mark;
    const n = next.get(mark.seat) ?? 0;
    next.set(mark.seat, n + 1);
    return all.get(mark.seat)?.[n] ? { ...mark, verdict: "refused" } : mark;
  });
  return { ...race, marks };
}
