/** What a screen reader says. Polite sentences are joined, at most one per second; urgent ones are sent at once. */
import { signal } from "@preact/signals";

export const polite = signal("");
export const urgent = signal("");
let waiting: string[] = [];
let timer: ReturnType<typeof setTimeout> | null = null;

export function say(text: string, isUrgent = false): void {
  if (!text) return;
  if (isUrgent) {
    urgent.value = urgent.value === text ? `${text} ` : text;
    return;
  }
  waiting.push(text);
  timer ??= setTimeout(() => {
    timer = null;
    polite.value = waiting.slice(-4).join(" ");
    waiting = [];
  }, 1000);
}
