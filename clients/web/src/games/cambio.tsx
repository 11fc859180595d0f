/** Cambio: four cards before each seat, two piles, and the race for an identical card. */
import type { JSX } from "preact";
import { maybe, number, t } from "../i18n/index";
import { Icon } from "../kit/icons";
import { deckFace, deckName, type DeckFace } from "../kit/thedeck";
import type { Happened, View } from "../net/wire";
import type { Way } from "../table/input/aim";
import { capOf } from "../table/input/caps";
import { effect, type Flight, type GameModule, type Prompt, type Scene } from "../table/module";
import { Card, Obj, Still } from "../table/Obj";
import { picked } from "../table/state";
import { TriggerHost } from "../table/Table";
import { SLOT_CODES, SlotGrid, slotKey, type Slot } from "./slots";

interface Place {
  seat: number;
  slot: number;
  mark: number;
}
interface V {
  phase: "look" | "turn" | "scored" | "over";
  round: number;
  dealer: number;
  turn: number | null;
  main: number;
  discard: { size: number; frozen: boolean; top: DeckFace | null; thrown: DeckFace[] };
  table: Slot[][];
  drawn: { seat: number; source: string; face: DeckFace | null } | null;
  action: { seat: number; kind: string; left: number; picks: unknown[] } | null;
  race: { number: number; rune: string; opener: number; winner: number | null; throws: number } | null;
  gifts: { giver: number; to: Place }[];
  looks: { place: Place; why: string; to: number | null }[];
  caller: number | null;
  ready: boolean[];
  totals: number[];
  sheet: number[][];
}
type S = Scene<V>;

const keysOf = (move: string, part: Record<string, unknown>, me: number): string[] => {
  const keys: string[] = [];
  if (move === "draw") keys.push(`pile:${String(part.from)}`);
  if (move === "discard") keys.push("pile:discard");
  if ("slot" in part) keys.push(slotKey(typeof part.seat === "number" ? part.seat : me, Number(part.slot)));
  for (const field of ["a", "b"] as const) {
    const at = part[field] as Place | undefined;
    if (at && "slot" in at) keys.push(slotKey(at.seat, at.slot));
  }
  return keys;
};

/** Two rows; slots from 4 on open further columns. */
export function twoRows(count: number): number[][] {
  const rows: number[][] = [[0, 1], [2, 3]];
  for (let slot = 4; slot < count; slot++) rows[slot % 2]?.push(slot);
  return rows;
}

const looked = (s: S): Set<string> => new Set(s.v.looks.map((look) => slotKey(look.place.seat, look.place.slot)));

function Tile({ s, seat }: { s: S; seat: number }): JSX.Element {
  const { v } = s;
  const slots = v.table[seat] ?? [];
  const holds = v.drawn?.seat === seat;
  const gift = v.gifts.find((it) => it.giver === seat);
  return (
    <div class={`slotbox ${v.caller === seat ? "frost" : ""}`}>
      <SlotGrid s={s} seat={seat} slots={slots} looked={looked(s)} order={twoRows(slots.length)} compact codes={SLOT_CODES} />
      {(holds || gift || v.caller === seat || v.action?.seat === seat || v.ready[seat]) && (
        <div class="tilechips">
          {holds && (
            <span class="held" data-k={`drawn:${seat}`}>
              <Still compact face={deckFace(v.drawn?.face)} />
            </span>
          )}
          {gift && <span class="chip mini">{t("giftTo", { name: s.name(gift.to.seat) })}</span>}
          {v.caller === seat && <span class="chip mini"><Icon name="lock" size={14} /> Cambio</span>}
          {v.action?.seat === seat && <span class="chip mini"><Icon name="eye" size={14} /> {maybe(`card.${v.action.kind}`, v.action.kind)}</span>}
          {v.ready[seat] && <span class="chip mini"><Icon name="check" size={14} /> {t("ready")}</span>}
        </div>
      )}
    </div>
  );
}

