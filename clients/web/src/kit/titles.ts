/** A game's name in the language of the page. */
import { maybe } from "../i18n";

export const gameTitle = (key: string): string => maybe(`game.${key}.title`, key);
