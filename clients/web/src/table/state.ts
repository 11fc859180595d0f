/** What the table makes of the newest view: ways, lit objects, what is picked, and what a tap does. */
import { computed, effect, signal } from "@preact/signals";
import { play } from "../net/link";
import { reaction } from "../net/race";
import { raceClosedAt, sent, view, link, you } from "../net/store";
import { buzz } from "../sound";
import { dragTaps, litKeys, ripe, tap, waysOf, type KeysOf, type Way } from "./input/aim";

export interface Aim {
  keysOf: KeysOf;
  /** Whether a whole move waits for a second tap or its button. */
  lifts: (way: Way) => boolean;
  /** Moves of several objects that never hold back one of a single object. */
  weak: readonly string[];
}
const PLAIN: Aim = { keysOf: () => [], lifts: () => true, weak: [] };

export const aim = signal<Aim>(PLAIN);
export const picked = signal<string[]>([]);
/** With a race open and an action of one's own: what a tap means. */
export const mode = signal<"race" | "act">("race");
export const shaking = signal("");
/** The seat whose digit was pressed: the next letter is one of its cards. */
export const aimedSeat = signal<number | null>(null);
/** The move whose button asks for a second tap. */
export const asked = signal("");
/** A replay or a watcher has the same drawings and nothing to tap. */
export const handsOff = signal(false);

export const all = computed(() => {
  const now = view.value;
  if (!now || handsOff.value || now.you === null) return { ways: [], builders: [] };
  return waysOf(now.offers, aim.value.keysOf, now.race?.moves ?? [], now.you);
});
const raceKeys = computed(() => new Set(all.value.ways.filter((way) => way.isRace).flatMap((way) => way.keys)));
const actKeys = computed(() => new Set(all.value.ways.filter((way) => !way.isRace).flatMap((way) => way.keys)));
/** A key has two meanings: the mode decides. */
export const isTwofold = computed(() => [...raceKeys.value].some((key) => actKeys.value.has(key)));
export const ways = computed(() =>
  isTwofold.value ? all.value.ways.filter((way) => !way.keys.length || way.isRace === (mode.value === "race")) : all.value.ways,
);
export const lit = computed(() => (link.value === "open" ? litKeys(ways.value, picked.value) : new Set<string>()));
export const slapLit = computed(
  () => new Set(ways.value.filter((way) => way.isRace && way.keys.length === 1).flatMap((way) => way.keys)),
);
export const buttons = computed(() => ripe(ways.value, picked.value));
export const waiting = computed(() => link.value !== "open");

// What is picked lasts as long as its ways do; a new race begins with its own meaning.
effect(() => {
  const known = new Set(all.value.ways.flatMap((way) => way.keys));
  const left = picked.peek().filter((key) => known.has(key));
  if (left.length !== picked.peek().length) picked.value = left;
});
let lastNonce = "";
effect(() => {
  const nonce = view.value?.race?.nonce ?? "";
  if (nonce === lastNonce) return;
  lastNonce = nonce;
  const acting = all.peek().ways.some((way) => !way.isRace && way.keys.length > 0);
  mode.value = acting ? "act" : "race";
});

export function send(way: Way, event: { timeStamp: number }): void {
  const race = view.value?.race;
  picked.value = [];
  if (way.isRace && race) {
    buzz(10);
    void play(way.move, { nonce: race.nonce, reactUs: reaction(race.nonce, event), keys: way.keys });
  } else void play(way.move);
}

/** A move that is asked for once more in its button: the second time within two seconds sends it. */
export function sendOrAsk(way: Way, event: { timeStamp: number }, twice: boolean): void {
  const name = JSON.stringify(way.move);
  if (waiting.value) return;
  if (twice && asked.value !== name) {
    asked.value = name;
    setTimeout(() => asked.value === name && (asked.value = ""), 2000);
    return;
  }
  asked.value = "";
  send(way, event);
}

function shake(key: string): void {
  shaking.value = "";
  requestAnimationFrame(() => (shaking.value = key));
}

/** A finger goes down on an object: a race move goes at once. Returns whether it was one. */
export function press(key: string, event: { timeStamp: number }): boolean {
  if (!slapLit.value.has(key) && !(raceKeys.value.has(key) && ways.value.some((way) => way.isRace && way.keys.includes(key)))) return false;
  if (sent.value && sent.value.state !== "refused" && sent.value.keys.includes(key)) return true;
  const raced = ways.value.filter((way) => way.isRace);
  const tapped = tap(raced, picked.value, key, () => false, aim.value.weak);
  if (!tapped) return false;
  picked.value = tapped.picked;
  if (tapped.send) send(tapped.send, event);
  return true;
}

/** Let go of a dragged object. */
export function drop(from: string, to: string | null, outside: boolean, event: { timeStamp: number }): void {
  if (waiting.value || handsOff.value || you.value === null) return;
  const taps = dragTaps(ways.value, from, to, outside);
  if (!taps.length) return void (picked.value = []);
  const alone = taps.length === 1 && ways.value.find((way) => way.keys.length === 1 && way.keys[0] === taps[0]);
  if (alone) return send(alone, event);
  const whole = ways.value.filter((way) => way.keys.length === taps.length && taps.every((key) => way.keys.includes(key)));
  if (whole.length === 1 && whole[0]) return send(whole[0], event);
  picked.value = [];
  for (const key of taps) touch(key, event);
}

/** A tap on an object. Returns false if it means nothing now: the object shakes. */
export function touch(key: string, event: { timeStamp: number }): boolean {
  if (waiting.value || handsOff.value || you.value === null) return true;
  if (key.startsWith("slot:") && performance.now() - raceClosedAt.value < 250) return true;
  const tapped = tap(ways.value, picked.value, key, aim.value.lifts, aim.value.weak);
  if (!tapped) {
    shake(key);
    return false;
  }
  picked.value = tapped.picked;
  if (tapped.send) send(tapped.send, event);
  return true;
}
