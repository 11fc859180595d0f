/** The record of a race as it stands in a replay, and its seal. */

import { encode } from "@msgpack/msgpack";
import type { Shape } from "../messages.js";
import { Malformed, readStruct, type Shapes } from "../read.js";
import { sha256Hex } from "./chance.js";

export type Kind = "contested" | "closer" | "anytime" | "other" | "clock";

/** The versions of the record that are verified here. Version 1 has no such field: see version1.ts. */
export const VERSIONS = [2, 3];

/** What a table judges its races by. All in microseconds, except `gain`, `jitter_percent` and `jitter_scale`. */
export interface Params {
  eps: number;
  hard: number;
  cap: number;
  floor: number;
  after_void: number;
  screen: number;
  screen_least: number;
  screen_most: number;
  gain: number;
  jitter_free: number;
  jitter_percent: number;
  jitter_scale: number;
  swing: number;
  late_free: number;
  late_most: number;
  unproven: number;
  unproven_gain: number;
  unproven_most: number;
  unproven_race: number;
  wait_base: number;
  wait_least: number;
  wait_most: number;
}

/** What the server itself has measured of the path to a seat. */
export interface Path {
  kmin: number | null;
  amin: number | null;
  slow: number | null;
  behind_proxy: boolean;
  usual: number | null;
  acked: number | null;
  delayable: boolean;
}

/** All that was known about one move, and what was computed from it. */
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
  jitter: number;
  behind: number;
  soft: number;
  credit: number;
  score: number;
  void: boolean;
  why: string;
  late: boolean;
  nonce: string;
  node: string;
  retransmits: number;
  loop_lag: number;
  /** The evidence as it is in a log of version 1. */
  older?: object;
}

export interface WaitMark {
  seat: number;
  shown: number | null;
  path: Path;
  /** null: the seat has not moved. */
  last: number | null;
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

export interface Start {
  seat: number;
  screen: number;
  unproven: number;
}

export interface RaceRecord {
  version: number;
  key: string;
  nonce: string;
  params: Params;
  seats: number[];
  opener: number | null;
  opened: number;
  closed: number;
  not_before: number;
  /** null: the room. */
  coins: [seat: number | null, toss: string][];
  starts: Start[];
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
    eps: or(INT, 2_000),
    hard: or(INT, 400_000),
    cap: or(INT, 350_000),
    floor: or(INT, 100_000),
    after_void: or(INT, 250_000),
    screen: or(INT, 10_200),
    screen_least: or(INT, 8_400),
    screen_most: or(INT, 12_000),
    gain: or(INT, 35),
    jitter_free: or(INT, 1_500),
    jitter_percent: or(INT, 2),
    jitter_scale: or(INT, 175),
    swing: or(INT, 18_000),
    late_free: or(INT, 8_000),
    late_most: or(INT, 350_000),
    unproven: or(INT, 60_000),
    unproven_gain: or(INT, 4_000),
    unproven_most: or(INT, 120_000),
    unproven_race: or(INT, 60_000),
    wait_base: or(INT, 38_000),
    wait_least: or(INT, 43_000),
    wait_most: or(INT, 90_000),
  },
  Path: {
    kmin: or(maybe("integer"), null),
    amin: or(maybe("integer"), null),
    slow: or(maybe("integer"), null),
    behind_proxy: or(BOOL, false),
    usual: or(maybe("integer"), null),
    acked: or(maybe("integer"), null),
    delayable: or(BOOL, false),
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
    jitter: INT,
    behind: INT,
    soft: INT,
    credit: INT,
    score: INT,
    void: or(BOOL, false),
    why: or(TEXT, ""),
    late: or(BOOL, false),
    nonce: or(TEXT, ""),
    node: or(TEXT, ""),
    retransmits: or(INT, 0),
    loop_lag: or(INT, 0),
  },
  WaitMark: {
    seat: INT,
    shown: maybe("integer"),
    path: ref("Path"),
    last: maybe("integer"),
    clock: maybe("integer"),
  },
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
  Start: { seat: INT, screen: INT, unproven: INT },
  RaceRecord: {
    version: INT,
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
  return checkRecord(readStruct<RaceRecord>(RECORD_SHAPES, "RaceRecord", plain, "record"));
}

/** Throws `Malformed`. */
export function checkRecord<R extends Checked>(record: R): R {
  for (const it of [...record.moves, ...record.void, ...record.held]) checkKind(it);
  for (const coin of record.coins as unknown[][])
    if (
      coin.length !== 2 ||
      !(coin[0] === null || Number.isSafeInteger(coin[0])) ||
      typeof coin[1] !== "string"
    )
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
export function isSealed(record: { seal: string }, plain: object): boolean {
  return [record, plain].some((it) => sealOf(it) === record.seal);
}

interface Checked {
  moves: { kind: Kind }[];
  void: { kind: Kind }[];
  held: { kind: Kind }[];
  coins: [seat: number | null, toss: string][];
  decisions: { by: string }[];
}

export function checkKind<E extends { kind: Kind }>(it: E): E {
  if (!KINDS.has(it.kind)) throw new Malformed(`evidence.kind: ${String(it.kind)}`);
  return it;
}
