/** T68: an event calls a player to a table, and the page goes there by itself, unless the player plays elsewhere. */
import { Refusal, type Photofinish } from "@photofinish/client";
import { effect, signal } from "@preact/signals";
import { t } from "../i18n";
import { say } from "../live";
import { go } from "../route";
import { sounds } from "../sound";
import { eventRooms } from "./kept";
import { keptSeat, leaveTable, sentence, table } from "./link";
import { called, link, room, toast, view } from "./store";
import type { Called } from "./wire";

/** Why the seat could not be taken. */
export const callFault = signal("");
const visible = signal(document.visibilityState === "visible");
document.addEventListener("visibilitychange", () => (visible.value = document.visibilityState === "visible"));

/** Rooms that this page has gone to, or tried to. */
const answered = new Set<string>();
let told = "";
/** When the no-show clock of a room ends, by this browser's clock (T23). */
export const noShowAt = new Map<string, number>();
/** The newest call of each event, until its game is over. A player can be called in two events. */
const open = new Map<string, Called>();

/** Another table is left only when the seat can be taken: `busy` and `not_called` are refused before `in_a_room`. */
async function sit(it: Photofinish, event: string): Promise<void> {
  try {
    await it.sit(event);
  } catch (error) {
    if (!(error instanceof Refusal) || error.reason !== "in_a_room") throw error;
    await leaveTable();
    await it.sit(event);
  }
}

export async function answer(call: Called): Promise<void> {
  answered.add(call.room);
  callFault.value = "";
  try {
    eventRooms.set(call.room, { event: call.event, round: call.round, table: call.table, seat: call.seat, opponents: call.opponents });
    // A saved seat is resumed with its token.
    if (keptSeat()?.room === call.room) {
      if (table && room.value?.room !== call.room) await leaveTable();
    } else {
      const { identified } = await import("./identity");
      const it = await identified();
      if (it.table?.room.room !== call.room) await sit(it, call.event);
    }
    go(`/t/${call.room}`);
  } catch (error) {
    const { code, text, clause } = sentence(error);
    callFault.value = text;
    if (view.value) toast.value = { text, clause, game: view.value.game };
    if (code === "not_called") forget(call.room);
    // Another event keeps us: to its table, if both calls came while nobody looked at the page.
    if (code === "busy") called.value = [...open.values()].find((it) => !answered.has(it.room)) ?? call;
  }
}

/** The game of this call is over, or began without us. The call of another event may still wait. */
function forget(code: string): void {
  for (const it of open.values()) if (it.room === code) open.delete(it.event);
  if (called.value?.room === code) called.value = [...open.values()].at(-1) ?? null;
}

/** A call that waits: the player is not at its table. */
export const waitingCall = (): Called | null => (called.value && called.value.room !== room.value?.room ? called.value : null);

// A game that is over calls nobody.
effect(() => {
  if (view.value?.over) forget(view.value.room);
});

effect(() => {
  const call = called.value;
  if (call) {
    open.set(call.event, call);
    if (!noShowAt.has(call.room)) noShowAt.set(call.room, Date.now() + call.no_show_in_us / 1000);
  }
  if (!call || link.value !== "open" || room.value?.room === call.room) return;
  if (told !== call.room) {
    told = call.room;
    sounds.turn();
    say(t("calledTo", { table: call.table, seat: call.seat + 1 }), true);
  }
  // At a table the player decides when to go: there is a button for it. After the end of a game the page goes there by itself.
  const isAtTable = view.value !== null && view.value.you !== null;
  if (!visible.value || answered.has(call.room) || isAtTable) return;
  void answer(call);
});
