/** Moves out of offers: a random one, and whether a pick is allowed. Knows no rules. */

import type { Amounts, Offer, OneOf, SomeOf } from "./messages.js";
import type { Move } from "./table.js";

export type Choice = OneOf | SomeOf | Amounts;
/** Returns a number from 0 up to, but not including, 1: `Math.random`, or a seeded generator. */
export type Chance = () => number;

const TRIES = 500;

/** A random move: each offer equally likely, then each choice. Null if there is nothing to pick. */
export function sampleMove(offers: readonly Offer[], chance: Chance = Math.random): Move | null {
  for (const offer of shuffled(offers, chance)) {
    const move = sampleOffer(offer, chance);
    if (move !== null) return move;
  }
  return null;
}

export function sampleOffer(offer: Offer, chance: Chance = Math.random): Move | null {
  for (let tries = 0; tries < TRIES; tries++) {
    const parts = offer.choices.map((it) => (it.optional && chance() < 0.5 ? {} : pick(it, chance)));
    const move: Move = Object.assign({ t: offer.move }, ...parts);
    if (parts.every((it) => it !== null) && isAllowed(offer, move)) return move;
  }
  return search(offer, 0, { t: offer.move }, chance);
}

export function fieldsOf(choice: Choice): readonly string[] {
  return choice.k === "one" ? choice.fields : [choice.field];
}

/** May exactly these values (by place) be picked? */
export function addsUp(choice: SomeOf, places: readonly number[]): boolean {
  if (places.length < choice.least || places.length > choice.most) return false;
  if (choice.weights.length === 0) return true;
  const total = places.reduce((sum, place) => sum + (choice.weights[place] ?? 0), 0);
  if (choice.sum_least !== null) return total >= choice.sum_least;
  return choice.sums.length === 0 || choice.sums.includes(total);
}

/** Does the move keep the one constraint between the first two choices? */
export function isAllowed(offer: Offer, move: Move): boolean {
  if (!offer.where) return true;
  const [first, second] = offer.choices.slice(0, 2).map((it) => move[fieldsOf(it)[0] ?? ""]);
  if (first === undefined || second === undefined) return true;
  if (offer.where === "different_values") return JSON.stringify(first) !== JSON.stringify(second);
  return (first as { seat?: unknown } | null)?.seat !== (second as { seat?: unknown } | null)?.seat;
}

type Part = Record<string, unknown>;

function pick(choice: Choice, chance: Chance): Part | null {
  switch (choice.k) {
    case "one": {
      const row = choice.rows[Math.floor(chance() * choice.rows.length)];
      return row === undefined ? null : filled(choice.fields, row);
    }
    case "some": {
      const most = Math.min(choice.most, choice.values.length);
      if (choice.least > most) return null;
      const places = shuffled([...choice.values.keys()], chance).slice(
        0,
        between(choice.least, most, chance),
      );
      return addsUp(choice, places) ? { [choice.field]: places.map((it) => choice.values[it]) } : null;
    }
    case "amounts": {
      const tokens = Object.entries(choice.limits).flatMap(([key, limit]) => Array<string>(limit).fill(key));
      const most = Math.min(choice.most, tokens.length);
      if (choice.least > most) return null;
      const taken = shuffled(tokens, chance).slice(0, between(choice.least, most, chance));
      return { [choice.field]: counted(taken) };
    }
  }
}

/** If few moves meet the constraint, random tries may fail: check all moves, in random order. */
function search(offer: Offer, place: number, move: Move, chance: Chance): Move | null {
  const choice = offer.choices[place];
  if (choice === undefined) return isAllowed(offer, move) ? move : null;
  for (const part of everything(choice, chance)) {
    const found = search(offer, place + 1, { ...move, ...part }, chance);
    if (found !== null) return found;
  }
  return null;
}

function* everything(choice: Choice, chance: Chance): Generator<Part> {
  switch (choice.k) {
    case "one":
      for (const row of shuffled(choice.rows, chance)) yield filled(choice.fields, row);
      break;
    case "some":
      for (const places of subsets(choice.values.length))
        if (addsUp(choice, places)) yield { [choice.field]: places.map((it) => choice.values[it]) };
      break;
    case "amounts":
      for (const some of counts(Object.entries(choice.limits))) {
        const total = Object.values(some).reduce((sum, it) => sum + it, 0);
        if (total >= choice.least && total <= choice.most) yield { [choice.field]: some };
      }
  }
  if (choice.optional) yield {};
}

function* subsets(size: number, from = 0): Generator<number[]> {
  yield [];
  for (let first = from; first < size; first++)
    for (const rest of subsets(size, first + 1)) yield [first, ...rest];
}

function* counts(limits: readonly [string, number][]): Generator<Record<string, number>> {
  const [first, ...others] = limits;
  if (first === undefined) return yield {};
  const [key, limit] = first;
  for (const rest of counts(others))
    for (let n = 0; n <= limit; n++) yield n === 0 ? rest : { [key]: n, ...rest };
}

function counted(taken: readonly string[]): Record<string, number> {
  const found: Record<string, number> = {};
  for (const key of taken) found[key] = (found[key] ?? 0) + 1;
  return found;
}

function filled(fields: readonly string[], row: readonly unknown[]): Part {
  return Object.fromEntries(fields.map((field, place) => [field, row[place]]));
}

function between(least: number, most: number, chance: Chance): number {
  return least + Math.floor(chance() * (most - least + 1));
}

function shuffled<T>(items: readonly T[], chance: Chance): T[] {
  const all = [...items];
  for (let last = all.length - 1; last > 0; last--) {
    const other = Math.floor(chance() * (last + 1));
    [all[last], all[other]] = [all[other] as T, all[last] as T];
  }
  return all;
}
