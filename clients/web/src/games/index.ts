/** The styled games. Each is loaded when a table of that game is opened. */
import { signal } from "@preact/signals";
import type { GameModule } from "../table/module";

const LOADERS: Record<string, () => Promise<{ game: GameModule }>> = {
  cambio: () => import("./cambio"),
  kodiak: () => import("./kodiak"),
  alaska: () => import("./alaska"),
  gravekeepers: () => import("./gravekeepers"),
  jamaica: () => import("./jamaica"),
  rune_market: () => import("./rune_market"),
  hameln_cave: () => import("./hameln_cave"),
  cauldron15: () => import("./cauldron15"),
  reflex: () => import("./reflex"),
};
const loaded = signal<Record<string, GameModule>>({});
const asked = new Set<string>();

/** `?generic` in the address shows any game on the generic table. */
const generic = new URLSearchParams(location.search).has("generic");

export function load(key: string): void {
  const loader = LOADERS[key];
  if (!loader || asked.has(key) || generic) return;
  asked.add(key);
  loader().then(
    ({ game }) => (loaded.value = { ...loaded.value, [key]: game }),
    () => asked.delete(key),
  );
}

export function moduleOf(key: string): GameModule | null {
  const found = loaded.value[key];
  if (!found) load(key);
  return found ?? null;
}
