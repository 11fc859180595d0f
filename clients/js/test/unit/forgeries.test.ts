/** Forged logs with a new hash chain: anybody who knows the seed can compute it. None of them verifies. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { bytesToHex, chainKey, hexToBytes, link } from "../../src/verify/chance.js";
import { verifyReplay } from "../../src/verify/index.js";
import { protocolText } from "../files.js";

type Body = Record<string, any>;

const GOLDEN = JSON.parse(protocolText("transcripts/cambio-replay.json")) as {
  seed: string;
  entries: { body: string }[];
};

/** The golden log as version 3: in its races the rules refused nothing. */
function bodies(): Body[] {
  const found = GOLDEN.entries.map((it) => JSON.parse(it.body) as Body);
  found[0]!["v"] = 3; // before the normalisers had to follow from race to race
  for (const it of found) if (it["e"] === "race") it["refused"] ??= [];
  return found;
}

/** What is found in a file of these entries, with a right chain. */
function faultsOf(entries: readonly Body[]): string[] {
  let head: Uint8Array = new Uint8Array(32);
  const lines = entries.map((entry) => {
    const body = JSON.stringify(entry);
    head = link(chainKey(hexToBytes(GOLDEN.seed)), head, body);
    return { hash: bytesToHex(head), body };
  });
  return verifyReplay({ ...GOLDEN, head: bytesToHex(head), entries: lines }).faults;
}

const without = (it: Body, name: string): Body =>
  Object.fromEntries(Object.entries(it).filter(([key]) => key !== name));
const deal =
  (changed: Body) =>
  ([first, ...rest]: Body[]): Body[] => [{ ...first, ...changed }, ...rest];
const isRace = (it: Body): boolean => it["e"] === "race";

/** The slap is left out and the steps are numbered again; its race still says that it was released. */
function swallowed(entries: Body[]): Body[] {
  const kept = entries.filter((it) => it["move"]?.t !== "slap");
  let step = 0;
  for (const it of kept) if (it["e"] === "step") it["step"] = ++step;
  return kept;
}

const FORGERIES: Record<string, [forge: (entries: Body[]) => Body[], fault: RegExp]> = {
  "only the race entries left out": [(it) => it.filter((each) => !isRace(each)), /has no record/],
  "only the evidence left out": [
    (it) => it.map((each) => without(each, "evidence")),
    /neither carried out nor refused/,
  ],
  "one race left out": [
    (it) => it.filter((each) => each !== it.find(isRace)),
    /not in the record|has no record/,
  ],
  "one race twice": [
    (it) => it.flatMap((each) => (each === it.find(isRace) ? [each, each] : [each])),
    /neither carried out nor refused/,
  ],
  "refusals not recorded": [
    (it) => it.map((each) => without(each, "refused")),
    /refused moves are not recorded/,
  ],
  "a swallowed slap": [swallowed, /neither carried out nor refused/],
  "two deals": [(it) => [it[0]!, ...it], /a second deal/],
  "two ends": [(it) => [...it, it.at(-1)!], /the end is not the last entry/],
  "negative times": [
    (it) => it.map((each) => ("at" in each ? { ...each, at: -each["at"] } : each)),
    /its time is -/,
  ],
  "a falling time": [
    (it) => it.map((each, n) => (n === it.length - 2 ? { ...each, at: 0 } : each)),
    /its time is 0/,
  ],
  "no names": [deal({ names: [] }), /0 names at 2 seats/],
  "previous winners outside": [deal({ previous: [99] }), /winners of the game before/],
  "withheld outside": [deal({ withheld: [-99] }), /the seats that withheld/],
  "no seats": [deal({ seats: 0 }), /a game of 0 seats/],
  "empty commits": [deal({ commits: [] }), /0 hashes at 2 seats/],
  "no commits": [(it) => [without(it[0]!, "commits"), ...it.slice(1)], /has no commits/],
  "no withheld": [(it) => [without(it[0]!, "withheld"), ...it.slice(1)], /has no withheld/],
  "no chance": [(it) => [without(it[0]!, "chance"), ...it.slice(1)], /chance/],
  "winners outside": [
    (it) => it.map((each) => (each["e"] === "end" ? { ...each, winners: [99] } : each)),
    /the winners are not seats/,
  ],
  "seat 99": [(it) => it.map((each, n) => (n === 1 ? { ...each, seat: 99 } : each)), /there is no seat 99/],
};

test("the log before the forgeries verifies", () => assert.deepEqual(faultsOf(bodies()), []));

for (const [name, [forge, fault]] of Object.entries(FORGERIES))
  test(`a forged log is noticed: ${name}`, () => assert.match(faultsOf(forge(bodies())).join("\n"), fault));

test("a file with 100,000 levels of nesting is a fault and no exception", () => {
  const deep = `{"e":"step","step":1,"at":1,"seat":0,"move":${'{"a":'.repeat(100_000)}1${"}".repeat(100_000)}}`;
  const file = { ...GOLDEN, entries: [{ hash: "", body: deep }] };
  assert.equal(verifyReplay(file).isTrue, false);
});
