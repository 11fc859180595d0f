/** Reflex: a light goes on, press. The lamp is a card like every other trigger. */
import type { JSX } from "preact";
import { t } from "../i18n";
import type { Face } from "../kit/Card";
import type { View } from "../net/wire";
import type { GameModule, Prompt, Scene } from "../table/module";
import { Obj, Still } from "../table/Obj";
import { TriggerHost } from "../table/Table";

interface V {
  flash: number;
  phase: "dark" | "lit" | "over";
  light: { flash: number; sign: "go" | "stop" } | null;
  pressed: number[];
  out: number[];
  winners: (number | null)[];
  points: number[];
  false_starts: number[];
  options: { flashes: number };
}
type S = Scene<V>;

const lampFace = (v: V): Face | null =>
  v.phase === "lit" && v.light ? { colour: v.light.sign === "go" ? "green" : "red", pic: v.light.sign === "go" ? "light_go" : "light_stop", label: v.light.sign === "go" ? t("reflex.go") : t("reflex.stop") } : null;

/** One large place to press, as a card and as a button, so that nothing jumps under the finger. */
const Lamp = ({ s }: { s: S }): JSX.Element => (
  <Obj k="lamp" name={s.v.phase === "lit" ? t("reflex.lampOn") : t("reflex.lampOff")} class="card triggercard lamp">
    <span class="under"><Still /></span>
    <TriggerHost k="lamp" />
  </Obj>
);

function Own({ s }: { s: S }): JSX.Element {
  return <Obj k="lamp" name={t("reflex.offer.press")} class={`pressplace ${s.v.phase}`} cap="Space"><b>{t("reflex.offer.press")}</b></Obj>;
}

function prompt(s: S): Prompt | null {
  const { v, you } = s;
  if (v.phase === "over") return null;
  const sub = t("reflex.lightOf", { n: v.flash, of: v.options.flashes });
  if (you !== null && v.out.includes(you)) return { title: t("reflex.out"), sub: t("reflex.outSub") };
  if (v.phase === "dark") return { title: t("reflex.wait"), sub };
  if (you !== null && v.pressed.includes(you)) return { title: t("waitForOthers"), sub };
  return v.light?.sign === "stop" ? { title: t("reflex.hold"), sub } : { title: t("reflex.now"), sub };
}

export const game: GameModule = {
  layout: "badges",
  aim: { keysOf: (move) => (move === "press" ? ["lamp"] : []), lifts: () => false },
  turn: () => null,
  subtitle: (s: S) => t("reflex.lightOf", { n: s.v.flash, of: s.v.options.flashes }),
  prompt,
  Board: Lamp,
  Own,
  note: (s: S, seat) => (s.v.pressed.includes(seat) ? t("reflex.hasPressed") : s.v.out.includes(seat) ? t("reflex.isOut") : null),
  score: (s: S, seat) => t("rune.points", { n: s.v.points[seat] ?? 0 }),
  points: (s: S) => ({ low: false, heads: [], rows: s.v.points.map((total, seat) => ({ seat, cells: [], total })).sort((a, b) => b.total - a.total) }),
  trigger: (view: View) => lampFace(view.view as V),
  keys: (_s, code) => (code === "Space" ? "lamp" : null),
  hints: [{ id: "light", when: (s: S) => s.v.phase === "dark" }],
};
