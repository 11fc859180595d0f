/** Whole games from Node against a real server, whose address is in PHOTOFINISH_URL. */

import assert from "node:assert/strict";
import { test } from "node:test";
import ws from "ws";
import {
  CutOff,
  memoryTokens,
  Photofinish,
  Refusal,
  sampleMove,
  sampleOffer,
  sit,
  verifyReplay,
  type Choose,
} from "../../src/index.js";

/** Node has one of its own from version 22 on. */
const WebSocket: unknown = globalThis.WebSocket ?? ws;
const URL = process.env["PHOTOFINISH_URL"] ?? assert.fail("PHOTOFINISH_URL says where the server is");
/** Short clocks and few points: a game of one or two rounds. */
const QUICK = { target_points: 5, look_seconds: 3, give_seconds: 3, race_min_ms: 300, turn_seconds: 20 };
const players: Photofinish[] = [];

async function connect(name: string, more: object = {}): Promise<Photofinish> {
  const player = await Photofinish.connect(URL, { name, WebSocket, ...more });
  players.push(player);
  return player;
}

test.afterEach(() => players.splice(0).forEach((it) => it.close()));

/** Takes any offer, seldom slaps, and calls Cambio not before everybody has had some turns. */
const choose: Choose = (view) => {
  if (view.seq > 24 && view.offers.some((it) => it.move === "call")) return { t: "call" };
  const calm = view.offers.filter((it) => it.move !== "call" && (it.awaited || Math.random() < 0.1));
  const move = sampleMove(calm);
  return move === null ? null : { move, after: view.race === null ? 0 : 250 };
};

/** Slaps any card in the first races that it sees, 200 ms after they came. */
function slapper(): Choose {
  const slapped = new Set<string>();
  return (view) => {
    const slap = view.offers.find((it) => it.move === "slap");
    if (view.race === null || slap === undefined || slapped.size === 2 || slapped.has(view.race.nonce))
      return choose(view);
    const move = sampleOffer(slap);
    return move && { move, after: (slapped.add(view.race.nonce), 200) };
  };
}

/** What the server has noted of a seat's slaps: its claim, in µs. */
function claims(replay: string, seat: number): (number | null)[] {
  const bodies = (JSON.parse(replay) as { entries: { body: string }[] }).entries.map((it) =>
    JSON.parse(it.body),
  );
  const races = bodies.filter((it) => it.e === "race").map((it) => it.record);
  const moves = races.flatMap((it) => [...it.moves, ...it.void, ...it.held]);
  return moves.filter((it) => it.kind === "contested" && it.seat === seat).map((it) => it.react_us);
}

for (const codec of ["msgpack", "json"] as const)
  test(
    `three play Cambio to the end in ${codec}, and the replay verifies`,
    { timeout: 100_000 },
    async () => {
      const ada = await connect("Ada", { codec });
      const table = await ada.create({ game: "cambio", seats: 3, options: QUICK });
      assert.equal(table.seat, 0);
      assert.equal(table.room.phase, "lobby");
      const { commitment } = table.room;
      const others = await Promise.all(["Basil", "Cleo"].map((name) => connect(name, { codec })));
      for (const it of others) await (await it.join(table.room.room.toLowerCase())).ready();
      await table.ready();
      const doubts: string[] = [];
      for (const it of [ada, ...others]) it.on("doubt", (text) => doubts.push(text));
      const games = [ada, ...others].map((it) => sit(it, it === ada ? slapper() : choose));
      await table.start();
      const ends = await Promise.all(games);
      assert.ok(ends.every((it) => it.over !== null));
      assert.deepEqual(ends[1]?.over, ends[0]?.over);
      const refusals = ends.flatMap((it) => Object.keys(it.refusals));
      const allowed = ["illegal_move", "wrong_nonce", "no_race", "false_start", "game_over", "race_reopened"];
      assert.deepEqual(
        refusals.filter((it) => !allowed.includes(it)),
        [],
      );
      assert.ok(ends.every((it) => it.moves > 0));

      const text = await ada.replay(table.room.room, 1);
      const report = verifyReplay(text, table.seen);
      assert.deepEqual(report.faults, []);
      assert.ok(report.isTrue && report.steps > 10);
      assert.deepEqual([report.committed, report.withheld, doubts], [3, [], []]);
      assert.equal(JSON.parse(text).commitment, commitment);
      const reactions = claims(text, 0);
      assert.ok(reactions.length > 0);
      for (const it of reactions)
        assert.ok(it !== null && it > 150_000 && it < 5_000_000, `a reaction of ${it} µs`);
      const { number, heads } = table.seen ?? assert.fail("nothing was seen");
      assert.ok(heads.length > 10);
      const other = verifyReplay(text, { number, commitment, heads: [...heads].reverse() });
      assert.match(other.faults.join(), /was shown and does not follow/);
      assert.match(
        verifyReplay(text, { number, commitment: "00", heads }).faults.join(),
        /shown before the deal/,
      );
    },
  );

test("a refused request rejects with its reason, its text and whether to try again", async () => {
  const ada = await connect("Ada");
  const heard: Refusal[] = [];
  ada.on("refused", (it) => heard.push(it));
  await assert.rejects(
    ada.join("QQQQQ"),
    (it) => it instanceof Refusal && it.reason === "no_such_room" && !it.retryable,
  );
  const table = await ada.create({ game: "cambio", seats: 2 });
  await assert.rejects(
    table.start(),
    (it) => it instanceof Refusal && it.reason === "not_enough_seats" && it.retryable,
  );
  await table.bot({ strength: "easy" });
  await table.ready();
  const dealt = new Promise((resolve) => ada.on("view", resolve));
  await table.start();
  await dealt;
  await assert.rejects(
    table.play({ t: "draw", from: "main" }),
    (it) => it instanceof Refusal && it.reason === "illegal_move" && it.clause !== "" && it.text !== "",
  );
  await assert.rejects(table.play({ t: "fly" }), (it) => it instanceof Refusal && it.reason === "bad_move");
  assert.deepEqual(
    heard.map((it) => it.reason),
    ["no_such_room", "not_enough_seats", "illegal_move", "bad_move"],
  );
});

