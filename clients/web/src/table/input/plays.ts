/** Pictures that play at one place instead of flying: a horn, a die, a splash. Only `transform` and `opacity` change. */
import type { Play } from "../module";

interface Part {
  frames: Keyframe[];
  duration: number;
}
const OUT = { opacity: 0, offset: 1 };
const frame = (transform: string, opacity: number, offset: number): Keyframe => ({ transform, opacity, offset });

const PLAYS: Record<Play, Part> = {
  pop: { duration: 800, frames: [frame("scale(.3)", 0, 0), frame("scale(1.25)", 1, 0.25), frame("none", 1, 0.4), frame("none", 1, 0.8), { transform: "scale(.9)", ...OUT }] },
  roll: { duration: 1000, frames: [frame("translateX(-60px) rotate(-540deg) scale(.6)", 0, 0), frame("translateX(-40px) rotate(-360deg) scale(.8)", 1, 0.1), frame("none", 1, 0.5), frame("none", 1, 0.85), { transform: "none", ...OUT }] },
  ring: { duration: 900, frames: [frame("scale(.6)", 0, 0), ...[1, -1, 1, -1, 1].map((side, n) => frame(`rotate(${side * 22}deg)`, 1, 0.12 + n * 0.14)), frame("none", 1, 0.85), { transform: "none", ...OUT }] },
  bump: { duration: 600, frames: [frame("none", 1, 0), ...[-1, 1, -1, 1].map((side, n) => frame(`translateX(${side * 9}px) rotate(${side * 6}deg)`, 1, 0.15 + n * 0.15)), frame("none", 1, 0.8), { transform: "none", ...OUT }] },
  fall: { duration: 800, frames: [frame("translateY(-70px)", 0, 0), frame("translateY(-50px)", 1, 0.1), frame("none", 1, 0.4), frame("translateY(-9px)", 1, 0.5), frame("none", 1, 0.6), frame("none", 1, 0.85), { transform: "none", ...OUT }] },
  rise: { duration: 900, frames: [frame("translateY(16px) scale(.4)", 0, 0), frame("translateY(4px) scale(.9)", 1, 0.25), frame("translateY(-20px) scale(1.15)", 1, 0.65), { transform: "translateY(-44px) scale(1.4)", ...OUT }] },
  burst: { duration: 800, frames: [frame("scale(.2)", 0, 0), frame("scale(1.4)", 1, 0.25), frame("none", 1, 0.7), { transform: "scale(1.2)", ...OUT }] },
};
const SPARKS = 10;
/** The sparks of a burst fly so far. */
const FAR = 74;

/** Plays a picture at its place and returns the animation that ends last. */
export function playAt(inner: HTMLElement, play: Play, wait: number): Animation {
  const { frames, duration } = PLAYS[play];
  const timing = { duration, delay: wait, fill: "both", easing: "linear" } as const;
  if (play === "burst") for (let n = 0; n < SPARKS; n++) spark(inner, (n * 2 * Math.PI) / SPARKS, wait);
  const picture = inner.firstElementChild ?? inner;
  return picture.animate(frames, timing);
}

function spark(box: HTMLElement, angle: number, wait: number): void {
  const node = document.createElement("i");
  node.className = "spark";
  box.append(node);
  const at = (far: number): string => `translate(${far * Math.cos(angle)}px, ${far * Math.sin(angle)}px)`;
  node.animate([frame(`${at(0)} scale(.5)`, 0, 0), frame(`${at(20)} scale(1.3)`, 1, 0.25), { transform: `${at(FAR)} scale(.3)`, ...OUT }], { duration: 760, delay: wait, fill: "both", easing: "ease-out" });
}
