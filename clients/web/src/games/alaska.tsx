/** Alaska: a ring of ten sections, salmon on the borders, anglers in the way, and the bear. */
import type { JSX } from "preact";
import { maybe, t } from "../i18n/index";
import type { Face } from "../kit/Card";
import type { Happened } from "../net/wire";
import type { Way } from "../table/input/aim";
import { effect, type Flight, type GameModule, type Prompt, type Scene } from "../table/module";
import { Card, objectClass, Still, SvgTick } from "../table/Obj";
import { lit, picked } from "../table/state";

interface A {
  id: string;
  part: string;
  number: number | null;
}
interface V {
  turn: number;
  step: "salmon" | "play" | "bear" | "over";
  placer: number | null;
  to_place: A[];
  flow_due: A[];
  sections: { section: number; gaps: number[]; angler: A | null }[];
  gaps: { gap: number; sections: number[]; salmon: A[] }[];
  hand: A[];
  hand_sizes: number[];
  caught: A[][];
  main: number;
  discard: A[];
  missing: number[];
  turns_left: number | null;
  catch: { number: number; seat: number; salmon: A } | null;
  you_let_go: boolean;
}
type S = Scene<V>;

const COLOUR: Record<string, string> = { cast: "yellow", salmon: "red", flow: "white", tourist: "red", local: "blue", eagle: "green", bear: "purple" };
const PICTURE: Record<string, string> = { salmon: "salmon", flow: "waves", tourist: "tourist", local: "local", eagle: "eagle", bear: "bear" };
const partName = (part: string): string => maybe(`card.${part}`, part);

export function faceOf(card: A | null | undefined): Face | null {
  if (!card) return null;
  const colour = COLOUR[card.part] ?? "white";
  if (card.part === "cast") return { colour, corner: String(card.number), numeral: String(card.number), mark: "rod", label: partName("cast") };
  return { colour, corner: partName(card.part).charAt(0), pic: PICTURE[card.part], label: partName(card.part) };
}
const cardName = (card: A): string => (card.number === null ? partName(card.part) : `${partName(card.part)} ${card.number}`);

function keysOf(move: string, part: Record<string, unknown>): string[] {
  const keys: string[] = [];
  if (typeof part.card === "string") keys.push(`hand:${part.card}`);
  if (Array.isArray(part.cards)) keys.push(...part.cards.map((card) => `hand:${String(card)}`));
  if (typeof part.section === "number") keys.push(`section:${part.section}`);
  if (typeof part.angler === "number") keys.push(`section:${part.angler}`);
  if (typeof part.gap === "number" && move !== "cast") keys.push(`gap:${part.gap}`);
  if (typeof part.salmon === "number") keys.push(`gap:${part.salmon}`);
  return keys;
}

const R = 270;
const C = 350;
/** Section n stands at its angle; 3 is at the bottom, the ring runs counter-clockwise. */
const angleOf = (n: number): number => (90 - (n - 3) * 36) * (Math.PI / 180);
const at = (n: number, r = R): [number, number] => [C + r * Math.cos(angleOf(n)), C + r * Math.sin(angleOf(n))];

function sumOf(s: S): number | null {
  const cards = s.v.hand.filter((card) => picked.value.includes(`hand:${card.id}`));
  if (!cards.length || cards.some((card) => card.part !== "cast")) return null;
  const sum = cards.reduce((all, card) => all + (card.number ?? 0), 0);
  return sum >= 1 && sum <= 10 ? sum : null;
}

function Section({ s, n, glow }: { s: S; n: number; glow: boolean }): JSX.Element {
  const it = s.v.sections[n - 1];
  const [x, y] = at(n);
  // Towards the middle of the ring: the gaps lie at both sides.
  const badge = at(n, R - 50);
  const k = `section:${n}`;
  const isLit = lit.value.has(k);
  const fish = it?.gaps.reduce((all, gap) => all + (s.v.gaps[gap - 1]?.salmon.length ?? 0), 0) ?? 0;
  const angler = it?.angler;
  const name = t("alaska.section", { n, fish, angler: angler ? partName(angler.part) : t("alaska.noAngler") });
  return (
    <g data-k={k} class={`${objectClass(k)} section ${glow ? "glow" : ""}`} role={isLit || glow ? "button" : "img"} tabindex={isLit || glow ? 0 : undefined} aria-label={isLit ? undefined : name}>
      <title>{name}</title>
      <circle cx={x} cy={y} r="56" fill="transparent" />
      {(isLit || glow) && <circle cx={x} cy={y} r="53" class="sectionhalo" />}
      <circle cx={x} cy={y} r={angler ? 46 : 38} class="sectiondisc" />
      {angler ? (
        <>
          <g class={`c-${COLOUR[angler.part]}`}><g style={{ color: "var(--deep)" }}><use href={`#p-${PICTURE[angler.part]}`} x={x - 38} y={y - 40} width="76" height="76" /></g></g>
          <circle cx={badge[0]} cy={badge[1]} r="19" class="sectionbadge" />
          <text x={badge[0]} y={badge[1] + 8} class="sectionbadgetext">{n}</text>
        </>
      ) : (
        <text x={x} y={y + 15} class="sectionnumber">{n}</text>
      )}
      <SvgTick k={k} x={x + 36} y={y - 36} />
    </g>
  );
}

