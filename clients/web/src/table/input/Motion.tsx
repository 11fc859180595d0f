/** Animation runs on copies above the table and never delays it. A new trigger ends all of it. */
import type { JSX } from "preact";
import { render } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";
import { CardArt } from "../../kit/Card";
import { reducedMotion } from "../../settings";
import type { Happened } from "../../net/wire";
import type { Flight, GameModule, Scene } from "../module";
import { isMiss, objectsOf } from "./objects";

const FLIGHT = 280;
const GAP = 120;
const MOST = 1200;

const rectOf = (key: string): DOMRect | null => document.querySelector(`[data-k="${CSS.escape(key)}"]`)?.getBoundingClientRect() ?? null;

/** Where objects were before this view was drawn, so that an object that left the table can still be animated from its place. */
let before = new Map<string, DOMRect>();
function survey(): Map<string, DOMRect> {
  const found = new Map<string, DOMRect>();
  for (const node of document.querySelectorAll<HTMLElement>(".table [data-k]")) found.set(node.dataset.k ?? "", node.getBoundingClientRect());
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
    if (first || !game.fly || document.hidden || now.last.length > 12) return void (before = new Map());
    const flights: Flight[] = [];
    const marked: [string, boolean][] = [];
    for (const event of now.last) {
      const its = flightsOf(s, game, event);
      flights.push(...its);
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
        launch(box, from, to, flight, n * gap);
      });
      for (const [key, miss] of marked) flash(key, miss && !reducedMotion());
      setTimeout(() => (before = survey()), 0);
    });
  }, [s.msg.seq]);
  return <div ref={layer} class="motion" aria-hidden="true" />;
}

const flightsOf = (s: Scene, game: GameModule, event: Happened): Flight[] => {
  try {
    return game.fly?.(s, event) ?? [];
  } catch {
    return [];
  }
};

/** A ring round an object for 900 ms; a try that failed shakes as well. */
export function flash(key: string, shakes = false): void {
  const node = document.querySelector(`[data-k="${CSS.escape(key)}"]`);
  node?.classList.add("changed");
  setTimeout(() => node?.classList.remove("changed"), 900);
  if (shakes) node?.animate({ transform: ["none", "translateX(-5px)", "translateX(5px)", "none"] }, { duration: 220, iterations: 2 });
}

function launch(box: HTMLElement, from: DOMRect, to: DOMRect, flight: { face?: Parameters<typeof CardArt>[0]["face"]; back?: "deck" | "white" | "black" }, wait: number): void {
  const copy = document.createElement("div");
  copy.className = "flying";
  const width = Math.min(80, Math.max(30, Math.min(to.width, from.width)));
  const height = width * 1.4;
  copy.style.width = `${width}px`;
  render(<CardArt face={flight.face ?? null} back={flight.back ?? "deck"} compact={width < 54} />, copy);
  box.append(copy);
  const at = (it: DOMRect): string => `translate(${it.x + it.width / 2 - width / 2}px, ${it.y + it.height / 2 - height / 2}px)`;
  const flying = copy.animate(
    [
      { transform: `${at(from)} scale(${Math.min(1.4, from.width / width)})`, opacity: 1 },
      { transform: `${at(to)} scale(1)`, opacity: 1, offset: 0.9 },
      { transform: `${at(to)} scale(1)`, opacity: 0 },
    ],
    { duration: FLIGHT, delay: wait, easing: "cubic-bezier(.2,.8,.2,1)", fill: "both" },
  );
  flying.onfinish = flying.oncancel = () => {
    render(null, copy);
    copy.remove();
  };
}
