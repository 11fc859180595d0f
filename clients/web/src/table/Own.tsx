/** Your panel: your cards, whose turn it is, and the buttons. */
import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import { milliseconds, t } from "../i18n/index";
import { Icon } from "../kit/icons";
import { play } from "../net/link";
import { sent, view } from "../net/store";
import { reaction } from "../net/race";
import type { Offer } from "../net/wire";
import type { Way } from "./input/aim";
import { Builder, plain } from "./input/Builder";
import { capOf } from "./input/caps";
import { HintBubble } from "./Hints";
import type { GameModule, Scene } from "./module";
import { SeatClock, SeatName } from "./Seats";
import { all, asked, buttons, handsOff, isTwofold, mode, send, sendOrAsk, waiting, ways } from "./state";
import { offerText } from "./words";

/** An offer with more answers than this opens a sheet instead. */
const MOST_BUTTONS = 6;

function labelOf(s: Scene, game: GameModule, way: Way, several: boolean): { text: string; sub?: string } {
  const own = game.label?.(s, way);
  if (own) return own;
  const text = offerText(s.msg.game, way.offer);
  const part = way.parts.map((it) => plain(it)).filter((it) => it && it !== "").join(" · ");
  return several && part ? { text, sub: part } : { text };
}

function ActionButton(props: { way: Way; text: string; sub?: string; look: string; twice: boolean; code: string | null }): JSX.Element {
  const { way } = props;
  const isAsked = asked.value === JSON.stringify(way.move);
  const down = way.isRace
    ? {
        onPointerDown: (event: PointerEvent) => event.button === 0 && send(way, event),
        onKeyDown: (event: KeyboardEvent) => {
          if (!event.repeat && (event.key === "Enter" || event.key === " ")) {
            event.preventDefault();
            send(way, event);
          }
        },
      }
    : { onClick: (event: Event) => sendOrAsk(way, event, props.twice) };
  return (
    <button class={`btn act ${props.look}`} disabled={waiting.value} {...down}>
      <span>
        {isAsked ? t("tapAgain", { what: props.text }) : props.text}
        {props.sub && !isAsked && <span class="sub">{props.sub}</span>}
      </span>
      {props.code && <kbd class="cap" aria-hidden="true">{capOf(props.code)}</kbd>}
    </button>
  );
}

export function RaceBand({ s }: { s: Scene }): JSX.Element | null {
  const race = s.msg.race;
  if (!race || s.you === null) return null;
  const now = sent.value;
  if (now)
    return (
      <div class={`raceband ${now.state}`} role="status">
        {now.state === "refused" ? now.text : now.state === "pending" ? <Dots text={t("judged")} /> : now.reactUs === undefined ? t("slapped") : t("slappedIn", { ms: milliseconds(now.reactUs, 0) })}
      </div>
    );
  const can = all.value.ways.some((way) => way.isRace);
  if (!can) return null;
  if (isTwofold.value)
    return (
      <div class="seg modes" role="group" aria-label={t("tapMeans")}>
        <button aria-pressed={mode.value === "race"} onClick={() => (mode.value = "race")}>
          <Icon name="bolt" size={18} /> {t("modeSlap")}
        </button>
        <button aria-pressed={mode.value === "act"} onClick={() => (mode.value = "act")}>
          <Icon name="eye" size={18} /> {t("modeAct")}
        </button>
      </div>
    );
  const withKeys = ways.value.some((way) => way.isRace && way.keys.length);
  return withKeys ? (
    <div class="raceband armed">
      <Icon name="bolt" size={18} /> {t("aTapSlaps")}
    </div>
  ) : null;
}

const Dots = ({ text }: { text: string }): JSX.Element => (
  <span>
    {text}
    <span class="dots" aria-hidden="true">
      <i />
      <i />
      <i />
    </span>
  </span>
);

