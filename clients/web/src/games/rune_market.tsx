/** The Rune Market: a market in the middle and a stall before each seat. */
import type { JSX } from "preact";
import { maybe, t } from "../i18n";
import type { Face } from "../kit/Card";
import { Icon } from "../kit/icons";
import { SeatMark, seatLook } from "../kit/seats";
import type { Happened } from "../net/wire";
import { effect, type Flight, type GameModule, type Prompt, type Scene } from "../table/module";
import { Card, Obj, Still } from "../table/Obj";
import { SeatClock, SeatName } from "../table/Seats";
import { picked } from "../table/state";

interface M {
  id: string;
  part: string;
  number: number | null;
}
interface Tent {
  card: string;
  runes: number;
  boat: boolean;
  bandit: number | null;
}
interface Stall {
  red: Tent | null;
  blue: Tent | null;
  boat1: { colour: string | null; runes: number } | null;
  boat2: { colour: string | null; runes: number } | null;
  loose_red: number;
  loose_blue: number;
}
interface V {
  turn: number;
  phase: string;
  market: { red: number; blue: number; boats: number; bandits: number };
  holdings: Stall[];
  points: number[];
  price: number;
  hand: M[];
  hand_sizes: number[];
  main: number;
  discard: M[];
  due_red: number;
  due_blue: number;
  attack: { attacker: number; seat: number; card: M } | null;
  theft: { left: number; victim: number | null } | null;
  shown: { seat: number; card: M }[];
  tie: { tied: number[]; your_sign: string | null; has_thrown: boolean[] } | null;
  winners: number[];
  why: string;
}
type S = Scene<V>;

const LOOKS: Record<string, [string, string]> = { thief: ["white", "mask"], red_shelter: ["red", "tent"], blue_shelter: ["blue", "tent"] };
export function faceOf(card: M): Face {
  if (card.part === "number") return { colour: "yellow", corner: String(card.number), numeral: String(card.number), stone: true };
  const [colour, pic] = LOOKS[card.part] ?? ["white", "stone"];
  return { colour, corner: maybe(`card.${card.part}`, card.part).charAt(0), pic, label: maybe(`card.${card.part}`, card.part) };
}
const nameOf = (card: M): string => (card.number === null ? maybe(`card.${card.part}`, card.part) : `${t("card.number")} ${card.number}`);

function keysOf(move: string, part: Record<string, unknown>, you: number): string[] {
  const keys: string[] = [];
  if (typeof part.card === "string") keys.push(`hand:${part.card}`);
  if (Array.isArray(part.cards)) keys.push(...part.cards.map((card) => `hand:${String(card)}`));
  if (move === "buy_rune" && typeof part.colour === "string") keys.push(`market:${part.colour}`);
  if (move === "buy" && typeof part.what === "string") keys.push(`market:${part.what}`);
  const rune = part.rune as { place: string; colour?: string } | undefined;
  if (typeof part.seat === "number") keys.push(rune ? `place:${part.seat}:${rune.place}${rune.place === "loose" ? rune.colour : ""}` : typeof part.place === "string" ? `place:${part.seat}:${part.place}` : `seat:${part.seat}`);
  else if (typeof part.place === "string") keys.push(`place:${you}:${part.place}`);
  if (move === "store" && typeof part.colour === "string") keys.push(`place:${you}:loose${part.colour}`);
  return keys;
}

const Rune = ({ colour, n }: { colour: string; n: number }): JSX.Element => (
  <span class={`runes c-${colour}`}>
    <svg viewBox="0 0 100 100" style={{ color: "var(--deep)" }} aria-hidden="true"><use href={`#p-rune_${colour}`} /></svg>
    <b>{n}</b>
  </span>
);
const Sign = ({ id, colour }: { id: string; colour: string }): JSX.Element => (
  <svg class={`sign c-${colour}`} viewBox="0 0 100 100" style={{ color: "var(--deep)" }} aria-hidden="true"><use href={`#p-${id}`} /></svg>
);

/** A place where nothing stands yet: every stall shows what it may hold. */
const Bare = ({ id, colour }: { id: string; colour: string }): JSX.Element => (
  <span class={`stallplace bare c-${colour}`} aria-hidden="true"><Sign id={id} colour={colour} /></span>
);
/** The roof of a stall, in the colour of its seat; the market's is red. */
const Awning = ({ seat }: { seat?: number }): JSX.Element => (
  <span class="awning" aria-hidden="true" style={seat === undefined ? undefined : { "--stripe": seatLook(seat).colour }} />
);

