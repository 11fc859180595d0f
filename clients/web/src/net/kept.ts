/** What this browser keeps of events: which it has entered or hosts, their files and nonces, and the rooms it was called to. */
import type { Called } from "./wire";

function read<T>(key: string, otherwise: T): T {
  try {
    return JSON.parse(localStorage.getItem(key) ?? "null") ?? otherwise;
  } catch {
    return otherwise;
  }
}
function write(key: string, value: unknown): void {
  try {
    localStorage.setItem(key, JSON.stringify(value));
  } catch {
    // storage is forbidden: nothing is kept
  }
}

/** A list of codes. Where storage is forbidden it is empty. */
function codes(key: string): { all: () => string[]; add: (code: string) => void; drop: (code: string) => void } {
  const all = (): string[] => read<string[]>(key, []);
  return {
    all,
    add: (code) => write(key, [...all().filter((it) => it !== code), code].slice(-50)),
    drop: (code) => all().includes(code) && write(key, all().filter((it) => it !== code)),
  };
}
export const entered = codes("photofinish.entered");
export const hosted = codes("photofinish.hosted");
export const takesPart = (): boolean => entered.all().length + hosted.all().length > 0;

/** Something kept for each of the last events or rooms. */
function table<T>(key: string, most: number): { get: (code: string) => T | null; set: (code: string, value: T) => void } {
  return {
    get: (code) => read<[string, T][]>(key, []).find(([it]) => it === code)?.[1] ?? null,
    set: (code, value) => write(key, [...read<[string, T][]>(key, []).filter(([it]) => it !== code), [code, value]].slice(-most)),
  };
}
/** The nonce that `enter` has committed to and `check_in` reveals (T41). */
export const nonces = table<string>("photofinish.nonces", 20);
/** The file of an event that this browser hosts. */
export const files = table<string>("photofinish.files", 10);
/** What the server has warned the organiser about (T12). */
export const warned = table<readonly string[]>("photofinish.warned", 10);
/** Which event a room belongs to. */
export const eventRooms = table<Pick<Called, "event" | "round" | "table" | "seat" | "opponents">>("photofinish.eventrooms", 20);
