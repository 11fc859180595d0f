/** A view with what the drawings need to know about it. */
import { useEffect, useState } from "preact/hooks";
import { clocks, nameOf, room, seats } from "../net/store";
import type { View } from "../net/wire";
import type { Scene } from "./module";

export function scene(msg: View, narrow: boolean): Scene {
  const count = seatCount(msg);
  const me = msg.you ?? 0;
  const others = Array.from({ length: count - 1 }, (_, n) => (me + 1 + n) % count);
  const view = msg.view as Record<string, unknown>;
  const named = Array.isArray(view.awaited) ? (view.awaited as number[]) : null;
  const timed = clocks.value.flatMap((clock) => clock.seats);
  const turn = typeof view.turn === "number" ? [view.turn] : [];
  return {
    v: view,
    msg,
    you: msg.you,
    me,
    others,
    seats: seats.value,
    room: room.value,
    name: nameOf,
    awaited: new Set(named ?? (timed.length ? timed : turn)),
    narrow,
  };
}

function seatCount(msg: View): number {
  const here = seats.value.filter((seat) => seat.kind !== "empty").length;
  return Math.max(here, (msg.you ?? 0) + 1, 1);
}

const WIDE = "(min-width: 1000px) and (min-height: 500px)";
export function useNarrow(): boolean {
  const [narrow, set] = useState(!matchMedia(WIDE).matches);
  useEffect(() => {
    const media = matchMedia(WIDE);
    const on = (): void => set(!media.matches);
    media.addEventListener("change", on);
    return () => media.removeEventListener("change", on);
  }, []);
  return narrow;
}
