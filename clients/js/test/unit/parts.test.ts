/** The small parts: reader, addresses, timer, tokens, back-off, offers. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { encode } from "@msgpack/msgpack";
import { address } from "../../src/connection/address.js";
import { pause } from "../../src/connection/backoff.js";
import { CODECS } from "../../src/codec.js";
import { Emitter } from "../../src/emitter.js";
import { SHAPES, type Offer } from "../../src/messages.js";
import { addsUp, isAllowed, sampleMove } from "../../src/offers.js";
import { RaceTimer } from "../../src/racetimer.js";
import { Malformed, readMessage, readStruct } from "../../src/read.js";
import { browserTokens } from "../../src/connection/tokens.js";

const said = { t: "said", name: "Bo", text: "hi" };

test("an old client ignores unknown fields, messages, answers and reasons of a newer server", () => {
  assert.deepEqual(readMessage({ ...said, mood: "sunny" }), { ...said, seat: null });
  assert.equal(readMessage({ t: "constructor" }), null);
  assert.equal(readMessage({ t: "new thing", id: 1 }), null);
  assert.deepEqual(readMessage({ t: "ack", id: 1, got: { got: "medal", of: "gold" } })?.t, "ack");
  assert.equal(
    readMessage({ t: "refused", id: 1, reason: "too_sunny", text: "", retry: true })?.t,
    "refused",
  );
});

const BROKEN: [string, unknown][] = [
  ["empty", new Uint8Array()],
  ["reserved", Uint8Array.of(0xc1)],
  ["cut", Uint8Array.of(0x81, 0xa1, 0x74)],
  ["bomb", Uint8Array.of(0xdd, 0xff, 0xff, 0xff, 0xff)],
  ["deep", new Uint8Array(20_000).fill(0x91)],
  ["wrong type", encode({ ...said, text: 5 })],
  ["missing field", encode({ t: "said", name: "Bo" })],
  ["fraction", encode({ t: "emoted", seat: 0.5, emote: "wow" })],
  ["no list", encode({ t: "race", key: "", number: 1, marks: {} })],
  ["trailing bytes", Uint8Array.of(...encode(said), 0)],
  ["a number", encode(7)],
  ["text", "{}"],
];
for (const [name, frame] of BROKEN)
  test(`a frame that is not a message raises Malformed: ${name}`, () => {
    assert.throws(() => CODECS.msgpack.unpack(frame), Malformed);
  });

for (const frame of ["", "[", "[".repeat(20_000), "{}", '{"t":"said"}', "null", new Uint8Array()])
  test(`a text that is not a message raises Malformed: ${String(frame).slice(0, 12)}`, () => {
    assert.throws(() => CODECS.json.unpack(frame), Malformed);
  });

test("two messages do not share a default list", () => {
  const race = { t: "race", key: "", number: 1, marks: [] };
  const [one, two] = [readMessage(race), readMessage(race)] as { ledger?: unknown[] }[];
  one?.ledger?.push(1);
  assert.deepEqual(two?.ledger, []);
});

test("addresses can be written in many ways, and the access token is in no printed text", () => {
  assert.equal(address("localhost:8765").url, "ws://localhost:8765/");
  assert.equal(address("https://example.org/table").url, "wss://example.org/table");
  const secret = address("ws://anybody:s%20cret@host:1");
  assert.deepEqual([secret.url, secret.accessToken], ["ws://host:1/", "s cret"]);
  assert.equal(address("ws://host", "t").page("/api/rooms"), "http://host/api/rooms");
  assert.throws(() => address("ftp://host"), TypeError);
});

test("another node gets the same access token, but not if its address is plain and ours is encrypted", () => {
  assert.equal(address("ws://host", "t").otherNode("ws://other")?.accessToken, "t");
  assert.equal(address("wss://host").otherNode("ws://other"), null);
  assert.equal(address("wss://host").otherNode("wss://other")?.url, "wss://other/");
});

test("a reaction is counted in whole microseconds from the first drawing", () => {
  const timer = new RaceTimer();
  timer.drawn("a", 1000.1);
  timer.drawn("a", 1400);
  assert.equal(timer.reaction("a", { timeStamp: 1312.5678 }), 312468);
  assert.equal(timer.reaction("b", { timeStamp: 1312 }), undefined);
  assert.equal(timer.reaction("a", { timeStamp: 900 }), undefined, "an event from before the drawing");
});

test("a race counts as drawn when its frame was painted", () => {
  const frames: (() => void)[] = [];
  const tasks: (() => void)[] = [];
  const timer = new RaceTimer();
  const told: number[] = [];
  timer.draw("a", (painted) => told.push(painted), {
    nextFrame: (callback) => void frames.push(callback),
    nextTask: (callback) => void tasks.push(callback),
    now: () => 1010,
  });
  const event = { timeStamp: 1310 };
  frames.shift()?.();
  assert.equal(timer.reaction("a", event), undefined, "the frame is not painted yet");
  tasks.shift()?.();
  assert.equal(timer.reaction("a", event), 300_000);
  assert.deepEqual(told, [1010]);
});

test("old races are forgotten, so that memory does not grow", () => {
  const timer = new RaceTimer();
  for (let n = 0; n < 100; n++) timer.drawn(`race:${n}`, n);
  assert.equal(timer.reaction("race:0", { timeStamp: 500 }), undefined);
  assert.equal(timer.reaction("race:99", { timeStamp: 100 }), 1000);
});

test("without storage the token lasts as long as the page", () => {
  const forbid = (): never => {
    throw new Error("SecurityError");
  };
  const tokens = browserTokens("key", { getItem: forbid, setItem: forbid, removeItem: forbid });
  tokens.set("abc");
  assert.equal(tokens.get(), "abc");
  tokens.set(null);
  assert.equal(tokens.get(), null);
});

test("the pause grows with the time of the cut, up to two seconds, and half of it is random", () => {
  assert.equal(pause(0, 0), 25);
  assert.equal(pause(0, 1), 50);
  assert.equal(pause(4000, 1), 1000);
  assert.equal(pause(1e9, 1), 2000);
});

test("if one listener throws, the others are still called and the error is reported", () => {
  const emitter = new Emitter<{ it: number }>();
  const heard: number[] = [];
  const reported: unknown[] = [];
  globalThis.reportError = (error) => reported.push(error);
  emitter.on("it", () => {
    throw new Error("mine");
  });
  const off = emitter.on("it", (n) => heard.push(n));
  emitter.emit("it", 1);
  off();
  emitter.emit("it", 2);
  assert.deepEqual([heard, reported.length], [[1], 2]);
});

const offer = (it: Partial<Offer>): Offer =>
  readStruct<Offer>(SHAPES, "Offer", { move: "m", ...it }, "offer");
const some = {
  k: "some" as const,
  field: "cards",
  least: 0,
  most: 2,
  weights: [],
  sums: [],
  sum_least: null,
  optional: false,
};

test("a sampled move fits its offer, however tight the constraint", () => {
  const weights = [1, 2, 4, 8, 16, 32, 64, 128, 256, 512];
  const tight = offer({ choices: [{ ...some, values: weights, most: 10, weights, sums: [1023] }] });
  const cards = sampleMove([tight])?.["cards"] as number[];
  assert.deepEqual(
    [...cards].sort((a, b) => a - b),
    weights,
  );
  const amounts = {
    k: "amounts" as const,
    field: "gems",
    limits: { red: 2, blue: 1 },
    least: 3,
    most: 3,
    optional: false,
  };
  assert.deepEqual(sampleMove([offer({ choices: [amounts] })]), { t: "m", gems: { red: 2, blue: 1 } });
  assert.equal(sampleMove([offer({ choices: [{ ...some, values: [], least: 1 }] })]), null);
});

test("different_seats and different_values tie the first two choices", () => {
  const places = [[{ seat: 0, slot: 1 }], [{ seat: 1, slot: 1 }]];
  const one = (field: string) => ({ k: "one" as const, fields: [field], rows: places, optional: false });
  const swap = offer({ choices: [one("a"), one("b")], where: "different_seats" });
  for (let n = 0; n < 50; n++) {
    const move = sampleMove([swap]) as unknown as { a: { seat: number }; b: { seat: number } };
    assert.notEqual(move.a.seat, move.b.seat);
  }
  assert.equal(
    isAllowed({ ...swap, where: "different_values" }, { t: "m", a: { seat: 0 }, b: { seat: 0 } }),
    false,
  );
});

test("picked weights must add up", () => {
  const choice = { ...some, values: ["a", "b"], weights: [3, 4], sums: [7] };
  assert.deepEqual(
    [addsUp(choice, [0, 1]), addsUp(choice, [0]), addsUp({ ...choice, sum_least: 4 }, [1])],
    [true, false, true],
  );
});
