/** A move built step by step from an offer that objects alone cannot name: rows, toggles, steppers. */
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { t } from "../../i18n/index";
import { Sheet } from "../../kit/Sheet";
import type { Choice, Move, Offer } from "../../net/wire";
import { agrees } from "./aim";

export type Say = (move: string, field: string, value: unknown) => string;

export const plain = (value: unknown): string => {
  if (value === null || value === undefined) return "–";
  if (typeof value === "object")
    return Object.entries(value as Record<string, unknown>)
      .filter(([key]) => key !== "mark")
      .map(([, it]) => plain(it))
      .join(" ");
  return String(value).replaceAll("_", " ");
};

type Part = Record<string, unknown> | null;

function preset(choice: Choice): Part {
  if (choice.optional) return {};
  if (choice.k === "one" && choice.rows.length === 1) return rowPart(choice, 0);
  if (choice.k === "some") return { [choice.field]: choice.values.length === choice.least ? choice.values : [] };
  if (choice.k === "amounts") {
    // The fewest kinds: the largest stocks first.
    let open = choice.least;
    const amounts: Record<string, number> = {};
    for (const [key, limit] of Object.entries(choice.limits).sort((a, b) => b[1] - a[1])) {
      const some = Math.min(limit, open);
      if (some > 0) amounts[key] = some;
      open -= some;
    }
    return { [choice.field]: amounts };
  }
  return null;
}
const rowPart = (choice: Extract<Choice, { k: "one" }>, n: number): Record<string, unknown> =>
  Object.fromEntries(choice.fields.map((field, i) => [field, choice.rows[n]?.[i]]));

function isLegal(choice: Choice, part: Part): boolean {
  if (part === null) return false;
  if (choice.optional && !Object.keys(part).length) return true;
  if (choice.k === "one") return true;
  const value = part[choice.field];
  if (choice.k === "some") {
    const picked = value as unknown[];
    if (picked.length < choice.least || picked.length > choice.most) return false;
    if (!choice.weights.length) return true;
    const sum = total(choice, picked);
    return choice.sum_least !== null ? sum >= choice.sum_least : !choice.sums.length || choice.sums.includes(sum);
  }
  const sum = Object.values(value as Record<string, number>).reduce((a, b) => a + b, 0);
  return sum >= choice.least && sum <= choice.most;
}
const total = (choice: Extract<Choice, { k: "some" }>, picked: unknown[]): number =>
  picked.reduce<number>((sum, it) => sum + (choice.weights[choice.values.indexOf(it)] ?? 0), 0);

function Step(props: { offer: Offer; choice: Choice; part: Part; say: Say; set: (part: Part) => void }): JSX.Element {
  const { choice, part, say, offer, set } = props;
  const skip = choice.optional && (
    <button aria-pressed={part !== null && !Object.keys(part).length} class="pickrow" onClick={() => set({})}>
      {t("leaveOut")}
    </button>
  );
  if (choice.k === "one")
    return (
      <div class="picks">
        {skip}
        {choice.rows.map((row, n) => (
          <button key={n} class="pickrow" aria-pressed={JSON.stringify(part) === JSON.stringify(rowPart(choice, n))} onClick={() => set(rowPart(choice, n))}>
            {choice.fields.map((field, i) => (field === "mark" ? "" : say(offer.move, field, row[i]))).filter(Boolean).join(" · ")}
          </button>
        ))}
      </div>
    );
  if (choice.k === "some") {
    const picked = (part?.[choice.field] as unknown[] | undefined) ?? [];
    return (
      <div class="picks">
        {skip}
        {choice.values.map((value, n) => (
          <button
            key={n}
            class="pickrow"
            aria-pressed={picked.includes(value)}
            onClick={() => set({ [choice.field]: picked.includes(value) ? picked.filter((it) => it !== value) : [...picked, value] })}
          >
            {say(offer.move, choice.field, value)}
          </button>
        ))}
        <p class="small">{choice.weights.length ? t("sumOf", { sum: total(choice, picked), want: choice.sum_least !== null ? `≥ ${choice.sum_least}` : choice.sums.join(", ") }) : t("pickSome", { least: choice.least, most: choice.most })}</p>
      </div>
    );
  }
  const amounts = (part?.[choice.field] as Record<string, number> | undefined) ?? {};
  const sum = Object.values(amounts).reduce((a, b) => a + b, 0);
  return (
    <div class="picks">
      {Object.entries(choice.limits).map(([key, limit]) => (
        <Stepper key={key} label={say(offer.move, choice.field, key)} value={amounts[key] ?? 0} least={0} most={limit} set={(n) => set({ [choice.field]: { ...amounts, [key]: n } })} />
      ))}
      <p class="small">{t("sumOf", { sum, want: choice.least === choice.most ? choice.least : `${choice.least}–${choice.most}` })}</p>
    </div>
  );
}

export function Stepper(props: { label: string; value: number; least: number; most: number; by?: number; unit?: string; set: (n: number) => void }): JSX.Element {
  const { value, least, most, by = 1, set } = props;
  return (
    <div class="row between">
      <span class="grow">{props.label}</span>
      <span class="step">
        <button aria-label={t("less", { what: props.label })} disabled={value <= least} onClick={() => set(Math.max(least, value - by))}>
          −
        </button>
        <output>
          {value}
          {props.unit ?? ""}
        </output>
        <button aria-label={t("more", { what: props.label })} disabled={value >= most} onClick={() => set(Math.min(most, value + by))}>
          +
        </button>
      </span>
    </div>
  );
}

export function Builder(props: { offer: Offer; title: string; say: Say; onSend: (move: Move, event: Event) => void; onClose: () => void }): JSX.Element {
  const { offer, say } = props;
  const [parts, setParts] = useState<Part[]>(offer.choices.map(preset));
  const known = parts.filter((part): part is Record<string, unknown> => part !== null);
  const legal = offer.choices.every((choice, n) => isLegal(choice, parts[n] ?? null)) && agrees(offer, known);
  const move = Object.assign({ t: offer.move }, ...known) as Move;
  return (
    <Sheet title={props.title} onClose={props.onClose}>
      <div class="stack">
        {offer.choices.map((choice, n) => (
          <Step key={n} offer={offer} choice={choice} part={parts[n] ?? null} say={say} set={(part) => setParts(parts.map((it, i) => (i === n ? part : it)))} />
        ))}
        <button class="btn main wide" disabled={!legal} onClick={(event) => props.onSend(move, event)}>
          {t("send")}
        </button>
      </div>
    </Sheet>
  );
}
