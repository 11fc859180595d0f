/** Cauldron 15: tricks that fill a cauldron. */
import type { JSX } from "preact";
import { maybe, t } from "../i18n";
import type { Face } from "../kit/Card";
import { SeatMark } from "../kit/seats";
import type { Happened } from "../net/wire";
import { effect, type Flight, type GameModule, type Prompt, type Scene } from "../table/module";
import { Card, Still } from "../table/Obj";
import { commonFlights } from "../table/input/common";
import { picked } from "../table/state";

interface Q {
  kind: string;
  number: number;
}
interface V {
  phase: "play" | "take" | "bonus" | "spend" | "over";
  round: number;
  rounds: number;
  limit: number;
  colours: { type: string; colour: string }[];
  trump: { kind: string } | null;
  starter: number;
  awaited: number[];
  led: string | null;
  sum: number;
  trick: { seat: number | null; card: Q }[];
  may_take: Q[];
  last_trick: { cards: { seat: number | null; card: Q }[]; sum: number; taker: number | null; taken: Q | null } | null;
  hand: Q[];
  hand_sizes: number[];
  before: Q[][];
  totals: number[];
  gathered: number[][];
  sets: number[];
  deck_size: number;
}
type S = Scene<V>;
const id = (card: Q): string => `${card.kind}.${card.number}`;

function colourOf(v: V, kind: string): string {
  return v.colours.find((it) => it.type === kind)?.colour ?? "white";
}
const kindName = (kind: string): string => maybe(`kind.${kind}`, kind);
const faceOf = (v: V, card: Q): Face => ({ colour: colourOf(v, card.kind), corner: String(card.number), pic: card.kind, label: kindName(card.kind) });
const nameOf = (card: Q): string => `${kindName(card.kind)} ${card.number}`;

function keysOf(move: string, part: Record<string, unknown>): string[] {
  const one = part.card as Q | undefined;
  if (Array.isArray(part.cards)) return (part.cards as Q[]).map((card) => `before:${id(card)}`);
  if (!one?.kind) return [];
  return [move === "play" ? `hand:${id(one)}` : move === "take" ? `rim:${id(one)}` : `before:${id(one)}`];
}

function lifted(s: S): Q | undefined {
  return s.v.hand.find((card) => picked.value.includes(`hand:${id(card)}`));
}

function Pot({ s }: { s: S }): JSX.Element {
  const { v } = s;
  const preview = lifted(s);
  const sum = v.sum;
  const next = preview ? sum + preview.number : sum;
  const level = Math.min(1.08, sum / v.limit);
  const top = 210 - 120 * level;
  return (
    <svg class="pot" data-glide="pot" viewBox="0 0 300 258" role="img" aria-label={t("cauldron.pot", { sum, limit: v.limit })}>
      <defs><clipPath id="potin"><path d="M42 66h216q22 150-108 152Q20 216 42 66z" /></clipPath></defs>
      <path d="M92 256q-24-16-8-40 4 12 12 12-4-22 14-34 0 16 12 24 2-20 16-32 0 18 12 28 4-14 12-24 10 14 8 34 8-4 10-14 14 22-6 46z" fill="#e08a3c" /><path d="M112 256q-12-12 0-28 6 10 14 10 0-18 14-28 0 16 12 24 6-8 8-16 14 18 4 38z" fill="#ffc24b" />
      <path d="M62 196l-18 58M238 196l18 58" stroke="#1d262b" stroke-width="13" stroke-linecap="round" />
      <path d="M30 60h240q30 172-120 176Q0 232 30 60z" fill="#39464e" stroke="#1d262b" stroke-width="5" />
      <g clip-path="url(#potin)">
        <rect x="0" y="0" width="300" height="250" fill="#222c31" />
        {preview && <rect x="0" y={210 - 120 * Math.min(1.1, next / v.limit)} width="300" height="250" fill={next > v.limit ? "#e2604f" : "#9a76cc"} opacity=".35" />}
        <rect class="liquid" x="0" y={top} width="300" height="250" fill={sum > v.limit ? "#e2604f" : "#9a76cc"} />
        <circle cx="90" cy={top + 24} r="8" fill="#fff" opacity=".4" /><circle cx="200" cy={top + 40} r="6" fill="#fff" opacity=".4" />
      </g>
      <path d="M18 60h264" stroke="#1d262b" stroke-width="12" stroke-linecap="round" />
      <text x="150" y="168" class="potsum">{sum}<tspan class="potlimit">/{v.limit}</tspan></text>
    </svg>
  );
}

