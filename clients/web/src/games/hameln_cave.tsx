/** Hameln Cave: two pirates, one ship, tricks that steer it, and no talking. */
import type { JSX } from "preact";
import { maybe, t } from "../i18n";
import type { Face } from "../kit/Card";
import { SeatMark } from "../kit/seats";
import type { Happened } from "../net/wire";
import { effect, type Flight, type GameModule, type Prompt, type Scene } from "../table/module";
import { Card, objectClass, Still } from "../table/Obj";
import { lit } from "../table/state";

interface H {
  colour: string;
  number: number;
}
interface Spot {
  col: number;
  row: number;
}
interface V {
  phase: string;
  awaited: number[];
  roman: string;
  map: (Spot & { kind: string })[];
  collapse_lines: { round: number; after_row: number }[];
  ship: Spot;
  courses: { left: Spot | null; right: Spot | null; straight: Spot | null };
  sides: ("left" | "right")[];
  round: number;
  rounds: number;
  ghost_track: { label: string; adds: number | null }[];
  ghost_marker: number;
  ghost_area: { call: boolean; card: H | null }[];
  patterns: { pattern: string; numbers: number[] }[];
  characters: (string | null)[];
  hand: H[];
  hand_sizes: number[];
  has_passed: boolean[];
  my_pass: H | null;
  shown_pass: H | null;
  gave: H | null;
  got: H | null;
  leader: number;
  trick: { seat: number; card: H }[];
  tricks: { cards: { seat: number; card: H }[]; winner: number }[];
  tricks_won: number[];
  surplus: { filled: boolean; up: boolean; card: H | null; mark: number }[];
  turned: number[];
  adds: number;
  ready: boolean[];
  winners: number[] | null;
  why: string;
}
type S = Scene<V>;

const PICTURE: Record<string, string> = { ghost: "ghost", saber: "sabers", wheel: "wheel", mermaid: "mermaid" };
const patternOf = (v: V, card: H): string => v.patterns.find((it) => it.numbers.includes(card.number))?.pattern ?? "ghost";
const faceOf = (v: V, card: H): Face => ({ colour: card.colour, corner: String(card.number), pic: PICTURE[patternOf(v, card)], label: maybe(`pattern.${patternOf(v, card)}`, patternOf(v, card)) });
const nameOf = (v: V, card: H): string => `${maybe(`colour.${card.colour}`, card.colour)} ${card.number}, ${maybe(`pattern.${patternOf(v, card)}`, patternOf(v, card))}`;
const id = (card: H): string => `${card.colour}.${card.number}`;

function keysOf(move: string, part: Record<string, unknown>): string[] {
  const card = part.card as H | undefined;
  if (card?.colour) return [`hand:${id(card)}`];
  if ("slot" in part) return [`surplus:${String(part.slot)}`];
  const to = part.to as Spot | string | undefined;
  if (move === "steer" && typeof to === "object" && to) return [`spot:${to.col}:${to.row}`];
  return [];
}

const U = 26;
const V_STEP = 40;