function TentBox({ s, seat, colour }: { s: S; seat: number; colour: "red" | "blue" }): JSX.Element {
  const tent = s.v.holdings[seat]?.[colour];
  if (!tent) return <Bare id="tent" colour={colour} />;
  const name = t("rune.tent", { colour: maybe(`colour.${colour}`, colour), n: tent.runes });
  const due = seat === s.v.turn ? (colour === "red" ? s.v.due_red : s.v.due_blue) : 0;
  return (
    <Obj k={`place:${seat}:${colour}`} name={`${name}${tent.boat ? `, ${t("rune.withBoat")}` : ""}${tent.bandit !== null ? `, ${t("rune.banditOf", { name: s.name(tent.bandit) })}` : ""}`} class={`stallplace c-${colour} ${due ? "due" : ""}`}>
      <Sign id="tent" colour={colour} />
      <Rune colour={colour} n={tent.runes} />
      {(tent.boat || tent.bandit !== null) && (
        <span class="aboard">
          {tent.boat && <Sign id="boat" colour="brown" />}
          {tent.bandit !== null && <span class="bandit"><Sign id="hat" colour="brown" /><SeatMark seat={tent.bandit} size={12} /></span>}
        </span>
      )}
    </Obj>
  );
}

function StallRow({ s, seat }: { s: S; seat: number }): JSX.Element {
  const stall = s.v.holdings[seat];
  if (!stall) return <span />;
  return (
    <div class="stall">
      <TentBox s={s} seat={seat} colour="red" />
      <TentBox s={s} seat={seat} colour="blue" />
      {(["boat1", "boat2"] as const).map((place) => {
        const boat = stall[place];
        return boat ? (
          <Obj key={place} k={`place:${seat}:${place}`} name={t("rune.boat", { n: boat.runes })} class="stallplace">
            <Sign id="boat" colour="brown" />
            {boat.colour && boat.runes > 0 && <Rune colour={boat.colour} n={boat.runes} />}
          </Obj>
        ) : (
          <Bare key={place} id="boat" colour="brown" />
        );
      })}
      {(["red", "blue"] as const).map((colour) => {
        const n = colour === "red" ? stall.loose_red : stall.loose_blue;
        return n > 0 ? (
          <Obj key={colour} k={`place:${seat}:loose${colour}`} name={t("rune.loose", { n, colour: maybe(`colour.${colour}`, colour) })} class="stallplace loose">
            <Rune colour={colour} n={n} />
          </Obj>
        ) : null;
      })}
      {!stall.red && !stall.blue && !stall.boat1 && !stall.boat2 && !stall.loose_red && !stall.loose_blue && <span class="hidden-text">{t("rune.empty")}</span>}
    </div>
  );
}

function Board({ s }: { s: S }): JSX.Element {
  const { v } = s;
  const top = v.discard.at(-1);
  return (
    <div class="runeboard">
      <section class="market" aria-label={t("rune.market")}>
        <Awning />
        <h3>{t("rune.market")}</h3>
        <div class="marketrow">
          <Obj k="market:red" name={t("rune.inMarket", { n: v.market.red, what: t("rune.redRunes") })} class="marketpile c-red"><Sign id="rune_red" colour="red" /><b>{v.market.red}</b></Obj>
          <Obj k="market:blue" name={t("rune.inMarket", { n: v.market.blue, what: t("rune.blueRunes") })} class="marketpile c-blue"><Sign id="rune_blue" colour="blue" /><b>{v.market.blue}</b></Obj>
          <Obj k="market:boat" name={t("rune.inMarket", { n: v.market.boats, what: t("rune.boats") })} class="marketpile"><Sign id="boat" colour="brown" /><b>{v.market.boats}</b></Obj>
          <Obj k="market:bandit" name={t("rune.inMarket", { n: v.market.bandits, what: t("rune.bandits") })} class="marketpile"><Sign id="hat" colour="brown" /><b>{v.market.bandits}</b></Obj>
        </div>
        <div class="row tight caption marketpiles">{t("rune.price", { n: v.price })} · {t("main", { n: v.main })}{top && <> · {t("rune.lastThrown", { card: top.number ?? nameOf(top) })}</>}</div>
        {v.attack && (
          <div class="attack"><SeatMark seat={v.attack.attacker} /> {s.name(v.attack.attacker)} <Still face={faceOf(v.attack.card)} name={nameOf(v.attack.card)} class="minicard" /> <Icon name="right" size={20} /> <SeatMark seat={v.attack.seat} /> {s.name(v.attack.seat)}</div>
        )}
      </section>
      <section class={`stalls n${s.others.length}`}>
        {s.others.map((seat, n) => (
          <div key={seat} class={`stallbox s${n} ${v.turn === seat ? "active" : ""} ${s.seats[seat]?.connected === false ? "away" : ""}`}>
            <Awning seat={seat} />
            <Obj k={`seat:${seat}`} name={t("seatIs", { name: s.name(seat), score: v.points[seat] ?? 0 })} class="stallseat">
              <span class="row tight"><SeatName s={s} seat={seat} /></span>
              <span class="caption">{t("rune.points", { n: v.points[seat] ?? 0 })} · {t("nCards", { n: v.hand_sizes[seat] ?? 0 })}</span>
            </Obj>
            <StallRow s={s} seat={seat} />
            <SeatClock seat={seat} />
            {v.shown.filter((it) => it.seat === seat).map((it) => <Still key={it.card.id} face={faceOf(it.card)} compact class="tinycard" name={nameOf(it.card)} />)}
          </div>
        ))}
      </section>
    </div>
  );
}

