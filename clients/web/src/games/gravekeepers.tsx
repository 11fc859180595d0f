/** Gravekeepers: sixteen graves, a white keeper on a row and a black one on a column. */
import type { JSX } from "preact";
import { maybe, t } from "../i18n";
import type { Face } from "../kit/Card";
import { Icon } from "../kit/icons";
import type { Happened } from "../net/wire";
import { effect, type Flight, type GameModule, type Prompt, type Scene } from "../table/module";
import { Card, Obj, Still } from "../table/Obj";
import { lit } from "../table/state";

interface G {
  colour: "white" | "black";
  symbol: string;
}
interface Grave {
  row: number;
  col: number;
  white_effect: string | null;
  black_effect: string | null;
  ghost: G | null;
  back: "white" | "black" | null;
}
interface V {
  phase: string;
  turn: number;
  awaited: number[];
  turns: number;
  last_lap: boolean;
  board: Grave[][];
  white_row: number;
  black_col: number;
  crossing: { row: number; col: number };
  line: { colour: "white" | "black"; index: number } | null;
  visiting: { row: number; col: number } | null;
  asked: string | null;
  piles: { colour: "white" | "black"; size: number; dawn: number | null }[];
  hand: G[];
  hand_counts: { white: number; black: number }[];
  ghosts: G[][];
  face_down: number[];
  counts: number[][];
  costs: { symbol: string; points: number }[];
  face_down_cost: number;
  chosen: boolean[];
  final: G | null;
  losses: { seat: number; group: string; points: number }[];
  lost: number[];
  out: number | null;
  winners: number[] | null;
}
type S = Scene<V>;

const ghostFace = (card: G): Face => ({ colour: card.colour, paper: card.colour, shape: card.symbol });
const ghostName = (card: G): string => t("grave.ghost", { colour: maybe(`colour.${card.colour}`, card.colour), symbol: maybe(`symbol.${card.symbol}`, card.symbol) });
const handKey = (card: G, n: number): string => `hand:${card.colour}.${card.symbol}.${n}`;

function keysOf(move: string, part: Record<string, unknown>): string[] {
  if (move === "declare") return [part.colour === "white" ? `head:row:${String(part.to)}` : `head:col:${String(part.to)}`];
  if (move === "draw") return [`pile:${String(part.pile)}`];
  if ("row" in part) return [`grave:${String(part.row)}:${String(part.col)}`];
  if (move === "move") return [`head:move:${String(part.to)}`];
  const card = part.card as G | undefined;
  if (card?.symbol) return [move === "turn_down" ? `ghost:${card.colour}.${card.symbol}` : handKey(card, 0)];
  return [];
}

const ICONS: Record<string, string> = {
  add: "M12 4v16M4 12h16",
  move: "M3 12h18M8 7l-5 5 5 5M16 7l5 5-5 5",
  relocate: "M4 18q2-12 14-10M13 3l6 5-5 6",
  flip: "M4 12a8 8 0 0 1 13-6M20 4v5h-5M20 12a8 8 0 0 1-13 6M4 20v-5h5",
};

function Effect({ effect, dark }: { effect: string | null; dark: boolean }): JSX.Element {
  if (!effect) return <span class={`effect ${dark ? "dark" : "pale"}`} />;
  const [what = "", colour = ""] = effect.split("_");
  return (
    <span class={`effect ${dark ? "dark" : "pale"}`}>
      <svg viewBox="0 0 24 24" aria-hidden="true"><path d={ICONS[what] ?? ""} /></svg>
      <i class={`effectdot ${colour}`} />
      <b class="effectword" aria-hidden="true">{maybe(`grave.do.${what}`, "")}</b>
    </span>
  );
}

