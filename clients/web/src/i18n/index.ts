/** Every text of the page comes from one catalogue. A language is one file; what it lacks is English. */
import { computed, effect, signal } from "@preact/signals";
import { settings } from "../settings";
import { en } from "./en/index";

export type Key = keyof typeof en;
export type Catalogue = Record<string, string>;
export type Params = Record<string, string | number>;

const LOADERS: Record<string, () => Promise<{ catalogue: Catalogue }>> = {
  de: () => import("./de/index"),
  ja: () => import("./ja/index"),
};
const loaded = signal<{ language: string; catalogue: Catalogue }>({ language: "en", catalogue: en });

export const wanted = computed(() => {
  const chosen = settings.value.language;
  if (chosen !== "system") return chosen;
  const here = navigator.language.slice(0, 2);
  return here in LOADERS ? here : "en";
});
export const language = computed(() => loaded.value.language);

effect(() => {
  const it = wanted.value;
  const load = LOADERS[it];
  if (!load) loaded.value = { language: "en", catalogue: en };
  else load().then(({ catalogue }) => wanted.value === it && (loaded.value = { language: it, catalogue }), () => undefined);
});
effect(() => {
  document.documentElement.lang = language.value;
});

/** `{name}` and `{n, plural, one {# card} other {# cards}}`, as ICU writes them. */
export function fill(text: string, params: Params, tongue: string): string {
  return text
    .replace(/\{(\w+), plural,((?:\s*[\w=]+ \{[^{}]*\})+)\}/g, (_all, name: string, cases: string) => {
      const n = Number(params[name]);
      const rule = new Intl.PluralRules(tongue).select(n);
      const found = Object.fromEntries([...cases.matchAll(/([\w=]+) \{([^{}]*)\}/g)].map((it) => [it[1], it[2]]));
      return (found[`=${n}`] ?? found[rule] ?? found.other ?? "").replaceAll("#", number(n));
    })
    .replace(/\{(\w+)\}/g, (all, name: string) => (name in params ? String(params[name]) : all));
}

export function t(key: Key, params: Params = {}): string {
  const { catalogue, language: tongue } = loaded.value;
  return fill(catalogue[key] ?? en[key], params, tongue);
}

/** English texts that come with the table: what happened. */
const more: Catalogue = {};
export const addTexts = (texts: Catalogue): void => void Object.assign(more, texts);
const found = (catalogue: Catalogue, key: string): string | undefined => catalogue[key] ?? (en as Catalogue)[key] ?? more[key];
export const has = (key: string): boolean => found(loaded.value.catalogue, key) !== undefined;

/** A text that a language may have (a game's words); else the fallback, which the server sent. */
export function maybe(key: string, fallback: string, params: Params = {}): string {
  const { catalogue, language: tongue } = loaded.value;
  const text = found(catalogue, key);
  return text === undefined ? fallback : fill(text, params, tongue);
}

/** A figure, with a minus sign instead of a hyphen. */
export const number = (n: number): string => new Intl.NumberFormat(language.value).format(n).replace("-", "−");
export const milliseconds = (us: number, digits = 1): string =>
  t("ms", {
    n: new Intl.NumberFormat(language.value, { minimumFractionDigits: digits, maximumFractionDigits: digits }).format(us / 1000),
  });
