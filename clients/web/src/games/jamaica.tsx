/** Jamaica: once round the island. */
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { maybe, t } from "../i18n";
import { Icon } from "../kit/icons";
import { seatLook } from "../kit/seats";
import type { Happened } from "../net/wire";
import { effect, type Flight, type GameModule, type Prompt, type Scene } from "../table/module";
import { Obj, objectClass } from "../table/Obj";
import { lit } from "../table/state";
import { spread, type Space } from "./jamaicamap";
import { BattleBanner, Holds, Treasures, type Battle, type Ship } from "./jamaicaship";

interface JCard {
  id: number;
  morning: string;
  evening: string;
}
interface V {
  phase: string;
  round: number;
  captain: number;
  awaited: number[];
  dice: number[];
  morning: number | null;
  evening: number | null;
  acting: number | "ghost" | null;
  half: string | null;
  board: Space[];
  tokens: number[];
  ships: Ship[];
  players: { hand_size: number; chosen: boolean; played: JCard | null }[];
  hand: JCard[];
  choice: JCard | null;
  cost: { resource: string; count: number } | number | null;
  shortage: unknown;
  battle: Battle | null;
  scores: number[] | null;
}
type S = Scene<V>;

const shipKey = (ship: number | "ghost"): string => `ship:${ship}`;
function keysOf(move: string, part: Record<string, unknown>, you: number): string[] {
  if (move === "choose") return [`hand:${String(part.card)}`];
  if (move === "place_dice") return [`die:${String(part.morning)}`];
  if (move === "load") return [`hold:${you}:${String(part.hold)}`];
  if (move === "move" || move === "sail" || move === "ghost_move") return "to" in part ? [`space:${String(part.to)}`] : [];
  if (move === "attack") return [shipKey(part.ship as number | "ghost")];
  return [];
}

const half = (what: string): string => maybe(`half.${what}`, what);
function CardHalf({ what, y, ground }: { what: string; y: number; ground: string }): JSX.Element {
  const arrow = what === "forward" || what === "backward";
  return (
    <g>
      <rect x="7" y={y} width="86" height="63" rx="6" fill={ground} />
      <g class={arrow ? (what === "forward" ? "c-blue" : "c-red") : "c-brown"} style={{ color: arrow ? "var(--deep)" : "#5a3a1a" }}><use href={`#p-${what}`} x={27} y={y + 8} width="46" height="46" /></g>
    </g>
  );
}

export const HalvesArt = ({ card }: { card: JCard }): JSX.Element => (
  <svg class="art" viewBox="0 0 100 140" aria-hidden="true">
    <rect x="0.7" y="0.7" width="98.6" height="138.6" rx="11" fill="#FCF7EA" stroke="#CFC3A8" stroke-width="1.4" />
    <CardHalf what={card.morning} y={6} ground="#FBEBC0" />
    <CardHalf what={card.evening} y={71} ground="#D8DDF2" />
    <circle cx="16" cy="16" r="5" fill="#F4BE45" stroke="#7A5200" stroke-width="1.6" />
    <path d="M14 122a7 7 0 1 0 8 8 6 6 0 0 1-8-8z" fill="#5D3591" />
  </svg>
);

