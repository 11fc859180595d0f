/** Our part of the shuffle: commit to a nonce with `ready`, reveal it when the deal starts, check it at the end. */

import { sha256 } from "@noble/hashes/sha2.js";
import { bytesToHex, concatBytes, hexToBytes, utf8ToBytes } from "@noble/hashes/utils.js";
import type { Ready, Room, View } from "./messages.js";

/** A `ready` that is sent twice has two nonces, and the server may have taken either. */
const KEPT = 4;

/** The hash of a nonce (hex) as `ready` carries it. */
export function nonceCommit(nonce: string): string {
  return bytesToHex(sha256(concatBytes(utf8ToBytes("photofinish nonce"), hexToBytes(nonce))));
}

export function drawNonce(): string {
  return bytesToHex(crypto.getRandomValues(new Uint8Array(32)));
}

/** One nonce for one game. */
export class Promised {
  /** By their hashes. */
  readonly #nonces = new Map<string, string>();
  #sent = "";
  #number = 0;
  /** What all seats had published when the deal of game `#number` started. */
  #commits: readonly string[] = [];

  /** `doubt` is called with anything that an honest server would not send. */
  constructor(
    private readonly doubt: (text: string) => void,
    private readonly draw: () => string = drawNonce,
  ) {}

  /** The `ready` with the hash of a new nonce, unless it already has one. */
  made(ready: Omit<Ready, "id">): Omit<Ready, "id"> {
    this.#sent = "";
    if (ready.ready === false || ready.nonce || ready.commit) return ready;
    const nonce = this.draw();
    const commit = nonceCommit(nonce);
    this.#nonces.set(commit, nonce);
    while (this.#nonces.size > KEPT) this.#nonces.delete(this.#nonces.keys().next().value as string);
    return { ...ready, commit };
  }

  /** The nonce to reveal now. Never twice, and never after the hashes of the others have changed. */
  due(room: Room): string | null {
    if (room.dealing === null || this.#nonces.size === 0) return null;
    const commits = room.seats.map((it) => it.commit);
    if (this.#number !== room.number) {
      this.#number = room.number;
      this.#commits = commits;
    }
    if (!isSame(commits, this.#commits)) {
      this.doubt(`game ${room.number}: the hashes of the nonces changed after the deal was called`);
      return null;
    }
    const owed = room.dealing.seats.map((seat) => commits[seat] ?? "");
    const nonce = owed.map((it) => this.#nonces.get(it)).find((it) => it !== undefined);
    if (this.#sent || nonce === undefined) return null;
    this.#sent = nonce;
    return nonce;
  }

  /** The server could not accept it now: send it again at the next opportunity. */
  failed(): void {
    this.#sent = "";
  }

  forget(): void {
    this.#nonces.clear();
    this.#sent = "";
    this.#number = 0;
    this.#commits = [];
  }

  /** The game is over: were the hashes those we saw, and is our nonce in the shuffle? */
  check(view: View): void {
    if (view.over === null || this.#number !== view.number) return;
    if (!isSame(view.over.commits, this.#commits))
      this.doubt(`game ${view.number}: the hashes in the record are not those shown before the deal`);
    else if (this.#sent && !view.over.nonces.includes(this.#sent))
      this.doubt(`game ${view.number}: our nonce was revealed and is not in the shuffle`);
  }
}

function isSame(one: readonly string[], two: readonly string[]): boolean {
  return one.length === two.length && one.every((it, place) => it === two[place]);
}
