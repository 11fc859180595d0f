/**
 * The coach: what a seat had seen of the cards on the table, step by step, from that seat's own views of a finished
 * game. A place has a mark that changes with its card, so what was seen follows the card (Cambio, Kodiak).
 */
import { signal } from "@preact/signals";
import type { DeckFace } from "./kit/thedeck";
import type { Happened } from "./net/wire";

export interface Step {
  view: Record<string, unknown>;
  last: Partial<Happened>[];
}
interface Slot {
  filled: boolean;
  mark: number;
  face: DeckFace | null;
}
export type Known = ReadonlyMap<number, DeckFace>;
/** What the table shows beside its cards while the coach is on. */
export const known = signal<Known | null>(null);

const tableOf = (step: Step): Slot[][] => (Array.isArray(step.view.table) ? (step.view.table as Slot[][]) : []);

function drawnBy(step: Step, seat: number): DeckFace | null {
  const drawn = step.view.drawn as { seat?: number; face?: DeckFace | null; kind?: string } | null | undefined;
  if (!drawn) return null;
  if (drawn.kind !== undefined) return drawn as unknown as DeckFace;
  return drawn.seat === seat ? (drawn.face ?? null) : null;
}

/** Everything that `seat` had seen up to this step and that still lies on the table. */
export function seenBy(steps: readonly Step[], upTo: number, seat: number): Map<number, DeckFace> {
  const seen = new Map<number, DeckFace>();
  let drawn: DeckFace | null = null;
  for (const step of steps.slice(0, upTo + 1)) {
    for (const event of step.last) {
      const facts = (event.detail ?? {}) as Record<string, any>;
      const moves = (facts.moved as { from: { mark: number }; to: { mark: number } }[] | undefined) ?? [];
      const faces = moves.map((it) => seen.get(it.from.mark));
      moves.forEach((it, n) => {
        const face = faces[n];
        if (face) seen.set(it.to.mark, face);
      });
      const mark = event.what === "kept" ? facts.place?.mark : event.what === "exchanged" ? facts.mark : undefined;
      if (event.seat === seat && typeof mark === "number" && drawn) seen.set(mark, drawn);
    }
    drawn = drawnBy(step, seat) ?? drawn;
    for (const slot of tableOf(step).flat()) if (slot.filled && slot.face) seen.set(slot.mark, slot.face);
  }
  const here = new Set(tableOf(steps[upTo] ?? { view: {}, last: [] }).flat().filter((slot) => slot.filled).map((slot) => slot.mark));
  return new Map([...seen].filter(([mark]) => here.has(mark)));
}

export interface Advice {
  own: number;
  /** Own cards that were seen. */
  knew: number;
  /** Cards that were known to match the open race, as [seat, slot]. Null: no race is open. */
  matches: [number, number][] | null;
}

export function advise(step: Step, seen: Known, seat: number): Advice {
  const table = tableOf(step);
  const own = (table[seat] ?? []).filter((slot) => slot.filled);
  const race = step.view.race as { card?: DeckFace } | null | undefined;
  const top = race ? (race.card ?? (step.view.discard as { top?: DeckFace } | undefined)?.top ?? null) : null;
  const matches: [number, number][] = [];
  if (top) table.forEach((slots, at) => slots.forEach((slot, n) => slot.filled && seen.get(slot.mark)?.rune === top.rune && matches.push([at, n])));
  return { own: own.length, knew: own.filter((slot) => seen.has(slot.mark)).length, matches: top ? matches : null };
}