test("lists, chat, emotes, watching, leaving and the round trip work", async () => {
  const ada = await connect("Ada", { pingEvery: 50 });
  const games = await ada.games();
  assert.ok(games.some((it) => it.key === "cambio" && it.house && it.most >= 4));
  const table = await ada.create({ game: "cambio", seats: 3 });
  const code = table.room.room;
  assert.ok((await ada.rooms({ game: "cambio", limit: 200 })).rooms.some((it) => it.room === code));
  const cleo = await connect("Cleo");
  const watched = await cleo.watch(code);
  assert.equal(watched.seat, null);
  const said = new Promise((resolve) => cleo.on("said", (it) => resolve(`${it.name}: ${it.text}`)));
  const emoted = new Promise((resolve) => cleo.on("emoted", (it) => resolve(it.emote)));
  await table.chat("good evening");
  await table.emote("hello");
  assert.deepEqual([await said, await emoted], ["Ada: good evening", "hello"]);
  assert.equal(await table.bot(), 1);
  await table.remove(1);
  await table.configure({ target_points: 20 });
  await watched.leave();
  assert.ok(watched.isLeft && cleo.table === null);
  const second = await cleo.join(code);
  const kicked = new Promise((resolve) => cleo.on("left", (it) => resolve(it.reason)));
  await table.kick(second.seat ?? -1);
  assert.equal(await kicked, "kicked");
  assert.ok(second.isLeft && second.token === null && cleo.state === "open");
  await new Promise((resolve) => ada.on("ping", resolve));
  assert.ok((ada.rtt?.ms ?? 0) > 0);
});

test("a token resumes the seat, and the older window does not take it back", async () => {
  const storage = memoryTokens();
  const ada = await connect("Ada", { storage });
  const table = await ada.create({ game: "cambio", seats: 2 });
  assert.equal(storage.get(), table.token);
  const left = new Promise((resolve) => ada.on("left", (it) => resolve(it.reason)));
  const closed = new Promise<Error | null>((resolve) =>
    ada.on("state", (it) => it.state === "closed" && resolve(it.error)),
  );
  const newer = await connect("Ada", { storage });
  assert.equal(newer.table?.room.room, table.room.room);
  assert.equal(newer.table?.seat, 0);
  assert.equal(await left, "taken_over");
  const error = await closed;
  assert.ok(error instanceof CutOff && error.code === 4409);
  assert.equal(storage.get(), newer.table?.token, "the older window leaves the newer one's token alone");
  await assert.rejects(table.chat("me too"), CutOff);
  await newer.table?.chat("still here");
  assert.equal(newer.cuts, 0);
});

test("resume works on an open connection, and an invalid token is refused", async () => {
  const ada = await connect("Ada");
  const table = await ada.create({ game: "cambio", seats: 2 });
  const token = table.token ?? "";
  const bo = await connect("Bo");
  await assert.rejects(bo.resume("nobody-0-abc"), (it) => it instanceof Refusal && it.reason === "bad_token");
  assert.ok((await bo.games()).length > 0, "the connection stays, without a seat");
  assert.equal((await bo.resume(token)).room.room, table.room.room);
  await assert.rejects(connect("Cy", { token: "nobody-0-abc" }), Refusal);
  const stale = memoryTokens("nobody-0-abc");
  const dora = await connect("Dora", { storage: stale });
  assert.deepEqual([dora.table, stale.get(), dora.state], [null, null, "open"]);
});

test("a request for which the server would close the connection is refused by the client", async () => {
  const ada = await connect("Ada");
  const table = await ada.create({ game: "cambio", seats: 2 });
  const circle: { t: string; self?: unknown } = { t: "draw" };
  circle.self = circle;
  await assert.rejects(table.play(circle as { t: string }));
  await assert.rejects(table.chat("long".repeat(5000)), RangeError);
  await assert.rejects(table.play({ t: "draw", from: 0.5 }), Refusal);
  await table.chat("still here");
  assert.deepEqual([ada.state, ada.cuts], ["open", 0]);
});

test("a window that lost its seat does not delete the token of the other window", async () => {
  const storage = memoryTokens();
  const ada = await connect("Ada", { storage });
  const stale = (await ada.create({ game: "cambio", seats: 2 })).token ?? "";
  const newer = await connect("Ada", { storage });
  await newer.table?.chat("now the older token is worth nothing");
  const older = connect("Ada", { storage, token: stale });
  await assert.rejects(older, (it) => it instanceof Refusal && it.reason === "bad_token");
  assert.equal(storage.get(), newer.table?.token);
});

test(
  "a name that cannot be used and a server that is not there reject with a reason",
  { timeout: 30_000 },
  async () => {
    await assert.rejects(connect("\u0007"), (it) => it instanceof Refusal && it.reason === "bad_name");
    const nowhere = Photofinish.connect("ws://127.0.0.1:9", { WebSocket, giveUpAfter: 300 });
    await assert.rejects(nowhere, (it) => it instanceof CutOff && it.message.includes("no server at"));
  },
);