function Gap({ s, n }: { s: S; n: number }): JSX.Element {
  const it = s.v.gaps[n - 1];
  const [x, y] = at(n + 0.5);
  const k = `gap:${n}`;
  const isLit = lit.value.has(k);
  const count = it?.salmon.length ?? 0;
  const turn = 90 - (n + 0.5 - 3) * 36;
  return (
    <g data-k={k} class={`${objectClass(k)} gap`} role={isLit ? "button" : "img"} tabindex={isLit ? 0 : undefined} aria-label={isLit ? undefined : t("alaska.gap", { n, fish: count })}>
      <title>{t("alaska.gap", { n, fish: count })}</title>
      <circle cx={x} cy={y} r="40" fill="transparent" />
      {isLit && <circle cx={x} cy={y} r="36" class="sectionhalo" />}
      {count === 0 && <path d="M-12-10L0 0-12 10M2-10L14 0 2 10" transform={`translate(${x} ${y}) rotate(${turn - 90})`} class="chevron" />}
      <g class="c-red" style={{ color: "var(--deep)" }}>
        {Array.from({ length: Math.min(3, count) }, (_, i) => (
          <use key={i} href="#p-salmon" x={x - 36 + (i - (Math.min(3, count) - 1) / 2) * 20 * Math.cos(angleOf(n + 0.5))} y={y - 36 + (i - (Math.min(3, count) - 1) / 2) * 34 * Math.sin(angleOf(n + 0.5))} width="72" height="72" />
        ))}
      </g>
      {count > 3 && <text x={x} y={y + 44} class="gapcount">×{count}</text>}
      <SvgTick k={k} x={x + 28} y={y - 28} />
    </g>
  );
}

function Board({ s }: { s: S }): JSX.Element {
  const { v } = s;
  const sum = sumOf(s);
  const top = v.discard.at(-1);
  return (
    <div class="river">
      <svg viewBox="0 0 700 700" class="riverart">
        <defs><linearGradient id="water" x1="0" y1="0" x2="0" y2="1"><stop offset="0" stop-color="#7FC2DB" /><stop offset="1" stop-color="#5AA3C7" /></linearGradient></defs>
        <circle cx={C} cy={C} r={R} class="water" />
        <circle cx={C} cy={C} r={R + 79} class="bank" />
        <circle cx={C} cy={C} r={R - 79} class="bank" />
        {v.gaps.map(({ gap }) => {
          const [x1, y1] = at(gap + 0.5, R - 76);
          const [x2, y2] = at(gap + 0.5, R + 76);
          return <path key={gap} d={`M${x1} ${y1}L${x2} ${y2}`} class="border" />;
        })}
        {v.sections.map(({ section }) => <Section key={section} s={s} n={section} glow={sum === section} />)}
        {v.gaps.map(({ gap }) => <Gap key={gap} s={s} n={gap} />)}
      </svg>
      <div class="rivermiddle">
        {v.catch ? (
          <div class="catch">
            <svg viewBox="0 0 100 100" class="c-red" style={{ color: "var(--deep)" }} role="img" aria-label={t("alaska.caughtOne", { name: s.name(v.catch.seat) })}><use href="#p-salmon" /></svg>
            <b>{s.name(v.catch.seat)}</b>
          </div>
        ) : (
          <div class="row">
            <div class="pile"><Card k="pile:main" name={t("mainPile", { n: v.main })} class="minicard" /><span class="caption">{t("main", { n: v.main })}</span></div>
            <div class="pile">
              {top ? <Still face={faceOf(top)} compact class="minicard" name={t("discardTop", { card: cardName(top) })} /> : <span class="card hole minicard" />}
              <span class="caption">{t("discardShort")}</span>
            </div>
            {(v.to_place.length > 0 || v.flow_due.length > 0) && (
              <span class="riverdue">{[...v.to_place, ...v.flow_due].map((card) => <Still key={card.id} face={faceOf(card)} compact class="tinycard" name={cardName(card)} />)}</span>
            )}
          </div>
        )}
      </div>
    </div>
  );
}