function GraveCell({ s, it }: { s: S; it: Grave }): JSX.Element {
  const { v } = s;
  const onWhite = it.row === v.white_row;
  const onBlack = it.col === v.black_col;
  const gate = onWhite && onBlack;
  const visiting = v.visiting?.row === it.row && v.visiting.col === it.col;
  const effects = [it.white_effect && `${t("grave.whiteDoes")} ${maybe(`effect.${it.white_effect}`, it.white_effect)}`, it.black_effect && `${t("grave.blackDoes")} ${maybe(`effect.${it.black_effect}`, it.black_effect)}`].filter(Boolean).join(", ");
  const lies = it.ghost ? ghostName(it.ghost) : it.back ? t("grave.back", { colour: maybe(`colour.${it.back}`, it.back) }) : "";
  return (
    <Obj k={`grave:${it.row}:${it.col}`} name={t("grave.at", { row: it.row + 1, col: it.col + 1, what: [lies, effects].filter(Boolean).join(", ") })} style={{ gridColumn: it.col + 2, gridRow: it.row + 1 }} class={`grave ${onWhite || onBlack ? "online" : ""} ${gate ? "gate" : ""} ${visiting ? "visiting" : ""} ${it.ghost || it.back ? "taken" : ""}`}>
      <Effect effect={it.white_effect} dark />
      <Effect effect={it.black_effect} dark={false} />
      {it.ghost && <svg class="graveghost" viewBox="0 0 100 100" aria-hidden="true"><use href={`#p-ghost_${it.ghost.colour}_${it.ghost.symbol}`} /></svg>}
      {it.back && <span class="graveback"><Still back={it.back} /></span>}
    </Obj>
  );
}

function Head({ s, kind, n }: { s: S; kind: "row" | "col"; n: number }): JSX.Element {
  const here = kind === "row" ? s.v.white_row === n : s.v.black_col === n;
  const colour = kind === "row" ? "white" : "black";
  const moves = s.v.asked === `move_${colour}` && lit.value.has(`head:move:${n}`);
  const k = moves ? `head:move:${n}` : `head:${kind}:${n}`;
  const name = kind === "row" ? t("grave.row", { n: n + 1 }) : t("grave.col", { n: n + 1 });
  return (
    <Obj k={k} name={here ? `${name}, ${t(colour === "white" ? "grave.whiteKeeper" : "grave.blackKeeper")}` : name} class={`gravehead ${kind} ${here ? "keeper" : ""}`} style={kind === "row" ? { gridColumn: 1, gridRow: n + 1 } : { gridColumn: n + 2, gridRow: 5 }}>
      {here ? <svg data-glide={`keeper:${colour}`} viewBox="0 0 100 100" style={{ color: colour === "white" ? "#20242b" : "#fdfbf5" }} aria-hidden="true"><use href={`#p-keeper_${colour}`} /></svg> : <i class={`headdot ${colour}`} />}
    </Obj>
  );
}

function Board({ s }: { s: S }): JSX.Element {
  return (
    <div class="cemetery" role="grid" aria-label={t("grave.cemetery")}>
      {s.v.board.map((row, y) => (
        <div role="row" class="asis" key={y}>
          <div role="gridcell" class="asis"><Head s={s} kind="row" n={y} /></div>
          {row.map((it) => <div role="gridcell" class="asis" key={it.col}><GraveCell s={s} it={it} /></div>)}
        </div>
      ))}
      <div role="row" class="asis">
        {[0, 1, 2, 3].map((x) => <div role="gridcell" class="asis" key={x}><Head s={s} kind="col" n={x} /></div>)}
      </div>
    </div>
  );
}

function Own({ s }: { s: S }): JSX.Element {
  const { v } = s;
  const seen = new Map<string, number>();
  return (
    <div class="handrow">
      <div class="hand" role="group" aria-label={t("yourCards")}>
        {v.hand.map((card, i) => {
          const same = `${card.colour}.${card.symbol}`;
          const n = seen.get(same) ?? 0;
          seen.set(same, n + 1);
          return <Card key={i} k={handKey(card, n)} face={ghostFace(card)} name={ghostName(card)} class="handcard" />;
        })}
        {v.final && <Still face={ghostFace(v.final)} name={ghostName(v.final)} class="handcard" />}
      </div>
      <div class="row pilesrow">
        {v.piles.map((pile) => (
          <div class="pile" key={pile.colour}>
            <Card k={`pile:${pile.colour}`} back={pile.colour} name={t("grave.pile", { colour: maybe(`colour.${pile.colour}`, pile.colour), n: pile.size })} class="ghostpile" />
            <span class="caption">{t("nLeft", { n: pile.size })}{pile.dawn !== null ? ` · ${t("grave.dawn")}` : ""}</span>
          </div>
        ))}
      </div>
    </div>
  );
}

