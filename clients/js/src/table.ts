/** The room that this connection sits in or watches. */

import type { Ack, Room, View } from "./messages.js";
import type { Session, RequestBody } from "./connection/session.js";
import type { Seen } from "./verify/index.js";

/** A move: its name `t`, and its fields as an offer says. */
export type Move = { t: string } & Record<string, unknown>;

export interface Timing {
  /** The race that the player answered: its `nonce`, or its `key`. */
  raceKey: string;
  /** From `RaceTimer.reaction`. Leave it out if it was not measured. */
  reactUs?: number | undefined;
}

export interface BotOptions {
  seat?: number;
  player?: "house" | "random";
  strength?: "easy" | "medium" | "strong";
}

export type SendRequest = (body: RequestBody) => Promise<Ack>;

export class Table {
  #room: Room;
  #view: View | null = null;
  #isLeft = false;
  #seen: Seen | null = null;
  #commitment: string | null = null;

  /** Made by `Photofinish`. */
  constructor(
    private readonly session: Session,
    private readonly request: SendRequest,
    room: Room,
  ) {
    this.#room = room;
  }

  /** The newest `room` message. It is kept after the player has left. */
  get room(): Room {
    return this.#room;
  }

  /** The newest view, or null before the first deal. It is kept after the player has left. */
  get view(): View | null {
    return this.#view;
  }

  /** Null: watching, or no longer here. */
  get seat(): number | null {
    return this.#isLeft ? null : this.session.seat;
  }

  /** Resumes the seat, also from another program. Changes with every reconnection. */
  get token(): string | null {
    return this.#isLeft ? null : this.session.token;
  }

  /** The player has left, was removed, or has lost the seat. */
  get isLeft(): boolean {
    return this.#isLeft;
  }

  /** What was shown of the newest game, to compare with its replay: `verifyReplay(file, table.seen)`. */
  get seen(): Seen | null {
    return this.#seen;
  }

  /** Called by `Photofinish` with every `room` and `view`. */
  see(news: Room | View): void {
    if (news.t === "room") {
      this.#room = news;
      if (news.phase === "lobby") this.#commitment = news.commitment;
      return;
    }
    this.#view = news;
    if (this.#seen?.number !== news.number)
      this.#seen = { number: news.number, commitment: this.#commitment ?? news.commitment, heads: [] };
    if (this.#seen.heads.at(-1) !== news.head) this.#seen.heads.push(news.head);
  }

  /** Called by `Photofinish` when the player is no longer in the room. */
  end(): void {
    this.#isLeft = true;
  }

  /**
   * Make a move. Resolves when it is done and stored; rejects with a `Refusal`.
   *
   * A move of an open race goes out with the nonce of the race that `timing` names, or else of the newest view.
   */
  play(move: Move, timing?: Timing): Promise<Ack> {
    if (timing !== undefined) {
      const race = this.session.nonceOf(timing.raceKey) ?? timing.raceKey;
      const react = timing.reactUs === undefined ? {} : { react_us: Math.max(0, Math.round(timing.reactUs)) };
      return this.request({ t: "play", move, race, ...react });
    }
    const race = this.#view?.race;
    const isRaced = race?.moves.includes(move.t) || race?.closers.includes(move.t);
    return this.request(race && isRaced ? { t: "play", move, race: race.nonce } : { t: "play", move });
  }

  /**
   * Declare the player ready, or take it back. The message contains the hash of a new nonce for the shuffle; the nonce
   * itself is sent automatically when the deal starts.
   */
  ready(on = true): Promise<Ack> {
    return this.request(on ? { t: "ready" } : { t: "ready", ready: false });
  }

  start(): Promise<Ack> {
    return this.request({ t: "start" });
  }

  /** Host, before the game: other options. An option that is not named gets its default. */
  configure(options: Record<string, unknown>): Promise<Ack> {
    return this.request({ t: "configure", options });
  }

  /** Host: put a bot into a free seat. Resolves with its seat. */
  async bot(options: BotOptions = {}): Promise<number> {
    const { got } = await this.request({ t: "bot", ...options });
    if (got?.got !== "bot") throw new TypeError("the server acknowledged `bot` without a seat");
    return got.seat;
  }

  /** Host: remove a bot. */
  remove(seat: number): Promise<Ack> {
    return this.request({ t: "remove", seat });
  }

  /** Host: remove a player. */
  kick(seat: number): Promise<Ack> {
    return this.request({ t: "kick", seat });
  }

  /** Host: make another player the host. */
  host(seat: number): Promise<Ack> {
    return this.request({ t: "host", seat });
  }

  /** Host, after the game: back to the lobby. */
  rematch(): Promise<Ack> {
    return this.request({ t: "rematch" });
  }

  chat(text: string): Promise<Ack> {
    return this.request({ t: "chat", text });
  }

  emote(emote: string): Promise<Ack> {
    return this.request({ t: "emote", emote });
  }

  /** Give up the seat, or stop watching. */
  leave(): Promise<Ack> {
    return this.request({ t: "leave" });
  }
}
