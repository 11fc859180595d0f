/**
 * The client's state of a connection, without any I/O: ids, open requests, the token, the chain of views.
 *
 * Call `open` when a socket is open, `receive` for every message, `cut` when the socket is lost. Each returns what
 * to do, in order. A request that had no answer when the socket was cut is sent again with the same id after the seat
 * is resumed: the server answers each id once, so no move is lost and none is made twice.
 */

import { drawNonce, Promised } from "../promise.js";
import {
  VERSION,
  type Ack,
  type ClientMessage,
  type Hello,
  type Refused,
  type Room,
  type Seated,
  type ServerMessage,
  type View,
  type Watch,
  type Welcome,
} from "../messages.js";

type WithoutId<T> = T extends unknown ? Omit<T, "id"> : never;
/** A request before it has its id. */
export type RequestBody = WithoutId<Exclude<ClientMessage, Hello>>;
/** Messages that are passed on to the program. */
export type News = Exclude<ServerMessage, Ack | Refused>;

export type Effect =
  /** Save this token before anything else is sent: the previous token stops working. Null: forget it. */
  | { do: "keep"; token: string | null }
  /** The node that owns our room has this address. */
  | { do: "owner"; url: string }
  | { do: "send"; message: ClientMessage }
  /** The one answer to the request with this ticket. */
  | { do: "answer"; ticket: number; message: Ack | Refused }
  /** The connection was cut and this request is not safe to repeat. It may or may not have been done. */
  | { do: "lost"; ticket: number }
  | { do: "tell"; news: News }
  /** The server has shown something about the shuffle that an honest one would not. */
  | { do: "doubt"; text: string }
  /** The seat cannot be resumed, or the room can no longer be watched. */
  | { do: "unseated"; refused: Refused }
  /** The server refused `hello` for now: close the socket and reconnect later. */
  | { do: "later"; refused: Refused }
  /** The server refused `hello` for good. */
  | { do: "gone"; refused: Refused };

/** A view does not follow the one before it: a view was lost. Reconnect and resume the seat. */
export class BrokenChain extends Error {
  override name = "BrokenChain";
}

interface Owed {
  body: RequestBody;
  id: number | null;
  /** Sent by the session itself (`watch` after a cut, `reveal`): nobody waits for its answer. */
  isSilent: boolean;
}

const HELLO_ID = 0;
/** Sending these twice changes nothing, so they are sent again even without a seat. */
const QUESTIONS: ReadonlySet<string> = new Set(["games", "rooms", "ping"]);
/** The server recognises these by our key and their id, and gives the same seat again. */
const CLAIMS: ReadonlySet<string> = new Set(["create", "join", "sit"]);
/** How many races are remembered, so that a late move is sent with the nonce of its own race. */
const RACES = 16;

export class Session {
  seat: number | null = null;
  room: Room | null = null;
  view: View | null = null;
  welcome: Welcome | null = null;
  /** Between a `welcome` and a cut: only then may anything but `hello` be sent. */
  isOpen = false;
  #seq = 0;
  #chain = 0;
  #next = 1;
  #ticket = 0;
  #watching: Omit<Watch, "id"> | null = null;
  readonly #owed = new Map<number, Owed>();
  readonly #nonces = new Map<string, string>();
  #doubts: string[] = [];
  readonly #promised: Promised;
  /** Random, and the same for all sockets of this session. */
  readonly #clientKey = drawNonce();

  /** `draw` makes the nonces for the shuffle; tests pass their own. */
  constructor(
    readonly name: string,
    readonly client: string,
    public token: string | null = null,
    draw?: () => string,
  ) {
    this.#promised = new Promised((text) => this.#doubts.push(text), draw);
  }

  /** In a room: in a seat or watching. */
  get isPresent(): boolean {
    return this.token !== null || this.#watching !== null;
  }