function prompt(s: S): Prompt | null {
  const { v } = s;
  const offers = new Set(s.msg.offers.map((offer) => offer.move));
  if (offers.has("declare")) return { title: t("grave.declare"), sub: t("grave.declareSub") };
  if (offers.has("place")) return { title: t("grave.place"), sub: t("grave.placeSub") };
  if (offers.has("draw")) return { title: t("cambio.draw"), sub: t("grave.drawSub") };
  if (offers.has("final")) return { title: t("grave.final"), sub: t("grave.finalSub") };
  if (v.asked && offers.size) return { title: maybe(`effect.${v.asked}`, v.asked.replaceAll("_", " ")), sub: t("grave.effectSub") };
  if (offers.has("turn_down") || offers.has("drop")) return { title: t("grave.score") };
  if (v.phase === "final") return { title: t("waitForOthers") };
  return v.phase === "over" ? null : { title: t("turnOf", { name: s.name(v.turn) }), sub: v.last_lap ? t("grave.lastLap") : undefined };
}

function fly(s: S, event: Happened): Flight[] {
  const { detail } = event;
  const who = `seat:${event.seat ?? 0}`;
  const colour = detail.colour as "white" | "black";
  const card = detail.card as G | undefined;
  const grave = `grave:${String(detail.row)}:${String(detail.col)}`;
  const cross = `grave:${s.v.crossing.row}:${s.v.crossing.col}`;
  switch (event.what) {
    case "declared":
    case "moved":
      return [{ from: `keeper:${colour}`, to: `head:${colour === "white" ? "row" : "col"}:${String(detail.to)}`, pic: `keeper_${colour}`, colour: colour === "white" ? "black" : "white" }];
    case "gained":
      return ((detail.cards as G[] | undefined) ?? []).map((it) => ({ from: cross, to: who, face: ghostFace(it) }));
    case "placed":
      return [{ from: who, to: grave, back: colour }];
    case "added":
      return card ? [{ from: `pile:${card.colour}`, to: grave, face: ghostFace(card) }] : [];
    case "drew":
      return [{ from: `pile:${colour}`, to: who, back: colour }];
    case "relocated": {
      const from = detail.from as { row: number; col: number };
      const to = detail.to as { row: number; col: number };
      const there = s.v.board[to.row]?.[to.col];
      return [{ from: `grave:${from.row}:${from.col}`, to: `grave:${to.row}:${to.col}`, face: there?.ghost ? ghostFace(there.ghost) : null, back: there?.back ?? "white" }];
    }
    case "dawn":
      return [{ from: `pile:${colour}`, to: "board", pic: "dawn", colour: "yellow" }];
    case "dawned":
      return [effect("board", "sun", "rise", "yellow")];
    case "flipped":
      return [effect(grave, "ghost", "pop", "white")];
    case "lost":
      return [effect(who, "candle", "rise", "yellow", `−${String(detail.points)}`)];
    case "final":
      return card ? [{ from: "board", to: who, face: ghostFace(card) }] : [];
    case "turned_down":
      return card ? [{ from: who, to: "board", back: card.colour as "white" | "black" }] : [];
    case "dropped":
      return [{ from: who, to: "board", back: "black" }];
    default:
      return [];
  }
}

const GhostCount = ({ s, seat }: { s: S; seat: number }): JSX.Element => (
  <span class="row tight fishcount">
    <svg viewBox="0 0 100 100" width="26" height="26" style={{ color: "#20242b" }} role="img" aria-label={t("grave.ghosts")}><use href="#p-ghost" /></svg>
    <b>{(s.v.ghosts[seat]?.length ?? 0) + (s.v.face_down[seat] ?? 0)}</b>
  </span>
);

