/** One websocket, from connecting to the cut. */

import type { Address } from "./address.js";
import type { Codec } from "../codec.js";
import type { ClientMessage, ServerMessage } from "../messages.js";

/** What we use of the standard `WebSocket`: the browser's, Node's from version 22 on, and that of the package `ws`. */
export interface SocketLike {
  binaryType: string;
  readonly readyState: number;
  send(data: string | Uint8Array<ArrayBuffer>): void;
  close(code?: number, reason?: string): void;
  onopen: ((event: never) => void) | null;
  onmessage: ((event: never) => void) | null;
  onclose: ((event: never) => void) | null;
  onerror: ((event: never) => void) | null;
}

export type SocketClass = new (url: string, protocols: string[]) => SocketLike;

export interface Ended {
  /** The close code; 1006 if the connection or the server died, or if we cut it ourselves. */
  code: number;
  reason: string;
}

const OPEN = 1;
const OPEN_TIMEOUT = 5000;

export class Wire {
  /** Resolves when the socket is gone, for whatever reason. */
  readonly ended: Promise<Ended>;
  #socket: SocketLike | null;
  #end!: (ended: Ended) => void;

  constructor(
    Socket: SocketClass,
    address: Address,
    readonly codec: Codec,
    on: { open: () => void; message: (message: ServerMessage) => void },
  ) {
    this.ended = new Promise((resolve) => (this.#end = resolve));
    const socket = (this.#socket = new Socket(address.url, address.protocols(codec.subprotocol)));
    socket.binaryType = "arraybuffer";
    const patience = setTimeout(() => this.cut("no answer to the handshake"), OPEN_TIMEOUT);
    void this.ended.then(() => clearTimeout(patience));
    socket.onopen = () => {
      clearTimeout(patience);
      on.open();
    };
    socket.onmessage = (event: { data: unknown }) => {
      try {
        const message = codec.unpack(event.data);
        if (message !== null) on.message(message);
      } catch (error) {
        this.cut(error instanceof Error ? error.message : String(error));
      }
    };
    socket.onclose = (event: { code: number; reason: string }) => {
      this.#socket = null;
      this.#end({ code: event.code, reason: event.reason });
    };
    socket.onerror = () => {}; // `onclose` follows
  }

  /** Send it if the socket is open. If a cut comes first, the session sends it again. */
  send(message: ClientMessage): void {
    if (this.#socket?.readyState === OPEN) this.#socket.send(this.codec.pack(message));
  }

  /** Close the socket now, without waiting for the other side. */
  cut(why: string, code = 1006): void {
    const socket = this.#socket;
    if (socket === null) return;
    this.#socket = null;
    socket.onopen = socket.onmessage = socket.onclose = null;
    this.#end({ code, reason: why });
    try {
      socket.close(1000);
    } catch {
      // It was not open yet.
    }
  }
}