function Sea({ it, x, y, has, far, s }: { it: Space; x: number; y: number; has: boolean; far: boolean; s: S }): JSX.Element {
  const k = `space:${it.id}`;
  const isLit = lit.value.has(k);
  const name = t("jamaica.space", { kind: maybe(`space.${it.kind}`, it.kind), cost: it.cost });
  const r = isLit ? 25 : far ? 22 : 19;
  return (
    <g data-k={k} class={`${objectClass(k)} seaspace ${it.kind}`} role={isLit ? "button" : "img"} tabindex={isLit ? 0 : undefined} aria-label={isLit ? undefined : name}>
      <title>{name}</title>
      {isLit && <circle cx={x} cy={y} r={r + 9} class="sectionhalo" />}
      {far && it.kind === "port" ? <rect x={x - r} y={y - r} width={2 * r} height={2 * r} rx="7" class="seadisc" /> : <circle cx={x} cy={y} r={it.kind === "port_royal" ? 27 : r} class="seadisc" />}
      {(it.kind === "sea" || (far && it.kind === "port")) && <text x={x} y={y + (far ? 13 : 7)} class={`seacost ${far ? "far" : ""}`}>{it.cost}</text>}
      {it.kind === "port" && !far && <g style={{ color: "#5a3a1a" }}><use href="#p-anchor" x={x - 9} y={y - 17} width="17" height="17" /><text x={x} y={y + 15} class="seacost small">{it.cost}</text></g>}
      {it.kind === "lair" && <g style={{ color: "#20242b" }}><use href="#p-skull" x={x - 12} y={y - 12} width="24" height="24" /></g>}
      {it.kind === "port_royal" && <g class="c-yellow" style={{ color: "#5a3a00" }}><use href="#p-crown" x={x - 18} y={y - 20} width="36" height="36" /></g>}
      {has && <path d={`M${x + 15} ${y - 24}l8 9-8 9-8-9z`} fill="#FFC24B" stroke="#20242b" stroke-width="2.4" />}
      {it.score > 0 && it.kind !== "port_royal" && !s.narrow && <text x={x} y={y - 27} class="seascore">+{it.score}</text>}
    </g>
  );
}

function ShipArt({ ship, x, y, s }: { ship: Ship; x: number; y: number; s: S }): JSX.Element {
  const ghost = ship.ship === "ghost";
  const colour = ghost ? "#cfd8dc" : seatLook(ship.ship as number).colour;
  const k = shipKey(ship.ship);
  const isLit = lit.value.has(k);
  const name = t("jamaica.ship", { name: ghost ? t("jamaica.ghost") : s.name(ship.ship as number), n: ship.to_go });
  return (
    <g data-k={k} class={`${objectClass(k)} shipart`} role={isLit ? "button" : "img"} tabindex={isLit ? 0 : undefined} transform={`translate(${x} ${y})`} aria-label={isLit ? undefined : name}>
      <title>{name}</title>
      {isLit && <circle r="34" cy="-10" class="sectionhalo" />}
      <path d="M0 8V-42" stroke="#20160c" stroke-width="4" />
      <path d="M-16-38h32v26h-32z" fill="#fff" stroke="#20160c" stroke-width="3" />
      {!ghost && <use href={`#seat-${(ship.ship as number) % 8}`} x="-9" y="-34" width="18" height="18" style={{ "--rim": "#20160c" }} />}
      <path d="M-24-4h48q-5 17-14 17h-20q-9 0-14-17z" fill={colour} stroke="#20160c" stroke-width="3" />
    </g>
  );
}

/** The smallest box round these places, at least so large. */
function around(places: [number, number][], width: number, height: number, margin: number): [number, number, number, number] {
  const xs = places.map(([x]) => x);
  const ys = places.map(([, y]) => y);
  const [x1, x2, y1, y2] = [Math.min(...xs) - margin, Math.max(...xs) + margin, Math.min(...ys) - margin, Math.max(...ys) + margin];
  const [w, h] = [Math.max(width, x2 - x1), Math.max(height, y2 - y1)];
  return [(x1 + x2 - w) / 2, (y1 + y2 - h) / 2, w, h];
}

/** What a space costs, and what waits there. */
function landing(s: S, it: Space): { text: string; sub: string } {
  const rivals = s.v.ships.filter((ship) => ship.space === it.id && ship.ship !== s.v.acting && !ship.finished);
  const fight = rivals.length ? t("jamaica.afterFight", { name: rivals.map((ship) => (ship.ship === "ghost" ? t("jamaica.ghost") : s.name(ship.ship))).join(", ") }) : "";
  const price =
    it.kind === "lair" ? (s.v.tokens.includes(it.id) ? t("jamaica.freeTreasure") : t("jamaica.free"))
    : it.kind === "port_royal" ? t("jamaica.free")
    : t("jamaica.costs", { n: it.cost, what: maybe(it.kind === "port" ? "good.gold" : "good.food", "") });
  return { text: maybe(`space.${it.kind}`, it.kind), sub: [price, fight].filter(Boolean).join(" · ") };
}