function Own({ s }: { s: S }): JSX.Element {
  const { v } = s;
  return (
    <div class="hand" role="group" aria-label={t("yourCards")}>
      {v.hand.map((card) => (
        <Card key={card.id} k={`hand:${card.id}`} face={faceOf(card)} name={cardName(card)} class="handcard" />
      ))}
      {s.you === null && Array.from({ length: v.hand_sizes[s.me] ?? 0 }, (_, n) => <Still key={n} class="handcard" />)}
      {!v.hand.length && s.you !== null && <p class="small">{t("noCards")}</p>}
    </div>
  );
}

function prompt(s: S): Prompt | null {
  const { v, you } = s;
  const offers = new Set(s.msg.offers.map((offer) => offer.move));
  if (v.step === "bear" && v.catch) {
    if (v.catch.seat === you) return { title: t("alaska.youCaught"), sub: t("alaska.bearWait") };
    return { title: t("alaska.bear", { name: s.name(v.catch.seat) }), sub: v.you_let_go ? t("alaska.letGo") : t("alaska.bearSub") };
  }
  if (offers.has("place")) return { title: t("alaska.place"), sub: t("alaska.placeSub", { n: v.to_place.length }) };
  if (v.step === "salmon") return { title: t("alaska.placing", { name: s.name(v.placer ?? 0) }), sub: t("alaska.placingSub", { n: v.to_place.length }) };
  if (v.turn === you && v.step === "play") {
    const sum = sumOf(s);
    const cards = s.v.hand.filter((card) => picked.value.includes(`hand:${card.id}`));
    if (sum !== null) {
      const fish = v.sections[sum - 1]?.gaps.reduce((all, gap) => all + (v.gaps[gap - 1]?.salmon.length ?? 0), 0) ?? 0;
      const angler = v.sections[sum - 1]?.angler;
      return { title: t("alaska.fishes", { how: cards.map((card) => card.number).join(" + "), n: sum }), sub: angler ? t("alaska.anglerThere", { angler: partName(angler.part) }) : t("alaska.touches", { n: fish }) };
    }
    if (cards[0]) return { title: maybe(`alaska.use.${cards[0].part}`, partName(cards[0].part)) };
    return { title: t("alaska.play"), sub: v.turns_left !== null ? t("alaska.lastRound", { n: v.turns_left }) : t("alaska.playSub") };
  }
  return v.step === "over" ? null : { title: t("turnOf", { name: s.name(v.turn) }), sub: v.turns_left !== null ? t("alaska.lastRound", { n: v.turns_left }) : undefined };
}

const castSum = (s: S, way: Way): number => s.v.hand.filter((card) => (way.move.cards as string[] | undefined)?.includes(card.id)).reduce((all, card) => all + (card.number ?? 0), 0);

function fly(s: S, event: Happened): Flight[] {
  const { detail } = event;
  const who = `seat:${event.seat ?? 0}`;
  const section = `section:${String(detail.section)}`;
  const salmon: Face = { colour: "red", pic: "salmon" };
  const fish = { pic: "salmon", colour: "red" };
  switch (event.what) {
    case "salmon_shown":
      return detail.placer === event.seat ? [] : [{ from: who, to: `seat:${String(detail.placer)}`, face: salmon }];
    case "placed":
      return [{ from: who, to: `gap:${String(detail.gap)}`, face: salmon }, effect(`gap:${String(detail.gap)}`, "splash", "fall", "blue")];
    case "die":
      return [effect("board", "die", "roll", "white", String(detail.die))];
    case "flow":
      return s.v.gaps.filter((it) => it.salmon.length).map(({ gap }) => ({ from: `gap:${gap === 1 ? s.v.gaps.length : gap - 1}`, to: `gap:${gap}`, ...fish }));
    case "cast":
      return [{ from: who, to: section, pic: "rod", colour: "yellow" }];
    case "caught":
      return [{ from: `gap:${String(detail.gap)}`, to: "board", ...fish }];
    case "kept":
      return [{ from: "board", to: who, ...fish }];
    case "snatched":
      return [{ from: who, to: "board", pic: "bear", colour: "purple" }, { from: "board", to: who, ...fish }, effect(who, "paw", "fall", "brown")];
    case "hooked_tourist":
      return ((detail.cards as unknown[] | undefined) ?? []).map(() => ({ from: who, to: section }));
    case "hooked_local":
      return detail.paid ? [{ from: who, to: section, ...fish }] : [];
    case "eagle":
      return [{ from: who, to: "board", pic: "eagle", colour: "green" }];
    case "eagle_chased":
      return [{ from: who, to: section, pic: "eagle", colour: "green" }];
    case "bear":
      return [{ from: who, to: "board", pic: "bear", colour: "purple" }];
    case "angler":
      return [{ from: who, to: section, face: faceOf(detail.card as A) }];
    case "chased_local":
      return [{ from: who, to: section, pic: "tourist", colour: "red" }, { from: section, to: "board", pic: "local", colour: "blue" }];
    case "angler_caught":
      return [effect(section, "rod", "bump", "yellow"), { from: section, to: "pile:main", face: salmon }];
    default:
      return [];
  }
}

