/** The one connection of this page: it fills the store, and sends what the player does. */
import { CutOff, Photofinish, Refusal, type Table, type TokenStore } from "@photofinish/client";
import { batch } from "@preact/signals";
import { maybe } from "../i18n";
import { addReaction } from "../reactions";
import { go } from "../route";
import { settings } from "../settings";
import { buzz, sounds } from "../sound";
import { takesPart } from "./kept";
import { meet, sentAfter, triggers } from "./race";
import { say } from "../live";
import * as store from "./store";
import { forgetThrows, noteThrows, withWrongThrows } from "./throws";
import type { Clock, RaceReport, View } from "./wire";

const SEAT = "photofinish.seat";
export interface KeptSeat {
  room: string;
  token: string;
  game: string;
}

let memory: KeptSeat | null = null;
export function keptSeat(): KeptSeat | null {
  try {
    return JSON.parse(localStorage.getItem(SEAT) ?? "null") as KeptSeat | null;
  } catch {
    return memory;
  }
}
function keep(seat: KeptSeat | null): void {
  memory = seat;
  try {
    if (seat) localStorage.setItem(SEAT, JSON.stringify(seat));
    else localStorage.removeItem(SEAT);
  } catch {
    // storage is forbidden: the seat lasts as long as the page
  }
}
/** The lobby never resumes a saved seat by itself: only the address of a table does. */
let isOpening = false;
const tokens: TokenStore = {
  get: () => (isOpening ? null : (keptSeat()?.token ?? null)),
  set: (token) => keep(token === null ? null : { room: store.room.value?.room ?? keptSeat()?.room ?? "", game: store.room.value?.game ?? "", token }),
};

let connection: Photofinish | null = null;
let name = "";
export let table: Table | null = null;
export const socketUrl = (): string => `${location.protocol === "https:" ? "wss" : "ws"}://${location.host}/`;

/** A sentence for whatever went wrong. */
export function sentence(error: unknown): { code: string; text: string; clause: string } {
  if (error instanceof Refusal) {
    // Our own words where the table knows more; else another language's, else the server's, which are English.
    const other = maybe(`refusal.${error.reason}`, error.text, { text: error.text });
    return { code: error.reason, text: maybe(`refused.${error.reason}`, other), clause: error.clause };
  }
  const code = error instanceof CutOff ? String(error.code) : "away";
  const text = error instanceof Error ? error.message : String(error);
  return { code, text: maybe(`closed.${code}`, text), clause: "" };
}

let opening: Promise<Photofinish> | null = null;
/** The connection there is, or a new one: with a token, under a new name, or after a close. Never two at once. */
export async function connect(token?: string): Promise<Photofinish> {
  if (opening) {
    const earlier = await opening.catch(() => null);
    if (earlier && !token && name === settings.value.name) return earlier;
  }
  if (connection && connection.state !== "closed" && !token && (name === settings.value.name || table)) return connection;
  opening = open(token);
  try {
    return await opening;
  } finally {
    opening = null;
  }
}

async function open(token?: string): Promise<Photofinish> {
  connection?.close();
  name = settings.value.name;
  // The error stays on the page until there is a connection: a sentence that comes and goes cannot be read.
  store.link.value = "connecting";
  try {
    // A browser that takes part in an event proves its key on every connection, so that a call reaches every page.
    const key = takesPart() ? await import("./key").then((it) => it.browserKey()).catch(() => undefined) : undefined;
    isOpening = true;
    const opened = Photofinish.connect(socketUrl(), {
      name,
      client: "photofinish-web",
      storage: tokens,
      ...(token ? { token } : {}),
      ...(key ? { key } : {}),
    });
    isOpening = false;
    connection = await opened;
  } catch (error) {
    const why = sentence(error);
    batch(() => {
      store.link.value = "closed";
      store.trouble.value = why;
    });
    throw error;
  }
  listen(connection);
  store.trouble.value = null;
  store.link.value = "open";
  store.connections.value += 1;
  table = connection.table;
  if (connection.table) {
    heardRoom(connection.table.room);
    if (connection.table.view) heardView(connection.table.view);
  }
  store.emotes.value = connection.welcome?.limits.emotes ?? [];
  void connection.ping().catch(() => undefined);
  if (!store.games.value.length) store.games.value = await connection.games();
  return connection;
}

function heardRoom(room: NonNullable<typeof store.room.value>): void {
  store.room.value = room;
  const seat = keptSeat();
  if (seat && (seat.room !== room.room || seat.game !== room.game) && table?.token) keep({ ...seat, room: room.room, game: room.game });
}

