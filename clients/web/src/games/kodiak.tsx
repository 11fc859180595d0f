/** Kodiak: three cards before each seat; one seat is the cat, the others are mice. */
import type { JSX } from "preact";
import { maybe, number, t } from "../i18n";
import { Icon } from "../kit/icons";
import { deckFace, deckName, type DeckFace } from "../kit/thedeck";
import type { Happened, View } from "../net/wire";
import { capOf } from "../table/input/caps";
import { commonFlights } from "../table/input/common";
import { effect, type Flight, type GameModule, type Prompt, type Scene } from "../table/module";
import { Card, Obj, Still } from "../table/Obj";
import { picked } from "../table/state";
import { TriggerHost } from "../table/Table";
import { SlotGrid, slotKey, type Slot } from "./slots";

interface V {
  phase: "look" | "draw" | "exchange" | "over";
  round: number;
  rounds: number;
  kodiak: number;
  turn: number;
  table: Slot[][];
  main_size: number;
  discard_size: number;
  discard_top: DeckFace | null;
  drawn: DeckFace | null;
  ready: boolean[];
  race: { card: DeckFace; opener: number; winner: number | null; thrown: number; grabbed: boolean; last_card: boolean } | null;
  owed: { seat: number; action: string; left: number }[];
  ask: { seat: number; slot: number } | null;
  touched: number[];
  peeks: { seat: number; at: number; slot: number }[];
  shown: { seat: number; slot: number; face: DeckFace; caught: boolean }[];
  catches: number;
  hairballs: number[];
  scores: number[];
  last_round: { points: number[] } | null;
}
type S = Scene<V>;
interface At {
  seat: number;
  slot?: number;
}
/** The letters of the slots: the top card, the two below it, then the penalty cards. */
const CODES = ["KeyQ", "KeyA", "KeyS", "KeyW", "KeyE", "KeyR", "KeyF"];

function keysOf(move: string, part: Record<string, unknown>, you: number): string[] {
  if (move === "draw") return ["pile:main"];
  if (move === "pounce") {
    const keys: string[] = [];
    if ("slot" in part) keys.push(slotKey(you, Number(part.slot)));
    if ("target" in part) keys.push(slotKey(Number(part.seat), Number(part.target)));
    return keys;
  }
  const keys: string[] = [];
  if ("slot" in part) keys.push(slotKey(typeof part.seat === "number" ? part.seat : you, Number(part.slot)));
  for (const field of ["a", "b"] as const) {
    const at = part[field] as At | undefined;
    if (at) keys.push(at.slot === undefined ? `seat:${at.seat}` : slotKey(at.seat, at.slot));
  }
  return keys;
}

/** Slot 0 above, 1 and 2 below; penalty cards open columns to the right. */
function pyramid(count: number): number[][] {
  const rows: number[][] = [[0], [1, 2]];
  for (let slot = 3; slot < count; slot++) {
    const row = rows[0] && rows[1] && rows[0].length <= rows[1].length - 1 ? rows[0] : rows[1];
    row?.push(slot);
  }
  return rows;
}

const looked = (s: S): Set<string> => new Set([...s.v.peeks.map((it) => slotKey(it.at ?? it.seat, it.slot)), ...s.v.shown.map((it) => slotKey(it.seat, it.slot))]);

function withShown(s: S, seat: number): Slot[] {
  return (s.v.table[seat] ?? []).map((slot, n) => {
    const shown = s.v.shown.find((it) => it.seat === seat && it.slot === n && !it.caught);
    return shown && slot.filled ? { ...slot, face: shown.face } : slot;
  });
}

function Tile({ s, seat }: { s: S; seat: number }): JSX.Element {
  const { v } = s;
  const slots = withShown(s, seat);
  const due = v.owed.find((it) => it.seat === seat);
  return (
    <div class="slotbox">
      {slots.length <= 3 && <Animal v={v} seat={seat} />}
      <SlotGrid s={s} seat={seat} slots={slots} looked={looked(s)} order={pyramid(slots.length)} compact codes={CODES} />
      {(due || (v.phase === "look" && v.ready[seat])) && (
        <div class="tilechips">
          {due && <span class="chip mini"><Icon name="eye" size={14} /> {maybe(`card.${due.action}`, due.action)}</span>}
          {v.phase === "look" && v.ready[seat] && <span class="chip mini"><Icon name="check" size={14} /></span>}
        </div>
      )}
    </div>
  );
}