function Own({ s }: { s: S }): JSX.Element {
  const { v } = s;
  return (
    <div class="ownstack">
      <StallRow s={s} seat={s.me} />
      <div class="hand" role="group" aria-label={t("yourCards")}>
        {v.hand.map((card) => <Card key={card.id} k={`hand:${card.id}`} face={faceOf(card)} name={nameOf(card)} class="handcard" />)}
        {s.you === null && Array.from({ length: v.hand_sizes[s.me] ?? 0 }, (_, n) => <Still key={n} class="handcard" />)}
        {!v.hand.length && s.you !== null && <p class="small">{t("noCards")}</p>}
      </div>
    </div>
  );
}

function prompt(s: S): Prompt | null {
  const { v, you } = s;
  const offers = new Set(s.msg.offers.map((offer) => offer.move));
  const cards = v.hand.filter((card) => picked.value.includes(`hand:${card.id}`));
  if (offers.has("throw")) return { title: t("rune.throw"), sub: t("rune.throwSub") };
  if (v.attack && v.attack.seat === you) return { title: t("rune.defend", { n: v.attack.card.number ?? 0 }), sub: t("rune.defendSub", { name: s.name(v.attack.attacker) }) };
  if (v.attack) return { title: t("rune.duel", { a: s.name(v.attack.attacker), b: s.name(v.attack.seat) }) };
  if (v.theft && v.turn === you) return { title: t("rune.steal"), sub: t("rune.stealSub", { n: v.theft.left }) };
  if (v.turn === you && offers.size) {
    const sum = cards.reduce((all, card) => all + (card.number ?? 0), 0);
    if (cards.length && sum) return { title: cards.length > 1 ? `${cards.map((card) => card.number).join(" + ")} = ${sum}` : t("rune.sumIs", { n: sum }), sub: sum % 5 === 0 && sum <= 15 ? t("rune.buysRune") : sum >= 21 ? t("rune.buysGood") : cards.length === 1 ? t("rune.orAttack") : t("rune.noSum") };
    if (cards[0]) return { title: nameOf(cards[0]) };
    return offers.has("collect") ? { title: t("rune.collect"), sub: t("rune.collectSub") } : { title: t("rune.turn"), sub: t("rune.turnSub") };
  }
  return v.phase === "over" ? null : { title: t("turnOf", { name: s.name(v.turn) }) };
}

