/** One sentence: what is wanted now. In a race its question; after it the strip. */
import type { JSX } from "preact";
import { t } from "../i18n/index";
import { ClockRing } from "../kit/ClockRing";
import { clocks, strip } from "../net/store";
import type { Offer } from "../net/wire";
import type { GameModule, Prompt, Scene } from "./module";
import { HintBubble, hintFor } from "./Hints";
import { StripBand } from "./end/Strip";
import { offerText } from "./words";

export function promptOf(s: Scene, game: GameModule): Prompt {
  const own = game.prompt?.(s);
  if (own) return own;
  if (s.msg.over || s.v.phase === "over" || s.v.step === "over") return { title: t("gameOver") };
  const offers = s.msg.offers;
  if (s.you !== null && offers.length) {
    const first = offers.find((offer: Offer) => offer.awaited) ?? offers[0];
    return { title: offers.length === 1 && first ? offerText(s.msg.game, first) : t("yourTurn") };
  }
  const seats = [...s.awaited];
  if (seats.length === 1 && seats[0] !== undefined) return { title: t("turnOf", { name: s.name(seats[0]) }) };
  return { title: t("waitForOthers") };
}

export function PromptArea({ s, game }: { s: Scene; game: GameModule }): JSX.Element {
  const race = s.msg.race !== null;
  // One clock that nobody owns; those of cards being shown tick at the cards.
  const free = race ? [] : clocks.value.filter((clock) => !clock.seats.length && !/^(show|peek|dark)/.test(clock.key)).slice(0, 1);
  const shown = strip.value;
  if (shown && !race) return <div class="promptarea"><StripBand race={shown} onClose={() => (strip.value = null)} /></div>;
  const prompt = promptOf(s, game);
  return (
    <div class={`promptarea ${race ? "race" : ""}`}>
      <div class="prompttext">
        <h2 class="prompt">{prompt.title}</h2>
        {s.narrow && hintFor(s, game) ? <HintBubble s={s} game={game} /> : prompt.sub && <p class="promptsub">{prompt.sub}</p>}
      </div>
      {free.map((clock) => (
        <ClockRing key={clock.key} clock={clock} />
      ))}
    </div>
  );
}
