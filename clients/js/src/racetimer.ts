/** Measures a reaction as protocol/RACES.md requires: from the painting of the trigger to the input event. */

/** How many races are remembered; older ones can no longer be answered. */
const REMEMBERED = 16;

/** What the timer asks of a browser: the next frame, a task after it, the clock of the input events. */
export interface Screen {
  nextFrame(callback: () => void): void;
  nextTask(callback: () => void): void;
  now(): number;
}
const BROWSER: Screen = {
  nextFrame: (callback) => void requestAnimationFrame(callback),
  nextTask: (callback) => void setTimeout(callback, 0),
  now: () => performance.now(),
};

export class RaceTimer {
  readonly #drawn = new Map<string, number>();

  /**
   * The trigger has just been put into the page, and the next frame draws it. The time runs from the painting of that
   * frame: the task after its callback. What the screen takes from there on no page can know; the score has the same
   * for every seat. The timestamp of the callback is no measure: it is the tick of the screen before the frame, often
   * earlier than the arrival of the view.
   * Use the race's `nonce` as key: a race that is opened again keeps its `key` and has a new nonce.
   */
  draw(raceKey: string, then?: (painted: number) => void, screen: Screen = BROWSER): void {
    screen.nextFrame(() =>
      screen.nextTask(() => {
        const painted = screen.now();
        this.drawn(raceKey, painted);
        then?.(painted);
      }),
    );
  }

  /** The race was painted at this time, by the clock of the input events. Only the first drawing counts. */
  drawn(raceKey: string, at: number): void {
    if (this.#drawn.has(raceKey)) return;
    this.#drawn.set(raceKey, at);
    if (this.#drawn.size > REMEMBERED) this.#drawn.delete(this.#drawn.keys().next().value as string);
  }

  /** Whole microseconds from the drawing to the event. Undefined if the race was not drawn before the event. */
  reaction(raceKey: string, event: { timeStamp: number }): number | undefined {
    const drawn = this.#drawn.get(raceKey);
    if (drawn === undefined || !(event.timeStamp >= drawn)) return undefined;
    return Math.round((event.timeStamp - drawn) * 1000);
  }
}