export const game: GameModule = {
  layout: "badges",
  aim: { keysOf },
  turn: (s: S) => (s.v.step === "over" ? null : s.v.step === "salmon" ? s.v.placer : s.v.turn),
  subtitle: (s: S) => (s.v.turns_left !== null ? t("alaska.lastRound", { n: s.v.turns_left }) : ""),
  prompt,
  Board,
  Own,
  // A seat without a bear sees the same button: nothing shows who has one.
  Extra: ({ s }: { s: S }) =>
    s.v.step === "bear" && s.v.catch?.seat !== s.you && !s.msg.offers.some((offer) => offer.move === "snatch") ? <button class="btn act race" disabled>{t("alaska.snatch")}</button> : null,
  // Your own cards can be counted, and a phone has no room to say it.
  note: (s: S, seat) => (s.v.missing.includes(seat) ? t("alaska.misses") : s.narrow && seat === s.me ? null : t("nCards", { n: s.v.hand_sizes[seat] ?? 0 })),
  score: (s: S, seat) => (
    <span class="row tight fishcount">
      <svg viewBox="0 18 100 64" width="34" height="22" class="c-red" style={{ color: "var(--deep)" }} role="img" aria-label={t("card.salmon")}><use href="#p-salmon" width="100" height="100" /></svg>
      <b>{s.v.caught[seat]?.length ?? 0}</b>
    </span>
  ),
  points: (s: S) => ({ low: false, heads: [], rows: s.v.caught.map((fish, seat) => ({ seat, cells: [], total: fish.length })).sort((a, b) => b.total - a.total) }),
  label: (s: S, way) => {
    if (way.move.t === "cast") return { text: t("alaska.castInto", { n: castSum(s, way) }) };
    if (way.move.t === "end_turn") return { text: t("endTurn") };
    if (way.move.t === "snatch") return { text: t("alaska.snatch") };
    if (way.move.t === "let_go") return { text: t("alaska.letGoButton") };
    if (way.move.t === "bear") return { text: t("alaska.chaseAll") };
    return null;
  },
  look: (_s, way) => (way.move.t === "snatch" ? "race" : way.move.t === "cast" || way.move.t === "bear" ? "main" : way.move.t === "end_turn" || way.move.t === "let_go" ? "quiet" : ""),
  also: (s: S, ways) => ways.filter((way) => way.move.t === "snatch").slice(0, s.msg.race ? 1 : 0),
  hotkey: (way) => (way.move.t === "snatch" ? "KeyB" : way.move.t === "let_go" ? "KeyN" : null),
  keys: (s: S, code) => {
    const digit = /^Digit(\d)$/.exec(code)?.[1];
    if (digit === undefined) return null;
    const n = Number(digit) || 10;
    if (s.msg.offers.some((offer) => offer.move === "place")) return `gap:${n}`;
    const card = s.v.hand[n - 1];
    return card ? `hand:${card.id}` : null;
  },
  guess: (s: S, key) => {
    // The section that the lifted casts add up to may be tapped like their button.
    const sum = sumOf(s);
    if (key === `section:${sum}`) return { t: "cast", cards: s.v.hand.filter((card) => picked.value.includes(`hand:${card.id}`)).map((card) => card.id) };
    const card = s.v.hand.find((it) => key === `hand:${it.id}`);
    return card?.part === "cast" && s.v.turn === s.you ? { t: "cast", cards: [card.id] } : null;
  },
  fly,
  hints: [
    { id: "cast", when: (s: S) => s.v.turn === s.you && s.v.step === "play" },
    { id: "borders", when: (s: S) => s.v.turn === s.you && s.v.step === "play" },
    { id: "tourist", when: (s: S) => s.v.sections.some((it) => it.angler?.part === "tourist") },
    { id: "left", when: (s: S) => s.v.turn === s.you && s.v.hand.length < 4 },
    // No hint shows in a race: this one comes before the first.
    { id: "bear", when: (s: S) => s.v.hand.some((card) => card.part === "bear") },
  ],
};
