/** T68: an event calls a player to a table, and the page goes there by itself, unless the player plays elsewhere. */
import { effect, signal } from "@preact/signals";
import { t } from "../i18n";
import { say } from "../live";
import { go } from "../route";
import { sounds } from "../sound";
import { eventRooms } from "./kept";
import { keptSeat, leaveTable, sentence, table } from "./link";
import { called, link, room, view } from "./store";
import type { Called } from "./wire";

/** Why the seat could not be taken. */
export const callFault = signal("");
const visible = signal(document.visibilityState === "visible");
document.addEventListener("visibilitychange", () => (visible.value = document.visibilityState === "visible"));

/** Rooms that this page has gone to, or tried to. */
const answered = new Set<string>();
let told = "";

export async function answer(call: Called): Promise<void> {
  answered.add(call.room);
  callFault.value = "";
  try {
    if (table && room.value?.room !== call.room) await leaveTable();
    eventRooms.set(call.room, { event: call.event, round: call.round, table: call.table, seat: call.seat, opponents: call.opponents });
    // A saved seat is resumed with its token.
    if (keptSeat()?.room !== call.room) {
      const { identified } = await import("./identity");
      const it = await identified();
      if (it.table?.room.room !== call.room) await it.sit(call.event);
    }
    go(`/t/${call.room}`);
  } catch (error) {
    callFault.value = sentence(error).text;
  }
}

/** A call that waits: the player is not at its table. */
export const waitingCall = (): Called | null => (called.value && called.value.room !== room.value?.room ? called.value : null);

// A game that is over calls nobody.
effect(() => {
  if (view.value?.over && view.value.room === called.value?.room) called.value = null;
});

effect(() => {
  const call = called.value;
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
