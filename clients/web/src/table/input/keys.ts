/** The keyboard: letters of cards and buttons, digits of seats, and the keys that every table has. Keys go by their place on the board. */
import { useEffect } from "preact/hooks";
import { moduleOf } from "../../games/index";
import { sheet, strip, view, you } from "../../net/store";
import { settings } from "../../settings";
import { generic } from "../generic";
import type { GameModule, Scene } from "../module";
import { scene } from "../scene";
import { aimedSeat, isTwofold, lit, mode, picked, press, send, sendOrAsk, touch, waiting, ways } from "../state";
import type { Way } from "./aim";
import { walk } from "./focus";

/** After the digit of a seat, its cards' letters mean that seat for so long. */
const AIMED_MS = 3000;
let forget: ReturnType<typeof setTimeout> | undefined;

export function aimAt(seat: number | null): void {
  clearTimeout(forget);
  aimedSeat.value = seat;
  if (seat !== null) forget = setTimeout(() => (aimedSeat.value = null), AIMED_MS);
}

/** Escape puts back what is picked. With nothing picked it declines, where that can be done. */
function escape(event: KeyboardEvent): void {
  const decline = ways.value.find((way) => way.move.t === "decline" && !way.keys.length);
  if (aimedSeat.value !== null) aimAt(null);
  else if (picked.value.length) picked.value = [];
  else if (decline && !waiting.value) send(decline, event);
}

/** Games with cards before each seat: a digit names a seat, then a letter its card. A letter alone is one's own card. */
function slotOf(s: Scene, game: GameModule, code: string): string | null {
  const slot = game.codes?.indexOf(code) ?? -1;
  const seat = aimedSeat.value ?? s.me;
  const count = (s.v.table as unknown[][] | undefined)?.[seat]?.length ?? 0;
  return slot >= 0 && slot < count ? `slot:${seat}:${slot}` : null;
}
function seatOf(s: Scene, game: GameModule, code: string): number | undefined {
  const digit = game.codes && /^Digit([1-7])$/.exec(code)?.[1];
  return digit ? s.others[Number(digit) - 1] : undefined;
}

/** What a key of this game means: an object, or a whole move. */
function meaning(s: Scene, game: GameModule, code: string): string | Way | null {
  const aimed = aimedSeat.value === null ? null : slotOf(s, game, code);
  return aimed ?? game.keys?.(s, code) ?? ways.value.find((way) => game.hotkey?.(way) === code) ?? slotOf(s, game, code);
}

export function useKeys(): void {
  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      const now = view.value;
      const target = event.target as HTMLElement;
      if (!now || event.defaultPrevented || event.repeat || event.ctrlKey || event.altKey || event.metaKey) return;
      if (target.matches("input, textarea, select") || sheet.value) return;
      document.documentElement.dataset.keys = settings.value.keys ? "on" : "";
      if (event.key === "Escape") return escape(event);
      if (walk(event.code)) return event.preventDefault();
      if (!settings.value.keys) return;
      if (you.value !== null && forTheGame(scene(now, false), moduleOf(now.game) ?? generic, event)) return event.preventDefault();
      const plain: Record<string, () => void> = {
        KeyO: () => (sheet.value = "log"),
        KeyT: () => (sheet.value = "chat"),
        KeyM: () => (sheet.value = "rules"),
        KeyV: () => strip.value && (sheet.value = `race:${strip.value.key}`),
        Slash: () => (sheet.value = "keys"),
        KeyZ: () => isTwofold.value && (mode.value = mode.value === "race" ? "act" : "race"),
      };
      if (!plain[event.code]) return;
      event.preventDefault();
      plain[event.code]?.();
    };
    addEventListener("keydown", onKey);
    return () => removeEventListener("keydown", onKey);
  }, []);
}

function forTheGame(s: Scene, game: GameModule, event: KeyboardEvent): boolean {
  const seat = seatOf(s, game, event.code);
  if (seat !== undefined) {
    // Where the whole seat can be chosen, its digit is enough.
    if (!lit.value.has(`seat:${seat}`)) return aimAt(seat), true;
    if (!press(`seat:${seat}`, event)) touch(`seat:${seat}`, event);
    return true;
  }
  const meant = meaning(s, game, event.code);
  if (meant === null) return false;
  aimAt(null);
  if (typeof meant !== "string") sendOrAsk(meant, event, game.twice?.includes(meant.move.t) ?? false);
  else if (!press(meant, event)) touch(meant, event);
  return true;
}
