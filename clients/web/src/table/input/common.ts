/** Words of `last` that look the same at every table: what flies, and what is pointed at. */
import type { Happened } from "../../net/wire";
import type { Flight, Scene } from "../module";

const CLOCK = new Set(["clock", "missed", "time_over", "lapsed", "abandoned", "missed_turn"]);
const PILE = new Set(["reshuffled", "penalty_skipped"]);

/** Cards are dealt and drawn from the main pile, or from the middle of a board that has none. */
export function commonFlights(s: Scene, event: Happened): Flight[] {
  const from = document.querySelector('[data-k="pile:main"]') ? "pile:main" : "board";
  if (event.what === "dealt") return s.seats.map((_, seat) => ({ from, to: `seat:${seat}` }));
  if (event.what === "drew" && event.seat !== null) return Array.from({ length: Number(event.detail.cards ?? 1) }, () => ({ from, to: `seat:${event.seat}` }));
  return [];
}

/** The pile that was shuffled or is empty shakes; a seat whose clock ran out is pointed at. */
export function commonMarks(event: Happened): [string, boolean][] {
  if (PILE.has(event.what)) return [["pile:main", true]];
  return CLOCK.has(event.what) && event.seat !== null ? [[`seat:${event.seat}`, false]] : [];
}