function Cave({ s }: { s: S }): JSX.Element {
  const { v } = s;
  const cols = v.map.map((it) => it.col);
  const rows = v.map.map((it) => it.row);
  const [minC, maxC, maxR] = [Math.min(...cols), Math.max(...cols), Math.max(...rows)];
  // Upright in a window on a phone; the whole cave lies on its side on a laptop, its left bank above.
  const across = (col: number): number => 24 + (col - minC) * U;
  const along = (row: number): number => 30 + (maxR - row) * V_STEP;
  const flat = !s.narrow;
  const breadth = 48 + (maxC - minC) * U;
  const length = 60 + maxR * V_STEP;
  const at = (it: Spot): [number, number] => (flat ? [length - along(it.row), across(it.col)] : [across(it.col), along(it.row)]);
  const [width, height] = flat ? [length, breadth] : [breadth, length];
  const y = along;
  const low = s.narrow ? Math.max(0, Math.min(v.ship.row - 1, maxR - 6)) : 0;
  const top = s.narrow ? y(Math.min(maxR, low + 6)) - 30 : 0;
  const shown = s.narrow ? y(low) + 34 - top : height;
  const course = (spot: Spot | null, kind: string): JSX.Element | null =>
    spot ? <path key={kind} d={`M${at(v.ship).join(" ")}L${at(spot).join(" ")}`} class="course" /> : null;
  const [shipX, shipY] = at(v.ship);
  const line = (row: number): string => (flat ? `M${length - along(row) + V_STEP / 2} 6V${height - 6}` : `M6 ${along(row) - V_STEP / 2}H${width - 6}`);
  return (
    <svg class="cave" viewBox={`0 ${top} ${width} ${shown}`} role="group" aria-label={t("hameln.cave", { row: v.ship.row, of: maxR })}>
      <rect x="0" y="0" width={width} height={height} rx="18" class="caverock" />
      {course(v.courses.left, "l")}{course(v.courses.right, "r")}{course(v.courses.straight, "s")}
      {v.map.map((it) => {
        const k = `spot:${it.col}:${it.row}`;
        const isLit = lit.value.has(k);
        const [cx, cy] = at(it);
        return (
          <g key={k} data-k={k} class={`${objectClass(k)} spot ${it.kind}`} role={isLit ? "button" : "img"} tabindex={isLit ? 0 : undefined} aria-label={t("hameln.spot", { kind: maybe(`spot.${it.kind}`, it.kind), row: it.row })}>
            {isLit && <circle cx={cx} cy={cy} r="23" class="sectionhalo" />}
            <circle cx={cx} cy={cy} r="18" class="spotdisc" />
            {it.kind === "ghost" && <g style={{ color: "#20242b" }}><use href="#p-ghost" x={cx - 13} y={cy - 13} width="26" height="26" /></g>}
            {it.kind === "reef" && <path d={`M${cx - 9} ${cy + 7}l6-14 5 8 4-5 5 11z`} class="reefrock" />}
            {it.kind === "goal" && <path d={`M${cx - 9} ${cy + 10}v-10a9 9 0 0 1 18 0v10`} class="goalarch" />}
          </g>
        );
      })}
      {v.collapse_lines.map((it) => <path key={it.round} data-glide={`line:${it.round}`} d={line(it.after_row)} class="collapse" />)}
      <g class="shipart" data-glide="ship" style={{ color: "#3a2410" }}><use href="#p-ship" x={shipX - 21} y={shipY - 24} width="42" height="42" /></g>
    </svg>
  );
}

function Tracks({ s }: { s: S }): JSX.Element {
  const { v } = s;
  return (
    <div class="tracks">
      <div class="track" role="group" aria-label={t("roundOf", { n: v.round, of: v.rounds })}>
        <span class="trackname">{t("hameln.rounds")}</span>
        {Array.from({ length: v.rounds }, (_, n) => <span key={n} class={`trackspace ${n + 1 === v.round ? "here" : ""} ${v.collapse_lines.some((line) => line.round === n + 1) ? "danger" : ""}`}>{n + 1}</span>)}
      </div>
      <div class="track" role="group" aria-label={t("hameln.track")}>
        <span class="trackname">{t("hameln.ghosts")}</span>
        {v.ghost_track.map((it, n) => <span key={n} class={`trackspace ghosty ${n === v.ghost_marker ? "here" : ""}`}>{it.label === "DEAD" ? "✕" : it.label}</span>)}
      </div>
      <div class="ghostarea" role="group" aria-label={t("hameln.area")}>
        <span class="trackname">{t("hameln.next")}</span>
        {v.ghost_area.slice(0, 9).map((it, n) => (it.call ? <span key={n} class="card minighost bellcard"><svg viewBox="0 0 100 100" class="c-yellow" style={{ color: "var(--deep)" }}><use href="#p-bell" /></svg></span> : it.card ? <Still key={n} face={{ ...faceOf(v, it.card), pic: undefined, numeral: String(it.card.number) }} compact class={`minighost ${n === 0 ? "first" : ""}`} name={nameOf(v, it.card)} /> : null))}
      </div>
      {v.surplus.some((it) => it.filled) && <div class="surplus" role="group" aria-label={t("hameln.surplus")}>
        <span class="trackname">{t("hameln.surplus")}</span>
        {v.surplus.map((it, n) => (it.filled ? <Card key={n} k={`surplus:${n}`} face={it.card ? faceOf(v, it.card) : null} compact name={it.card ? nameOf(v, it.card) : t("faceDown")} class="minighost" /> : null))}
      </div>}
    </div>
  );
}

