/** One connection to a server that survives cuts: `await Photofinish.connect(url)`. */

import { address } from "./address.js";
import { CODECS, type Codec } from "../codec.js";
import { Emitter } from "../emitter.js";
import { CutOff, Refusal } from "../errors.js";
import { Followed, type EventPart, type EventParts } from "../followed.js";
import { Link } from "./link.js";
import type {
  Ack,
  ClientMessage,
  Create,
  GameInfo,
  Refused,
  Room,
  RoomList,
  Rooms,
  Welcome,
} from "../messages.js";
import type { ConnectOptions, Events, NewsEvents, State } from "../options.js";
import { Route } from "./route.js";
import { Session, type Effect, type News, type RequestBody } from "./session.js";
import type { PlayerKey } from "../keys.js";
import type { SocketClass } from "./socket.js";
import { Table } from "../table.js";
import type { TokenStore } from "./tokens.js";

export type CreateOptions = Omit<Create, "t" | "id">;
export type RoomsQuery = Omit<Rooms, "t" | "id">;

/** Used until the server has sent its own limit. */
const MAX_FRAME = 16_384;
const GIVE_UP_AFTER = 60_000;
const PING_EVERY = 4_000;

interface Waiting<T> {
  resolve: (it: T) => void;
  reject: (error: Error) => void;
}

export class Photofinish {
  readonly #session: Session;
  readonly #codec: Codec;
  readonly #route: Route;
  readonly #link: Link;
  readonly #storage: TokenStore | undefined;
  readonly #events = new Emitter<Events>();
  readonly #waiting = new Map<number, Waiting<Ack>>();
  #table: Table | null = null;
  #rtt: { ms: number } | null = null;
  #roomWaiters: Waiting<void>[] = [];
  #seatWaiter: Waiting<void> | null = null;
  #kept: string | null;
  readonly #followed = new Map<string, Followed>();
  #key: PlayerKey | undefined;
  /** The newest proof of the key. */
  #proved: Promise<unknown> = Promise.resolve();

  /** Connect and say hello. With a token, in `options` or in the storage: `table` is the seat it belongs to. */
  static async connect(url: string, options: ConnectOptions = {}): Promise<Photofinish> {
    const connection = new Photofinish(url, options);
    try {
      await connection.#begin(options.token !== undefined);
    } catch (error) {
      connection.close();
      throw error;
    }
    return connection;
  }

  private constructor(url: string, options: ConnectOptions) {
    const Socket = options.WebSocket ?? globalThis.WebSocket;
    if (typeof Socket !== "function")
      throw new TypeError(
        "no WebSocket here: pass one in the options (in Node before 22 that of the package ws)",
      );
    this.#route = new Route(address(url, options.accessToken));
    this.#codec = CODECS[options.codec ?? "msgpack"];
    this.#storage = options.storage;
    this.#key = options.key;
    const name = options.name ?? `Guest ${100 + Math.floor(Math.random() * 900)}`;
    const token = (this.#kept = options.token ?? options.storage?.get() ?? null);
    this.#session = new Session(name, options.client ?? "photofinish-js", token);
    this.#link = new Link(
      {
        Socket: Socket as SocketClass,
        codec: this.#codec,
        route: this.#route,
        session: this.#session,
        giveUpAfter: options.giveUpAfter ?? GIVE_UP_AFTER,
        pingEvery: options.pingEvery ?? PING_EVERY,
      },
      {
        effects: (effects) => this.#do(effects),
        state: (state, error) => this.#entered(state, error),
        ping: () => this.ping(),
      },
    );
  }

  get state(): State {
    return this.#link.state;
  }

  /** Why the connection was closed. Null while it is open, and if it was closed here. */
  get error(): Error | null {
    return this.#link.error;
  }

  /** The room of this connection, or null. */
  get table(): Table | null {
    return this.#table;
  }

  /** The newest measured round trip. */
  get rtt(): { ms: number } | null {
    return this.#rtt;
  }

  /** The server's limits and our name as the server has it. */
  get welcome(): Welcome | null {
    return this.#session.welcome;
  }

  /** The address we are connected to, or try to reach: that of the room's node if it has one. */
  get url(): string {
    return this.#route.here.url;
  }

  /** How many sockets were lost after their `welcome`. */
  get cuts(): number {
    return this.#link.cuts;
  }

  /** Returns a function that removes the listener. */
  on<K extends keyof Events>(event: K, listener: (it: Events[K]) => void): () => void {
    return this.#events.on(event, listener);
  }

  async games(): Promise<GameInfo[]> {
    const { got } = await this.request({ t: "games" });
    return got?.got === "games" ? got.games : [];
  }

  /** One page of the list of rooms, and the number of all rooms. */
  async rooms(query: RoomsQuery = {}): Promise<RoomList> {
    const { got } = await this.request({ t: "rooms", ...query });
    return got?.got === "rooms" ? got : { got: "rooms", rooms: [], total: 0 };
  }

  /** Open a room and sit down as its host. */
  async create(options: CreateOptions): Promise<Table> {
    await this.request({ t: "create", ...options });
    return this.#atTable();
  }

