/** What this browser keeps: name, looks, habits. Where storage is forbidden everything lasts as long as the page. */
import { effect, signal } from "@preact/signals";

export interface Settings {
  name: string;
  theme: "system" | "dark" | "light";
  motion: "system" | "less";
  language: "system" | "en" | "de" | "ja";
  sound: boolean;
  vibration: boolean;
  hand: "right" | "left";
  keys: boolean;
  hints: boolean;
  lastGame: string;
  bots: number;
  strength: "easy" | "medium" | "strong";
  seenHints: string[];
}

const KEY = "photofinish.settings";
const FIRST = ["Quick", "Calm", "Bright", "Bold", "Lucky", "Merry", "Sly", "Keen", "Swift", "Wise"];
const SECOND = ["Heron", "Otter", "Lynx", "Robin", "Badger", "Marten", "Falcon", "Hare", "Tern", "Newt"];
const any = <T>(list: readonly T[]): T => list[Math.floor(Math.random() * list.length)] as T;

const defaults = (): Settings => ({
  name: `${any(FIRST)} ${any(SECOND)}`,
  theme: "system",
  motion: "system",
  language: "system",
  sound: true,
  vibration: true,
  hand: "right",
  keys: true,
  hints: true,
  lastGame: "cambio",
  bots: 3,
  strength: "medium",
  seenHints: [],
});

export let storageWorks = true;

function stored(): Partial<Settings> {
  try {
    localStorage.setItem("photofinish.probe", "1");
    localStorage.removeItem("photofinish.probe");
    return JSON.parse(localStorage.getItem(KEY) ?? "{}") as Partial<Settings>;
  } catch {
    try {
      localStorage.removeItem(KEY);
    } catch {
      storageWorks = false;
    }
    return {};
  }
}

export const settings = signal<Settings>({ ...defaults(), ...stored() });

export const change = (some: Partial<Settings>): void => {
  settings.value = { ...settings.value, ...some };
};

export function forgetEverything(): void {
  try {
    localStorage.clear();
    sessionStorage.clear();
  } catch {
    // nothing was kept
  }
  settings.value = defaults();
}

effect(() => {
  try {
    localStorage.setItem(KEY, JSON.stringify(settings.value));
  } catch {
    storageWorks = false;
  }
});

const lightSystem = matchMedia("(prefers-color-scheme: light)");
const paint = (): void => {
  const { theme, motion } = settings.value;
  const light = theme === "light" || (theme === "system" && lightSystem.matches);
  document.documentElement.dataset.theme = light ? "light" : "dark";
  document.documentElement.dataset.motion = motion === "less" ? "less" : "full";
};
effect(paint);
lightSystem.addEventListener("change", paint);

export const reducedMotion = (): boolean =>
  settings.value.motion === "less" || matchMedia("(prefers-reduced-motion: reduce)").matches;