  /** A new socket is open: the message to send first. */
  open(): Hello {
    this.isOpen = false;
    this.#chain = 0;
    const { name, client, token } = this;
    const seat = token === null ? {} : { token, seq: this.#seq };
    return { t: "hello", id: HELLO_ID, v: VERSION, name, client, ...seat, client_key: this.#clientKey };
  }

  /** Send a request. The ticket identifies its answer, also across cuts. */
  request(body: RequestBody): [ticket: number, effects: Effect[]] {
    const ticket = this.#owe(body.t === "ready" ? this.#promised.made(body) : body, false);
    return [ticket, this.isOpen ? [this.#send(ticket)] : []];
  }

  /** Nobody waits for this answer any more. */
  forget(ticket: number): void {
    this.#owed.delete(ticket);
  }

  /** The socket is gone. Requests that are not safe to repeat are lost: without a seat the server does not remember ids. */
  cut(): Effect[] {
    this.isOpen = false;
    const lost = [...this.#owed].filter(
      ([, owed]) =>
        owed.body.t === "identify" || // the next socket has another challenge
        (owed.id !== null && this.token === null && !QUESTIONS.has(owed.body.t) && !CLAIMS.has(owed.body.t)),
    );
    return lost.flatMap(([ticket]) => this.#lose(ticket));
  }

  /** There will be no further socket. */
  giveUp(): Effect[] {
    this.isOpen = false;
    return [...this.#owed.keys()].flatMap((ticket) => this.#lose(ticket));
  }

  /** Resume another seat with the next `hello`. Open requests belong to the previous seat and are lost. */
  become(token: string): Effect[] {
    const lost = [...this.#owed.keys()].flatMap((ticket) => this.#lose(ticket));
    this.#leave();
    this.token = token;
    return lost;
  }

  /** A message came. Throws `BrokenChain`. */
  receive(message: ServerMessage): Effect[] {
    switch (message.t) {
      case "welcome":
        return this.#welcomed(message);
      case "refused":
        return message.id === HELLO_ID && !this.isOpen ? this.#turnedAway(message) : this.#answered(message);
      case "ack":
        return this.#answered(message);
      case "view":
        this.#see(message);
        this.#promised.check(message);
        return [{ do: "tell", news: message }, ...this.#doubted()];
      case "room":
        this.room = message;
        return [{ do: "tell", news: message }, ...this.#reveal(message), ...this.#doubted()];
      case "left":
        return this.#sentAway(message);
    }
    return [{ do: "tell", news: message }];
  }

  /** The nonce of a race by its key, or the key itself if it is a nonce already. Undefined: no such race was seen. */
  nonceOf(raceKey: string): string | undefined {
    return this.#nonces.get(raceKey);
  }

  #welcomed(message: Welcome): Effect[] {
    this.isOpen = true;
    this.welcome = message;
    this.#next = Math.max(this.#next, message.next_id);
    const effects: Effect[] = [];
    if (message.resumed !== null) {
      effects.push(...this.#sit(message.resumed));
    } else if (this.#watching !== null) {
      this.#owe(this.#watching, true);
    }
    effects.push({ do: "tell", news: message });
    // First the requests that may have been done already, with their old ids, then those that were never sent.
    const owed = [...this.#owed].sort(
      ([a, one], [b, two]) => Number(one.id === null) - Number(two.id === null) || a - b,
    );
    return [...effects, ...owed.map(([ticket]) => this.#send(ticket))];
  }

  #turnedAway(message: Refused): Effect[] {
    if (message.retry) return [{ do: "later", refused: message }];
    if (this.token === null) return [{ do: "gone", refused: message }, ...this.giveUp()];
    const lost = [...this.#owed.keys()].flatMap((ticket) => this.#lose(ticket));
    this.#leave();
    return [
      { do: "keep", token: null },
      ...lost,
      { do: "unseated", refused: message },
      { do: "send", message: this.open() },
    ];
  }

  #answered(message: Ack | Refused): Effect[] {
    const found = [...this.#owed].find(([, it]) => it.id === message.id);
    if (found === undefined) return []; // the second answer to a request that was sent twice
    const [ticket, owed] = found;
    this.#owed.delete(ticket);
    const effects: Effect[] = [];
    if (message.t === "refused") {
      if (owed.body.t === "watch" && owed.isSilent) {
        this.#leave();
        effects.push({ do: "unseated", refused: message });
      }
      if (owed.body.t === "reveal" && message.retry) this.#promised.failed();
    } else if (owed.body.t === "leave") {
      this.#leave();
      effects.push({ do: "keep", token: null });
    } else if (message.got?.got === "seated") {
      this.#watching = null;
      effects.push(...this.#sit(message.got));
    } else if (message.got?.got === "watching" && owed.body.t === "watch") {
      this.#watching = { ...owed.body, room: message.got.room };
      this.seat = null;
      this.#chain = 0;
    }
    return owed.isSilent ? effects : [...effects, { do: "answer", ticket, message }];
  }

  /** The deal waits for our nonce. */
  #reveal(room: Room): Effect[] {
    const nonce = this.#promised.due(room);
    return nonce === null ? [] : [this.#send(this.#owe({ t: "reveal", nonce }, true))];
  }

  #doubted(): Effect[] {
    return this.#doubts.splice(0).map((text) => ({ do: "doubt", text }));
  }

  #sit(seated: Seated): Effect[] {
    this.token = seated.token;
    this.seat = seated.seat;
    this.#chain = 0;
    this.#next = Math.max(this.#next, seated.next_id);
    const owner: Effect[] = seated.home ? [{ do: "owner", url: seated.home }] : [];
    return [{ do: "keep", token: seated.token }, ...owner];
  }

  #see(view: View): void {
    if (view.from !== this.#chain)
      throw new BrokenChain(
        `view ${view.seq} follows ${view.from}, but the last one here was ${this.#chain}`,
      );
    this.#chain = this.#seq = view.seq;
    this.view = view;
    if (view.you !== null) this.seat = view.you;
    if (view.race === null) return;
    this.#nonces.delete(view.race.key);
    this.#nonces.set(view.race.key, view.race.nonce);
    this.#nonces.set(view.race.nonce, view.race.nonce);
    while (this.#nonces.size > 2 * RACES) this.#nonces.delete(this.#nonces.keys().next().value as string);
  }

  /** After `taken_over` the saved token belongs to the newer connection and must not be deleted. */
  #sentAway(message: Extract<News, { t: "left" }>): Effect[] {
    this.#leave();
    const keep: Effect[] = message.reason === "taken_over" ? [] : [{ do: "keep", token: null }];
    return [...keep, { do: "tell", news: message }];
  }

  #leave(): void {
    this.token = this.seat = this.room = this.view = this.#watching = null;
    this.#chain = this.#seq = 0;
    this.#nonces.clear();
    this.#promised.forget();
  }

  #owe(body: RequestBody, isSilent: boolean): number {
    const ticket = this.#ticket++;
    this.#owed.set(ticket, { body, id: null, isSilent });
    return ticket;
  }

  #send(ticket: number): Effect {
    const owed = this.#owed.get(ticket) as Owed;
    owed.id ??= this.#next++;
    const { t, ...rest } = owed.body;
    return { do: "send", message: { t, id: owed.id, ...rest } as ClientMessage };
  }

  #lose(ticket: number): Effect[] {
    const owed = this.#owed.get(ticket);
    this.#owed.delete(ticket);
    return owed === undefined || owed.isSilent ? [] : [{ do: "lost", ticket }];
  }
}
