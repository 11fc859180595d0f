import assert from "node:assert/strict";
import { test } from "node:test";
import { Followed, type EventParts } from "../../src/index.js";

const news = (from: number, seq: number, rows: Record<string, unknown>, gone: string[] = []) =>
  ({ t: "event", event: "ABCDEF", from, seq, parts: { entrants: { rows, gone } } }) as const;

test("T67: the first message is whole, later ones replace and remove rows by key", () => {
  const told: EventParts[] = [];
  const it = new Followed("ABCDEF", ["entrants"], (parts) => told.push(parts));
  assert.equal(it.take(news(0, 3, { a: 1, b: 2 })), true);
  assert.equal(it.take(news(3, 5, { b: 4, c: 5 }, ["a"])), true);
  assert.deepEqual(told.at(-1), { entrants: { b: 4, c: 5 } });
  assert.deepEqual(told[0], { entrants: { a: 1, b: 2 } }, "what was told before does not change");
  assert.equal(it.seq, 5);
});

test("T67: after a gap the whole event is requested, and messages before it are dropped", () => {
  const told: EventParts[] = [];
  const it = new Followed("ABCDEF", ["entrants"], (parts) => told.push(parts));
  it.take(news(0, 3, { a: 1 }));
  assert.equal(it.take(news(4, 5, { b: 2 })), false);
  it.waits();
  assert.equal(it.take(news(5, 6, { c: 3 })), true);
  assert.equal(told.length, 1);
  it.take(news(0, 6, { a: 1, b: 2, c: 3 }));
  assert.deepEqual(told.at(-1), { entrants: { a: 1, b: 2, c: 3 } });
});
