/** The options of `connect`, and the events of a connection. */

import type { Encoding } from "./codec.js";
import type { Refusal } from "./errors.js";
import type { PlayerKey } from "./keys.js";
import type { News } from "./connection/session.js";
import type { Table } from "./table.js";
import type { TokenStore } from "./connection/tokens.js";

export interface ConnectOptions {
  /** The name of the player. Default: a guest's name. */
  name?: string;
  codec?: Encoding;
  /** Keeps the token of the seat. A stored token resumes the seat; a token that no longer works is deleted. */
  storage?: TokenStore;
  /** Resumes this seat. If that is refused, `connect` rejects. */
  token?: string;
  /** The class to open sockets with. Node before version 22 has none: use that of the package `ws`. */
  WebSocket?: unknown;
  /** For a server that requires one. It may also be in the address, `ws://anybody:TOKEN@host`. */
  accessToken?: string;
  /** The player's key for events. It is proved on every new socket, before `connect` resolves. */
  key?: PlayerKey;
  /** Milliseconds without a welcome after which the connection is closed. */
  giveUpAfter?: number;
  /** Milliseconds between two measurements of the round trip. Two without an answer cut the socket. */
  pingEvery?: number;
  /** Your program and its version, for the server's log. */
  client?: string;
}

export type State = "connecting" | "open" | "reconnecting" | "closed";

/** Every message of the server that is no answer, by its `t`: `view`, `room`, `race`, `pending`, `said`, `left` … */
export type NewsEvents = { [Message in News as Message["t"]]: Message };

export interface Events extends NewsEvents {
  /** `error` says why a connection was closed: a `CutOff` (its `code` 4409: another window has the seat) or a `Refusal`. */
  state: { state: State; error: Error | null };
  ping: { ms: number };
  /** Any request that was refused; also a seat that could not be resumed (`bad_token`). */
  refused: Refusal;
  /** The server has shown something about the shuffle that an honest one would not: a sentence for the player. */
  doubt: string;
  /** The connection has entered a room (a table), or has left it (null). */
  table: Table | null;
}