function Board({ s }: { s: S }): JSX.Element {
  const { v } = s;
  const mine = v.drawn && v.drawn.seat === s.you;
  const thrown = v.discard.thrown.slice(0, -1).slice(-2);
  return (
    <div class={`piles ${s.msg.race ? "armed" : ""}`}>
      <div class="pile">
        <Card k="pile:main" name={t("mainPile", { n: v.main })} class="pilecard" cap={capOf("KeyD")} />
        <span class="caption">{t("main", { n: v.main })}</span>
      </div>
      <div class="pile trigger">
        <Obj k="pile:discard" name={[v.discard.top ? t("discardTop", { card: deckName(v.discard.top) }) : t("discardEmpty"), v.discard.frozen ? t("frozen") : ""].filter(Boolean).join(", ")} class={`card triggercard ${v.discard.top ? "" : "hole"}`} cap={capOf(v.drawn ? "KeyX" : "KeyF")}>
          {thrown.map((face, n) => (
            <span key={n} class={`under u${n}`}><Still face={deckFace(face)} /></span>
          ))}
          <TriggerHost k="discard" />
        </Obj>
        {!s.msg.race && <span class="caption">{t("discard", { n: v.discard.size })}</span>}
        {v.discard.frozen && !s.msg.race && <span class="chip frozen"><Icon name="snow" size={14} /> <span class="frozenword">{t("frozen")}</span></span>}
      </div>
      {mine && (
        <div class="pile drawn">
          <Card k="drawn" face={deckFace(v.drawn?.face)} name={v.drawn?.face ? t("youDrew", { card: deckName(v.drawn.face) }) : t("faceDown")} class="drawncard" />
          <span class="caption"><b>{t("youDrewThis")}</b></span>
        </div>
      )}
    </div>
  );
}

function Own({ s }: { s: S }): JSX.Element {
  const slots = s.v.table[s.me] ?? [];
  return (
    <div class={`slotbox own-slots ${s.v.caller === s.me ? "frost" : ""}`}>
      <SlotGrid s={s} seat={s.me} slots={slots} looked={looked(s)} order={twoRows(slots.length)} compact={false} codes={SLOT_CODES} />
    </div>
  );
}

const runeWord = (v: V): string => {
  const top = v.discard.top;
  return top && top.kind === "number" ? top.rune : top ? deckName(top) : "";
};

function prompt(s: S): Prompt | null {
  const { v, you } = s;
  const offers = new Set(s.msg.offers.map((offer) => offer.move));
  const gift = v.gifts.find((it) => it.giver === you);
  if (v.phase === "look") return { title: t("cambio.look"), sub: v.ready[you ?? -1] ? t("waitForOthers") : t("cambio.lookSub") };
  if (v.phase === "scored") return { title: t("cambio.scored", { n: v.round }), sub: offers.has("ready") ? t("cambio.scoredSub") : t("waitForOthers") };
  if (s.msg.race && !(offers.has("give") || (v.action && v.action.seat === you && !offers.has("slap"))))
    return { title: t("cambio.race", { rune: runeWord(v) }), sub: v.race?.winner === null || !v.race ? t("cambio.raceSub", { name: s.name(v.race?.opener ?? 0) }) : t("cambio.raceWon", { name: s.name(v.race.winner) }) };
  if (gift && offers.has("give")) return { title: t("cambio.give", { name: s.name(gift.to.seat) }), sub: t("cambio.giveSub") };
  if (v.action?.seat === you && v.action) {
    const half = picked.value.length === 1;
    return { title: maybe(`cambio.act.${v.action.kind}`, v.action.kind), sub: half ? t("cambio.swapSecond") : maybe(`cambio.actSub.${v.action.kind}`, "") };
  }
  if (v.drawn?.seat === you && v.drawn.face) return { title: v.drawn.source === "main" ? t("cambio.keep") : t("cambio.keepOnly"), sub: t("cambio.keepSub", { card: deckName(v.drawn.face) }) };
  if (offers.has("draw")) return { title: t("cambio.draw"), sub: offers.has("call") ? t("cambio.drawSub") : t("cambio.drawLast") };
  if (v.turn !== null && v.turn !== you) return { title: t("turnOf", { name: s.name(v.turn) }), sub: v.caller !== null ? t("cambio.called", { name: s.name(v.caller) }) : undefined };
  if (v.action) return { title: t("cambio.acts", { name: s.name(v.action.seat) }), sub: maybe(`card.${v.action.kind}`, v.action.kind) };
  return null;
}

