/** The commitment, the game's key, its chance, the coin and the chain: protocol/FAIRNESS.md. */

import { hmac } from "@noble/hashes/hmac.js";
import { sha256 } from "@noble/hashes/sha2.js";
import { bytesToHex, concatBytes, hexToBytes, utf8ToBytes } from "@noble/hashes/utils.js";

export { bytesToHex, hexToBytes, utf8ToBytes };

const SPAN = 2 ** 32;
/** The stream of hand k is that of step `HANDS` + k. */
export const HANDS = 2 ** 40;

export function sha256Hex(bytes: Uint8Array): string {
  return bytesToHex(sha256(bytes));
}

/** What is published before the deal. */
export function commitment(seed: Uint8Array): string {
  return sha256Hex(seed);
}

/** The key of a game's chance: the committed seed, mixed with each seat's nonce in seat order. */
export function gameKey(seed: Uint8Array, nonces: readonly Uint8Array[]): Uint8Array {
  return hmac(sha256, seed, concatBytes(utf8ToBytes("photofinish deal"), ...nonces.map((it) => sha256(it))));
}

/** The chance of one step of one game: HMAC-SHA-256 in counter mode. */
export class Rng {
  #words: number[] = [];
  #counter = 0;

  constructor(
    private readonly key: Uint8Array,
    private readonly step: number,
  ) {}

  /** A whole number from 0 to n − 1, each equally likely. */
  below(n: number): number {
    const limit = SPAN - (SPAN % n);
    let word = this.word();
    while (word >= limit) word = this.word();
    return word % n;
  }

  /** Fisher and Yates, from the last place down. */
  shuffled<T>(items: readonly T[]): T[] {
    const deck = [...items];
    for (let last = deck.length - 1; last > 0; last--) {
      const other = this.below(last + 1);
      [deck[last], deck[other]] = [deck[other] as T, deck[last] as T];
    }
    return deck;
  }

  word(): number {
    if (this.#words.length === 0) {
      const block = this.block(this.#counter++);
      const view = new DataView(block.buffer, block.byteOffset, block.byteLength);
      for (let place = 28; place >= 0; place -= 4) this.#words.push(view.getUint32(place));
    }
    return this.#words.pop() as number;
  }

  block(counter: number): Uint8Array {
    const message = new DataView(new ArrayBuffer(16));
    message.setBigUint64(0, BigInt(this.step));
    message.setBigUint64(8, BigInt(counter));
    return hmac(sha256, this.key, new Uint8Array(message.buffer));
  }
}

/** What the entries of a log are hashed with. Secret until the seed is shown. */
export function chainKey(seed: Uint8Array): Uint8Array {
  return hmac(sha256, seed, utf8ToBytes("photofinish log"));
}

/** The hash of an entry that follows the one with the hash `head`. */
export function link(key: Uint8Array, head: Uint8Array, body: string): Uint8Array {
  return hmac(sha256, key, concatBytes(head, utf8ToBytes(body)));
}

/** The key of the tosses in dead heats. */
export function coinKey(seed: Uint8Array): Uint8Array {
  return hmac(sha256, seed, utf8ToBytes("photofinish coin"));
}

/**
 * In a dead heat the lower toss goes first. `null` is the room itself, which has no byte; in version 1 it had the bytes
 * `room`.
 */
export function toss(
  coin: Uint8Array,
  raceKey: string,
  seat: number | null,
  room: readonly number[] = [],
): string {
  const place = seat === null ? room : [seat];
  return bytesToHex(hmac(sha256, coin, concatBytes(utf8ToBytes(raceKey), Uint8Array.of(0, ...place))));
}
