/** The replay file and the entries of its log. */

import { Malformed, readStruct, type Shapes } from "../read.js";
import { readEvidence, readRecord, type Evidence, type RaceRecord } from "./record.js";
import { isEvidence1, isRecord1, modern, modernEvidence, readEvidence1, readRecord1 } from "./version1.js";

export const FORMAT = "photofinish replay 1";

/** The newest version of a log's entries that this release reads. */
export const LOG_VERSION = 4;

export interface Replay {
  format: string;
  commitment: string;
  seed: string;
  head: string;
  entries: { hash: string; body: string }[];
}

/** One use of chance: a number below `of`, or the order of a list of `of` things after its shuffle. */
export interface Draw {
  of: number;
  got: number | null;
  order: number[] | null;
  /** The hand whose stream it is from; 0: the stream of its step. */
  hand: number;
}

export interface Dealt {
  e: "deal";
  game: string;
  number: number;
  seats: number;
  names: string[];
  nonces: string[];
  /** The winners of the game before. */
  previous: number[];
  chance: Draw[];
  /** The version of the log's entries; 0 in older logs. */
  v: number;
  /** What each seat had published before the deal; empty in logs from before nonces were committed to. */
  commits: string[];
  /** Seats that committed to a nonce and did not reveal it. */
  withheld: number[];
}

export interface Step {
  e: "step";
  step: number;
  at: number;
  seat: number | null;
  move: Record<string, unknown> | null;
  timer: string | null;
  chance: Draw[];
  evidence: Evidence | null;
}

/** A move that its race released and that the rules refused after step `after`. */
export interface Refusal {
  ticket: number;
  after: number;
  move: Record<string, unknown>;
  clause: string;
}

export interface Raced {
  e: "race";
  at: number;
  record: RaceRecord;
  /** Null in logs before version 3, which do not contain the refused moves. */
  refused: Refusal[] | null;
  /** The room changed its owner during the race: the record begins there. */
  reopened: boolean;
  /** The record as it stands in the file. */
  plain: object;
}

export interface Ended {
  e: "end";
  winners: number[];
  why: string;
  scores: number[];
}

export type Entry = Dealt | Step | Raced | Ended;

const INTEGERS = { is: { list: "integer" } } as const;
const DRAWS = { is: { list: { ref: "Draw" } } } as const;
const TEXTS = { is: { list: "string" } } as const;
const SHAPES: Shapes = {
  Replay: {
    format: { is: "string" },
    commitment: { is: "string" },
    seed: { is: "string" },
    head: { is: "string" },
    entries: { is: { list: { ref: "Line" } } },
  },
  Draw: {
    of: { is: "integer" },
    got: { is: { maybe: "integer" }, else: null },
    order: { is: { maybe: { list: "integer" } }, else: null },
    hand: { is: "integer", else: 0 },
  },
  Line: { hash: { is: "string" }, body: { is: "string" } },
  deal: {
    e: { is: "string" },
    game: { is: "string" },
    rules: { is: "integer" },
    room: { is: "string" },
    number: { is: "integer" },
    seats: { is: "integer" },
    names: TEXTS,
    options: { is: "object" },
    nonces: TEXTS,
    previous: INTEGERS,
    chance: DRAWS,
    commits: { ...TEXTS, else: [] },
    v: { is: "integer", else: 0 },
    withheld: { ...INTEGERS, else: [] },
  },
  step: {
    e: { is: "string" },
    step: { is: "integer" },
    at: { is: "integer" },
    seat: { is: { maybe: "integer" }, else: null },
    move: { is: { maybe: "object" }, else: null },
    timer: { is: { maybe: "string" }, else: null },
    chance: { ...DRAWS, else: [] },
    evidence: { is: { maybe: "object" }, else: null },
  },
  Refusal: {
    ticket: { is: "integer" },
    after: { is: "integer" },
    move: { is: "object" },
    clause: { is: "string" },
  },
  race: {
    e: { is: "string" },
    at: { is: "integer" },
    record: { is: "object" },
    refused: { is: { maybe: { list: { ref: "Refusal" } } }, else: null },
    reopened: { is: "boolean", else: false },
  },
  end: { e: { is: "string" }, winners: INTEGERS, why: { is: "string" }, scores: INTEGERS },
};

/** The file, from its text or from its parsed JSON. Throws `Malformed` if it is no replay. */
export function readReplay(file: unknown): Replay {
  return readStruct<Replay>(SHAPES, "Replay", typeof file === "string" ? parsed(file) : file, "replay");
}

/** Throws `Malformed`. */
export function readEntry(body: string): Entry {
  const plain = parsed(body);
  const kind = (plain as { e?: unknown } | null)?.e;
  if (kind !== "deal" && kind !== "step" && kind !== "race" && kind !== "end")
    throw new Malformed(`there is no entry of the kind ${JSON.stringify(kind)}`);
  const entry = readStruct<Entry>(SHAPES, kind, plain, kind);
  if (entry.e === "deal" && entry.v > LOG_VERSION)
    throw new Malformed(`log version ${entry.v}; this release reads up to ${LOG_VERSION}`);
  if (entry.e === "deal" && entry.v !== 0)
    for (const name of Object.keys(SHAPES["deal"] ?? {}))
      if (!Object.hasOwn(plain as object, name))
        throw new Malformed(`the deal of a log of version ${entry.v} has no ${name}`);
  if (entry.e === "race") return { ...entry, plain: entry.record, record: anyRecord(entry.record) };
  if (entry.e === "step" && entry.evidence !== null)
    return { ...entry, evidence: anyEvidence(entry.evidence) };
  return entry;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new Malformed(`no JSON: ${error instanceof Error ? error.message : String(error)}`);
  }
}

/** Throws `Malformed`. A record of version 1 is converted; `recompute` verifies it from its plain form. */
function anyRecord(plain: unknown): RaceRecord {
  return isRecord1(plain) ? modern(readRecord1(plain)) : readRecord(plain);
}

function anyEvidence(plain: unknown): Evidence {
  return isEvidence1(plain) ? modernEvidence(readEvidence1(plain)) : readEvidence(plain);
}
