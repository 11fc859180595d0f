/** Sentences: what happened, what is offered. A language may have its own; else the server's. */
import { maybe } from "../i18n";
import { nameOf, named } from "../net/store";
import type { Happened, Offer } from "../net/wire";
import type { Params } from "../i18n";

const simple = (detail: Record<string, unknown>): Params =>
  Object.fromEntries(
    Object.entries(detail)
      .filter(([, value]) => typeof value === "string" || typeof value === "number")
      .map(([key, value]) => [key, value as string | number]),
  );

export function eventText(game: string, event: Happened): string {
  const params: Params = { ...simple(event.detail), name: event.seat === null ? "" : nameOf(event.seat) };
  return maybe(`${game}.event.${event.what}`, named(event.text) || event.what.replaceAll("_", " "), params);
}

export const offerText = (game: string, offer: Offer): string =>
  maybe(`${game}.offer.${offer.move}`, named(offer.text) || words(offer.move));

/** `hand_sizes` → "Hand sizes" */
export const words = (key: string): string => {
  const text = key.replaceAll("_", " ");
  return text.charAt(0).toUpperCase() + text.slice(1);
};