  async join(room: string, options: { seat?: number } = {}): Promise<Table> {
    await this.request({ t: "join", room, ...options });
    return this.#atTable();
  }

  async watch(room: string, options: { referee?: string } = {}): Promise<Table> {
    await this.request({ t: "watch", room, ...options });
    return this.#atTable();
  }

  /** Take the seat that an event has called this key to (TOURNAMENTS T68). */
  async sit(event: string): Promise<Table> {
    await this.request({ t: "sit", event });
    return this.#atTable();
  }

  /** Prove this key on this connection and on every later socket. Rejects with a `Refusal`. */
  async identify(key: PlayerKey): Promise<void> {
    if (this.#key?.publicKey !== key.publicKey) {
      this.#key = key;
      if (this.#session.welcome !== null && this.#session.isOpen) this.#prove(this.#session.welcome);
    }
    await this.#proved;
  }

  /**
   * Follow an event (T67): `tell` gets its parts, rows by key, first complete and then after every change. It is
   * followed again after a cut, after a message that was missed, and once a key is proved (officials see more).
   * Resolves to a function that stops it. Rejects with a `Refusal`, for instance `no_such_event`.
   */
  async follow(
    event: string,
    parts: readonly EventPart[],
    tell: (parts: EventParts, seq: number) => void,
  ): Promise<() => void> {
    const followed = new Followed(event.toUpperCase(), parts, tell);
    this.#followed.set(followed.event, followed);
    const end = (): void => {
      if (this.#followed.get(followed.event) !== followed) return;
      this.#followed.delete(followed.event);
      if (this.state === "open")
        this.request({ t: "unfollow", event: followed.event }).catch(() => undefined);
    };
    try {
      await this.#followAgain(followed);
    } catch (error) {
      this.#followed.delete(followed.event);
      throw error;
    }
    return end;
  }

  async #followAgain(it: Followed): Promise<void> {
    it.waits();
    await this.request({ t: "follow", event: it.event, parts: [...it.wanted] });
  }

  #followAll(): void {
    for (const it of this.#followed.values()) this.#followAgain(it).catch(() => undefined);
  }

  /** Resume the seat that this token belongs to. If it is refused, the connection stays open, without a seat. */
  async resume(token: string): Promise<Table> {
    this.#leaveTable();
    this.#do(this.#session.become(token));
    this.#seatWaiter?.reject(new CutOff("another seat was asked for"));
    const seated = new Promise<void>((resolve, reject) => (this.#seatWaiter = { resolve, reject }));
    this.#link.cut("taking up another seat");
    this.#link.hurry();
    await seated;
    return this.#atTable();
  }

  /** The round trip in milliseconds. A ping that was interrupted by a cut does not count. */
  async ping(): Promise<number> {
    const at = performance.now();
    const cuts = this.#link.cuts;
    await this.request({ t: "ping", at: Math.round(at * 1000) });
    const ms = performance.now() - at;
    if (this.#link.cuts === cuts) {
      this.#rtt = { ms };
      this.#events.emit("ping", { ms });
    }
    return ms;
  }

  /** The replay of the N-th game of a room, as text: for `verifyReplay`, or to save. Rejects with a `CutOff`. */
  async replay(room: string, number: number): Promise<string> {
    const { first } = this.#route;
    const path = `/api/replays/${encodeURIComponent(room)}/${number}`;
    const answer = await fetch(first.page(path), { headers: first.headers });
    if (!answer.ok) throw new CutOff((await answer.text()).trim() || answer.statusText, answer.status);
    return answer.text();
  }

  /** Send any message (its id is filled in) and wait for its one answer. Rejects with a `Refusal` or a `CutOff`. */
  request(body: RequestBody): Promise<Ack> {
    if (this.state === "closed") return Promise.reject(this.#why());
    return new Promise((resolve, reject) => {
      this.#checkFrame(body);
      const [ticket, effects] = this.#session.request(body);
      this.#waiting.set(ticket, { resolve, reject });
      this.#do(effects);
    });
  }

  /** A message that cannot be encoded or is too large is refused here: the server would close the connection. */
  #checkFrame(body: RequestBody): void {
    const frame = this.#codec.pack({ ...body, id: Number.MAX_SAFE_INTEGER } as ClientMessage);
    const size = typeof frame === "string" ? new TextEncoder().encode(frame).length : frame.length;
    const most = this.#session.welcome?.limits.frame ?? MAX_FRAME;
    if (size > most) throw new RangeError(`a message of ${size} bytes; the server takes at most ${most}`);
  }

  /** Try again now instead of after the pause: the network is back, or the player asks for it. */
  retry(): void {
    this.#link.hurry();
  }

  close(): void {
    this.#link.stop(null);
  }

  async #begin(isSeatWanted: boolean): Promise<void> {
    const welcome = new Promise<void>((resolve, reject) => {
      const off = [
        this.on("welcome", () => done(resolve)),
        this.on("state", ({ state, error }) => {
          if (state === "closed") done(() => reject(error ?? new CutOff("closed here", 1000)));
        }),
        this.on("refused", (refusal) => {
          if (isSeatWanted) done(() => reject(refusal));
        }),
      ];
      const done = (then: () => void): void => {
        off.forEach((it) => it());
        then();
      };
    });
    void this.#link.run();
    await welcome;
    await this.#proved;
    if (this.#session.isPresent) await this.#atTable();
  }

  #do(effects: readonly Effect[]): void {
    for (const effect of effects) {
      switch (effect.do) {
        case "keep":
          this.#keep(effect.token);
          break;
        case "owner":
          if (this.#route.goToOwner(effect.url)) this.#link.cut("the room is on another node");
          break;
        case "send":
          this.#link.send(effect.message);
          break;
        case "answer":
          this.#settle(effect.ticket, effect.message);
          break;
        case "lost":
          this.#lost(effect.ticket);
          break;
        case "tell":
          this.#tell(effect.news);
          break;
        case "doubt":
          this.#events.emit("doubt", effect.text);
          break;
        case "unseated":
          this.#unseated(new Refusal(effect.refused));
          break;
        case "later":
          this.#link.cut(effect.refused.text);
          break;
        case "gone":
          this.#link.stop(new Refusal(effect.refused));
          break;
      }
    }
  }

  /** Two windows may share a store: a token that another window has put there stays in it. */
  #keep(token: string | null): void {
    try {
      const stored = token === null ? (this.#storage?.get() ?? null) : null;
      if (stored === null || stored === this.#kept) this.#storage?.set(token);
    } catch (error) {
      console.error("the token of the seat could not be kept", error);
    }
    this.#kept = token;
  }

  #settle(ticket: number, message: Ack | Refused): void {
    const waiting = this.#waiting.get(ticket);
    this.#waiting.delete(ticket);
    if (!this.#session.isPresent) this.#leaveTable();
    if (message.t === "ack") {
      waiting?.resolve(message);
    } else {
      const refusal = new Refusal(message);
      this.#events.emit("refused", refusal);
      waiting?.reject(refusal);
    }
  }

  #lost(ticket: number): void {
    const waiting = this.#waiting.get(ticket);
    this.#waiting.delete(ticket);
    const isClosed = this.state === "closed";
    waiting?.reject(isClosed ? this.#why() : new CutOff("the connection was cut before the answer came"));
  }

  #tell(news: News): void {
    switch (news.t) {
      case "welcome":
        this.#link.welcomed();
        if (news.resumed !== null) this.#seatWaiter?.resolve();
        this.#seatWaiter = null;
        this.#prove(news);
        this.#followAll();
        break;
      case "event": {
        const followed = this.#followed.get(news.event);
        if (followed?.take(news) === false) this.#followAgain(followed).catch(() => undefined);
        break;
      }
      case "room":
        this.#enterTable(news);
        break;
      case "left":
        this.#leaveTable();
        break;
      case "bye":
        this.#link.waitAtLeast(news.retry_after_ms);
        break;
      case "view":
        this.#table?.see(news);
        break;
    }
    this.#events.emit<keyof NewsEvents>(news.t, news);
  }

  /** T6: each socket has its own challenge. A refusal is reported like any other (`refused`). */
  #prove({ challenge, name }: Welcome): void {
    if (this.#key === undefined || challenge === "") return;
    this.#proved = this.#key.proof(this.url, challenge, name).then((proof) => this.request(proof));
    this.#proved.then(
      () => this.#followAll(),
      () => undefined,
    );
  }

  #enterTable(room: Room): void {
    if (this.#table === null || this.#table.room.room !== room.room) {
      this.#leaveTable();
      this.#table = new Table(this.#session, (body) => this.request(body), room);
      this.#events.emit("table", this.#table);
    }
    this.#table.see(room);
    this.#roomWaiters.splice(0).forEach((it) => it.resolve());
  }

  #leaveTable(): void {
    if (this.#table === null) return;
    this.#table.end();
    this.#table = null;
    this.#events.emit("table", null);
  }

  /** The table, once its first `room` message has arrived. */
  async #atTable(): Promise<Table> {
    while (this.#table === null) {
      if (this.state === "closed") throw this.#why();
      await new Promise<void>((resolve, reject) => this.#roomWaiters.push({ resolve, reject }));
    }
    return this.#table;
  }

  #unseated(refusal: Refusal): void {
    this.#leaveTable();
    this.#roomWaiters.splice(0).forEach((it) => it.reject(refusal));
    this.#seatWaiter?.reject(refusal);
    this.#seatWaiter = null;
    this.#events.emit("refused", refusal);
  }

  /** After `closed` there is no further socket: every waiting request is rejected with the reason. */
  #entered(state: State, error: Error | null): void {
    if (state === "closed") this.#do(this.#session.giveUp());
    this.#events.emit("state", { state, error });
    if (state !== "closed") return;
    this.#roomWaiters.splice(0).forEach((it) => it.reject(this.#why()));
    this.#seatWaiter?.reject(this.#why());
  }

  #why(): Error {
    return this.#link.error ?? new CutOff("the connection was closed here", 1000);
  }
}
