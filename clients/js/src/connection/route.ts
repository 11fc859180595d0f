/** Which address to connect to: the one that was given, or the address of the node that runs our room. */

import { Address } from "./address.js";
import { CutOff } from "../errors.js";

/** Milliseconds for which a room's own address is not tried again after a failed attempt. */
const AVOID_MS = 30_000;
/** HTTP statuses after which trying again does not help. */
const NOT_FOR_US: ReadonlySet<number> = new Set([400, 401, 403, 404]);
const PATIENCE = 5_000;

export class Route {
  here: Address;
  readonly #unreachable = new Map<string, number>();

  constructor(readonly first: Address) {
    this.here = first;
  }

  /** Choose the room's own address. False: stay here and be relayed, because it is the same address, not encrypted, or failed recently. */
  goToOwner(url: string): boolean {
    const owner = this.first.otherNode(url);
    if (owner === null || owner.url === this.here.url) return false;
    if (performance.now() < (this.#unreachable.get(owner.url) ?? 0)) return false;
    this.here = owner;
    return true;
  }

  /** This address could not be reached. If it is the room's own address, it is not used for `AVOID_MS`. */
  avoid(address: Address): void {
    if (address === this.first || this.here !== address) return;
    this.#unreachable.set(address.url, performance.now() + AVOID_MS);
    this.here = this.first;
  }
}

/** A browser does not say why a websocket was refused; the status of a page does. Null: no answer, or try again. */
export async function refusalOf(address: Address): Promise<{ refused: CutOff | null; waitMs: number }> {
  try {
    const { headers } = address;
    const answer = await fetch(address.page("/api/rooms?limit=1"), {
      headers,
      signal: AbortSignal.timeout(PATIENCE),
    });
    const why = (await answer.text()).trim() || `the server says ${answer.status}`;
    const refused = NOT_FOR_US.has(answer.status) ? new CutOff(why, answer.status) : null;
    const waitMs = answer.status === 429 ? 1000 * Number(answer.headers.get("Retry-After") ?? 0) : 0;
    return { refused, waitMs };
  } catch {
    return { refused: null, waitMs: 0 }; // no server, or none that this page may ask
  }
}
