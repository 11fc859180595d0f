/** Draws any game from its view and its offers, so that a ninth game is playable before anyone styles it. */
import type { JSX } from "preact";
import { t } from "../i18n";
import { CardArt, type Face } from "../kit/Card";
import { SeatMark } from "../kit/seats";
import { words } from "../kit/titles";
import { plain } from "./input/Builder";
import type { GameModule, Scene } from "./module";
import { Obj } from "./Obj";

type Thing = Record<string, unknown>;
const isThing = (it: unknown): it is Thing => typeof it === "object" && it !== null && !Array.isArray(it);
const COLOURS = ["yellow", "blue", "red", "green", "purple", "white", "brown", "black"];
const MARKS = ["rune", "card", "kind", "colour", "number", "symbol", "part"];

/** An object that looks like a card: it has a colour, a number, a kind. */
export function cardLike(it: Thing): Face | null {
  if ("face" in it) return isThing(it.face) ? cardLike(it.face) : null;
  if (!MARKS.some((key) => key in it && !isThing(it[key]) && !Array.isArray(it[key]))) return null;
  if (Object.keys(it).length > 6) return null;
  const colour = COLOURS.includes(String(it.colour)) ? String(it.colour) : "white";
  const word = Object.entries(it).find(([key, value]) => typeof value === "string" && key !== "colour")?.[1];
  const big = it.number ?? it.rune ?? it.symbol ?? it.kind ?? it.part ?? word;
  const text = big === null || big === undefined ? plain(it.part ?? it.kind) : String(big);
  const name = [it.kind, it.part, it.symbol].find((part) => typeof part === "string" && part !== text);
  return { colour, corner: /^\d+$/.test(text) ? text.slice(0, 4) : text.slice(0, 2), numeral: text.length < 4 ? text : undefined, label: name ? plain(name) : text.length >= 4 ? plain(text) : undefined };
}

/** Keys whose number is a seat, at their beginning or end: `turn`, `seat`, `winners`, `last_winner`. */
const SEATS = /(^|_)(seats?|turn|leads?|leader|starter|captain|dealer|placer|actor|acting|owner|caller|opener|target|victim|taker|winners?|losers?|awaited|asked|ready_seats|by|who)$/;
const isSeat = (path: string, it: unknown, s: Scene): it is number => {
  const key = path.split(".").filter((part) => !/^\d+$/.test(part)).pop() ?? "";
  if (key === "seats" && !/\d$/.test(path)) return false; // how many there are
  return typeof it === "number" && Number.isInteger(it) && it >= 0 && it < s.seats.length && SEATS.test(key);
};
const Name = ({ s, seat }: { s: Scene; seat: number }): JSX.Element => <span class="gitem"><SeatMark seat={seat} size={14} /> <b>{s.name(seat)}</b></span>;

const keyFor = (it: unknown, path: string): string => {
  if (isThing(it) && typeof it.id === "string") return `hand:${it.id}`;
  return `at:${path}`;
};

function Value({ it, path, s, depth }: { it: unknown; path: string; s: Scene; depth: number }): JSX.Element {
  if (Array.isArray(it)) {
    if (!it.length) return <span class="small">–</span>;
    if (it.every((part) => isSeat(`${path}.0`, part, s))) return <span class="gwrap">{it.map((part) => <Name key={part} s={s} seat={part} />)}</span>;
    const perSeat = !NO_SEATS.has(path) && it.length === s.seats.length && path.split(".").length === 1;
    return (
      <span class="gwrap">
        {it.map((part, n) => (
          <span key={n} class="gitem">
            {perSeat && <Name s={s} seat={n} />}
            <Value it={part} path={`${path}.${n}`} s={s} depth={depth + 1} />
          </span>
        ))}
      </span>
    );
  }
  if (isThing(it)) {
    if ("filled" in it && "mark" in it) {
      const face = cardLike(it);
      const k = `mark:${String(it.mark)}`;
      return it.filled ? (
        <Obj k={k} name={face ? plain(it.face ?? it.card) : "face down"} class="card gcard"><CardArt face={face} compact /></Obj>
      ) : (
        <span class="gcard hole" />
      );
    }
    const face = cardLike(it);
    if (face) return <Obj k={keyFor(it, path)} name={plain(it)} class="card gcard"><CardArt face={face} compact={!face.label} /></Obj>;
    if (depth > 4) return <details><summary>{words(path.split(".").pop() ?? "")}</summary>{plain(it)}</details>;
    return (
      <span class="gthing">
        {Object.entries(it).map(([key, value]) => (
          <span key={key} class="gpair">
            <span class="caption">{words(key)}</span> <Value it={value} path={`${path}.${key}`} s={s} depth={depth + 1} />
          </span>
        ))}
      </span>
    );
  }
  if (isSeat(path, it, s)) return <Name s={s} seat={it} />;
  return <b class="gscalar">{typeof it === "boolean" ? (it ? "✓" : "–") : plain(it)}</b>;
}

/** Lists that may by chance be as long as the seats. */
const NO_SEATS = new Set(["hand", "dice", "trick", "tokens", "discard"]);
const MOST_BUTTONS = 6;
const HIDE = new Set(["last", "options", "you"]);

function Board({ s }: { s: Scene }): JSX.Element {
  const entries = Object.entries(s.v as Thing).filter(([key, value]) => !HIDE.has(key) && value !== null && !(Array.isArray(value) && !value.length));
  const scalars = entries.filter(([, value]) => typeof value !== "object");
  // Your own cards first: most moves name one.
  const rest = entries.filter(([, value]) => typeof value === "object").sort(([a], [b]) => Number(b === "hand") - Number(a === "hand"));
  return (
    <div class="generic" tabIndex={0} role="group" aria-label={t("table")}>
      <div class="gwrap">
        {scalars.map(([key, value]) => (
          <span class="chip" key={key}>
            {words(key)}: {isSeat(key, value, s) ? <Name s={s} seat={value} /> : typeof value === "boolean" ? (value ? "✓" : "–") : plain(value)}
          </span>
        ))}
      </div>
      {rest.map(([key, value]) => (
        <div key={key} class="grow-row">
          <h3 class="caption">{words(key)}</h3>
          <Value it={value} path={key} s={s} depth={0} />
        </div>
      ))}
    </div>
  );
}

export const generic: GameModule = {
  layout: "badges",
  aim: {
    keysOf: (_move, part) =>
      Object.entries(part).flatMap(([field, value]) => {
        if (field === "mark") return [`mark:${String(value)}`];
        if (field === "card" && typeof value === "string") return [`hand:${value}`];
        if (field === "cards" && Array.isArray(value)) return value.filter((it) => typeof it === "string").map((it) => `hand:${String(it)}`);
        if (isThing(value) && "mark" in value) return [`mark:${String(value.mark)}`];
        return [];
      }),
  },
  // A few moves stand as buttons too: what they name may be far down in the view.
  also: (_s, ways) => (ways.length <= MOST_BUTTONS ? ways : []),
  turn: (s) => (typeof s.v.turn === "number" ? s.v.turn : null),
  score: (s, seat) => s.msg.scores[seat] ?? "",
  Board,
};
