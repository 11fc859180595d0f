/** Seats: one colour and one shape each, the same as on the strips. */
import type { JSX } from "preact";

export const SEATS = [
  { colour: "#0072B2", shape: "circle", d: "M20 6a14 14 0 1 1 0 28 14 14 0 1 1 0-28z" },
  { colour: "#E69F00", shape: "square", d: "M7 7h26v26H7z" },
  { colour: "#009E73", shape: "triangle", d: "M20 5l16 29H4z" },
  { colour: "#D55E00", shape: "diamond", d: "M20 3l15 17-15 17L5 20z" },
  { colour: "#CC79A7", shape: "triangle down", d: "M20 35L4 6h32z" },
  { colour: "#56B4E9", shape: "plus", d: "M14 4h12v10h10v12H26v10H14V26H4V14h10z" },
  { colour: "#8A7F00", shape: "pentagon", d: "M20 4l16 12-6 19H10L4 16z" },
  { colour: "#000000", shape: "hexagon", d: "M20 3l15 8.5v17L20 37 5 28.5v-17z" },
] as const;

export const seatLook = (seat: number): (typeof SEATS)[number] => SEATS[seat % SEATS.length] ?? SEATS[0];

export function SeatMark({ seat, size = 18 }: { seat: number; size?: number }): JSX.Element {
  return (
    <svg class="seatmark" width={size} height={size} viewBox="0 0 40 40" aria-hidden="true">
      <use href={`#seat-${seat % 8}`} />
    </svg>
  );
}

export const seatSymbols = (): string =>
  SEATS.map(
    (it, n) =>
      `<symbol id="seat-${n}" viewBox="0 0 40 40"><path d="${it.d}" fill="${it.colour}" stroke="var(--rim)" stroke-width="3.4" stroke-linejoin="round"/></symbol>`,
  ).join("");