function Board({ s }: { s: S }): JSX.Element {
  const { v } = s;
  const shown = v.trick.length ? v.trick : (v.tricks.at(-1)?.cards ?? []);
  return (
    <div class="hamelnboard">
      <Cave s={s} />
      <div class="hamelnside">
        <Tracks s={s} />
        <div class={`trick ${v.trick.length ? "" : "past"}`}>
          {shown.map(({ seat, card }) => (
            <div class="rimcard" key={id(card)} data-glide={`trick:${id(card)}`}><Still face={faceOf(v, card)} name={t("cauldron.rimCard", { card: nameOf(v, card), name: s.name(seat) })} class="trickcard" /><SeatMark seat={seat} /></div>
          ))}
          {!shown.length && <span class="caption">{t("hameln.noTrick")}</span>}
        </div>
      </div>
    </div>
  );
}

function Own({ s }: { s: S }): JSX.Element {
  const { v } = s;
  const size = v.hand.length > 4 ? "nine" : "";
  return (
    <div class="ownstack">
      {v.phase === "exchange" && v.shown_pass && <p class="small row tight">{t("hameln.aria")} <Still face={faceOf(v, v.shown_pass)} compact class="tinycard" name={nameOf(v, v.shown_pass)} /></p>}
      <div class={`hand ${size}`} role="group" aria-label={t("yourCards")}>
        {v.hand.map((card) => <Card key={id(card)} k={`hand:${id(card)}`} face={faceOf(v, card)} name={nameOf(v, card)} class="handcard" />)}
        {s.you === null && Array.from({ length: v.hand_sizes[s.me] ?? 0 }, (_, n) => <Still key={n} class="handcard" />)}
      </div>
    </div>
  );
}

function prompt(s: S): Prompt | null {
  const { v } = s;
  const offers = new Set(s.msg.offers.map((offer) => offer.move));
  if (offers.has("character")) return { title: t("hameln.character"), sub: v.characters[s.me] ? t("hameln.chosen", { name: maybe(`character.${v.characters[s.me]}`, v.characters[s.me] ?? "") }) : undefined };
  if (offers.has("pass")) return { title: t("hameln.pass"), sub: t("hameln.mute") };
  if (offers.has("play")) return v.trick[0] ? { title: t("hameln.follow", { colour: maybe(`colour.${v.trick[0].card.colour}`, v.trick[0].card.colour) }) } : { title: t("hameln.lead") };
  if (offers.has("steer")) return { title: t("hameln.steer") };
  if (offers.has("reveal")) return { title: t("hameln.reveal") };
  if (offers.has("apply")) return { title: t("hameln.apply") };
  if (offers.has("extra")) return { title: t("hameln.extra") };
  if (v.phase === "pause") return { title: t("hameln.pause"), sub: t("hameln.pauseSub") };
  return null;
}

