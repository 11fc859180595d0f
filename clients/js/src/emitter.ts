/** Listeners by the name of an event. If a listener throws, the others are still called. */
export class Emitter<Events> {
  readonly #listeners = new Map<keyof Events, Set<(event: never) => void>>();

  /** Returns a function that removes the listener. */
  on<K extends keyof Events>(event: K, listener: (it: Events[K]) => void): () => void {
    const all = this.#listeners.get(event) ?? new Set();
    this.#listeners.set(event, all.add(listener));
    return () => void all.delete(listener);
  }

  emit<K extends keyof Events>(event: K, it: Events[K]): void {
    for (const listener of [...(this.#listeners.get(event) ?? [])]) {
      try {
        (listener as (it: Events[K]) => void)(it);
      } catch (error) {
        (globalThis.reportError ?? console.error)(error);
      }
    }
  }
}
