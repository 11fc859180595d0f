/**
 * The race path. A view with a new trigger is drawn before anything else: the trigger in this task, its frame noted,
 * the rest of the page in the task after that frame.
 */
import { RaceTimer } from "@photofinish/client";
import type { View } from "./wire";

export const timer = new RaceTimer();
/** Draws the trigger of a view into its own node. The table sets it; it must be quick and touch nothing else. */
export const trigger: { draw: (view: View) => void } = { draw: () => undefined };

let known = "";
/** Figures for the tests: milliseconds from a view's arrival to the frame that drew its trigger. */
export const drawnAfter: number[] = [];

export function meet(view: View, then: () => void): void {
  const nonce = view.race?.nonce ?? "";
  const isNew = nonce !== "" && nonce !== known;
  known = nonce || known;
  trigger.draw(view);
  if (!isNew) return then();
  const came = performance.now();
  if (document.hidden) {
    // Nothing is drawn while the page is hidden: the race counts as drawn in the first frame after that.
    requestAnimationFrame((at) => timer.drawn(nonce, at));
    return then();
  }
  let done = false;
  const go = (): void => {
    if (done) return;
    done = true;
    then();
  };
  requestAnimationFrame((at) => {
    timer.drawn(nonce, at);
    drawnAfter.push(at - came);
    if (drawnAfter.length > 200) drawnAfter.shift();
    setTimeout(go, 0);
  });
  setTimeout(go, 100); // a page that gets no frames still gets its views
}

/** Milliseconds from the input event to the call that sends the move. */
export const sentAfter: number[] = [];

export const reaction = (nonce: string, event: { timeStamp: number }): number | undefined => {
  sentAfter.push(performance.now() - event.timeStamp);
  if (sentAfter.length > 200) sentAfter.shift();
  return timer.reaction(nonce, event);
};