function Tag({ s, it, at, box }: { s: S; it: Space; at: [number, number]; box: number[] }): JSX.Element {
  const { text, sub } = landing(s, it);
  const width = Math.max(96, Math.max(text.length * 9.6, sub.length * 7.6) + 22);
  const [left = 0, top = 0, w = 0, h = 0] = box;
  const x = Math.max(left + 6, Math.min(left + w - width - 6, at[0] - width / 2));
  const y = at[1] + 96 > top + h ? at[1] - 100 : at[1] + 36;
  return (
    <g class="seatag" aria-hidden="true">
      <rect x={x} y={y} width={width} height="46" rx="11" />
      <text x={x + width / 2} y={y + 20} class="seatagname">{text}</text>
      <text x={x + width / 2} y={y + 37} class="seatagsub">{sub}</text>
    </g>
  );
}

type Corner = "bottomleft" | "bottomright" | "topleft";
/** The corner of the window in which no place of these lies, so that the mini map covers none. */
function freeCorner(places: [number, number][], [left = 0, top = 0, w = 1, h = 1]: number[]): Corner | null {
  const isFree = (isLeft: boolean, isTop: boolean): boolean =>
    !places.some(([x, y]) => (isLeft ? x - left < 0.46 * w : x - left > 0.54 * w) && (isTop ? y - top < 0.42 * h : y - top > 0.5 * h));
  if (isFree(true, false)) return "bottomleft";
  if (isFree(false, false)) return "bottomright";
  return isFree(true, true) ? "topleft" : null;
}

/** All ships at a glance, and the part that the window shows. */
const MiniMap = ({ s, place, box, all, corner }: { s: S; place: (id: number) => [number, number]; box: number[]; all: number[]; corner: Corner }): JSX.Element => (
  <svg class={`minimap ${corner}`} viewBox={all.join(" ")} aria-hidden="true">
    {s.v.board.map((it) => { const [x, y] = place(it.id); return <circle key={it.id} cx={x} cy={y} r="13" class="minidot" />; })}
    <rect x={box[0]} y={box[1]} width={box[2]} height={box[3]} rx="20" class="minibox" />
    {s.v.ships.map((ship) => { const [x, y] = place(ship.space); return ship.ship === "ghost" ? <circle key="g" cx={x} cy={y} r="30" fill="#cfd8dc" /> : <use key={ship.ship} href={`#seat-${ship.ship % 8}`} x={x - 40} y={y - 40} width="80" height="80" />; })}
  </svg>
);

function SeaMap({ s }: { s: S }): JSX.Element {
  const { v } = s;
  // A tablet has room for the whole island.
  const [chosen, setWhole] = useState<boolean | null>(null);
  const whole = chosen ?? innerWidth >= 700;
  const at = spread(v.board);
  const place = (id: number): [number, number] => at.get(id) ?? [0, 0];
  const acting = v.ships.find((ship) => ship.ship === v.acting) ?? v.ships[s.me];
  const all = [...at.values()];
  const near = [place(acting?.space ?? 0), ...v.board.filter((it) => lit.value.has(`space:${it.id}`)).map((it) => place(it.id))];
  const box = s.narrow && !whole ? around(near, 420, 330, 60) : around(all, 0, 0, 56);
  // Figures must be read: where a unit is less than 0.7 px they fill their space.
  const far = s.narrow && innerWidth < 700 && Math.min((innerWidth - 24) / (box[2] ?? 1), 300 / (box[3] ?? 1)) < 0.7;
  // The acting ship's own place has no tag and may be covered only if a lit one would be.
  const corner = freeCorner(near.length > 1 ? near.slice(1) : near, box);
  const lying = new Map<number, Ship[]>();
  for (const ship of v.ships) lying.set(ship.space, [...(lying.get(ship.space) ?? []), ship]);
  return (
    <div class="seamap">
      <svg viewBox={box.join(" ")} class="seaart" role="group" aria-label={t("jamaica.map")}>
        <path d="M330 340q-10-90 150-100t230 60-60 130-220 20-100-110z" class="island" />
        <path d="M352 340q-4-74 132-82t202 48-50 110-196 18-88-94z" class="islandgreen" />
        <path d="M410 390l50-70 40 50 30-34 46 54z" class="mountain" />
        {v.board.flatMap((it) => it.next.map((next) => { const [x1, y1] = place(it.id); const [x2, y2] = place(next); return <path key={`${it.id}-${next}`} d={`M${x1} ${y1}L${x2} ${y2}`} class="lane-line" />; }))}
        {v.board.map((it) => { const [x, y] = place(it.id); return <Sea key={it.id} it={it} x={x} y={y} has={v.tokens.includes(it.id)} far={far} s={s} />; })}
        {v.ships.map((ship) => {
          const [x, y] = place(ship.space);
          const here = lying.get(ship.space) ?? [];
          return <ShipArt key={ship.ship} ship={ship} x={x + (here.indexOf(ship) - (here.length - 1) / 2) * 40} y={y - 16} s={s} />;
        })}
        {v.board.filter((it) => lit.value.has(`space:${it.id}`)).map((it) => <Tag key={it.id} s={s} it={it} at={place(it.id)} box={box} />)}
      </svg>
      {v.battle && <BattleBanner s={s} it={v.battle} />}
      {s.narrow && !whole && !v.battle && corner && <MiniMap s={s} place={place} box={box} all={around(all, 0, 0, 30)} corner={corner} />}
      {s.narrow && <button class="btn mapsize"  onClick={() => setWhole(!whole)}>{whole ? t("jamaica.near") : t("jamaica.whole")}</button>}
    </div>
  );
}