function Board({ s }: { s: S }): JSX.Element {
  const { v } = s;
  const rim = v.trick.length ? v.trick : [];
  return (
    <div class="cauldronboard">
      <div class="row trumprow">
        {v.trump && <span class={`chip kindchip c-${colourOf(v, v.trump.kind)}`}><svg viewBox="0 0 100 100" style={{ color: "var(--deep)" }}><use href={`#p-${v.trump.kind}`} /></svg>{t("cauldron.trump", { kind: kindName(v.trump.kind) })}</span>}
        {v.led && <span class={`chip kindchip c-${colourOf(v, v.led)}`}><svg viewBox="0 0 100 100" style={{ color: "var(--deep)" }}><use href={`#p-${v.led}`} /></svg>{t("cauldron.led", { kind: kindName(v.led) })}</span>}
      </div>
      <Pot s={s} />
      <div class="rim">
        {rim.map(({ seat, card }) => (
          <div key={id(card)} class="rimcard">
            <Card k={`rim:${id(card)}`} face={faceOf(v, card)} name={t("cauldron.rimCard", { card: nameOf(card), name: seat === null ? t("cauldron.deck") : s.name(seat) })} />
            {seat !== null && <SeatMark seat={seat} size={18} />}
          </div>
        ))}
        {!rim.length && v.last_trick && (
          <span class="lasttrick small">
            {t("cauldron.lastTrick", { sum: v.last_trick.sum })}{" "}
            {v.last_trick.cards.map(({ card }) => <Still key={id(card)} face={{ ...faceOf(v, card), pic: undefined, numeral: String(card.number) }} compact class={`minicard ${v.last_trick?.taken && id(v.last_trick.taken) === id(card) ? "taken" : ""}`} name={nameOf(card)} />)}
          </span>
        )}
      </div>
    </div>
  );
}

function Before({ s, seat }: { s: S; seat: number }): JSX.Element {
  return (
    <span class="before">
      {(s.v.before[seat] ?? []).map((card) =>
        seat === s.you ? <Card key={id(card)} k={`before:${id(card)}`} face={{ ...faceOf(s.v, card), pic: undefined, numeral: String(card.number) }} compact name={nameOf(card)} class="tinycard" /> : <Still key={id(card)} face={{ ...faceOf(s.v, card), pic: undefined, numeral: String(card.number) }} compact class="tinycard" name={nameOf(card)} />,
      )}
    </span>
  );
}

/** Five dots: of which kinds this seat has gathered a card towards its next set. */
const KINDS = ["ore", "plant", "organism", "liquid", "soul"];
function SetDots({ s, seat }: { s: S; seat: number }): JSX.Element {
  const sets = s.v.sets[seat] ?? 0;
  const has = KINDS.filter((_, n) => (s.v.gathered[seat]?.[n] ?? 0) > sets);
  return (
    <span class="setdots" role="img" aria-label={t("cauldron.setDots", { n: has.length, kinds: has.map(kindName).join(", ") })}>
      {KINDS.map((kind) => (
        <svg key={kind} viewBox="0 0 100 100" class={`c-${colourOf(s.v, kind)} ${has.includes(kind) ? "on" : ""}`} style={{ color: "var(--deep)" }} aria-hidden="true"><use href={`#p-${kind}`} /></svg>
      ))}
    </span>
  );
}

function Own({ s }: { s: S }): JSX.Element {
  const { v } = s;
  return (
    <div class="ownstack">
      <div class="row beforerow"><span class="caption">{t("cauldron.before")}</span><Before s={s} seat={s.me} /><SetDots s={s} seat={s.me} /><Tube total={v.totals[s.me] ?? 0} limit={v.limit} /></div>
      <div class="hand many" role="group" aria-label={t("yourCards")}>
        {v.hand.map((card) => <Card key={id(card)} k={`hand:${id(card)}`} face={faceOf(v, card)} name={nameOf(card)} class="handcard" />)}
        {s.you === null && Array.from({ length: v.hand_sizes[s.me] ?? 0 }, (_, n) => <Still key={n} class="handcard" />)}
      </div>
    </div>
  );
}

const Tube = ({ total, limit }: { total: number; limit: number }): JSX.Element => (
  <span class={`tube ${total > limit ? "over" : ""}`} role="img" aria-label={t("cauldron.total", { n: total, limit })}>
    <i style={{ width: `${Math.min(100, (100 * total) / limit)}%` }} />
    <b>{total}</b>
  </span>
);

