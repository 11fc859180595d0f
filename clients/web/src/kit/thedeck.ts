/** The Deck: faces of Cambio and Kodiak. */
import { maybe } from "../i18n";
import type { Face } from "./Card";

export interface DeckFace {
  rune: string;
  kind: string;
  colour: string;
  value: number;
}

const PICTURE: Record<string, string> = {
  energy: "sun",
  sunlight_hairball: "hairball",
  peek_mine: "eyein",
  peek_yours: "eyeout",
  exposure: "eyeout",
  swap: "arrows",
  red_king: "crown",
  blue_king: "crown",
};

export function deckName(face: DeckFace): string {
  if (face.kind === "number") return `${maybe(`colour.${face.colour}`, face.colour)} ${face.rune}`;
  return maybe(`card.${face.kind}`, face.kind.replaceAll("_", " "));
}

export function deckFace(face: DeckFace | null | undefined): Face | null {
  if (!face) return null;
  if (face.kind === "number") return { colour: face.colour, corner: face.rune, numeral: face.rune, stone: true };
  const value = face.value < 0 ? `−${-face.value}` : String(face.value);
  return { colour: face.colour, corner: value, pic: PICTURE[face.kind] ?? "sun", label: deckName(face) };
}

export const deckSpoken = (face: DeckFace | null | undefined): string | null => (face ? deckName(face) : null);