const DOTS: Record<number, [number, number][]> = { 1: [[50, 50]], 2: [[28, 28], [72, 72]], 3: [[26, 26], [50, 50], [74, 74]], 4: [[28, 28], [72, 28], [28, 72], [72, 72]], 5: [[26, 26], [74, 26], [50, 50], [26, 74], [74, 74]], 6: [[28, 24], [72, 24], [28, 50], [72, 50], [28, 76], [72, 76]] };
const Die = ({ n }: { n: number }): JSX.Element => (
  <svg viewBox="0 0 100 100" class="die" aria-hidden="true"><rect x="4" y="4" width="92" height="92" rx="20" fill="#FCF7EA" stroke="#CFC3A8" stroke-width="4" />{(DOTS[n] ?? []).map(([x, y]) => <circle key={`${x}.${y}`} cx={x} cy={y} r="9.5" fill="#20242b" />)}</svg>
);

function Dice({ s }: { s: S }): JSX.Element {
  const { v } = s;
  if (v.morning === null)
    return (
      <div class="dice">{v.dice.map((n, i) => <Obj key={i} k={`die:${i}`} name={t("jamaica.die", { n })} class="dieobj"><Die n={n} /></Obj>)}</div>
    );
  return (
    <div class="dice">
      <span class={`dieobj ${v.half === "morning" ? "now" : ""}`}><Die n={v.morning} /><span class="caption">{t("jamaica.morning")}</span></span>
      <span class={`dieobj ${v.half === "evening" ? "now" : ""}`}><Die n={v.evening ?? 0} /><span class="caption">{t("jamaica.evening")}</span></span>
    </div>
  );
}

function Own({ s }: { s: S }): JSX.Element {
  const { v } = s;
  const ship = v.ships[s.me];
  const played = v.players[s.me]?.played ?? v.choice;
  return (
    <div class="jamaicaown">
      <Dice s={s} />
      <div class="hand" role="group" aria-label={t("yourCards")}>
        {played && <span class="playedcard"><span class="card handcard still" role="img" aria-label={t("jamaica.played", { card: `${half(played.morning)}, ${half(played.evening)}` })}><HalvesArt card={played} /></span><span class="caption">{v.choice ? t("jamaica.chosen") : t("jamaica.playedWord")}</span></span>}
        {v.hand.map((card) => <Obj key={card.id} k={`hand:${card.id}`} name={`${half(card.morning)}, ${half(card.evening)}`} class="card handcard"><HalvesArt card={card} /></Obj>)}
      </div>
      {ship && <Holds s={s} ship={ship} own />}
    </div>
  );
}

const costText = (v: V): string => (v.cost && typeof v.cost === "object" ? `${v.cost.count} ${maybe(`good.${v.cost.resource}`, v.cost.resource)}` : String(v.cost ?? ""));

