/** Keeps one socket to the server open, across cuts, until the connection is closed. */

import type { Address } from "./address.js";
import { pause } from "./backoff.js";
import type { Codec } from "../codec.js";
import { CutOff } from "../errors.js";
import { CLOSES, type ClientMessage } from "../messages.js";
import type { State } from "../options.js";
import { refusalOf, type Route } from "./route.js";
import type { Effect, Session } from "./session.js";
import { Wire, type Ended, type SocketClass } from "./socket.js";

/** Time to find a server at all, before the address counts as wrong. */
const FIRST_TRY = 5_000;
/** Close codes after which a reconnect would not help. */
const FINAL: ReadonlySet<number> = new Set([
  1000,
  1002,
  1007,
  ...Object.entries(CLOSES).flatMap(([code, row]) => (row.retry ? [] : [Number(code)])),
]);

export interface LinkParts {
  Socket: SocketClass;
  codec: Codec;
  route: Route;
  session: Session;
  giveUpAfter: number;
  pingEvery: number;
}

export interface LinkOwner {
  /** Carry out the effects of the session, in order. */
  effects(effects: readonly Effect[]): void;
  /** The state has changed. `error` says why it is closed. */
  state(state: State, error: Error | null): void;
  /** Measure the round trip. */
  ping(): Promise<unknown>;
}

export class Link {
  state: State = "connecting";
  /** Why it was closed. Null while it is open, and if it was closed here. */
  error: Error | null = null;
  /** How many sockets were lost after their `welcome`. */
  cuts = 0;
  #wire: Wire | null = null;
  #isWelcome = false;
  #waitAtLeast = 0;
  #heard = 0;
  #wake: () => void = () => {};

  constructor(
    private readonly parts: LinkParts,
    private readonly owner: LinkOwner,
  ) {}

  /** Runs until `stop`. */
  async run(): Promise<void> {
    const { route, session, giveUpAfter } = this.parts;
    const online = (): void => this.#wake();
    globalThis.addEventListener?.("online", online);
    let since = performance.now();
    while (!this.#isClosed()) {
      const { here } = route;
      const cuts = this.cuts;
      const ended = await this.#oneSocket(here);
      this.owner.effects(session.cut());
      if (this.#isClosed()) break;
      if (FINAL.has(ended.code) && route.here === here) {
        const why = ended.reason || CLOSES[ended.code]?.text || "The server closed the connection.";
        this.stop(new CutOff(why, ended.code));
        break;
      }
      if (this.cuts > cuts) since = performance.now();
      else route.avoid(here);
      const away = performance.now() - since;
      const patience = this.#isWelcome ? giveUpAfter : Math.min(FIRST_TRY, giveUpAfter);
      if (!this.#isWelcome && (await this.#isTurnedAway(here))) break;
      if (away > patience) {
        this.stop(new CutOff(`no server at ${here.url} for ${Math.round(patience / 1000)} s`));
        break;
      }
      this.#enter(this.#isWelcome ? "reconnecting" : "connecting");
      await this.#sleep(Math.max(this.#waitAtLeast, pause(away, Math.random())));
      this.#waitAtLeast = 0;
    }
    globalThis.removeEventListener?.("online", online);
  }

  welcomed(): void {
    this.#isWelcome = true;
    this.#enter("open");
  }

  send(message: ClientMessage): void {
    this.#wire?.send(message);
  }

  /** Abandon this socket and open another. */
  cut(why: string): void {
    this.#wire?.cut(why);
  }

  /** Open the next socket now instead of after the pause. */
  hurry(): void {
    this.#wake();
  }

  /** The server says not to reconnect before this time. */
  waitAtLeast(ms: number): void {
    this.#waitAtLeast = Math.max(this.#waitAtLeast, ms);
  }

  /** No further socket. */
  stop(why: Error | null): void {
    if (this.#isClosed()) return;
    this.error = why;
    this.#enter("closed");
    this.#wire?.cut("closed", 1000);
    this.#wake();
  }

  async #oneSocket(here: Address): Promise<Ended> {
    const { Socket, codec, session } = this.parts;
    let wire: Wire;
    try {
      wire = new Wire(Socket, here, codec, {
        open: () => wire.send(session.open()),
        message: (message) => {
          this.#heard += 1;
          this.owner.effects(session.receive(message));
        },
      });
    } catch (error) {
      return { code: 1002, reason: error instanceof Error ? error.message : String(error) };
    }
    this.#wire = wire;
    const stopPinging = this.#keepPinging(wire);
    const ended = await wire.ended;
    stopPinging();
    if (session.isOpen) this.cuts += 1;
    this.#wire = null;
    return ended;
  }

  /** Measure the round trip, and cut a socket on which nothing arrives any more. */
  #keepPinging(wire: Wire): () => void {
    const { session, pingEvery } = this.parts;
    let isOut = false;
    let silent = 0;
    let heard = this.#heard;
    const timer = setInterval(() => {
      silent = this.#heard === heard ? silent + 1 : 0;
      heard = this.#heard;
      if (silent >= 2 && (isOut || !session.isOpen)) {
        wire.cut("the server does not answer");
      } else if (session.isOpen && !isOut) {
        isOut = true;
        const done = (): void => void (isOut = false);
        this.owner.ping().then(done, done);
      }
    }, pingEvery);
    (timer as { unref?: () => void }).unref?.();
    return () => clearInterval(timer);
  }

  async #isTurnedAway(here: Address): Promise<boolean> {
    const { refused, waitMs } = await refusalOf(here);
    this.waitAtLeast(waitMs);
    if (refused !== null) this.stop(refused);
    return refused !== null;
  }

  #sleep(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, ms);
      this.#wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }

  #enter(state: State): void {
    if (this.state === state || this.#isClosed()) return;
    this.state = state;
    this.owner.state(state, this.error);
  }

  #isClosed(): boolean {
    return this.state === "closed";
  }
}
