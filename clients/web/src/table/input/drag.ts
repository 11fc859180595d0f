/** A drag: a copy of the object follows the finger, and where it is let go decides. Never the only way to move. */
const FAR = 10;

export interface Dropped {
  from: string;
  /** The object under the finger, if any. */
  to: string | null;
  /** Let go outside the own panel: a hand card is meant to be played. */
  outside: boolean;
}

/** Follow this pointer. `drop` is called if it went far enough to be a drag; then the click after it is none. */
export function follow(down: PointerEvent, node: HTMLElement, key: string, drop: (it: Dropped, up: PointerEvent) => void): void {
  let copy: HTMLElement | null = null;
  const box = node.getBoundingClientRect();
  const move = (event: PointerEvent): void => {
    if (event.pointerId !== down.pointerId) return;
    const [dx, dy] = [event.clientX - down.clientX, event.clientY - down.clientY];
    if (!copy) {
      if (Math.hypot(dx, dy) < FAR) return;
      copy = node.cloneNode(true) as HTMLElement;
      copy.removeAttribute("data-k");
      copy.classList.add("dragcopy");
      Object.assign(copy.style, { left: `${box.left}px`, top: `${box.top}px`, width: `${box.width}px`, height: `${box.height}px` });
      copy.setAttribute("aria-hidden", "true");
      document.body.append(copy);
      node.classList.add("dragged");
    }
    copy.style.transform = `translate(${dx}px, ${dy}px) scale(1.06)`;
  };
  const stop = (): void => {
    removeEventListener("pointermove", move);
    removeEventListener("pointerup", up);
    removeEventListener("pointercancel", stop);
    copy?.remove();
    node.classList.remove("dragged");
  };
  const up = (event: PointerEvent): void => {
    if (event.pointerId !== down.pointerId) return;
    const was = copy !== null;
    stop();
    if (!was) return;
    const under = document.elementFromPoint(event.clientX, event.clientY);
    const to = under?.closest("[data-k]")?.getAttribute("data-k") ?? null;
    drop({ from: key, to: to === key ? null : to, outside: !under?.closest(".own") }, event);
  };
  addEventListener("pointermove", move);
  addEventListener("pointerup", up);
  addEventListener("pointercancel", stop);
}