export function Actions({ s, game }: { s: Scene; game: GameModule }): JSX.Element {
  const [open, setOpen] = useState<Offer | null>(null);
  useEffect(() => setOpen(null), [s.msg.seq]);
  if (handsOff.value || s.you === null) return <div class="actions" />;
  const many = new Map<Offer, number>();
  for (const way of buttons.value) if (!game.skip?.(s, way)) many.set(way.offer, (many.get(way.offer) ?? 0) + 1);
  const shown = buttons.value.filter((way) => (many.get(way.offer) ?? 0) <= MOST_BUTTONS && !game.skip?.(s, way));
  const longer = [...many].filter(([, count]) => count > MOST_BUTTONS).map(([offer]) => offer);
  for (const way of game.also?.(s, ways.value) ?? []) if (!shown.includes(way)) shown.push(way);
  const race = s.msg.race;
  const counts = new Map<string, number>();
  for (const way of shown) counts.set(way.offer.move, (counts.get(way.offer.move) ?? 0) + 1);
  const looks = shown.map((way) => game.look?.(s, way) ?? (way.isRace ? "race" : ""));
  const main = race || looks.includes("main") || looks.includes("race") ? -1 : shown.findIndex((way) => !/^(decline|end_turn|let_go|stop|give_up|call)$/.test(way.move.t));
  return (
    <div class="actions">
      {!s.narrow && <HintBubble s={s} game={game} />}
      <RaceBand s={s} />
      {game.Extra && <game.Extra s={s} />}
      {shown.slice(0, 12).map((way, n) => {
        const { text, sub } = labelOf(s, game, way, (counts.get(way.offer.move) ?? 0) > 1);
        const look = looks[n] || (n === main ? "main" : "");
        return <ActionButton key={JSON.stringify(way.move)} way={way} text={text} sub={race?.closers.includes(way.move.t) ? t("endsRace") : sub} look={look} twice={game.twice?.includes(way.move.t) ?? false} code={game.hotkey?.(way) ?? null} />;
      })}
      {[...longer, ...all.value.builders].map((offer, n) => (
        <button key={n} class={`btn act ${shown.length ? "" : "main"}`} disabled={waiting.value} onClick={() => setOpen(offer)}>
          {offerText(s.msg.game, offer)} …
        </button>
      ))}
      {open && (
        <Builder
          offer={open}
          title={offerText(s.msg.game, open)}
          say={(move, field, value) => sayPart(s, game, move, field, value)}
          onClose={() => setOpen(null)}
          onSend={(move, event) => {
            setOpen(null);
            const now = view.value?.race;
            void play(move, now?.moves.includes(move.t) ? { nonce: now.nonce, reactUs: reaction(now.nonce, event), keys: [] } : undefined);
          }}
        />
      )}
    </div>
  );
}

function sayPart(s: Scene, game: GameModule, move: string, field: string, value: unknown): string {
  if (field === "seat" && typeof value === "number") return value === s.you ? t("youLow") : s.name(value);
  return game.say?.(s, move, field, value) ?? plain(value);
}

/** In a race: what the table waits for comes first; a move that would end the race can wait. */
function turnWord(s: Scene, turn: number | null): string {
  const race = s.msg.race;
  if (!race) return t("yourTurn");
  const awaited = s.msg.offers.filter((offer) => offer.awaited && !race.moves.includes(offer.move));
  if (awaited.some((offer) => !race.closers.includes(offer.move))) return t("yourTurn");
  // Somebody else owes something first (a swap): then it is too early to say so.
  return awaited.length && (turn === null || turn === s.you) ? t("youAreNext") : "";
}

export function Own({ s, game }: { s: Scene; game: GameModule }): JSX.Element {
  if (s.you === null && !handsOff.value && !game.Own) return <div class="own empty" />;
  const turn = game.turn(s);
  const mine = s.you !== null && (turn === s.you || s.awaited.has(s.you)) && !s.msg.over;
  const autopilot = s.you !== null && s.seats[s.you]?.autopilot;
  return (
    <section class={`own ${mine ? "active" : ""}`} aria-label={t("yourCards")} data-k={`seat:${s.me}`}>
      <div class="ownhead">
        <SeatName s={s} seat={s.me} />
        <span class="score num">{game.score?.(s, s.me)}</span>
        {game.note && <span class="small note">{game.note(s, s.me)}</span>}
        <span class="grow" />
        {autopilot ? <b class="turnword">{t("clocksPlay")}</b> : mine && <b class="turnword">{turnWord(s, turn)}</b>}
        <SeatClock seat={s.me} own />
      </div>
      <div class="ownbody">
        {game.Own && <game.Own s={s} />}
        <Actions s={s} game={game} />
      </div>
    </section>
  );
}