function prompt(s: S): Prompt | null {
  const { v } = s;
  const offers = new Set(s.msg.offers.map((offer) => offer.move));
  const die = v.half === "evening" ? v.evening : v.morning;
  if (offers.has("place_dice")) return { title: t("jamaica.place"), sub: t("jamaica.placeSub") };
  if (offers.has("choose")) return { title: t("jamaica.choose"), sub: t("jamaica.chooseSub") };
  if (offers.has("load")) return { title: t("jamaica.load", { n: die ?? 0 }), sub: t("jamaica.loadSub") };
  if (offers.has("move") || offers.has("sail")) return { title: v.shortage ? t("jamaica.drift") : t("jamaica.sail", { n: die ?? 0 }), sub: t("jamaica.sailSub") };
  if (offers.has("ghost_move")) return { title: t("jamaica.ghostMove") };
  if (offers.has("attack")) return { title: t("jamaica.attack") };
  if (offers.has("fire")) return { title: t("jamaica.fire"), sub: t("jamaica.fireSub") };
  if (offers.has("pay")) return { title: t("jamaica.pay", { what: costText(v) }) };
  if (v.phase === "spoils" && offers.size) return { title: t("jamaica.spoils") };
  if (v.phase === "choose") return { title: t("waitForOthers"), sub: t("jamaica.choosing") };
  if (typeof v.acting === "number" && v.acting !== s.you) return { title: t("jamaica.acts", { name: s.name(v.acting) }), sub: v.half ? t(v.half === "morning" ? "jamaica.morning" : "jamaica.evening") : undefined };
  return null;
}

/** The spaces between two spaces, the shortest way, forward or back. */
function wayBetween(board: Space[], from: number, to: number, isBack: boolean): number[] {
  const next = (at: number): number[] => (isBack ? board.filter((it) => it.next.includes(at)).map((it) => it.id) : (board.find((it) => it.id === at)?.next ?? []));
  const before = new Map<number, number>([[from, from]]);
  for (const at of before.keys()) for (const it of next(at)) if (!before.has(it)) before.set(it, at);
  const way: number[] = [];
  for (let at = before.get(to) ?? from; at !== from; at = before.get(at) ?? from) way.unshift(at);
  return way;
}

function fly(s: S, event: Happened): Flight[] {
  const { detail } = event;
  const who = `seat:${event.seat ?? s.me}`;
  const ship = shipKey((detail.ship as number | "ghost" | undefined) ?? event.seat ?? s.me);
  const loser = shipKey((detail.loser as number | "ghost" | undefined) ?? 0);
  const good = { pic: String(detail.resource ?? "chest"), colour: "yellow" };
  switch (event.what) {
    case "rolled":
      return s.v.dice.map((_, n) => ({ from: "board", to: `die:${n}`, pic: "die", play: "roll", label: String(s.v.dice[n]) }));
    case "chose":
      return [{ from: "board", to: who }];
    case "turned_up":
      return [effect(who, String(detail.morning), "pop", "yellow"), effect(who, String(detail.evening), "pop", "purple")];
    case "loaded":
      return [{ from: "board", to: ship, ...good }];
    case "paid":
    case "emptied":
      return [{ from: ship, to: "board", ...good }];
    case "sailed": {
      const [from, to] = [Number(detail.from), Number(detail.to)];
      const via = wayBetween(s.v.board, from, to, detail.direction === "backward").map((it) => `space:${it}`);
      return [{ from: `space:${from}`, to: `space:${to}`, pic: "ship", colour: "brown", via }];
    }
    case "attacked":
      return [{ from: ship, to: shipKey(detail.target as number | "ghost"), pic: "sabers", colour: "brown" }];
    case "fired":
      return [effect(ship, "smoke", "rise", "white", detail.firepower === null ? undefined : String(detail.firepower)), ...(detail.firepower === null ? [effect(ship, "star", "pop", "yellow")] : [])];
    case "battle_won":
      return [effect(ship, "star", "burst", "yellow")];
    case "battle_tied":
      return [effect("board", "sabers", "bump", "brown")];
    case "sabre":
      return [effect(ship, "sabers", "ring", "brown")];
    case "shortage":
      return [effect(ship, "storm", "bump", "white")];
    case "looted":
      return [{ from: loser, to: ship, ...good }];
    case "robbed":
      return [{ from: loser, to: ship, pic: "chest", colour: "yellow" }];
    case "cursed":
      return [{ from: ship, to: loser, pic: "skull", colour: "white" }];
    case "treasure":
      return [{ from: `space:${String(detail.place)}`, to: ship, pic: "chest", colour: "yellow" }];
    case "finished":
      return [effect(ship, "crown", "burst", "yellow")];
    default:
      return [];
  }
}

