/** The list of games in the lobby: each as a card with players and length. */
import type { JSX } from "preact";
import { maybe, t } from "../i18n";
import { Icon } from "../kit/icons";
import { games } from "../net/store";
import { gameTitle } from "../kit/titles";

export interface GameCard {
  key: string;
  least: number;
  most: number;
  minutes: number;
  races: boolean;
  pictures: string[];
  ground: string;
}
export const GAME_CARDS: readonly GameCard[] = [
  { key: "cambio", least: 2, most: 8, minutes: 10, races: true, pictures: ["crown"], ground: "red" },
  { key: "kodiak", least: 2, most: 6, minutes: 10, races: true, pictures: ["cat"], ground: "yellow" },
  { key: "alaska", least: 2, most: 4, minutes: 15, races: true, pictures: ["salmon"], ground: "blue" },
  { key: "rune_market", least: 2, most: 5, minutes: 25, races: false, pictures: ["rune_red"], ground: "red" },
  { key: "hameln_cave", least: 2, most: 2, minutes: 20, races: false, pictures: ["ghost"], ground: "white" },
  { key: "cauldron15", least: 2, most: 5, minutes: 15, races: false, pictures: ["cauldron"], ground: "purple" },
  { key: "jamaica", least: 2, most: 6, minutes: 40, races: false, pictures: ["ship"], ground: "blue" },
  { key: "gravekeepers", least: 2, most: 4, minutes: 20, races: false, pictures: ["skull"], ground: "white" },
  { key: "reflex", least: 1, most: 8, minutes: 1, races: true, pictures: ["light_go"], ground: "green" },
];

export function GameList({ onOpen, onCreate }: { onOpen: (key: string) => void; onCreate: () => void }): JSX.Element {
  const known = games.value.map((game) => game.key);
  const extra: GameCard[] = games.value
    .filter((game) => !GAME_CARDS.some((it) => it.key === game.key))
    .map((game) => ({ key: game.key, least: game.least, most: game.most, minutes: 15, races: false, pictures: ["stone"], ground: "brown" }));
  const all = [...GAME_CARDS.filter((it) => !known.length || known.includes(it.key)), ...extra];
  return (
    <section class="gamelist">
      <div class="row between">
        <h2>{t("gamesHeading")}</h2>
        <span class="small row tight withraces"><Icon name="bolt" size={16} /> {t("withRaces")}</span>
      </div>
      <ul>
        {all.map((it) => (
          <li key={it.key}>
            <button class="gamecard" onClick={() => onOpen(it.key)}>
              <svg class={`gamepic c-${it.ground}`} viewBox="0 0 120 120" aria-hidden="true">
                <rect width="120" height="120" rx="24" fill="var(--tint)" />
                <g style={{ color: "var(--deep)" }}>{it.pictures.map((pic) => <use key={pic} href={`#p-${pic}`} x="18" y="18" width="84" height="84" />)}</g>
              </svg>
              <span class="gametext">
                <b class="gamename">{gameTitle(it.key)} {it.races && <Icon name="bolt" size={16} />}</b>
                <span class="small"><b>{it.least === it.most ? it.least : `${it.least}–${it.most}`} · {t("minutes", { n: it.minutes })}</b></span>
                <span class="small short">{maybe(`game.${it.key}.short`, "")}</span>
              </span>
            </button>
          </li>
        ))}
        <li>
          <button class="gamecard create" onClick={onCreate}><Icon name="plus" /> {t("createTable")}</button>
        </li>
      </ul>
    </section>
  );
}
