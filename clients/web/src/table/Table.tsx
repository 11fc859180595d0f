/**
 * The shell that every game shares. In the order in which the keyboard goes through it: prompt, your panel, board,
 * the other seats, log, menu. The style sheet gives each its place.
 */
import "../styles/table.css";
import "../styles/games.css";
import "../styles/low.css";
import "../styles/sideways.css";
import { Component, render, type ComponentChildren, type JSX } from "preact";
import { useEffect, useLayoutEffect, useRef } from "preact/hooks";
import { batch } from "@preact/signals";
import { t } from "../i18n/index";
import { CardArt } from "../kit/Card";
import { say } from "../live";
import { play } from "../net/link";
import { trigger } from "../net/race";
import { clocks, movesMade, raceOpen, strip, toast, view } from "../net/store";
import { settings } from "../settings";
import { buzz, sounds } from "../sound";
import { moduleOf } from "../games/index";
import { generic } from "./generic";
import type { GameModule, Scene } from "./module";
import { Motion } from "./input/Motion";
import { Own } from "./Own";
import { PromptArea, promptOf } from "./Prompt";
import { scene, useNarrow } from "./scene";
import { Seats } from "./Seats";
import { Sheets } from "./Sheets";
import { Side } from "./Side";
import { follow } from "./input/drag";
import { rove, useFocus } from "./input/focus";
import { useKeys } from "./input/keys";
import { aim, drop, lit, picked, press, touch, ways } from "./state";
import { eventText } from "./words";
import { Ticker, Toasts, TopBar } from "./Bars";
import { Waiting } from "./Waiting";
import { End } from "./end/End";

/** If a drawing throws, the generic table is shown instead, so that the game can go on. */
class Guard extends Component<{ children: ComponentChildren; other: () => ComponentChildren; on: string }, { on: string }> {
  override componentDidCatch(error: unknown): void {
    console.warn("a styled table failed; the generic one takes over", error);
    this.setState({ on: this.props.on });
  }
  override render(): ComponentChildren {
    return this.state.on === this.props.on ? this.props.other() : this.props.children;
  }
}

function TableBody({ s, game }: { s: Scene; game: GameModule }): JSX.Element {
  return (
    <>
      <PromptArea s={s} game={game} />
      <Own s={s} game={game} />
      <div class="board">
        <game.Board s={s} />
      </div>
      {!game.seatsOnBoard && <Seats s={s} game={game} />}
    </>
  );
}

/** The DOM node that a race's trigger is drawn into, without Preact and before everything else. */
export function TriggerHost({ k }: { k: string }): JSX.Element {
  const host = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const node = host.current;
    if (!node) return;
    triggerNode = node;
    if (view.value) drawTrigger();
    return () => {
      if (triggerNode === node) triggerNode = null;
    };
  }, []);
  return <div ref={host} class="triggerhost" data-trigger={k} />;
}
let triggerNode: HTMLElement | null = null;
function drawTrigger(now = view.value): boolean {
  const face = now && moduleOf(now.game)?.trigger?.(now);
  document.documentElement.dataset.race = now?.race ? "open" : "";
  if (!triggerNode) return false;
  render(face ? <CardArt face={face} /> : null, triggerNode);
  return true;
}
trigger.draw = drawTrigger;

export function Table(): JSX.Element {
  const now = view.value;
  const narrow = useNarrow();
  const root = useRef<HTMLDivElement>(null);
  useTurnSignals();
  useKeys();
  if (!now) return <Waiting />;
  const s = scene(now, narrow);
  const styled = moduleOf(now.game);
  const game = styled ?? generic;
  useAim(game);
  useFocus();
  const swallow = useRef(false);
  // A button inside an object (your panel is one) is a button: Enter on it must reach it.
  const keyOf = (event: Event): string | null => (event.target as Element).closest?.("button, a, input, select, [data-k]")?.getAttribute("data-k") ?? null;
  return (
    <div
      ref={root}
      class={`table ${game.layout} game-${now.game} ${s.you === null ? "watching" : ""} hand-${settings.value.hand}`}
      data-race={raceOpen.value ? "open" : ""}
      onFocusIn={rove}
      onPointerDown={(event) => {
        const key = keyOf(event);
        swallow.current = false;
        if (key === null || event.button !== 0) return;
        if (press(key, event)) swallow.current = true;
        else if (lit.value.has(key) || key === "drawn" || key.startsWith("head:")) {
          const node = (event.target as Element).closest("[data-k]");
          if (node instanceof HTMLElement)
            follow(event, node, key, (it, up) => {
              swallow.current = true;
              setTimeout(() => (swallow.current = false), 50);
              drop(it.from, it.to, it.outside, up);
            });
        }
      }}
      onClick={(event) => {
        const key = keyOf(event);
        if (swallow.current) {
          swallow.current = false;
          return;
        }
        if (key !== null) tapObject(s, game, key, event);
      }}
      onKeyDown={(event) => {
        const key = keyOf(event);
        if (key === null || event.repeat || (event.key !== "Enter" && event.key !== " ")) return;
        event.preventDefault();
        if (!press(key, event)) tapObject(s, game, key, event);
      }}
    >
      <main class="stage" data-count={s.others.length}>
        <Guard on={now.game} other={() => <TableBody s={s} game={generic} />}>
          <TableBody s={s} game={game} />
        </Guard>
        <Toasts />
      </main>
      <Ticker />
      {!narrow && <Side s={s} game={game} />}
      <TopBar s={s} game={game} />
      <Motion s={s} game={game} />
      <Sheets s={s} game={game} />
      {now.over && <End s={s} game={game} />}
    </div>
  );
}

