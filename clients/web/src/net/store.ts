/** What the page knows now: the newest room and view, what was said and what just happened. Nothing older. */
import { computed, signal } from "@preact/signals";
import type { Ticking } from "../kit/ClockRing";
import type { Called, GameInfo, Happened, LagLine, Place, RaceReport, Room, View } from "./wire";

export type LinkState = "off" | "connecting" | "open" | "reconnecting" | "closed";
export interface LogLine {
  id: number;
  seq: number;
  game: string;
  event: Happened | null;
  race: RaceReport | null;
}
export interface Said {
  id: number;
  name: string;
  seat: number | null;
  text: string;
  emote: boolean;
}
export interface Toast {
  text: string;
  clause: string;
  game: string;
}
/** A race move on its way: what was tapped, how long the hand took, what came of it. */
export interface Sent {
  keys: readonly string[];
  reactUs: number | undefined;
  state: "sent" | "pending" | "refused";
  text: string;
}

export const link = signal<LinkState>("off");
/** Counts the connections of this page: requests of an older one must be sent again. */
export const connections = signal(0);
/** Why the connection is closed for good: a close code or a reason, and its sentence. */
export const trouble = signal<{ code: string; text: string } | null>(null);
export const ping = signal<number | null>(null);
export const games = signal<GameInfo[]>([]);
export const room = signal<Room | null>(null);
export const view = signal<View | null>(null);
export const clocks = signal<(Ticking & { seats: number[] })[]>([]);
export const log = signal<LogLine[]>([]);
export const talk = signal<Said[]>([]);
export const unread = signal(false);
export const verdicts = signal<RaceReport[]>([]);
export const strip = signal<RaceReport | null>(null);
export const ledger = signal<LagLine | null>(null);
export const sent = signal<Sent | null>(null);
/** The view in which the player last made a move. */
export const movedIn = signal(-1);
export const movesMade = signal(0);
export const toast = signal<Toast | null>(null);
export const raceOpen = computed(() => view.value?.race ?? null);
/** When the last race closed: taps on slots in the next 250 ms were meant for it. */
export const raceClosedAt = signal(-1e9);
export const sheet = signal<string | null>(null);
/** An event calls the player to a table. */
export const called = signal<Called | null>(null);
export const emotes = signal<string[]>([]);

export const you = computed(() => view.value?.you ?? null);
export const seats = computed<Place[]>(() => room.value?.seats ?? []);
/** A bot's name without the word that says so: its tile shows a sign. */
export const shortName = (place: Place | undefined): string => (place?.kind === "bot" ? place.name.replace(/ \(bot\)/, "") : (place?.name ?? ""));
/** Who sat where in this room last: a player who has left keeps the name in log and result. */
const sat = computed<{ room: string; names: string[] }>(() => {
  const now = room.value;
  const before = lastSat.room === now?.room ? lastSat.names : [];
  return (lastSat = { room: now?.room ?? "", names: (now?.seats ?? []).map((it, seat) => shortName(it) || before[seat] || "") });
});
let lastSat: { room: string; names: string[] } = { room: "", names: [] };
export const nameOf = (seat: number): string => sat.value.names[seat] || `${seat + 1}`;

let lines = 0;
export const lineId = (): number => ++lines;

export function remember(event: Happened | null, race: RaceReport | null, seq: number, game: string): void {
  log.value = [...log.value, { id: lineId(), seq, game, event, race }].slice(-200);
}

export function clearTable(): void {
  room.value = view.value = strip.value = ledger.value = sent.value = toast.value = sheet.value = null;
  clocks.value = [];
  log.value = [];
  talk.value = [];
  verdicts.value = [];
  unread.value = false;
}

/** `{0}` and `{1}` in a sentence of the server stand for the players in those seats. */
export const named = (text: string): string => text.replace(/\{(\d+)\}/g, (_all, seat: string) => nameOf(Number(seat)));
