/** Race records of version 1, which have no `version` field, and the rule that they were judged by. */

import type { Shape } from "../messages.js";
import { readStruct, type Shapes } from "../read.js";
import {
  checkKind,
  checkRecord,
  RECORD_SHAPES,
  type Evidence,
  type Params,
  type RaceRecord,
} from "./record.js";
import { baseOf } from "./score.js";

export const VERSION1 = 1;
/** The room in the bytes of a toss. */
export const ROOM_BYTES = [255];
/** In version 1 the room in the coins, and the last score of a seat that had not moved. */
const NONE = -1;

interface Params1 {
  g: number;
  qrace: number;
  eps: number;
  hard: number;
  cap: number;
  floor: number;
  after_void: number;
  unclaimed: number;
  flagged_g: number;
  wait_base: number;
  wait_least: number;
  wait_most: number;
}

interface Path1 {
  kmin: number | null;
  amin: number | null;
  slow: number | null;
  behind_proxy: boolean;
}

type Shared = Omit<Evidence, "path" | "jitter" | "behind" | "soft" | "credit" | "older">;

export interface Evidence1 extends Shared {
  path: Path1;
  give: number;
  quota: number;
  clamped: boolean;
}

type Mark1 = Omit<RaceRecord["decisions"][number]["marks"][number], "path"> & { path: Path1 };
type Decision1 = Omit<RaceRecord["decisions"][number], "marks"> & { marks: Mark1[] };

export interface RaceRecord1 extends Omit<
  RaceRecord,
  "version" | "params" | "starts" | "decisions" | "moves" | "void" | "held"
> {
  params: Params1;
  starts: { seat: number; quota: number; flagged: boolean }[];
  decisions: Decision1[];
  moves: Evidence1[];
  void: Evidence1[];
  held: Evidence1[];
}

const INT = { is: "integer" as Shape };
const BOOL = { is: "boolean" as Shape };

/** The order of the fields is that of the sealed bytes. */
const SHAPES: Shapes = {
  Params: {
    g: { ...INT, else: 20_000 },
    qmax: { ...INT, else: 240_000 },
    qgain: { ...INT, else: 6_000 },
    qrace: { ...INT, else: 60_000 },
    eps: { ...INT, else: 2_000 },
    hard: { ...INT, else: 400_000 },
    cap: { ...INT, else: 350_000 },
    floor: { ...INT, else: 100_000 },
    after_void: { ...INT, else: 250_000 },
    unclaimed: { ...INT, else: 12_000 },
    flagged_g: { ...INT, else: 5_000 },
    flagged_at: { ...INT, else: 29 },
    cleared_at: { ...INT, else: 15 },
    wait_base: { ...INT, else: 29_000 },
    wait_least: { ...INT, else: 34_000 },
    wait_most: { ...INT, else: 70_000 },
  },
  Path: pick("Path", ["kmin", "amin", "slow", "behind_proxy"]),
  Evidence: {
    ...pick("Evidence", ["ticket", "number", "seat", "kind", "shown", "arrived", "reached", "away", "path"]),
    ...pick("Evidence", ["react_us", "base", "lo", "hi"]),
    give: INT,
    quota: INT,
    score: INT,
    clamped: BOOL,
    ...pick("Evidence", ["void", "why", "late", "nonce", "node", "retransmits", "loop_lag"]),
  },
  WaitMark: RECORD_SHAPES["WaitMark"] ?? {},
  Decision: RECORD_SHAPES["Decision"] ?? {},
  Throw: RECORD_SHAPES["Throw"] ?? {},
  Start: { seat: INT, quota: INT, flagged: BOOL },
  RaceRecord: Object.fromEntries(
    Object.entries(RECORD_SHAPES["RaceRecord"] ?? {}).filter(([name]) => name !== "version"),
  ),
};

function pick(of: string, names: readonly string[]): Shapes[string] {
  const shape = RECORD_SHAPES[of] as Shapes[string];
  return Object.fromEntries(names.map((name) => [name, shape[name] as Shapes[string][string]]));
}

export function isRecord1(plain: unknown): boolean {
  return typeof plain === "object" && plain !== null && "moves" in plain && !("version" in plain);
}

export function isEvidence1(plain: unknown): boolean {
  return typeof plain === "object" && plain !== null && "give" in plain && !("credit" in plain);
}