/** G29, G32: what it costs to have the most of a group alone, and who has it now. */
const Group = ({ id, cost, name }: { id: string; cost: number; name: string }): JSX.Element => (
  <span class="groupcost" role="img" aria-label={t("grave.costs", { symbol: name, n: cost })}>
    <svg viewBox="0 0 100 100" aria-hidden="true"><use href={`#p-${id}`} /></svg>−{cost}
  </span>
);
const alone = (v: V, group: number): number | null => {
  const all = v.counts.map((its) => its[group] ?? 0);
  const most = Math.max(...all);
  return all.filter((it) => it === most).length === 1 ? all.indexOf(most) : null;
};

function points(s: S): ReturnType<NonNullable<GameModule["points"]>> {
  const { v } = s;
  const groups = [0, 1, 2, 3, 4, 5];
  const most = groups.map((group) => alone(v, group));
  return {
    low: false,
    note: t("grave.pointsNote"),
    figure: t("grave.all"),
    heads: [...v.costs.map((it) => <Group id={`shape_${it.symbol}`} cost={it.points} name={maybe(`symbol.${it.symbol}`, it.symbol)} />), <Group id="ghost" cost={v.face_down_cost} name={t("faceDown")} />, t("grave.lossHead")],
    rows: v.ghosts
      .map((ghosts, seat) => ({
        seat,
        cells: [...groups.map((group) => (most[group] === seat ? <b class="most">{v.counts[seat]?.[group] ?? 0}</b> : (v.counts[seat]?.[group] ?? 0))), v.lost[seat] ? `−${v.lost[seat]}` : "·"],
        total: ghosts.length + (v.face_down[seat] ?? 0),
      }))
      .sort((a, b) => b.total - a.total),
  };
}

export const game: GameModule = {
  layout: "badges",
  aim: { keysOf },
  turn: (s: S) => (s.v.phase === "final" || s.v.phase === "over" ? null : s.v.turn),
  subtitle: (s: S) => [t("turnN", { n: s.v.turns + 1 }), s.v.last_lap ? t("grave.lastLap") : ""].filter(Boolean).join(" · "),
  prompt,
  Board,
  Own,
  note: (s: S, seat) =>
    seat === s.you ? null : (
      <span class="handdots">
        {Array.from({ length: s.v.hand_counts[seat]?.white ?? 0 }, (_, n) => <i key={`w${n}`} class="headdot white" />)}
        {Array.from({ length: s.v.hand_counts[seat]?.black ?? 0 }, (_, n) => <i key={`b${n}`} class="headdot black" />)}
        {(s.v.lost[seat] ?? 0) > 0 && ` −${s.v.lost[seat]}`}
        {s.v.chosen[seat] && <Icon name="check" size={14} />}
      </span>
    ),
  score: (s: S, seat) => <GhostCount s={s} seat={seat} />,
  points,
  look: (_s, way) => (way.move.t === "decline" ? "quiet" : ""),
  label: (_s, way) => (way.move.t === "decline" ? { text: t("letItPass") } : way.move.t === "place" ? { text: t("grave.placeButton") } : way.move.t === "final" ? { text: t("grave.finalButton") } : null),
  guess: (s: S, key) => {
    const head = /^head:(row|col):(\d)$/.exec(key);
    if (head && s.v.phase === "declare") return { t: "declare", colour: head[1] === "row" ? "white" : "black", to: Number(head[2]) };
    const card = /^hand:(\w+)\.(\w+)\./.exec(key);
    if (card && s.v.phase === "place") return { t: "place", card: { colour: card[1], symbol: card[2] } };
    return null;
  },
  fly,
  hints: [
    { id: "declare", when: (s: S) => s.v.phase === "declare" && s.v.turn === s.you },
    { id: "gain", when: (s: S) => s.v.phase === "declare" && s.v.turn === s.you },
    { id: "place", when: (s: S) => s.v.phase === "place" && s.v.turn === s.you },
    { id: "act", when: (s: S) => s.v.phase === "effect" && s.v.turn === s.you },
    { id: "most", when: (s: S) => (s.v.ghosts[s.me]?.length ?? 0) > 3 },
  ],
};
