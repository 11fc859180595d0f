/** What is printed on a key: by the player's own keyboard where the browser tells, else by its place on the board. */
import { signal } from "@preact/signals";

interface Keyboard {
  getLayoutMap?: () => Promise<ReadonlyMap<string, string>>;
}
const layout = signal<ReadonlyMap<string, string> | null>(null);
const keyboard = (navigator as { keyboard?: Keyboard }).keyboard;
keyboard?.getLayoutMap?.().then(
  (map) => (layout.value = map),
  () => undefined,
);

export const capOf = (code: string): string => layout.value?.get(code)?.toUpperCase() ?? code.replace(/^(Key|Digit)/, "");