/** Throws `Malformed`. */
export function readRecord1(plain: unknown): RaceRecord1 {
  return checkRecord(readStruct<RaceRecord1>(SHAPES, "RaceRecord", plain, "record"));
}

/** Throws `Malformed`. */
export function readEvidence1(plain: unknown): Evidence1 {
  return checkKind(readStruct<Evidence1>(SHAPES, "Evidence", plain, "evidence"));
}

/** The same move as version 2 shows it: what was borrowed is a credit. */
export function modernEvidence(it: Evidence1): Evidence {
  const { path, give, quota: _quota, clamped: _clamped, ...shared } = it;
  return { ...shared, path: modernPath(path), jitter: 0, behind: 0, soft: 0, credit: give, older: it };
}

/** The same race in the types of version 2. `version` stays 1. */
export function modern(it: RaceRecord1): RaceRecord {
  const { eps, hard, cap, floor, after_void, wait_base, wait_least, wait_most } = it.params;
  const params = { eps, hard, cap, floor, after_void, wait_base, wait_least, wait_most };
  const defaults = readStruct<Params>(RECORD_SHAPES, "Params", {}, "params");
  return {
    ...it,
    version: VERSION1,
    coins: it.coins.map(([seat, tossed]) => [seat === NONE ? null : seat, tossed]),
    params: { ...defaults, ...params },
    starts: it.starts.map(({ seat, quota }) => ({ seat, screen: defaults.screen, unproven: quota })),
    decisions: it.decisions.map((each) => ({
      ...each,
      marks: each.marks.map((mark) => ({
        ...mark,
        last: mark.last === NONE ? null : mark.last,
        path: modernPath(mark.path),
      })),
    })),
    moves: it.moves.map(modernEvidence),
    void: it.void.map(modernEvidence),
    held: it.held.map(modernEvidence),
  };
}

function modernPath({ kmin, amin, slow, behind_proxy }: Path1): Evidence["path"] {
  return { kmin, amin, slow, behind_proxy, usual: null, acked: null, delayable: false };
}

type Differ = <T extends object>(where: string, it: T, derived: Partial<T>) => Iterable<string>;

/** Where the scores are not those of the rule of version 1. */
export function* judged1(record: RaceRecord1, differ: Differ): Generator<string> {
  const { params } = record;
  const lanes = new Map(
    record.starts.map(({ seat, quota, flagged }) => [
      seat,
      { quota, flagged, last: -1, least: 0, borrowed: 0 },
    ]),
  );
  const given = [...record.moves, ...record.void, ...record.held].sort((a, b) => a.number - b.number);
  for (const it of given) {
    const where = `ticket ${it.ticket}`;
    if (it.seat === null) {
      const due = Math.max(0, it.arrived - record.opened);
      yield* differ(where, it, { lo: due, hi: due, give: 0, score: due, void: false });
      continue;
    }
    const lane = lanes.get(it.seat);
    if (lane === undefined) {
      yield `${where}: seat ${it.seat} never started`;
      continue;
    }
    if (it.away && !(it.shown === record.opened && it.arrived === it.reached && it.react_us === null))
      yield `${where}: compensated although its seat was away`;
    const isContested = it.kind === "contested";
    const base = it.away ? 0 : baseOf(it.path, params.cap);
    const floor = isContested ? params.floor : 0;
    const hi = it.arrived - it.shown - base;
    const lo = hi - (lane.flagged ? params.flagged_g : params.g);
    const claim = it.react_us ?? hi - params.unclaimed;
    const isEarly = isContested && hi < floor;
    const least = Math.max(lane.last, isContested ? lane.least : 0);
    const lent = Math.min(Math.max(0, lo - claim), lane.quota, params.qrace - lane.borrowed);
    const clipped = Math.min(Math.max(claim, floor, lo - lent), Math.max(hi, floor));
    const score = isEarly ? hi : Math.max(clipped, least);
    const why = isContested && it.nonce !== record.nonce ? "wrong_nonce" : isEarly ? "false_start" : "";
    const give = why ? 0 : lent;
    const clamped = claim < hi - params.g;
    yield* differ(where, it, {
      base,
      lo,
      hi,
      give,
      quota: lane.quota,
      score,
      clamped,
      void: why !== "",
      why,
    });
    if (why === "false_start") lane.least = params.floor + params.after_void;
    if (why) continue;
    lane.last = score;
    lane.quota -= give;
    lane.borrowed += give;
  }
}
