/** How the normaliser and the account of each seat follow from one race to the next. All of it is in the record. */

import type { Evidence, Params, RaceRecord, Start } from "./record.js";
import { hasProof } from "./score.js";

/** From this version of the log on, the starts of a race follow from the records before it. */
export const FOLLOWS = 4;

/** A normaliser loses one part in this number of its distance from the common screen per race. */
const FORGETS = 90;

/** The values with which each seat begins its next race. A seat that claimed nothing keeps its values. */
export function startsAfter(record: RaceRecord): Start[] {
  const claims = [...record.moves, ...record.held].filter(
    (it) => it.kind === "contested" && it.react_us !== null,
  );
  return record.starts.map((start) =>
    after(
      record.params,
      start,
      claims.filter((it) => it.seat === start.seat),
    ),
  );
}

/** The highest `soft` moves the normaliser; the highest credit without full proof is paid from the account. */
function after(params: Params, start: Start, claims: readonly Evidence[]): Start {
  if (claims.length === 0) return start;
  let screen = start.screen + Math.floor(Math.max(...claims.map((it) => it.soft)) / params.gain);
  screen -= Math.floor((screen - params.screen) / FORGETS);
  const credits = claims.filter((it) => !hasProof(it.path)).map((it) => it.credit);
  const unproven =
    credits.length === 0
      ? start.unproven
      : Math.min(start.unproven - Math.max(...credits) + params.unproven_gain, params.unproven_most);
  return { seat: start.seat, screen, unproven };
}

/** Checks the starts of all races of one game, in their order. */
export class Normalisers {
  private readonly next = new Map<number, Start>();

  /**
   * Where this race does not begin as the one before it ended. Before a seat's first race the limits are all that is
   * known: it may have played other games.
   */
  *check(record: RaceRecord): Generator<string> {
    const { screen_least, screen_most, unproven_most } = record.params;
    for (const start of record.starts) {
      const { seat, screen, unproven } = start;
      const known = this.next.get(seat);
      const isPossible =
        screen_least <= screen && screen <= screen_most && 0 <= unproven && unproven <= unproven_most;
      if (known === undefined) {
        if (!isPossible) yield `seat ${seat} begins with ${told(start)}, which is outside the limits`;
      } else if (known.screen !== screen || known.unproven !== unproven)
        yield `seat ${seat} begins with ${told(start)}, should be ${told(known)}`;
    }
    for (const it of startsAfter(record)) this.next.set(it.seat, it);
  }
}

function told(start: Start): string {
  return `a normaliser of ${start.screen} and an account of ${start.unproven}`;
}
