import assert from "node:assert/strict";
import { test } from "node:test";
import { attemptsOf, type Mark, type ReadRace } from "../../src/index.js";

type Kind = ReadRace["record"]["moves"][number]["kind"];

/** A race with these moves in their order. `thrown`: how many decisions there were at each throw that succeeded. */
function raceOf(game: string, kinds: Kind[], thrown: number[]): ReadRace {
  const moves = kinds.map((kind, n) => ({ ticket: 10 + n, seat: n, kind }));
  const marks = moves.map(({ seat }): Mark => ({
    seat,
    move: "slap",
    score: 1,
    lo: 1,
    hi: 1,
    base: 0,
    verdict: "done",
    late: false,
    heat: false,
  }));
  const record = {
    moves,
    void: [],
    held: [],
    throws: thrown.map((after) => ({ after, at: 0 })),
    decisions: moves.map(({ ticket }) => ({ ticket })),
  };
  return { game, key: "race:1", names: [], record, marks, faults: [] } as unknown as ReadRace;
}
const told = (race: ReadRace): [number, string][] =>
  attemptsOf(race).map((mark) => [mark.seat, mark.verdict]);

test("a draw that ends a race is no attempt to win it", () => {
  assert.deepEqual(told(raceOf("cambio", ["closer"], [])), []);
});

test("C20: a throw before the one that succeeded was wrong", () => {
  const race = raceOf("cambio", ["contested", "contested", "contested", "closer"], [2]);
  assert.deepEqual(told(race), [
    [0, "refused"],
    [1, "done"],
    [2, "done"],
  ]);
});

test("C20: in a race without a throw that succeeded all were wrong", () => {
  assert.deepEqual(told(raceOf("cambio", ["contested", "closer"], [])), [[0, "refused"]]);
});

test("K24: a throw that ends the race has succeeded", () => {
  const race = raceOf("kodiak", ["contested", "contested"], []);
  assert.deepEqual(told(race), [
    [0, "refused"],
    [1, "done"],
  ]);
});

test("X5: in a game without wrong throws every press counts", () => {
  const race = raceOf("reflex", ["contested", "contested"], []);
  assert.deepEqual(told(race), [
    [0, "done"],
    [1, "done"],
  ]);
});