function listen(it: Photofinish): void {
  const mine = <T>(then: (value: T) => void) => (value: T) => {
    if (connection === it) then(value);
  };
  it.on("state", mine(({ state, error }) => {
    batch(() => {
      store.link.value = state;
      if (state === "closed" && error) store.trouble.value = sentence(error);
      if (state === "open") store.trouble.value = null;
    });
    sendingIn = null;
    if (state === "reconnecting") say(maybe("lost", "Connection lost."), true);
  }));
  it.on("ping", mine(({ ms }) => void (store.ping.value = ms)));
  it.on("table", mine((now) => {
    table = now;
    if (now === null) store.clearTable();
  }));
  it.on("room", mine(heardRoom));
  it.on("view", mine(heardView));
  it.on("pending", mine(() => {
    if (store.sent.value?.state === "sent") store.sent.value = { ...store.sent.value, state: "pending" };
  }));
  it.on("race", mine((said) => {
    // Moves that only close a race (a draw) or let it go are not attempts to win it.
    const tries = movesOf.get(said.key);
    told = { ...said, marks: said.marks.filter((mark) => mark.move !== "let_go" && (!tries || tries.includes(mark.move))) };
    const race = withWrongThrows(told);
    batch(() => {
      store.verdicts.value = [...store.verdicts.value, race].slice(-100);
      store.ledger.value = race.ledger.find((line) => line.seat === store.you.value) ?? store.ledger.value;
      if (race.marks.length) {
        store.strip.value = race;
        store.remember(null, race, store.view.value?.seq ?? 0, store.view.value?.game ?? "");
      }
    });
    // The view with the last throw of a race comes after this message.
    setTimeout(() => finish(race.key), 50);
  }));
  it.on("called", mine((called) => void (store.called.value = called)));
  it.on("said", mine((said) => heard(said.name, said.seat, said.text, false)));
  it.on("emoted", mine(({ seat, emote }) => heard(store.nameOf(seat), seat, emote, true)));
  it.on("left", mine((left) => {
    if (left.reason !== "taken_over") store.trouble.value = { code: left.reason, text: left.text };
  }));
}

/** The last `race` message, as it came. */
let told: RaceReport | null = null;

/** A view has told how throws ended: the race to which they belong may have been shown already. */
function correct(key: string): void {
  if (told?.key !== key || !store.verdicts.value.some((race) => race.key === key)) return;
  const race = withWrongThrows(told);
  store.verdicts.value = store.verdicts.value.map((it) => (it.key === key ? race : it));
  store.log.value = store.log.value.map((line) => (line.race?.key === key ? { ...line, race } : line));
  if (store.strip.value?.key === key) store.strip.value = race;
}

/** What a closed race sounds like, and the own time of it. */
function finish(key: string): void {
  const race = store.verdicts.value.find((it) => it.key === key);
  if (!race) return;
  const first = race.marks.find((mark) => mark.verdict === "done");
  const mine = race.marks.filter((mark) => mark.seat === store.you.value);
  const reaction = mine.find((mark) => mark.verdict === "done" || mark.verdict === "held");
  if (reaction) addReaction(reaction.score / 1000, store.view.value?.game ?? "");
  if (mine.length) {
    (first && first.seat === store.you.value ? sounds.won : sounds.lost)();
    buzz([15, 40, 15]);
  }
}

function heard(who: string, seat: number | null, text: string, emote: boolean): void {
  batch(() => {
    store.talk.value = [...store.talk.value, { id: store.lineId(), name: who, seat, text, emote }].slice(-200);
    if (store.sheet.value !== "chat") store.unread.value = true;
  });
}

/** The moves of the last races, by key. */
const movesOf = new Map<string, string[]>();

function heardView(view: View): void {
  if (view.race) {
    movesOf.delete(view.race.key);
    movesOf.set(view.race.key, view.race.moves);
    if (movesOf.size > 50) movesOf.delete(movesOf.keys().next().value as string);
  }
  meet(view, () => apply(view));
}

/** The view becomes the state. After the frame in which a trigger was drawn, else at once. */
export function apply(view: View): void {
  const before = store.view.value;
  const now = performance.now();
  const totals = new Map(store.clocks.value.map((clock) => [clock.key, clock.total]));
  const fresh = !before || before.number !== view.number || before.room !== view.room;
  batch(() => {
    if (fresh) {
      store.log.value = [];
      store.verdicts.value = [];
      store.strip.value = null;
      forgetThrows();
    }
    if (before?.race && !view.race) store.raceClosedAt.value = now;
    if (before?.race?.nonce !== view.race?.nonce && store.sent.value?.state !== "pending") store.sent.value = null;
    if (view.race && before?.race?.nonce !== view.race.nonce) store.strip.value = store.toast.value = store.sheet.value = null;
    store.view.value = view;
    store.clocks.value = view.clocks.map((clock: Clock & { seats?: number[] }) => {
      const left = clock.left_us / 1000;
      const seats = clock.seats ?? (clock.seat === null ? [] : [clock.seat]);
      return { key: clock.key, running: clock.running, left, endsAt: now + left, total: Math.max(totals.get(clock.key) ?? 0, left), seats };
    });
    for (const event of view.last) store.remember(event, null, view.seq, view.game);
    const race = noteThrows(fresh ? null : before, view);
    if (race !== null) correct(race);
  });
}

