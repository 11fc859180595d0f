/** The two encodings of the wire: msgpack in binary frames, JSON in text frames. */

import { decode, encode } from "@msgpack/msgpack";
import { SUBPROTOCOLS, type ClientMessage, type ServerMessage } from "./messages.js";
import { Malformed, readMessage } from "./read.js";

export type Encoding = keyof typeof SUBPROTOCOLS;

/** The longest list, map or text in a frame of the server. Without a limit a few bytes could make the client reserve gigabytes. */
const MAX_ITEMS = 65_536;
const MAX_TEXT = 4 * 1024 * 1024;
const LIMITS = {
  maxArrayLength: MAX_ITEMS,
  maxMapLength: MAX_ITEMS,
  maxStrLength: MAX_TEXT,
  maxBinLength: 0,
  maxExtLength: 0,
};

export interface Codec {
  readonly subprotocol: string;
  /** The frame. Fields that are `undefined` are left out. */
  pack(message: ClientMessage): Uint8Array<ArrayBuffer> | string;
  /** The message, with defaults filled in. Null: a type that this client does not know. Throws `Malformed`. */
  unpack(frame: unknown): ServerMessage | null;
}

const msgpack: Codec = {
  subprotocol: SUBPROTOCOLS.msgpack,
  pack: (message) => encode(message, { ignoreUndefined: true, forceIntegerToFloat: false }),
  unpack(frame) {
    if (!(frame instanceof ArrayBuffer || ArrayBuffer.isView(frame)))
      throw new Malformed("a text frame on the msgpack protocol");
    return readMessage(plainly(() => decode(frame, LIMITS)));
  },
};

const json: Codec = {
  subprotocol: SUBPROTOCOLS.json,
  pack: (message) => JSON.stringify(message),
  unpack(frame) {
    if (typeof frame !== "string") throw new Malformed("a binary frame on the JSON protocol");
    return readMessage(plainly(() => JSON.parse(frame)));
  },
};

export const CODECS: Readonly<Record<Encoding, Codec>> = { msgpack, json };

function plainly(parse: () => unknown): unknown {
  try {
    return parse();
  } catch (error) {
    throw new Malformed(error instanceof Error ? error.message : String(error));
  }
}