function fly(s: S, event: Happened): Flight[] {
  const { detail } = event;
  const card = detail.card as H | undefined;
  const who = `seat:${event.seat ?? 0}`;
  const other = `seat:${1 - (event.seat ?? 0)}`;
  switch (event.what) {
    case "passed":
      return [{ from: who, to: other }];
    case "shown":
      return [{ from: other, to: who, pic: "eyein", colour: "brown" }];
    case "exchanged":
      return [{ from: "seat:0", to: "seat:1" }, { from: "seat:1", to: "seat:0" }];
    case "steered":
      return [{ from: who, to: "ship", pic: "wheel", colour: "brown" }];
    case "played":
      return card ? [{ from: event.seat === s.you ? `hand:${id(card)}` : who, to: `trick:${id(card)}`, face: faceOf(s.v, card) }] : [];
    case "took":
      return (s.v.tricks.at(-1)?.cards ?? []).map((it) => ({ from: `trick:${id(it.card)}`, to: who, face: faceOf(s.v, it.card) }));
    case "sailed": {
      const to = detail.to as Spot;
      return [{ from: "ship", to: `spot:${to.col}:${to.row}`, pic: "ship", colour: "brown" }];
    }
    case "added":
      return card ? [{ from: "board", to: `surplus:${String(detail.slot)}`, face: faceOf(s.v, card) }] : [];
    case "haunted":
      return [{ from: "board", to: "ship", pic: "ghost" }, effect("ship", "ghost", "rise")];
    case "blocked":
      return [effect("ship", "ship", "bump", "brown")];
    case "revealed":
    case "applied":
      return [effect(`surplus:${String(detail.slot)}`, card ? PICTURE[patternOf(s.v, card)] ?? "ghost" : "ghost", "pop")];
    case "round": // rocks fall behind the line that this round closes
      return s.v.collapse_lines.some((it) => it.round === detail.round) ? [effect(`line:${String(detail.round)}`, "rocks", "fall")] : [];
    case "game_over":
      return [s.v.winners?.length ? effect("board", "sun", "rise", "yellow") : effect("board", "rocks", "fall")];
    case "joined":
      return [{ from: "ship", to: "board", pic: "ghost" }];
    case "called":
      return [effect("board", "bell", "ring", "yellow")];
    default:
      return [];
  }
}

const Notches = ({ n }: { n: number }): JSX.Element => (
  <span class="notches" role="img" aria-label={t("hameln.tricks", { n })}>{[0, 1, 2, 3].map((i) => <i key={i} class={i < n ? "on" : ""} />)}</span>
);

export const game: GameModule = {
  layout: "badges",
  aim: { keysOf },
  turn: (s: S) => (s.v.awaited.length === 1 ? (s.v.awaited[0] ?? null) : null),
  subtitle: (s: S) => `${t("roundOf", { n: s.v.round, of: s.v.rounds })} · ${s.v.roman}`,
  prompt,
  Board,
  Own,
  note: (s: S, seat) => {
    const who = s.v.characters[seat];
    // On a phone your own line is short, and your bank is the one on your side of the map.
    if (who && s.narrow && seat === s.you) return maybe(`character.${who}`, who);
    return [who ? maybe(`character.${who}`, who) : "", s.v.sides[seat] === "left" ? t("hameln.left") : t("hameln.right")].filter(Boolean).join(" · ");
  },
  score: (s: S, seat) => <Notches n={s.v.tricks_won[seat] ?? 0} />,
  label: (s: S, way) => {
    if (way.move.t === "character") return { text: maybe(`character.${String(way.move.name)}`, String(way.move.name)), sub: maybe(`skill.${String(way.move.name)}`, "") };
    if (way.move.t === "extra") return { text: way.move.take ? t("yes") : t("no") };
    if (way.move.t === "pass" || way.move.t === "play") return { text: t(way.move.t === "pass" ? "hameln.passButton" : "playCard", { card: nameOf(s.v, way.move.card as H).split(",")[0] ?? "" }) };
    if (way.move.t === "steer" && typeof way.move.to === "string") return { text: maybe(`course.${way.move.to}`, way.move.to) };
    return null;
  },
  // Six equals: none of them is proposed.
  look: (_s, way) => (way.move.t === "character" ? "quiet" : ""),
  guess: (s: S, key) => {
    const card = s.v.hand.find((it) => key === `hand:${id(it)}`);
    return card && s.v.phase === "play" ? { t: "play", card } : null;
  },
  keys: (s: S, code) => {
    const n = Number(/^Digit([1-9])$/.exec(code)?.[1] ?? 0);
    const card = s.v.hand[n - 1];
    return card ? `hand:${id(card)}` : null;
  },
  fly,
  hints: [
    { id: "crew", when: (s: S) => s.v.phase === "character" },
    { id: "follow", when: (s: S) => s.v.phase === "play" },
    { id: "wheels", when: (s: S) => s.v.tricks.length > 0 },
    { id: "sabers", when: (s: S) => s.v.surplus.length > 2 },
    { id: "stones", when: (s: S) => s.v.round > 1 },
  ],
};
