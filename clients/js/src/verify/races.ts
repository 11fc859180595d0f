/** The races of a replay for people: each with its marks, its record and what a recomputation says. */

import type { Mark } from "../messages.js";
import { coinKey, hexToBytes } from "./chance.js";
import { readEntry, readReplay } from "./entries.js";
import { recompute } from "./recompute.js";
import type { Evidence, RaceRecord } from "./record.js";

export interface ReadRace {
  game: string;
  key: string;
  /** The players by seat. */
  names: string[];
  record: RaceRecord;
  /** As in the `race` message: in the order of the arbiter, then false starts, then moves that came too late. */
  marks: Mark[];
  /** Where the record contradicts its numbers. Empty: a recomputation gives the same order. */
  faults: string[];
}

/** Pure. Throws `Malformed` if the file is no replay. */
export function racesOf(file: unknown): ReadRace[] {
  const replay = readReplay(file);
  const entries = replay.entries.map((it) => readEntry(it.body));
  const coin = coinKey(hexToBytes(replay.seed));
  const names = entries.flatMap((it) => (it.e === "deal" ? it.names : []));
  const game = entries.flatMap((it) => (it.e === "deal" ? [it.game] : []))[0] ?? "";
  const moves = new Map(
    entries.flatMap((it) => (it.e === "step" && it.evidence !== null ? [[it.evidence.ticket, it.move]] : [])),
  );
  const mark = (it: Evidence, verdict: Mark["verdict"], heat: boolean): Mark[] => {
    if (it.seat === null) return [];
    const { seat, score, lo, hi, base, late } = it;
    return [
      { seat, move: String(moves.get(it.ticket)?.["t"] ?? ""), score, lo, hi, base, verdict, late, heat },
    ];
  };
  return entries.flatMap((it) => {
    if (it.e !== "race") return [];
    const { record, plain } = it;
    const isHeat = (number: number): boolean =>
      record.decisions.filter((one) => one.heat === number).length > 1;
    const heats = new Set(record.decisions.filter((one) => isHeat(one.heat)).map((one) => one.ticket));
    const marks = [
      ...record.moves.flatMap((one) =>
        mark(one, moves.has(one.ticket) ? "done" : "refused", heats.has(one.ticket)),
      ),
      ...record.void.flatMap((one) => mark(one, "void", false)),
      ...record.held.flatMap((one) => mark(one, "held", false)),
    ];
    return [{ game, key: record.key, names, record, marks, faults: recompute(record, coin, plain) }];
  });
}

/** Games in which a throw may be wrong: their records count the throws that succeed. */
const COUNTED: ReadonlySet<string> = new Set(["cambio", "kodiak"]);

/**
 * The attempts to win a race, in the order of its marks: without the draw that ended it. Throws before the first one that
 * succeeded were wrong: their verdict is `refused`. The throw that ends a race is not in `throws`. Pure.
 */
export function attemptsOf(race: ReadRace): Mark[] {
  const { moves, throws, decisions } = race.record;
  const last = moves.at(-1);
  const ended = last?.kind === "contested" ? last.ticket : undefined;
  const won = throws[0] ? decisions[throws[0].after - 1]?.ticket : ended;
  const first = moves.findIndex((it) => it.ticket === won);
  const wrong = moves.filter((it, n) => it.kind === "contested" && (first < 0 || n < first));
  const tickets = new Set(COUNTED.has(race.game) ? wrong.map((it) => it.ticket) : []);
  const all = [...moves, ...race.record.void, ...race.record.held].filter((it) => it.seat !== null);
  return race.marks.flatMap((mark, n): Mark[] => {
    const it = all[n];
    if (!it || (it.kind !== "contested" && it.kind !== "anytime")) return [];
    return [mark.verdict === "done" && tickets.has(it.ticket) ? { ...mark, verdict: "refused" } : mark];
  });
}
