/** This browser's own reaction times: what the server measured in races, kept here and nowhere else. */
import { signal } from "@preact/signals";

export interface Reaction {
  ms: number;
  game: string;
  when: number;
}
const KEY = "photofinish.reactions";
const MOST = 500;

function stored(): Reaction[] {
  try {
    const found = JSON.parse(localStorage.getItem(KEY) ?? "[]") as unknown[];
    return found.filter((it): it is Reaction => typeof it === "object" && it !== null && typeof (it as Reaction).ms === "number");
  } catch {
    return [];
  }
}
export const reactions = signal<Reaction[]>(stored());

function keep(all: Reaction[]): void {
  reactions.value = all;
  try {
    localStorage.setItem(KEY, JSON.stringify(all));
  } catch {
    // storage is forbidden: the times last as long as the page
  }
}
export const addReaction = (ms: number, game: string): void => keep([...reactions.value, { ms: Math.round(ms * 10) / 10, game, when: Date.now() }].slice(-MOST));
export const forgetReactions = (): void => keep([]);

const middle = (sorted: readonly number[]): number => sorted[Math.floor(sorted.length / 2)] ?? 0;

/** Best, median, and the median distance from it. */
export function figures(times: readonly number[]): { best: number; median: number; spread: number } {
  const sorted = [...times].sort((a, b) => a - b);
  const median = middle(sorted);
  return { best: sorted[0] ?? 0, median, spread: middle(sorted.map((it) => Math.abs(it - median)).sort((a, b) => a - b)) };
}
