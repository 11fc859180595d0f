/** Sentences: what happened, what is offered. A language may have its own; else the server's. */
import { addTexts, has, maybe, t, type Params } from "../i18n/index";
import { eventsEn } from "../i18n/en/events";
import { words } from "../kit/titles";
import { nameOf, named } from "../net/store";
import type { Happened, Offer } from "../net/wire";

addTexts(eventsEn);

type Facts = Record<string, unknown>;
/** Facts that name a seat, and facts that choose between sentences. */
const SEATS = ["victim", "target", "loser", "at", "placer", "catcher", "lead"];
const CHOOSE = ["colour", "source", "declined", "why", "heading", "good", "action", "direction", "die", "to"];
const PLACES = new Set(["row", "col", "to"]);

const isFacts = (it: unknown): it is Facts => typeof it === "object" && it !== null && !Array.isArray(it);
const seatName = (it: unknown): string => (it === "ghost" ? t("jamaica.ghost") : nameOf(Number(it)));

/** A card in words, as every deck writes it. */
function cardName(it: Facts): string {
  const word = (group: string, value: unknown): string => (typeof value === "string" ? maybe(`${group}.${value}`, value) : "");
  return [word("colour", it.colour), word("kind", it.kind), word("card", it.part), word("symbol", it.symbol), it.number].filter((part) => part !== "" && part !== undefined && part !== null).join(" ");
}

/** The Rune Market names a card by its id alone: `y3_1`, `red_king_2`, `swap_4`. */
function runeCard(id: string): string {
  const found = /^(?:y(\d+)|(red|blue)_king|swap)_\d+$/.exec(id);
  if (!found) return id;
  const [, number, colour] = found;
  if (number) return cardName({ part: "number", number });
  return cardName({ part: colour ? `${colour}_shelter` : "thief" });
}

function params(game: string, event: Happened): Params {
  const facts = event.detail as Facts;
  const found: Params = { name: event.seat === null ? (facts.ship === "ghost" ? t("jamaica.ghost") : "") : nameOf(event.seat) };
  for (const [key, value] of Object.entries(facts)) {
    if (SEATS.includes(key)) found[key] = seatName(value);
    // Rows and columns are counted from one by people.
    else if (typeof value === "number") found[key] = game === "gravekeepers" && PLACES.has(key) ? value + 1 : value;
    else if (key === "card" && isFacts(value)) found.card = cardName(value);
    else if (key === "card" && game === "rune_market" && typeof value === "string") found.card = runeCard(value);
    else if (key === "name" && typeof value === "string") found.character = maybe(`character.${value}`, value);
    else if (key === "morning" || key === "evening") found[key] = maybe(`half.${String(value)}`, String(value));
    else if (key === "resource") found[key] = maybe(`good.${String(value)}`, String(value));
    else if (key === "trump") found[key] = maybe(`kind.${String(value)}`, String(value));
    else if (typeof value === "string") found[key] = value;
  }
  const [one, two] = (facts.moved as { from: { seat: number }; to: { seat: number } }[] | undefined) ?? [];
  if (one) Object.assign(found, { a: nameOf(one.from.seat), b: nameOf(two ? two.from.seat : one.to.seat) });
  if (isFacts(facts.place)) found.owner = nameOf(Number(facts.place.seat));
  if (isFacts(facts.from) && isFacts(facts.to)) Object.assign(found, { row: Number(facts.from.row) + 1, col: Number(facts.from.col) + 1, row2: Number(facts.to.row) + 1, col2: Number(facts.to.col) + 1 });
  if (Array.isArray(facts.dice)) Object.assign(found, { die1: Number(facts.dice[0]), die2: Number(facts.dice[1]) });
  if (Array.isArray(facts.anglers)) found.n = facts.anglers.length;
  if (event.what === "gained") found.n = (facts.cards as unknown[]).length + Number(facts.face_down);
  if (event.what === "spent") found.n = (facts.cards as unknown[]).length;
  if (event.what === "interest") found.n = Number(facts.red) + Number(facts.blue);
  return found;
}

export function eventText(game: string, event: Happened): string {
  const key = `${game}.event.${event.what}`;
  const place = event.detail.place;
  const isOwn = event.seat !== null && (event.detail.at === event.seat || (isFacts(place) && place.seat === event.seat));
  const chosen = [...(isOwn ? [`${key}.own`] : []), ...CHOOSE.map((fact) => `${key}.${String(event.detail[fact])}`)].find(has);
  return maybe(chosen ?? (has(key) ? key : `event.${event.what}`), named(event.text) || event.what.replaceAll("_", " "), params(game, event));
}

/** A move may be offered in several forms: a field, or its only value, tells which (`steal.card`, `buy.boat`). */
export function offerText(game: string, offer: Offer): string {
  const key = `${game}.offer.${offer.move}`;
  const forms = offer.choices.flatMap((it) => (it.k === "one" ? [...(it.rows.length === 1 ? (it.rows[0] ?? []) : []), ...it.fields] : [it.field]));
  const chosen = forms.map((form) => `${key}.${String(form)}`).find(has);
  return maybe(chosen ?? key, named(offer.text) || words(offer.move));
}