const Animal = ({ v, seat }: { v: V; seat: number }): JSX.Element => (
  <span class="animal" role="img" aria-label={seat === v.kodiak ? t("kodiak.cat") : t("kodiak.mouse")}>
    <svg viewBox="0 0 100 100" style={{ color: "#2a2016" }}><use href={seat === v.kodiak ? "#p-cat" : "#p-mouse"} /></svg>
    {seat === v.kodiak ? v.catches > 0 && <b>×{v.catches}</b> : (v.hairballs[seat] ?? 0) > 0 && <b>×{v.hairballs[seat]}</b>}
  </span>
);

function Board({ s }: { s: S }): JSX.Element {
  const { v } = s;
  const caught = v.shown.filter((it) => it.caught).slice(-2);
  return (
    <div class={`piles ${s.msg.race ? "armed" : ""}`}>
      <div class="pile">
        <Card k="pile:main" name={t("mainPile", { n: v.main_size })} class="pilecard" cap={capOf("KeyD")} />
        <span class="caption">{t("main", { n: v.main_size })}</span>
      </div>
      <div class="pile trigger">
        <Obj k="pile:discard" name={v.discard_top ? t("discardTop", { card: deckName(v.discard_top) }) : t("discardEmpty")} class={`card triggercard ${v.discard_top ? "" : "hole"}`}>
          {caught.map((it, n) => <span key={n} class={`under u${n}`}><Still face={deckFace(it.face)} /></span>)}
          <TriggerHost k="discard" />
          {v.race?.grabbed && <svg class="pawover" viewBox="0 0 100 100" style={{ color: "#2a2016" }}><use href="#p-paw" /></svg>}
        </Obj>
        {!s.msg.race && <span class="caption">{t("discard", { n: v.discard_size })}</span>}
      </div>
      {v.drawn && (
        <div class="pile drawn">
          <Card k="drawn" face={deckFace(v.drawn)} name={t("youDrew", { card: deckName(v.drawn) })} class="drawncard" />
          <span class="caption"><b>{t("youDrewThis")}</b></span>
        </div>
      )}
    </div>
  );
}

function Own({ s }: { s: S }): JSX.Element {
  const slots = withShown(s, s.me);
  return (
    <div class="slotbox own-slots">
      {slots.length <= 3 && <Animal v={s.v} seat={s.me} />}
      <SlotGrid s={s} seat={s.me} slots={slots} looked={looked(s)} order={pyramid(slots.length)} compact={false} codes={CODES} />
    </div>
  );
}

function prompt(s: S): Prompt | null {
  const { v, you } = s;
  const offers = new Set(s.msg.offers.map((offer) => offer.move));
  const isCat = you === v.kodiak;
  if (v.phase === "look") return { title: offers.has("ready") ? t("kodiak.look") : t("waitForOthers"), sub: isCat ? t("kodiak.youCat") : t("kodiak.youMouse") };
  if (offers.has("touch_penalty")) return { title: t("kodiak.touch"), sub: "K17" };
  if (offers.has("offer")) return { title: t("kodiak.offer", { name: s.name(v.ask?.seat ?? 0) }) };
  const due = v.owed[0];
  if (due && due.seat === you && [...offers].some((move) => ["peek_mine", "expose", "look", "pick", "swap"].includes(move)))
    return { title: maybe(`kodiak.act.${due.action}`, maybe(`card.${due.action}`, due.action)), sub: picked.value.length ? t("kodiak.second") : undefined };
  if (v.race && s.msg.race) {
    const card = v.race.card.kind === "number" ? v.race.card.rune : deckName(v.race.card);
    if (v.race.grabbed) return { title: t("kodiak.grabbed"), sub: t("turnOf", { name: s.name(v.turn) }) };
    if (isCat) return { title: offers.has("grab") ? t("kodiak.grab", { card }) : t("kodiak.pounce"), sub: v.race.last_card ? t("kodiak.lastCard") : t("kodiak.pounceSub") };
    return { title: t("kodiak.scurry", { card }), sub: v.race.winner === null ? t("kodiak.scurrySub", { name: s.name(v.race.opener) }) : t("cambio.raceWon", { name: s.name(v.race.winner) }) };
  }
  if (v.drawn) return { title: t("kodiak.exchange"), sub: t("kodiak.exchangeSub") };
  if (offers.has("draw")) return { title: t("cambio.draw") };
  if (v.phase !== "over") return { title: t("turnOf", { name: s.name(v.turn) }) };
  return null;
}