function prompt(s: S): Prompt | null {
  const { v } = s;
  const offers = new Set(s.msg.offers.map((offer) => offer.move));
  const card = lifted(s);
  if (offers.has("play")) {
    if (card) {
      const sum = v.sum + card.number;
      return { title: `${v.sum} + ${card.number} = ${sum}`, sub: sum === v.limit ? t("cauldron.exactly") : sum > v.limit ? t("cauldron.over") : t("cauldron.under") };
    }
    return { title: v.led ? t("cauldron.follow", { kind: kindName(v.led) }) : t("cauldron.lead"), sub: v.trump ? t("cauldron.trump", { kind: kindName(v.trump.kind) }) : undefined };
  }
  if (offers.has("take")) return { title: t("cauldron.take"), sub: t("cauldron.takeSub") };
  if (offers.has("bonus")) return { title: t("cauldron.bonus"), sub: t("cauldron.bonusSub") };
  if (offers.has("spend")) return { title: t("cauldron.spend") };
  return null;
}

/** Exactly 15 bursts in gold, more boils over, less sinks. */
const brew = (fill: string): Flight => (fill === "exact" ? effect("pot", "star", "burst", "yellow", "15") : fill === "over" ? effect("pot", "smoke", "rise", "red") : effect("pot", "splash", "fall", "purple"));

function fly(s: S, event: Happened): Flight[] {
  const card = event.detail.card as Q | undefined;
  const who = `seat:${event.seat ?? 0}`;
  const face = card && faceOf(s.v, card);
  switch (event.what) {
    case "turned":
      return card ? [{ from: "board", to: `rim:${id(card)}`, face }] : [];
    case "played":
      return card ? [{ from: event.seat === s.you ? `hand:${id(card)}` : who, to: `rim:${id(card)}`, face }] : [];
    case "took":
      return card ? [brew(String(event.detail.fill)), { from: `rim:${id(card)}`, to: who, face }] : [];
    case "nobody_took":
      return [effect("pot", "smoke", "rise"), ...(s.v.last_trick?.cards ?? []).map((it) => ({ from: `rim:${id(it.card)}`, to: "board", face: faceOf(s.v, it.card) }))];
    case "dealt":
      return [...commonFlights(s, event), ...(s.v.trump ? [effect("board", s.v.trump.kind, "pop", colourOf(s.v, s.v.trump.kind))] : [])];
    case "set":
      return KINDS.map((kind) => effect(who, kind, "pop", colourOf(s.v, kind)));
    case "gave_up":
      return [{ from: who, to: "board", face }];
    case "spent":
      return ((event.detail.cards as unknown[] | undefined) ?? []).map(() => ({ from: who, to: "board" }));
    default:
      return [];
  }
}

export const game: GameModule = {
  layout: "badges",
  aim: { keysOf, lifts: (way) => way.move.t === "play" || way.move.t === "spend" },
  turn: (s: S) => (s.v.awaited.length === 1 ? (s.v.awaited[0] ?? null) : null),
  subtitle: (s: S) => t("roundOf", { n: s.v.round, of: s.v.rounds }),
  prompt,
  Board,
  Own,
  note: (s: S, seat) => (seat === s.me ? null : <Before s={s} seat={seat} />),
  score: (s: S, seat) => (seat === s.me ? null : <Tube total={s.v.totals[seat] ?? 0} limit={s.v.limit} />),
  points: (s: S) => ({ low: false, heads: [<span class="hidden-text">{t("cauldron.gathered")}</span>, t("cauldron.sets")], rows: s.v.totals.map((total, seat) => ({ seat, cells: [<SetDots s={s} seat={seat} />, s.v.sets[seat] ?? 0], total })).sort((a, b) => (a.total > s.v.limit ? 1 : 0) - (b.total > s.v.limit ? 1 : 0) || b.total - a.total) }),
  label: (_s, way) => (way.move.t === "play" ? { text: t("playCard", { card: nameOf(way.move.card as Q) }) } : way.move.t === "decline" ? { text: t("cauldron.keepAll") } : null),
  guess: (s: S, key) => {
    const found = s.v.hand.find((card) => key === `hand:${id(card)}`);
    return found && s.v.phase === "play" ? { t: "play", card: found } : null;
  },
  keys: (s: S, code) => {
    const n = Number(/^Digit([1-9])$/.exec(code)?.[1] ?? 0);
    const card = s.v.hand[n - 1];
    return card ? `hand:${id(card)}` : null;
  },
  fly,
  hints: [
    { id: "follow", when: (s: S) => s.msg.offers.some((offer) => offer.move === "play") },
    { id: "exact", when: (s: S) => s.v.sum > 4 },
    { id: "under", when: (s: S) => s.v.last_trick !== null },
    { id: "total", when: (s: S) => (s.v.totals[s.me] ?? 0) > 5 },
  ],
};
