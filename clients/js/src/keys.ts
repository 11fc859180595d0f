/** A player's private key (Ed25519): made and kept by the client, never sent (TOURNAMENTS T5, T6). */

import { sha512 } from "@noble/hashes/sha2.js";
import { bytesToHex, hexToBytes, utf8ToBytes } from "@noble/hashes/utils.js";
import type { Identify } from "./messages.js";

const SEED = 32;
/** The head of a PKCS #8 file with an Ed25519 seed: WebCrypto reads private keys only in this form. */
const PKCS8 = hexToBytes("302e020100300506032b657004220420");

/** Signs with one key. WebCrypto does it where it can, else a small library: pages without TLS have no WebCrypto. */
interface Signer {
  readonly publicKey: string;
  sign(text: Uint8Array): Promise<Uint8Array>;
}

export class PlayerKey {
  readonly #signer: Signer;
  readonly #seed: string;

  private constructor(seed: string, signer: Signer) {
    this.#seed = seed;
    this.#signer = signer;
  }

  static create(): Promise<PlayerKey> {
    return PlayerKey.fromSeed(bytesToHex(crypto.getRandomValues(new Uint8Array(SEED))));
  }

  /** The key with this seed (64 hex digits): what `seed` gave, or the content of the Python SDK's key file. */
  static async fromSeed(seed: string, options: { webCrypto?: boolean } = {}): Promise<PlayerKey> {
    const bytes = hexToBytes(seed.trim());
    if (bytes.length !== SEED) throw new RangeError(`a seed has ${SEED} bytes, this one ${bytes.length}`);
    const signer = (options.webCrypto ?? true) ? await byWebCrypto(bytes) : null;
    return new PlayerKey(bytesToHex(bytes), signer ?? (await byLibrary(bytes)));
  }

  /** The player's id: 64 hex digits. */
  get publicKey(): string {
    return this.#signer.publicKey;
  }

  /** The secret. Keep it where only the player can read it (`browserKey` uses IndexedDB), and never show it. */
  get seed(): string {
    return this.#seed;
  }

  /** T6: a signature that is valid only for this server and this connection. */
  async proof(url: string, challenge: string, name: string): Promise<Omit<Identify, "id">> {
    const text = `photofinish identity 1\n${hostOf(url)}\n${challenge}\n${this.publicKey}\n${name}`;
    return { t: "identify", key: this.publicKey, name, signature: await this.#signed(text) };
  }

  /** An organiser's signature over the head of an event's log. */
  seal(head: string): Promise<string> {
    return this.#signed(`photofinish seal 1\n${head}`);
  }

  /** A key in a log line shows its public part. */
  toJSON(): string {
    return this.publicKey;
  }

  async #signed(text: string): Promise<string> {
    return bytesToHex(await this.#signer.sign(utf8ToBytes(text)));
  }
}

/** The `Host` header that a client of this address sends. */
export function hostOf(url: string): string {
  return new URL(url).host;
}

/** The key that this browser keeps for this page, made at the first call. Rejects where IndexedDB is forbidden. */
export async function browserKey(database = "photofinish"): Promise<PlayerKey> {
  const store = await opened(database);
  try {
    const kept: unknown = await answer(store.transaction("keys").objectStore("keys").get("player"));
    if (typeof kept === "string") return await PlayerKey.fromSeed(kept);
    const made = await PlayerKey.create();
    // `add` fails if another window was first: then we use its key.
    const adding = store.transaction("keys", "readwrite").objectStore("keys").add(made.seed, "player");
    const isMine = await answer(adding).then(
      () => true,
      () => false,
    );
    return isMine ? made : await browserKey(database);
  } finally {
    store.close();
  }
}

/** From now on `browserKey` gives this key. The one it gave before is lost unless its `seed` was saved. */
export async function keepBrowserKey(key: PlayerKey, database = "photofinish"): Promise<void> {
  const store = await opened(database);
  try {
    await answer(store.transaction("keys", "readwrite").objectStore("keys").put(key.seed, "player"));
  } finally {
    store.close();
  }
}

function opened(database: string): Promise<IDBDatabase> {
  const request = indexedDB.open(database, 1);
  request.onupgradeneeded = () => request.result.createObjectStore("keys");
  return answer(request);
}

function answer<T>(request: IDBRequest<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error ?? new Error("IndexedDB failed"));
  });
}

/** Null where there is no WebCrypto, or one without Ed25519. */
async function byWebCrypto(seed: Uint8Array): Promise<Signer | null> {
  const subtle = (globalThis.crypto as Crypto | undefined)?.subtle as SubtleCrypto | undefined;
  if (subtle === undefined) return null;
  try {
    const file = new Uint8Array([...PKCS8, ...seed]);
    const key = await subtle.importKey("pkcs8", file, { name: "Ed25519" }, true, ["sign"]);
    const { x } = await subtle.exportKey("jwk", key);
    if (x === undefined) return null;
    const sign = async (text: Uint8Array): Promise<Uint8Array> =>
      new Uint8Array(await subtle.sign({ name: "Ed25519" }, key, new Uint8Array(text)));
    return { publicKey: bytesToHex(fromBase64Url(x)), sign };
  } catch {
    return null;
  }
}

async function byLibrary(seed: Uint8Array): Promise<Signer> {
  const library = await import("@noble/ed25519");
  library.hashes.sha512 = sha512;
  return {
    publicKey: bytesToHex(library.getPublicKey(seed)),
    sign: (text) => Promise.resolve(library.sign(text, seed)),
  };
}

function fromBase64Url(text: string): Uint8Array {
  const plain = atob(text.replaceAll("-", "+").replaceAll("_", "/"));
  return Uint8Array.from(plain, (it) => it.charCodeAt(0));
}