/** For the tests: the objects of the last race move. */
let slapped: string[] = [];
/** The view in which a move outside races was made that has no answer yet. */
let sendingIn: number | null = null;
/** Make a move. A refusal becomes a sentence with its clause. */
export async function play(move: { t: string } & Record<string, unknown>, race?: { nonce: string; reactUs: number | undefined; keys: string[] }): Promise<void> {
  const at = table;
  // A second tap before the answer to the first does not send a second move. In a race the first claim counts.
  const seq = store.view.value?.seq ?? -1;
  if (!at || (!race && sendingIn === seq)) return;
  if (!race) sendingIn = seq;
  const game = store.view.value?.game ?? "";
  try {
    // Sent before anything on the page changes, so that the claim is not delayed.
    if (race) slapped = race.keys;
    const played = at.play(move, race ? { raceKey: race.nonce, reactUs: race.reactUs } : undefined);
    batch(() => {
      store.toast.value = null;
      store.movedIn.value = store.view.value?.seq ?? -1;
      store.movesMade.value += 1;
      if (race) store.sent.value = { keys: race.keys, reactUs: race.reactUs, state: "sent", text: "" };
      else store.strip.value = null;
    });
    await played;
    if (race && store.sent.value?.state !== "refused") store.sent.value = null;
  } catch (error) {
    const { text, clause } = sentence(error);
    sounds.refused();
    say(text, true);
    if (race && store.view.value?.race) store.sent.value = { keys: [], reactUs: race.reactUs, state: "refused", text };
    else batch(() => ((store.sent.value = null), (store.toast.value = { text, clause, game })));
  } finally {
    if (!race) sendingIn = null;
  }
}

/** Send a request to the server; a refusal becomes a toast. Resolves to whether it was done. */
export async function attempt(what: (table: Table) => Promise<unknown>): Promise<boolean> {
  if (!table) return false;
  try {
    await what(table);
    return true;
  } catch (error) {
    const { text, clause } = sentence(error);
    store.toast.value = { text, clause, game: store.room.value?.game ?? "" };
    return false;
  }
}

export async function quickPlay(game: string, bots: number, strength: "easy" | "medium" | "strong"): Promise<string> {
  const it = await connect();
  // Not listed: it is a game against bots, and invited players have its link.
  const at = await it.create({ game, seats: bots + 1, private: true });
  table = at;
  for (let n = 0; n < bots; n++) await at.bot({ strength });
  await at.ready();
  await at.start();
  return at.room.room;
}

/** A game of Reflex for one player, on the same path as every race. */
export async function practise(lights = 10, more: Record<string, number> = {}): Promise<string> {
  if (table) await leaveTable();
  const it = await connect();
  const at = await it.create({ game: "reflex", seats: 1, private: true, options: { flashes: lights, ...more } });
  table = at;
  await at.ready();
  await at.start();
  return at.room.room;
}

export async function leaveTable(): Promise<void> {
  const left = table?.room.room;
  try {
    await table?.leave();
  } catch {
    // the seat is gone either way
  }
  // Another tab may have taken another seat since then: that one stays saved.
  if (keptSeat()?.room === left) keep(null);
  table = null;
  store.clearTable();
}

export const retryNow = (): void => connection?.retry();
export const forgetSeat = (): void => keep(null);

/** For the tests: draws the newest view once more, or what it would be after a change, as if it came over the line (`hear`); the own ledger, and how soon triggers were drawn. */
(globalThis as { photofinishProbe?: unknown }).photofinishProbe = {
  again: (change = (view: View): View => view) => store.view.value && apply(change({ ...structuredClone(store.view.value), last: [] })),
  hear: (change: (view: View) => View) => store.view.value && heardView(change(structuredClone(store.view.value))),
  ledger: () => store.ledger.value,
  triggers: () => triggers,
  sentAfter: () => sentAfter,
  slapped: () => slapped,
  practise: (lights: number, more: Record<string, number>) => practise(lights, more).then((code) => go(`/t/${code}`)),
};