/** For the tests: the moves that can be made now, with the objects that name them. */
Object.assign((globalThis as { photofinishProbe?: object }).photofinishProbe ?? {}, {
  ways: () => ways.value.filter((way) => !way.isRace).map((way) => ({ move: way.move.t, keys: way.keys })),
  moves: () => view.value?.seq ?? 0,
  made: () => movesMade.value,
});

function tapObject(s: Scene, game: GameModule, key: string, event: Event): void {
  // A tap that fits nothing that is picked starts a new selection.
  if (!lit.value.has(key) && picked.value.length) picked.value = [];
  if (!lit.value.has(key)) {
    const move = s.you === null || s.msg.over ? null : game.guess?.(s, key);
    if (move && s.msg.offers.length) return void play(move);
  }
  // What cannot be done is not sent: the object shakes, and the prompt is read again.
  if (!touch(key, event)) say(promptOf(s, game).title);
}

function useAim(game: GameModule): void {
  useLayoutEffect(() => {
    batch(() => {
      aim.value = { keysOf: () => [], lifts: (way) => way.keys.length > 0 && way.keys.every((key) => key.startsWith("hand:")), weak: [], ...game.aim };
      picked.value = [];
    });
  }, [game]);
}

/** Sound, buzz, title and a spoken sentence when it becomes your turn; every event spoken once. */
function useTurnSignals(): void {
  const before = useRef<{ mine: boolean; seq: number; race: string; prompt: string }>({ mine: false, seq: -1, race: "", prompt: "" });
  useEffect(() => {
    const now = view.value;
    if (!now) return;
    const mine = now.you !== null && now.offers.some((offer) => !now.race?.moves.includes(offer.move) && offer.move !== "pounce");
    const was = before.current;
    const race = now.race?.nonce ?? "";
    if (race && race !== was.race) say(t("raceIsOpen"), true);
    if (now.seq !== was.seq) for (const event of now.last) say(eventText(now.game, event));
    if (mine && !was.mine && !race) {
      sounds.turn();
      buzz(20);
      say(t("yourTurn"));
    } else if (now.last.some((event) => event.what === "drew")) sounds.draw();
    else if (now.last.length) sounds.land();
    document.title = `${mine ? `● ${t("yourTurn")} · ` : ""}Photofinish`;
    // The question and its card: with a screen reader there is no other way to know what was drawn.
    const wanted = promptOf(scene(now, false), moduleOf(now.game) ?? generic);
    const prompt = mine ? [wanted.title, wanted.sub ?? ""].join("\n") : "";
    if (prompt && prompt !== was.prompt) {
      prompt.split("\n").forEach((line) => say(line));
      const own = clocks.value.find((clock) => clock.running && now.you !== null && clock.seats.includes(now.you));
      if (own) say(t("secondsLeft", { n: Math.ceil(own.left / 1000) }));
    }
    before.current = { mine, seq: now.seq, race, prompt };
  }, [view.value]);
  useEffect(() => () => void (document.title = "Photofinish"), []);
  useEffect(() => {
    if (!strip.value) return;
    const it = strip.value;
    const timer = setTimeout(() => strip.value === it && (strip.value = null), 6000);
    return () => clearTimeout(timer);
  }, [strip.value]);
  useEffect(() => {
    if (!toast.value) return;
    const it = toast.value;
    const timer = setTimeout(() => {
      if (toast.value === it && !document.activeElement?.closest(".toast")) toast.value = null;
    }, 6000);
    return () => clearTimeout(timer);
  }, [toast.value]);
}
