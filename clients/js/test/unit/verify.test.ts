/** The second verifier: the test vector of protocol/FAIRNESS.md, the golden replay, and forgeries of it. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { nonceCommit } from "../../src/promise.js";
import {
  bytesToHex,
  chainKey,
  coinKey,
  commitment,
  gameKey,
  hexToBytes,
  link,
  Rng,
  toss,
} from "../../src/verify/chance.js";
import { verifyReplay } from "../../src/verify/index.js";
import { recompute } from "../../src/verify/recompute.js";
import { readRecord, sealOf, type RaceRecord } from "../../src/verify/record.js";
import { protocolText } from "../files.js";

/** The table of the test vector, by what each row says it is. */
const VECTOR = new Map(
  [...protocolText("FAIRNESS.md").matchAll(/^\| ([^|]+) \| `([^|]+)`.*\|$/gm)].map((it) => [
    it[1]!.trim(),
    it[2]!,
  ]),
);
const row = (name: string): string => VECTOR.get(name) ?? assert.fail(`the test vector has no row: ${name}`);
const SEED = hexToBytes(row("seed"));
const KEY = gameKey(SEED, [hexToBytes("ada0"), hexToBytes("b0b5"), new Uint8Array()]);

test("the commitment, the key and the blocks of the test vector", () => {
  assert.equal(commitment(SEED), row("commitment"));
  assert.equal(nonceCommit("ada0"), row("commit of `ada0`"));
  assert.equal(bytesToHex(KEY), row("key"));
  assert.equal(bytesToHex(new Rng(KEY, 0).block(0)), row("block(0, 0)"));
  assert.equal(bytesToHex(new Rng(KEY, 0).block(1)), row("block(0, 1)"));
});

test("the shuffles and draws of the test vector", () => {
  const rng = new Rng(KEY, 0);
  assert.equal(rng.shuffled([...Array(10).keys()]).join(" "), row("step 0: shuffle of 0 … 9"));
  assert.equal(rng.shuffled([..."ABCDE"]).join(" "), row("… and then of A B C D E"));
  const draw = (times: number, of: (rng: Rng) => number): string => {
    const step = new Rng(KEY, 7);
    return Array.from({ length: times }, () => of(step)).join(" ");
  };
  assert.equal(
    draw(8, (it) => it.word()),
    row("step 7: words"),
  );
  assert.equal(
    draw(12, (it) => it.below(6)),
    row("step 7: below(6), twelve times"),
  );
  assert.equal(
    draw(6, (it) => it.below(3_000_000_000)),
    row("step 7: below(3000000000), six times"),
  );
});

test("the chain and the coin of the test vector", () => {
  const key = chainKey(SEED);
  assert.equal(bytesToHex(key), row("chain key"));
  const first = link(key, new Uint8Array(32), row("first body"));
  assert.equal(bytesToHex(first), row("first hash"));
  assert.equal(bytesToHex(link(key, first, row("second body"))), row("second hash"));
  const coin = coinKey(SEED);
  assert.equal(bytesToHex(coin), row("coin"));
  assert.equal(toss(coin, "race:12", 0), row("toss of seat 0 in `race:12`"));
  assert.equal(toss(coin, "race:12", null), row("toss of the room in `race:12`"));
});

const GOLDEN = protocolText("transcripts/cambio-replay.json");

interface Plain {
  format: string;
  seed: string;
  head: string;
  entries: { hash: string; body: string }[];
}

function changed(change: (replay: Plain) => void): string[] {
  const replay = JSON.parse(GOLDEN) as Plain;
  change(replay);
  return verifyReplay(replay).faults;
}

/** Anybody who knows the seed can compute the whole chain again. */
function rechained(replay: Plain): void {
  let head: Uint8Array = new Uint8Array(32);
  for (const line of replay.entries) {
    head = link(chainKey(hexToBytes(replay.seed)), head, line.body);
    line.hash = bytesToHex(head);
  }
  replay.head = bytesToHex(head);
}