function fly(s: S, event: Happened): Flight[] {
  const seat = event.seat ?? 0;
  const slot = Number(event.detail.slot ?? 0);
  switch (event.what) {
    case "drew":
      return [{ from: "pile:main", to: seat === s.you ? "drawn" : `seat:${seat}` }];
    case "exchanged":
      return [{ from: seat === s.you ? "drawn" : `seat:${seat}`, to: slotKey(seat, slot) }, { from: slotKey(seat, slot), to: "pile:discard", face: deckFace(s.v.discard_top) }];
    case "scurried":
      return [{ from: slotKey(seat, slot), to: "pile:discard", face: deckFace(s.v.discard_top) }];
    case "grabbed":
      return [{ from: slotKey(seat, slot), to: "pile:discard", face: deckFace(s.v.discard_top) }];
    case "touched":
      return [effect(`seat:${s.v.kodiak}`, "paw", "ring", "brown")];
    case "dealt": // the ears pass on
      return [...commonFlights(s, event), effect(`seat:${s.v.kodiak}`, "cat", "fall", "yellow")];
    case "asked":
      return [{ from: slotKey(Number(event.detail.at), slot), to: `seat:${s.v.kodiak}`, pic: "arrows", colour: "white" }];
    case "peeked":
      return [effect(slotKey(Number(event.detail.at ?? seat), slot), Number(event.detail.at ?? seat) === seat ? "eyein" : "eyeout", "pop")];
    case "round_ended":
      return ((event.detail.points as number[] | undefined) ?? []).map((points, n) => effect(`seat:${n}`, "", "pop", "yellow", points > 0 ? `+${points}` : String(points)));
    case "penalty":
    case "refilled":
      return [{ from: "pile:main", to: slotKey(seat, slot) }];
    case "pounced":
      return [effect(slotKey(Number(event.detail.at), Number(event.detail.target)), "paw", "fall", "brown"), { from: slotKey(seat, slot), to: slotKey(Number(event.detail.at), Number(event.detail.target)) }];
    case "swapped":
      return ((event.detail.moved as { from: { seat: number; slot: number }; to: { seat: number; slot: number } }[] | undefined) ?? []).map((it) => ({ from: slotKey(it.from.seat, it.from.slot), to: slotKey(it.to.seat, it.to.slot) }));
    default:
      return [];
  }
}

export const game: GameModule = {
  layout: "slots",
  aim: { keysOf, lifts: () => false, weak: ["pounce"] },
  turn: (s: S) => (s.v.phase === "over" || s.v.phase === "look" ? null : (s.v.owed[0]?.seat ?? s.v.turn)),
  subtitle: (s: S) => t("roundOf", { n: s.v.round + 1, of: s.v.rounds }),
  prompt,
  Board,
  Own,
  Tile,
  score: (s: S, seat) => (
    <span class="row tight">{(s.v.table[seat]?.length ?? 0) > 3 && <Animal v={s.v} seat={seat} />} {number(s.v.scores[seat] ?? 0)}</span>
  ),
  points: (s: S) => ({
    low: true,
    heads: s.v.last_round ? [t("lastRound")] : [],
    rows: s.v.scores.map((total, seat) => ({ seat, cells: s.v.last_round ? [s.v.last_round.points[seat] ?? "–"] : [], total })).sort((a, b) => a.total - b.total),
  }),
  trigger: (view: View) => deckFace((view.view as V).discard_top),
  also: (_s, ways) => ways.filter((way) => way.move.t === "draw"),
  label: (_s, way) => (way.move.t === "draw" ? { text: t("cambio.drawButton"), sub: t("cambio.drawButtonSub") } : null),
  look: (s: S, way) => (way.move.t === "draw" ? (s.msg.race ? "" : "main") : way.move.t === "ready" ? "main" : ""),
  hotkey: (way) => (way.move.t === "draw" ? "KeyD" : null),
  codes: CODES,
  fly,
  hints: [
    { id: "mouse", when: (s: S) => s.v.phase === "look" && s.you !== s.v.kodiak },
    { id: "cat", when: (s: S) => s.v.phase === "look" && s.you === s.v.kodiak },
    { id: "one", when: (s: S) => s.v.phase === "look" },
    { id: "keep", when: (s: S) => s.v.drawn !== null },
    { id: "same", when: (s: S) => s.v.discard_size > 0 && s.you !== s.v.kodiak },
    { id: "hairball", when: (s: S) => s.v.discard_size > 3 },
  ],
};