function fly(s: S, event: Happened): Flight[] {
  const seat = event.seat ?? 0;
  const place = event.detail.place as Place | undefined;
  const at = (it: Place): string => slotKey(it.seat, it.slot);
  switch (event.what) {
    case "drew":
      return [{ from: `pile:${String(event.detail.source)}`, to: seat === s.you ? "drawn" : `seat:${seat}` }];
    case "kept":
      return place ? [{ from: seat === s.you ? "drawn" : `seat:${seat}`, to: at(place) }, { from: at(place), to: "pile:discard", face: deckFace(s.v.discard.top) }] : [];
    case "discarded":
      return [{ from: seat === s.you ? "drawn" : `seat:${seat}`, to: "pile:discard", face: deckFace(s.v.discard.top) }];
    case "slapped":
      return place ? [{ from: at(place), to: "pile:discard", face: deckFace(s.v.discard.thrown.at(-1) ?? s.v.discard.top) }] : [];
    case "penalty": {
      const to = event.detail.to as Place | undefined;
      return to ? [{ from: "pile:main", to: at(to) }] : [];
    }
    case "swapped":
    case "gave":
      return ((event.detail.moved as { from: Place; to: Place }[] | undefined) ?? []).map((it) => ({ from: at(it.from), to: at(it.to) }));
    case "called":
      return [effect(`seat:${seat}`, "horn", "ring", "yellow")];
    case "peeked":
      return place ? [effect(at(place), place.seat === seat ? "eyein" : "eyeout", "pop", "white")] : [];
    case "round_ended":
      return ((event.detail.scored as number[] | undefined) ?? []).map((points, n) => effect(`seat:${n}`, "", "pop", "yellow", points > 0 ? `+${points}` : String(points)));
    default:
      return [];
  }
}

export const game: GameModule = {
  layout: "slots",
  aim: { keysOf, lifts: () => false },
  turn: (s: S) => s.v.turn ?? s.v.action?.seat ?? null,
  subtitle: (s: S) => t("cambio.subtitle", { round: s.v.round, target: Number(s.room?.options.target_points ?? 50) }),
  prompt,
  Board,
  Own,
  Tile,
  score: (s: S, seat) => number(s.v.totals[seat] ?? 0),
  points: (s: S) => {
    const rows = s.v.totals.map((total, seat) => ({ seat, cells: s.v.sheet.slice(-3).map((round) => round[seat] ?? "–"), total }));
    const first = Math.max(0, s.v.sheet.length - 3);
    return { low: true, heads: s.v.sheet.slice(-3).map((_, n) => t("roundShort", { n: first + n + 1 })), rows: rows.sort((a, b) => a.total - b.total) };
  },
  trigger: (view: View) => deckFace((view.view as V).discard.top),
  also: (s: S, ways) => {
    // The piles can be tapped; a button says the same in words.
    if (s.msg.race && !s.msg.race.closers.length) return [];
    return ways.filter((way) => way.move.t === "discard" || (way.move.t === "draw" && way.move.from === "main"));
  },
  label: (_s, way) => {
    if (way.move.t === "draw") return { text: t("cambio.drawButton"), sub: t("cambio.drawButtonSub") };
    return null;
  },
  look: (s: S, way: Way) => {
    if (way.move.t === "draw") return s.msg.race ? "" : "main";
    if (way.move.t === "discard" || way.move.t === "ready") return "main";
    return "";
  },
  twice: ["call"],
  keys: (s: S, code) => {
    const has = (move: string): boolean => s.msg.offers.some((offer) => offer.move === move);
    if (code === "KeyD" && has("draw")) return "pile:main";
    if (code === "KeyF" && has("draw")) return "pile:discard";
    if (code === "KeyX" && has("discard")) return "pile:discard";
    return null;
  },
  hotkey: (way) => (way.move.t === "call" ? "KeyC" : way.move.t === "draw" ? (way.move.from === "main" ? "KeyD" : "KeyF") : way.move.t === "discard" ? "KeyX" : null),
  codes: SLOT_CODES,
  fly,
  hints: [
    { id: "look", when: (s: S) => s.v.phase === "look" },
    { id: "draw", when: (s: S) => s.msg.offers.some((offer) => offer.move === "draw") },
    { id: "same", when: (s: S) => s.v.discard.size > 0 && s.v.phase === "turn" && !s.msg.race },
    { id: "picture", when: (s: S) => s.v.drawn?.seat === s.you && s.v.drawn?.face?.kind !== "number" && s.v.drawn?.face?.kind !== "energy" },
    { id: "wrong", when: (s: S) => s.v.looks.some((look) => look.why === "wrong") },
    { id: "call", when: (s: S) => s.v.main < 55 && s.msg.offers.some((offer) => offer.move === "call") },
  ],
};
