/** A game's name in the language of the page. */
import { maybe } from "../i18n";
import { games } from "../net/store";

/** `hand_sizes` → "Hand sizes" */
export const words = (key: string): string => {
  const text = key.replaceAll("_", " ");
  return text.charAt(0).toUpperCase() + text.slice(1);
};

/** A game without texts of its own has the title that the server says, or its key as words. */
export const gameTitle = (key: string): string => maybe(`game.${key}.title`, games.value.find((it) => it.key === key)?.title ?? words(key));
