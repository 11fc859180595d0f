/**
 * The second verifier: checks a replay from the file alone, in a browser or in Node, without knowing any game.
 *
 * It checks the commitment, the nonces, the chain, the order and the numbering of the entries, every draw of chance, every race with its tosses, and that
 * each move that a race released was carried out or refused. The rules themselves, the result, and whether a race is missing altogether need the games:
 * `photofinish verify` plays them.
 */

import { nonceCommit } from "../promise.js";
import { Malformed } from "../read.js";
import {
  bytesToHex,
  chainKey,
  coinKey,
  commitment,
  gameKey,
  hexToBytes,
  HANDS,
  link,
  Rng,
} from "./chance.js";
import { FORMAT, readEntry, readReplay, type Dealt, type Draw, type Entry, type Replay } from "./entries.js";
import { FOLLOWS, Normalisers } from "./normaliser.js";
import { recompute } from "./recompute.js";
import { releaseFaults, type Done } from "./released.js";
import { shapeFaults } from "./shape.js";

/** What was checked, and what is wrong. */
export interface Report {
  steps: number;
  shuffles: number;
  /** Numbers that were drawn, apart from the shuffles. */
  draws: number;
  races: number;
  /** Races that were opened again because the room changed its owner. Their earlier moves have no record. */
  reopened: number;
  /** The version of the log. Before 3 a log does not contain the moves of a race that the rules refused. */
  version: number;
  /** Nonces that went into the shuffle. */
  committed: number;
  /** The names of players who committed to a nonce and did not reveal it. */
  withheld: string[];
  faults: string[];
  /** The file is a replay and no fault was found. */
  isTrue: boolean;
  /** What this verifier cannot check, because it does not know the games. */
  unchecked: readonly string[];
}

/** What one player got of a game while it ran. */
export interface Seen {
  number: number;
  /** Shown before the deal. */
  commitment: string;
  /** The `head` of each view, in order. */
  heads: string[];
}

const UNCHECKED = ["rules", "result"] as const;
const HASH = 32;
const MOST_DRAWN = 2 ** 32;
/** No list of a game is longer: a forged file must not keep a page busy. */
const LONGEST_SHUFFLE = 100_000;

/**
 * Pure: needs neither a server nor a network. `file` is the file's text or its parsed JSON. With `seen`: the log must
 * also be the one whose heads were shown during the game.
 */
export function verifyReplay(file: unknown, seen?: Seen | null): Report {
  const report: Report = {
    steps: 0,
    shuffles: 0,
    draws: 0,
    races: 0,
    reopened: 0,
    version: 0,
    committed: 0,
    withheld: [],
    faults: [],
    isTrue: false,
    unchecked: UNCHECKED,
  };
  try {
    const replay = readReplay(file);
    const entries = replay.format === FORMAT ? replay.entries.map((it) => readEntry(it.body)) : [];
    checkFile(replay, entries, report);
    if (seen) checkSeen(replay, entries, seen, report);
    if (report.faults.length === 0) checkGame(entries, hexToBytes(replay.seed), report);
  } catch (error) {
    if (!(error instanceof Malformed)) throw error;
    report.faults.push(`not readable: ${error.message}`);
  }
  return { ...report, isTrue: report.faults.length === 0 };
}

/** Format, commitment and chain. */
function checkFile(replay: Replay, entries: readonly Entry[], report: Report): void {
  const { faults } = report;
  if (replay.format !== FORMAT) return void faults.push(`not a ${FORMAT}`);
  const seed = bytes(replay.seed);
  if (commitment(seed) !== replay.commitment) faults.push("the seed does not open the commitment");
  const key = chainKey(seed);
  let head: Uint8Array = new Uint8Array(HASH);
  for (const [number, line] of replay.entries.entries()) {
    head = link(key, head, line.body);
    if (bytesToHex(head) !== line.hash) {
      faults.push(`entry ${number}: its hash does not follow from the entries before it`);
      break;
    }
  }
  if (faults.length === 0 && bytesToHex(head) !== replay.head)
    faults.push("the head is not that of the last entry");
  faults.push(...shapeFaults(entries));
}

/** Every head that was shown is the hash of an entry, in that order. */
function checkSeen(replay: Replay, entries: readonly Entry[], seen: Seen, report: Report): void {
  const [deal] = entries;
  if (deal?.e === "deal" && deal.number !== seen.number)
    return void report.faults.push(`the replay is of game ${deal.number}, not of game ${seen.number}`);
  if (replay.commitment !== seen.commitment)
    report.faults.push("the commitment is not the one that was shown before the deal");
  let place = 0;
  for (const head of seen.heads) {
    const found = replay.entries.findIndex((it, number) => number >= place && it.hash === head);
    if (found < 0)
      return void report.faults.push(`the head ${head} was shown and does not follow in the log`);
    place = found;
  }
}