function fly(_s: S, event: Happened): Flight[] {
  const { detail } = event;
  const who = `seat:${event.seat ?? 0}`;
  const victim = `seat:${String(detail.victim)}`;
  const colour = String(detail.colour ?? "red");
  const place = `place:${event.seat ?? 0}:${String(detail.place)}`;
  const rune: Face = { colour, pic: `rune_${colour}` };
  const token = (pic: string): { pic: string; colour: string } => ({ pic, colour: "brown" });
  switch (event.what) {
    case "bought_rune":
      return [{ from: `market:${colour}`, to: who, face: rune }];
    case "boat":
      return [{ from: "market:boat", to: place, ...token("boat") }];
    case "bandit":
      return [{ from: "market:bandit", to: `place:${String(detail.victim)}:${String(detail.place)}`, ...token("hat") }];
    case "ransom":
      return [{ from: place, to: "market:bandit", ...token("hat") }];
    case "shelter":
      return [{ from: who, to: `place:${event.seat ?? 0}:${colour}`, pic: "tent", colour }];
    case "shelter_lost":
      return [{ from: `place:${event.seat ?? 0}:${colour}`, to: "board", pic: "tent", colour }];
    case "stored":
      return [{ from: who, to: place, pic: `rune_${colour}`, colour }];
    case "duel":
      return [{ from: who, to: victim, face: { colour: "yellow", numeral: String(detail.number) } }];
    case "defended":
      return [effect(who, "sabers", "bump", "green")];
    case "gave_up":
      return [effect(who, "whiteflag", "rise")];
    case "sold_out":
      return [effect("board", "tent", "fall", "red")];
    case "thief":
    case "double_theft":
      return [{ from: who, to: "board", pic: "mask", colour: "white" }];
    case "discarded":
      return [{ from: who, to: "board" }];
    case "stole_rune":
    case "robbed":
      return [{ from: victim, to: who, face: rune }];
    case "stole_card":
      return [{ from: victim, to: who }];
    case "interest":
      return (["red", "blue"] as const).filter((it) => Number(detail[it]) > 0).map((it) => ({ from: `market:${it}`, to: who, face: { colour: it, pic: `rune_${it}` } }));
    default:
      return [];
  }
}

export const game: GameModule = {
  layout: "badges",
  seatsOnBoard: true,
  aim: { keysOf },
  turn: (s: S) => (s.v.phase === "over" ? null : (s.v.attack?.seat ?? s.v.turn)),
  prompt,
  Board,
  Own,
  note: (s: S, seat) => (seat === s.you ? null : t("nCards", { n: s.v.hand_sizes[seat] ?? 0 })),
  score: (s: S, seat) => <b>{s.narrow && seat !== s.me ? (s.v.points[seat] ?? 0) : t("rune.points", { n: s.v.points[seat] ?? 0 })}</b>,
  points: (s: S) => ({ low: false, heads: [], rows: s.v.points.map((total, seat) => ({ seat, cells: [], total })).sort((a, b) => b.total - a.total) }),
  skip: (s: S, way) => way.move.t === "collect" && (Number(way.move.red) < s.v.due_red || Number(way.move.blue) < s.v.due_blue) && s.msg.offers.some((offer) => offer.move === "collect" && offer.choices[0]?.k === "one" && offer.choices[0].rows.some((row) => row[0] === s.v.due_red && row[1] === s.v.due_blue)),
  label: (s: S, way) => {
    if (way.move.t === "collect") return { text: t("rune.collectButton", { red: Number(way.move.red), blue: Number(way.move.blue) }) };
    if (way.move.t === "end_turn") return { text: t("endTurn") };
    if (way.move.t === "throw") return { text: maybe(`sign.${String(way.move.sign)}`, String(way.move.sign)) };
    if (way.move.t === "buy_rune") return { text: t("rune.buyButton", { colour: maybe(`colour.${String(way.move.colour)}`, String(way.move.colour)) }) };
    if (way.move.t === "duel") return { text: t("rune.attack", { name: s.name(Number(way.move.seat)) }) };
    return null;
  },
  look: (_s, way) => (way.move.t === "end_turn" || way.move.t === "decline" || way.move.t === "give_up" ? "quiet" : way.move.t === "collect" ? "main" : ""),
  say: (s: S, _move, field, value) => {
    if (field === "cards" || field === "card") {
      const card = s.v.hand.find((it) => it.id === value);
      return card ? nameOf(card) : null;
    }
    if (field === "runes" || field === "place") return maybe(`runeplace.${String(value)}`, String(value));
    return null;
  },
  guess: (s: S, key) => {
    const card = s.v.hand.find((it) => key === `hand:${it.id}`);
    return card && s.v.turn === s.you && s.v.phase !== "theft" ? { t: card.part === "thief" ? "thief" : card.part === "number" ? "buy_rune" : "shelter", ...(card.part === "number" ? { cards: [card.id], colour: "red" } : { card: card.id }) } : null;
  },
  fly,
  hints: [
    { id: "tent", when: (s: S) => s.v.turn === s.you },
    { id: "sum", when: (s: S) => s.v.turn === s.you && s.v.hand.some((card) => card.part === "number") },
    { id: "good", when: (s: S) => s.v.turn === s.you && s.v.hand.length > 2 },
    { id: "bandit", when: (s: S) => [s.v.holdings[s.me]?.red, s.v.holdings[s.me]?.blue].some((tent) => tent?.bandit !== null && tent?.bandit !== undefined) },
    { id: "duel", when: (s: S) => s.v.turn === s.you },
  ],
};