test("the golden replay verifies", () => {
  const report = verifyReplay(GOLDEN);
  assert.deepEqual(report.faults, []);
  assert.ok(
    report.isTrue && report.races >= 3 && report.steps > 5 && report.shuffles >= 1 && report.draws >= 1,
  );
  assert.deepEqual(report.unchecked, ["rules", "result"]);
});

test("the golden races verify, among them one with a late ACK and one with a toss", () => {
  const golden = JSON.parse(protocolText("transcripts/races.json")) as {
    coin: string;
    races: { name: string; winner: number | null; record: RaceRecord }[];
  };
  for (const { name, record } of golden.races)
    assert.deepEqual(recompute(readRecord(record), hexToBytes(golden.coin), record), [], name);
  const late = golden.races.find((it) => it.name === "late-ack")!;
  const move = late.record.moves.find((it) => it.ticket === late.winner)!;
  assert.ok(move.behind > 40_000 && move.credit > 0);
  move.path.acked = 0;
  const forged = { ...late.record, seal: sealOf(late.record) };
  assert.ok(recompute(readRecord(forged), undefined, forged).some((it) => it.includes("credit")));
});

test("one changed character anywhere in the log is noticed", () => {
  const { entries } = JSON.parse(GOLDEN) as Plain;
  for (const number of entries.keys())
    for (const field of ["body", "hash"] as const)
      assert.notDeepEqual(
        changed((it) => {
          const text = it.entries[number]![field];
          const middle = text.length >> 1;
          it.entries[number]![field] =
            text.slice(0, middle) + (text[middle] === "1" ? "2" : "1") + text.slice(middle + 1);
        }),
        [],
      );
});

test("a forged race is noticed even if its seal and the chain are forged too", () => {
  const fields = ["shown", "arrived", "react_us", "base", "lo", "hi", "jitter", "soft", "credit", "score"];
  for (const field of fields) {
    const faults = changed((it) => {
      const line = it.entries.find(
        (each) => each.body.includes('"e":"race"') && JSON.parse(each.body).record.moves.length > 0,
      );
      const body = JSON.parse(line!.body);
      body.record.moves[0][field] = (body.record.moves[0][field] ?? 0) + 40_000;
      body.record.seal = sealOf(body.record);
      line!.body = JSON.stringify(body);
      rechained(it);
    });
    assert.ok(
      faults.some((it) => it.startsWith("race ")),
      field,
    );
  }
});

test("a field that a newer server adds to a race's record is no fault if the seal covers it", () => {
  const more = (seal: (record: object) => string): string[] =>
    changed((it) => {
      const line = it.entries.find((each) => each.body.includes('"e":"race"'))!;
      const body = JSON.parse(line.body);
      body.record.weather = "sunny";
      body.record.seal = seal(body.record);
      line.body = JSON.stringify(body);
      rechained(it);
    });
  assert.deepEqual(more(sealOf), []);
  assert.match(more(() => "00").join(), /the seal does not fit/);
});

test("another seed, another head, a missing end, a wrong number and another format are noticed", () => {
  assert.match(changed((it) => void (it.seed = "00".repeat(32))).join(), /does not open the commitment/);
  assert.match(changed((it) => void (it.head = "00".repeat(32))).join(), /the head is not that/);
  assert.match(changed((it) => void (it.entries.pop(), rechained(it))).join(), /the game has no end/);
  assert.match(changed((it) => void (it.entries.shift(), rechained(it))).join(), /the game has no deal/);
  assert.match(changed((it) => void (it.format = "something 2")).join(), /not a photofinish replay 1/);
  const renumbered = changed((it) => {
    const line = it.entries.find((each) => each.body.includes('"step":1,'))!;
    line.body = line.body.replace('"step":1,', '"step":2,');
    rechained(it);
  });
  assert.match(renumbered.join(), /step 2, should be 1/);
});

for (const file of ["", "{}", "[1]", "null", "hello", 7, null, { entries: [] }, GOLDEN.slice(0, 5000)])
  test(`a file that is not a replay is reported: ${JSON.stringify(file).slice(0, 20)}`, () => {
    const report = verifyReplay(file);
    assert.equal(report.isTrue, false);
    assert.match(report.faults.join(), /not readable/);
  });
