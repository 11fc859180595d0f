/** First-time hints: one at a time, once each, never in a race. */
import type { JSX } from "preact";
import { maybe, t } from "../i18n";
import { Icon } from "../kit/icons";
import { change, settings } from "../settings";
import { sheet, strip } from "../net/store";
import type { GameModule, Scene } from "./module";

export function hintFor(s: Scene, game: GameModule): string | null {
  if (!settings.value.hints || s.you === null || s.msg.race || s.msg.over) return null;
  // A replay has nothing to do and no clock.
  if (!s.msg.offers.length && !s.msg.clocks.length) return null;
  const seen = settings.value.seenHints;
  const found = game.hints?.find((hint) => !seen.includes(`${s.msg.game}.${hint.id}`) && hint.when(s));
  return found ? `${s.msg.game}.${found.id}` : null;
}

export function HintBubble({ s, game }: { s: Scene; game: GameModule }): JSX.Element | null {
  const id = hintFor(s, game);
  if (!id || sheet.value || strip.value) return null;
  const [key, hint] = id.split(".") as [string, string];
  const text = maybe(`${key}.hint.${hint}`, "");
  if (!text) return null;
  return (
    <div class="hint" role="note">
      <span class="grow">{text}</span>
      <button class="iconbtn" aria-label={t("gotIt")} onClick={() => change({ seenHints: [...settings.value.seenHints, id] })}>
        <Icon name="close" size={18} />
      </button>
    </div>
  );
}
