/** Animation runs on copies above the table and never delays it. A new trigger ends all of it. */
import type { JSX } from "preact";
import { render } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";
import { CardArt } from "../../kit/Card";
import { reducedMotion } from "../../settings";
import type { Happened } from "../../net/wire";
import type { Flight, GameModule, Scene } from "../module";
import { commonFlights, commonMarks } from "./common";
import { isMiss, objectsOf } from "./objects";
import { playAt } from "./plays";

const FLIGHT = 280;
const GAP = 120;
const MOST = 1200;
/** From one object on the way to the next one. */
const STEP = 90;

/** An object of the table; `data-glide` names a part of one that moves by itself (a ship, a keeper); `board` is the middle. */
const selector = (key: string): string => (key === "board" ? ".table .board" : `[data-k="${CSS.escape(key)}"], [data-glide="${CSS.escape(key)}"]`);
const rectOf = (key: string): DOMRect | null => document.querySelector(selector(key))?.getBoundingClientRect() ?? null;

/** Where objects were before this view was drawn, so that an object that left the table can still be animated from its place. */
let before = new Map<string, DOMRect>();
function survey(): Map<string, DOMRect> {
  const found = new Map<string, DOMRect>();
  for (const node of document.querySelectorAll<HTMLElement>(".table :is([data-k], [data-glide])")) found.set(node.dataset.k ?? node.dataset.glide ?? "", node.getBoundingClientRect());
  return found;
}

export function Motion({ s, game }: { s: Scene; game: GameModule }): JSX.Element {
  const layer = useRef<HTMLDivElement>(null);
  const seen = useRef(-1);
  const nonce = useRef("");
  useLayoutEffect(() => {
    const box = layer.current;
    const now = s.msg;
    if (!box || now.seq === seen.current) return;
    const first = seen.current === -1;
    seen.current = now.seq;
    const race = now.race?.nonce ?? "";
    const isNewRace = race !== "" && race !== nonce.current;
    nonce.current = race;
    if (isNewRace) box.replaceChildren();
    // Whoever opens the table sees the deal; what else happened before is over.
    const told = first ? now.last.filter((event) => event.what === "dealt") : now.last;
    if ((first && !told.length) || !game.fly || document.hidden || now.last.length > 12) return void (before = new Map());
    const flights: Flight[] = [];
    const marked: [string, boolean][] = [];
    for (const event of told) {
      const its = flightsOf(s, game, event);
      flights.push(...its);
      marked.push(...commonMarks(event));
      // What does not fly is pointed at.
      if (!its.length) for (const key of objectsOf(event)) marked.push([key, isMiss(event)]);
    }
    const gap = Math.min(GAP, flights.length ? (MOST - FLIGHT) / flights.length : GAP);
    requestAnimationFrame(() => {
      const old = before;
      flights.forEach((flight, n) => {
        const to = rectOf(flight.to) ?? old.get(flight.to);
        const from = old.get(flight.from) ?? rectOf(flight.from);
        if (!to || !from) return;
        if (reducedMotion()) return flash(flight.to);
        // Nothing stands on a card that may be slapped now.
        if (flight.play) return race ? flash(flight.to) : act(box, to, flight, n * gap);
        const way = (flight.via ?? []).map(rectOf).filter((it) => it !== null);
        launch(box, [from, ...way, to], flight, n * gap);
      });
      for (const [key, miss] of marked) flash(key, miss && !reducedMotion());
      setTimeout(() => (before = survey()), 0);
    });
  }, [s.msg.seq]);
  return <div ref={layer} class="motion" aria-hidden="true" />;
}

const flightsOf = (s: Scene, game: GameModule, event: Happened): Flight[] => {
  try {
    const its = game.fly?.(s, event) ?? [];
    return its.length ? its : commonFlights(s, event);
  } catch {
    return [];
  }
};

/** A ring round an object for 900 ms; a try that failed shakes as well. */
export function flash(key: string, shakes = false): void {
  const node = key === "board" ? null : document.querySelector(selector(key));
  node?.classList.add("changed");
  setTimeout(() => node?.classList.remove("changed"), 900);
  if (shakes) node?.animate({ transform: ["none", "translateX(-5px)", "translateX(5px)", "none"] }, { duration: 220, iterations: 2 });
}

function launch(box: HTMLElement, way: DOMRect[], flight: Flight, wait: number): void {
  const [from, to] = [way[0], way.at(-1)];
  if (!from || !to) return;
  const copy = document.createElement("div");
  copy.className = "flying";
  const width = Math.min(flight.pic ? 44 : 80, Math.max(30, Math.min(to.width, from.width)));
  const height = flight.pic ? width : width * 1.4;
  copy.style.width = `${width}px`;
  render(flight.pic ? <PicArt id={flight.pic} colour={flight.colour ?? "white"} /> : <CardArt face={flight.face ?? null} back={flight.back ?? "deck"} compact={width < 54} />, copy);
  box.append(copy);
  const at = (it: DOMRect): string => `translate(${it.x + it.width / 2 - width / 2}px, ${it.y + it.height / 2 - height / 2}px)`;
  const first = Math.max(0.5, Math.min(1.4, from.width / width));
  const flying = copy.animate(
    [
      ...way.map((it, n) => ({ transform: `${at(it)} scale(${n ? 1 : first})`, opacity: 1, offset: (0.9 * n) / (way.length - 1) })),
      { transform: `${at(to)} scale(1)`, opacity: 0 },
    ],
    { duration: Math.max(FLIGHT, STEP * (way.length - 1)), delay: wait, easing: "cubic-bezier(.2,.8,.2,1)", fill: "both" },
  );
  flying.onfinish = flying.oncancel = () => {
    render(null, copy);
    copy.remove();
  };
}

/** A picture plays at one place: larger than one that flies, so that it is seen. */
function act(box: HTMLElement, there: DOMRect, flight: Flight, wait: number): void {
  if (!flight.play) return;
  const size = Math.max(48, Math.min(88, Math.min(there.width, there.height) * 0.8));
  const copy = document.createElement("div");
  copy.className = "flying playing";
  copy.style.width = copy.style.height = `${size}px`;
  // Never over the edge of the screen.
  const x = Math.max(4, Math.min(innerWidth - size - 4, there.x + there.width / 2 - size / 2));
  const y = Math.max(4, Math.min(innerHeight - size - 4, there.y + there.height / 2 - size / 2));
  copy.style.translate = `${x}px ${y}px`;
  render(<div class={`playpic ${flight.pic === "die" ? "ondie" : flight.pic ? "" : "alone"}`}>{flight.pic && <PicArt id={flight.pic} colour={flight.colour ?? "white"} />}{flight.label && <b>{flight.label}</b>}</div>, copy);
  box.append(copy);
  const playing = playAt(copy, flight.play, wait);
  playing.onfinish = playing.oncancel = () => {
    render(null, copy);
    copy.remove();
  };
}

const PicArt = ({ id, colour }: { id: string; colour: string }): JSX.Element => (
  <svg class={`flyingpic c-${colour}`} viewBox="0 0 100 100"><use href={`#p-${id}`} /></svg>
);