export const game: GameModule = {
  layout: "badges",
  shortScore: true,
  aim: { keysOf, lifts: (way) => way.move.t === "choose" },
  turn: (s: S) => (typeof s.v.acting === "number" ? s.v.acting : s.v.phase === "dice" ? s.v.captain : null),
  // A phone has no room for both.
  subtitle: (s: S) => (s.narrow ? [] : [t("roundN", { n: s.v.round })]).concat(t("jamaica.captain", { name: s.name(s.v.captain) })).join(" · "),
  prompt,
  Board: ({ s }: { s: S }) => <SeaMap s={s} />,
  Own,
  note: (s: S, seat) => {
    const ship = s.v.ships[seat];
    if (!ship) return null;
    return seat === s.me ? (s.narrow && ship.treasures.length ? <Treasures ship={ship} /> : null) : <Holds s={s} ship={ship} />;
  },
  score: (s: S, seat) => <span class="togo">{s.v.players[seat]?.chosen && s.v.phase === "choose" && <Icon name="check" size={14} />}{s.narrow && seat !== s.me ? s.v.ships[seat]?.to_go : t("jamaica.toGo", { n: s.v.ships[seat]?.to_go ?? 0 })}</span>,
  points: (s: S) => ({
    low: false,
    heads: [],
    title: t("jamaica.wayHome"),
    note: t("jamaica.richest"),
    figure: t("jamaica.spaces"),
    rows: s.v.ships.filter((ship) => ship.ship !== "ghost").map((ship) => ({ seat: ship.ship as number, cells: [], total: ship.to_go })).sort((a, b) => a.total - b.total),
  }),
  label: (s: S, way) => {
    const space = s.v.board.find((it) => it.id === way.move.to);
    if (space) return landing(s, space);
    if (way.move.t === "attack") return { text: t("jamaica.fightName", { name: way.move.ship === "ghost" ? t("jamaica.ghost") : s.name(Number(way.move.ship)) }) };
    if (way.move.t === "choose") return { text: t("jamaica.chooseButton") };
    if (way.move.t === "loot") {
      if ("treasure" in way.move) return { text: t("jamaica.takeTreasure") };
      return { text: t("jamaica.takeHold", { n: Number(way.move.hold) + 1 }), sub: "into" in way.move ? t("jamaica.intoHold", { n: Number(way.move.into) + 1 }) : t("jamaica.overboard") };
    }
    return null;
  },
  also: (_s, ways) => ways.filter((way) => way.move.t === "move" || way.move.t === "ghost_move" || way.move.t === "attack").slice(0, 5),
  look: (_s, way) => (way.move.t === "leave" || way.move.t === "accept" ? "quiet" : way.move.t === "choose" ? "main" : ""),
  say: (s: S, _move, field, value) => {
    if (field !== "from" && field !== "powder") return null;
    const hold = s.v.ships[s.me]?.holds[Number(value)];
    return t("jamaica.hold", { n: Number(value) + 1, count: hold?.count ?? 0, what: maybe(`good.${hold?.resource}`, hold?.resource ?? "") });
  },
  fly,
  hints: [
    { id: "days", when: (s: S) => s.v.phase === "choose" },
    { id: "pay", when: (s: S) => s.v.phase === "choose" && s.v.round > 1 },
    { id: "lair", when: (s: S) => s.v.phase === "move" },
    { id: "fight", when: (s: S) => s.v.phase === "move" },
    { id: "line", when: (s: S) => (s.v.ships[s.me]?.to_go ?? 99) < 12 },
  ],
};
