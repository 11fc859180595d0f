/** An event that a connection follows (TOURNAMENTS T67): its parts as rows by key, patched with every message. */

import type { EventNews, Follow } from "./messages.js";

export type EventPart = NonNullable<Follow["parts"]>[number];
export type EventParts = Partial<Record<EventPart, Record<string, unknown>>>;

export class Followed {
  /** The number of entries of the event's log that the parts contain. */
  seq = 0;
  parts: EventParts = {};
  #isWaiting = true;

  constructor(
    readonly event: string,
    readonly wanted: readonly EventPart[],
    readonly tell: (parts: EventParts, seq: number) => void,
  ) {}

  /** The next message has the complete parts; changes that arrive before it are ignored. */
  waits(): void {
    this.#isWaiting = true;
  }

  /** False: a message before this one was missed, so the event must be followed again. */
  take(news: EventNews): boolean {
    const isWhole = news.from === 0;
    if (!isWhole && this.#isWaiting) return true;
    if (!isWhole && news.from !== this.seq) return false;
    this.#isWaiting = false;
    const parts: Record<string, Record<string, unknown>> = isWhole ? {} : { ...this.parts };
    for (const [name, { rows, gone }] of Object.entries(news.parts)) {
      const now = { ...parts[name], ...rows };
      for (const key of gone ?? []) delete now[key];
      parts[name] = now;
    }
    this.parts = parts;
    this.seq = news.seq;
    this.tell(this.parts, this.seq);
    return true;
  }
}