function checkGame(entries: readonly Entry[], seed: Uint8Array, report: Report): void {
  const { faults } = report;
  const coin = coinKey(seed);
  const normalisers = new Normalisers();
  let key: Uint8Array = new Uint8Array(0);
  let done: Done[] = [];
  let version = 0;
  let hand = 0;
  for (const [number, entry] of entries.entries()) {
    switch (entry.e) {
      case "deal":
        version = entry.v;
        checkNonces(entry, report);
        key = gameKey(seed, entry.nonces.map(bytes));
        hand = checkChance(number, key, 0, entry.chance, hand, report);
        break;
      case "step":
        report.steps += 1;
        hand = checkChance(number, key, entry.step, entry.chance, hand, report);
        if (entry.step !== report.steps)
          faults.push(`entry ${number}: step ${entry.step}, should be ${report.steps}`);
        if (entry.evidence !== null) done.push({ step: entry.step, evidence: entry.evidence });
        break;
      case "race": {
        const { record, plain } = entry;
        report.races += 1;
        const wrong = recompute(record, coin, plain);
        if (version >= FOLLOWS && wrong.length === 0) wrong.push(...normalisers.check(record));
        faults.push(...wrong.map((it) => `race ${record.key}: ${it}`));
        faults.push(...[...releaseFaults(entry, done, version)].map((it) => `race ${record.key}: ${it}`));
        done = [];
        report.reopened += entry.reopened ? 1 : 0;
        break;
      }
    }
  }
  for (const { step } of done) faults.push(`step ${step}: evidence of a race that has no record`);
  report.version = version;
}

/**
 * Every draw of this step follows from the key: the recorded number of draws, in the recorded order. Returns the newest hand. Hands
 * come in order, from 1 or 2 on, each in one step: nobody can choose the hand that is dealt.
 */
function checkChance(
  number: number,
  key: Uint8Array,
  step: number,
  told: readonly Draw[],
  before: number,
  report: Report,
): number {
  const ofStep = new Rng(key, step);
  let [hand, ofHand]: [number, Rng | null] = [before, null];
  for (const [place, draw] of told.entries()) {
    if (draw.hand !== 0 && (ofHand === null || draw.hand !== hand)) {
      if (draw.hand !== hand + 1 && !(hand === 0 && draw.hand === 2)) {
        report.faults.push(`entry ${number}: draw ${place} is of hand ${draw.hand}, after hand ${hand}`);
        return hand;
      }
      [hand, ofHand] = [draw.hand, new Rng(key, HANDS + draw.hand)];
    }
    const wrong = drawnWrong(draw.hand === 0 || ofHand === null ? ofStep : ofHand, draw, report);
    if (wrong !== "") {
      report.faults.push(`entry ${number}: draw ${place} ${wrong}`);
      return hand;
    }
  }
  return hand;
}

/** What is wrong with this draw, or nothing. */
function drawnWrong(rng: Rng, draw: Draw, report: Report): string {
  const wrong = `of ${draw.of} is not what the key gives`;
  if (draw.of < 0 || draw.of > MOST_DRAWN || (draw.got === null) === (draw.order === null)) return "is none";
  if (draw.order === null) {
    report.draws += 1;
    return draw.of !== 0 && rng.below(draw.of) === draw.got ? "" : wrong;
  }
  report.shuffles += 1;
  if (draw.of > LONGEST_SHUFFLE) return wrong;
  const order = rng.shuffled(Array.from({ length: draw.of }, (_, it) => it));
  return order.join() === draw.order.join() ? "" : wrong;
}

/** Each nonce matches its hash; a withheld one is empty. Older logs have no hashes. */
function checkNonces(dealt: Dealt, report: Report): void {
  const { commits, nonces, withheld, seats, names } = dealt;
  nonces.forEach(bytes);
  if (commits.length === 0 && withheld.length === 0) return;
  if (commits.length !== seats || nonces.length !== seats)
    return void report.faults.push(`${commits.length} hashes and ${nonces.length} nonces at ${seats} seats`);
  for (const [seat, commit] of commits.entries()) {
    const nonce = nonces[seat] ?? "";
    const isRight = withheld.includes(seat)
      ? commit !== "" && nonce === ""
      : commit === (nonce === "" ? "" : nonceCommit(nonce));
    if (!isRight) report.faults.push(`seat ${seat}: its nonce does not open the hash it had published`);
  }
  report.committed = nonces.filter((it) => it !== "").length;
  report.withheld = withheld.flatMap((seat) => names[seat] ?? []);
}

function bytes(hex: string): Uint8Array {
  try {
    return hexToBytes(hex);
  } catch {
    throw new Malformed(`not hex: ${hex.slice(0, 80)}`);
  }
}
