/**
 * The race path. A view with a new trigger is drawn before anything else: the trigger in this task, the rest of the
 * page in the task after its frame. The time runs from the painting of that frame.
 */
import { RaceTimer } from "@photofinish/client";
import type { View } from "./wire";

export const timer = new RaceTimer();
/** Draws the trigger of a view into its own node, and says whether there is one. The table sets it; it must be quick and touch nothing else. */
export const trigger: { draw: (view: View) => boolean } = { draw: () => false };

let known = "";
/** For the tests: when a view with a new trigger came, and when its frame was painted: its time runs from there. 0: not yet. */
export const triggers: { came: number; painted: number }[] = [];

/** The rest of a view whose trigger is being drawn. A newer view must not be overtaken by it. */
let rest: (() => void) | null = null;
function finish(): void {
  const then = rest;
  rest = null;
  then?.();
}

export function meet(view: View, then: () => void): void {
  const nonce = view.race?.nonce ?? "";
  const isNew = nonce !== "" && nonce !== known;
  known = nonce || known;
  const came = performance.now();
  const isDrawn = trigger.draw(view);
  finish();
  if (!isNew) return then();
  // While the page is hidden there are no frames: the race counts as drawn in the first one after that.
  const times = { came, painted: 0 };
  triggers.push(times);
  if (triggers.length > 200) triggers.shift();
  rest = then;
  // A table without a node for the trigger draws it with everything else, so that must come before the frame.
  if (document.hidden || !isDrawn) finish();
  timer.draw(nonce, (painted) => {
    times.painted = painted;
    if (rest === then) finish();
  });
  setTimeout(() => rest === then && finish(), 100); // a page that gets no frames still gets its views
}

/** Milliseconds from the input event to the call that sends the move. */
export const sentAfter: number[] = [];

export const reaction = (nonce: string, event: { timeStamp: number }): number | undefined => {
  sentAfter.push(performance.now() - event.timeStamp);
  if (sentAfter.length > 200) sentAfter.shift();
  return timer.reaction(nonce, event);
};
