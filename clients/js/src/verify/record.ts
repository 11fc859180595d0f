/** The record of a race as it stands in a replay, and its seal. */

import { encode } from "@msgpack/msgpack";
import type { Shape } from "../messages.js";
import { Malformed, readStruct, type Shapes } from "../read.js";
import { sha256Hex } from "./chance.js";

export type Kind = "contested" | "closer" | "anytime" | "other" | "clock";

/** What a table judges its races by. All in microseconds, but for the two counts. */
export interface Params {
  g: number;
  qmax: number;
  qgain: number;
  qrace: number;
  eps: number;
  hard: number;
  cap: number;
  floor: number;
  after_void: number;
  unclaimed: number;
  flagged_g: number;
  flagged_at: number;
  cleared_at: number;
  wait_base: number;
  wait_least: number;
  wait_most: number;
}

/** What the server itself has seen of the way to a seat. */
export interface Path {
  kmin: number | null;
  amin: number | null;
  slow: number | null;
  behind_proxy: boolean;
}

/** All that was known about one move, and what was made of it. */
export interface Evidence {
  ticket: number;
  number: number;
  seat: number | null;
  kind: Kind;
  shown: number;
  arrived: number;
  reached: number;
  away: boolean;
  path: Path;
  react_us: number | null;
  base: number;
  lo: number;
  hi: number;
  give: number;
  quota: number;
  score: number;
  clamped: boolean;
  void: boolean;
  why: string;
  late: boolean;
  nonce: string;
  node: string;
  retransmits: number;
  loop_lag: number;
}

export interface WaitMark {
  seat: number;
  shown: number | null;
  path: Path;
  last: number;
  clock: number | null;
}

export interface Decision {
  ticket: number;
  at: number;
  score: number;
  by: "watermark" | "hard";
  late: boolean;
  heat: number;
  taken: number;
  marks: WaitMark[];
}

export interface RaceRecord {
  key: string;
  nonce: string;
  params: Params;
  seats: number[];
  opener: number | null;
  opened: number;
  closed: number;
  not_before: number;
  coins: [seat: number, toss: string][];
  starts: { seat: number; quota: number; flagged: boolean }[];
  decisions: Decision[];
  throws: { after: number; at: number }[];
  moves: Evidence[];
  void: Evidence[];
  held: Evidence[];
  seal: string;
}

const INT = { is: "integer" } as const;
const TEXT = { is: "string" } as const;
const BOOL = { is: "boolean" } as const;
const maybe = (it: Shape): { is: Shape } => ({ is: { maybe: it } });
const ref = (name: string): { is: Shape } => ({ is: { ref: name } });
const list = (it: Shape): { is: Shape } => ({ is: { list: it } });
const or = (it: { is: Shape }, value: unknown): { is: Shape; else: unknown } => ({ ...it, else: value });

/** The order of the fields is that of the sealed bytes. */
export const RECORD_SHAPES: Shapes = {
  Params: {
    g: or(INT, 20_000),
    qmax: or(INT, 240_000),
    qgain: or(INT, 6_000),
    qrace: or(INT, 60_000),
    eps: or(INT, 2_000),
    hard: or(INT, 400_000),
    cap: or(INT, 350_000),
    floor: or(INT, 100_000),
    after_void: or(INT, 250_000),
    unclaimed: or(INT, 12_000),
    flagged_g: or(INT, 5_000),
    flagged_at: or(INT, 29),
    cleared_at: or(INT, 15),
    wait_base: or(INT, 29_000),
    wait_least: or(INT, 34_000),
    wait_most: or(INT, 70_000),
  },
  Path: {
    kmin: or(maybe("integer"), null),
    amin: or(maybe("integer"), null),
    slow: or(maybe("integer"), null),
    behind_proxy: or(BOOL, false),
  },
  Evidence: {
    ticket: INT,
    number: INT,
    seat: maybe("integer"),
    kind: TEXT,
    shown: INT,
    arrived: INT,
    reached: INT,
    away: BOOL,
    path: ref("Path"),
    react_us: maybe("integer"),
    base: INT,
    lo: INT,
    hi: INT,
    give: INT,
    quota: INT,
    score: INT,
    clamped: BOOL,
    void: or(BOOL, false),
    why: or(TEXT, ""),
    late: or(BOOL, false),
    nonce: or(TEXT, ""),
    node: or(TEXT, ""),
    retransmits: or(INT, 0),
    loop_lag: or(INT, 0),
  },
  WaitMark: { seat: INT, shown: maybe("integer"), path: ref("Path"), last: INT, clock: maybe("integer") },
  Decision: {
    ticket: INT,
    at: INT,
    score: INT,
    by: TEXT,
    late: BOOL,
    heat: INT,
    taken: INT,
    marks: list({ ref: "WaitMark" }),
  },
  Throw: { after: INT, at: INT },
  Start: { seat: INT, quota: INT, flagged: BOOL },
  RaceRecord: {
    key: TEXT,
    nonce: TEXT,
    params: ref("Params"),
    seats: list("integer"),
    opener: maybe("integer"),
    opened: INT,
    closed: INT,
    not_before: INT,
    coins: list({ list: "any" }),
    starts: list({ ref: "Start" }),
    decisions: list({ ref: "Decision" }),
    throws: list({ ref: "Throw" }),
    moves: list({ ref: "Evidence" }),
    void: list({ ref: "Evidence" }),
    held: list({ ref: "Evidence" }),
    seal: or(TEXT, ""),
  },
};

const KINDS: ReadonlySet<string> = new Set(["contested", "closer", "anytime", "other", "clock"]);

/** Throws `Malformed`. */
export function readRecord(plain: unknown): RaceRecord {
  const record = readStruct<RaceRecord>(RECORD_SHAPES, "RaceRecord", plain, "record");
  for (const it of [...record.moves, ...record.void, ...record.held]) checkKind(it);
  for (const coin of record.coins as unknown[][])
    if (coin.length !== 2 || !Number.isSafeInteger(coin[0]) || typeof coin[1] !== "string")
      throw new Malformed("record.coins: expected a seat and its toss");
  for (const it of record.decisions)
    if (it.by !== "watermark" && it.by !== "hard")
      throw new Malformed(`record.decisions: by ${String(it.by)}`);
  return record;
}

/** Throws `Malformed`. */
export function readEvidence(plain: unknown): Evidence {
  return checkKind(readStruct<Evidence>(RECORD_SHAPES, "Evidence", plain, "evidence"));
}

/** SHA-256 of the record in msgpack, with an empty seal. */
export function sealOf(record: object): string {
  return sha256Hex(encode({ ...record, seal: "" }));
}

/** `plain` is the record as it stands in the file: it may have fields of a newer server, which are sealed too. */
export function isSealed(record: RaceRecord, plain: object): boolean {
  return [record, plain].some((it) => sealOf(it) === record.seal);
}

function checkKind(it: Evidence): Evidence {
  if (!KINDS.has(it.kind)) throw new Malformed(`evidence.kind: ${String(it.kind)}`);
  return it;
}
