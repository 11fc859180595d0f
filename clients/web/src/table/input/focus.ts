/** Where the keyboard is. After a move the focus goes to the first lit object; arrow keys walk from one to the next. */
import { useEffect, useLayoutEffect, useRef } from "preact/hooks";
import { movedIn, view } from "../../net/store";
import { lit } from "../state";

/** In the order of the design: what is yours, the board, the other seats, the buttons. */
const ORDER = [".own .obj", ".board .obj", ".seats .obj"].map((it) => `${it}[tabindex]`);
const BUTTONS = ".actions button:not(:disabled)";
const CHOICES = [...ORDER, BUTTONS].map((it) => `.stage ${it}`).join(", ");

const first = (): HTMLElement | SVGElement | null => {
  for (const which of [...ORDER, BUTTONS]) {
    const found = document.querySelector<HTMLElement | SVGElement>(`.stage ${which}`);
    if (found) return found;
  }
  return null;
};

/** One tab stop per grid of cards or graves: what has the focus, or had it last, else the first. Arrow keys reach the others. */
export function rove(): void {
  for (const grid of document.querySelectorAll(".stage [role=grid]")) {
    const all = [...grid.querySelectorAll<HTMLElement>(".obj[tabindex]")];
    const stop = all.find((it) => it === document.activeElement) ?? all.find((it) => it.tabIndex === 0) ?? all[0];
    for (const it of all) it.tabIndex = it === stop ? 0 : -1;
  }
}

/** Nothing has the focus, or something that can no longer be chosen. */
const isLost = (active: Element | null): boolean =>
  !active || active === document.body || (active.closest(".stage") !== null && active.matches("[data-k]:not([tabindex])"));

/**
 * In the frame after each view and each change of what is lit. The focus moves if it is lost, or once after the player's own move; it never leaves an
 * input field, a sheet, or a place outside the stage (bar, log, chat) that the player went to.
 */
export function useFocus(): void {
  const seen = useRef(-1);
  useLayoutEffect(rove, [view.value, lit.value]);
  useEffect(() => {
    const frame = requestAnimationFrame(() => {
      const now = view.value;
      if (!now || now.you === null || now.over || document.querySelector(".sheet")) return;
      const active = document.activeElement;
      const hasMoved = now.seq > movedIn.value && seen.current <= movedIn.value;
      seen.current = now.seq;
      if (isLost(active) || (hasMoved && active?.closest(".own, .board, .seats"))) first()?.focus({ preventScroll: true });
    });
    return () => cancelAnimationFrame(frame);
    // What is lit may follow later than its view: a game's table says then which objects its offers name.
  }, [view.value, lit.value]);
}

const AHEAD: Record<string, readonly [number, number]> = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

/** An arrow key: the focus goes to the nearest lit object or button on that side. Returns whether there was one. */
export function walk(code: string): boolean {
  const ahead = AHEAD[code];
  const active = document.activeElement;
  if (!ahead || active?.closest(".side")) return false;
  if (!active?.matches(CHOICES)) {
    first()?.focus({ preventScroll: true });
    return true;
  }
  const middle = (it: Element): readonly [number, number] => {
    const box = it.getBoundingClientRect();
    return [box.x + box.width / 2, box.y + box.height / 2];
  };
  const [x, y] = middle(active);
  let best: HTMLElement | SVGElement | null = null;
  let least = Infinity;
  for (const it of document.querySelectorAll<HTMLElement | SVGElement>(CHOICES)) {
    const [dx, dy] = [middle(it)[0] - x, middle(it)[1] - y];
    const along = dx * ahead[0] + dy * ahead[1];
    const aside = Math.abs(dx * ahead[1]) + Math.abs(dy * ahead[0]);
    if (it === active || along < 4) continue;
    const cost = along + 2 * aside;
    if (cost < least) [best, least] = [it, cost];
  }
  best?.focus({ preventScroll: true });
  return best !== null;
}
