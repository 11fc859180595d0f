/** Measures a reaction as protocol/RACES.md asks: from the frame that drew the trigger to the input event. */

/** How many races are remembered; older ones can no longer be answered. */
const REMEMBERED = 16;

export class RaceTimer {
  readonly #drawn = new Map<string, number>();

  /**
   * The race was drawn in the frame with this `requestAnimationFrame` timestamp. Only the first drawing counts.
   * Use the race's `nonce` as key: a race that is opened again keeps its `key` and has a new nonce.
   */
  drawn(raceKey: string, frameTimestamp: number): void {
    if (this.#drawn.has(raceKey)) return;
    this.#drawn.set(raceKey, frameTimestamp);
    if (this.#drawn.size > REMEMBERED) this.#drawn.delete(this.#drawn.keys().next().value as string);
  }

  /** Whole microseconds from the drawing to the event. Undefined if the race was not drawn before the event. */
  reaction(raceKey: string, event: { timeStamp: number }): number | undefined {
    const drawn = this.#drawn.get(raceKey);
    if (drawn === undefined || !(event.timeStamp >= drawn)) return undefined;
    return Math.round((event.timeStamp - drawn) * 1000);
  }
}
