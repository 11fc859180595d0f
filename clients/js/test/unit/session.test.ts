/** What a client remembers across cuts. */

import assert from "node:assert/strict";
import { test } from "node:test";
import type { Hello, ServerMessage } from "../../src/messages.js";
import { nonceCommit } from "../../src/promise.js";
import { readMessage } from "../../src/read.js";
import { BrokenChain, Session, type Effect } from "../../src/connection/session.js";

const LIMITS = { frame: 16384, rate: 50, burst: 100, name: 24, chat: 280, remembered: 64, emotes: [] };

function said(plain: Record<string, unknown>): ServerMessage {
  return readMessage(plain) as ServerMessage;
}
const welcome = (more: object = {}): ServerMessage =>
  said({ t: "welcome", id: 0, v: 1, name: "Ada", limits: LIMITS, next_id: 1, server: "s", ...more });
const seated = (token: string, more: object = {}): object => ({
  got: "seated",
  room: "ABCDE",
  seat: 1,
  token,
  ...more,
});
const view = (seq: number, from: number, more: object = {}): ServerMessage =>
  said({
    t: "view",
    room: "ABCDE",
    game: "g",
    number: 1,
    seq,
    from,
    you: 1,
    view: {},
    scores: [],
    head: "",
    commitment: "",
    ...more,
  });
const sent = (effects: Effect[]): unknown[] =>
  effects.flatMap((it) => (it.do === "send" ? [it.message] : []));
const done = (effects: Effect[]): string[] => effects.map((it) => it.do);

function atTable(): Session {
  const session = new Session("Ada", "test");
  session.open();
  session.receive(welcome());
  session.request({ t: "join", room: "ABCDE" });
  session.receive(said({ t: "ack", id: 1, got: seated("first", { next_id: 5 }) }));
  return session;
}

test("ids are counted from where the seat says", () => {
  const [, effects] = atTable().request({ t: "play", move: { t: "draw" } });
  assert.deepEqual(sent(effects), [{ t: "play", id: 5, move: { t: "draw" } }]);
});

test("a new token is kept before anything else is done", () => {
  const session = atTable();
  session.request({ t: "chat", text: "hello" });
  session.cut();
  const hello = session.open();
  const effects = session.receive(welcome({ resumed: seated("second"), next_id: 5 }));
  assert.deepEqual({ token: hello.token, seq: hello.seq }, { token: "first", seq: 0 });
  assert.deepEqual(effects[0], { do: "keep", token: "second" });
  assert.equal(session.open().token, "second");
});

test("unanswered requests are sent again with their old ids, before new ones", () => {
  const session = atTable();
  const [ticket] = session.request({ t: "play", move: { t: "draw" } });
  assert.deepEqual(session.cut(), []);
  session.request({ t: "chat", text: "later" });
  session.open();
  const effects = session.receive(welcome({ resumed: seated("second", { next_id: 5 }), next_id: 5 }));
  assert.deepEqual(sent(effects), [
    { t: "play", id: 5, move: { t: "draw" } },
    { t: "chat", id: 6, text: "later" },
  ]);
  const answer = session.receive(said({ t: "ack", id: 5 }));
  assert.deepEqual(
    answer.map((it) => (it.do === "answer" ? it.ticket : it.do)),
    [ticket],
  );
  assert.deepEqual(session.receive(said({ t: "ack", id: 5 })), [], "the second answer is nobody's");
});

test("without a seat, after a cut queries are sent again and other requests fail", () => {
  const session = new Session("Ada", "test");
  session.open();
  session.receive(welcome());
  const [ticket] = session.request({ t: "watch", room: "ABCDE" });
  session.request({ t: "games" });
  assert.deepEqual(session.cut(), [{ do: "lost", ticket }]);
  session.open();
  assert.deepEqual(sent(session.receive(welcome())), [{ t: "games", id: 2 }]);
});

test("a create without an answer is sent again with its id and the same client key", () => {
  const session = new Session("Ada", "test");
  const key = session.open().client_key;
  session.receive(welcome());
  session.request({ t: "create", game: "cambio" });
  assert.deepEqual(session.cut(), []);
  assert.equal(session.open().client_key, key);
  assert.deepEqual(sent(session.receive(welcome())), [{ t: "create", id: 1, game: "cambio" }]);
});

test("a view that does not follow the last one is an error; after a cut the chain starts again", () => {
  const session = atTable();
  session.receive(view(1, 0));
  session.receive(view(2, 1));
  assert.throws(() => session.receive(view(4, 3)), BrokenChain);
  session.cut();
  assert.equal(session.open().seq, 2);
  session.receive(welcome({ resumed: seated("second") }));
  session.receive(view(9, 0));
  assert.equal(session.view?.seq, 9);
});

test("a watcher watches again after a cut, with the referee password, and the program does not see that answer", () => {
  const session = new Session("Ada", "test");
  session.open();
  session.receive(welcome());
  session.request({ t: "watch", room: "abcde", referee: "word" });
  session.receive(said({ t: "ack", id: 1, got: { got: "watching", room: "ABCDE" } }));
  session.cut();
  session.open();
  assert.deepEqual(sent(session.receive(welcome())), [{ t: "watch", id: 2, room: "ABCDE", referee: "word" }]);
  assert.deepEqual(session.receive(said({ t: "ack", id: 2, got: { got: "watching", room: "ABCDE" } })), []);
});

test("a watcher gets an error if its room is gone after a cut", () => {
  const session = new Session("Ada", "test");
  session.open();
  session.receive(welcome());
  session.request({ t: "watch", room: "ABCDE" });
  session.receive(said({ t: "ack", id: 1, got: { got: "watching", room: "ABCDE" } }));
  session.cut();
  session.open();
  session.receive(welcome());
  const effects = session.receive(said({ t: "refused", id: 2, reason: "no_such_room", text: "" }));
  assert.deepEqual(done(effects), ["unseated"]);
  assert.equal(session.isPresent, false);
});

test("a token that no longer works is forgotten, and a plain hello follows", () => {
  const session = new Session("Ada", "test", "old");
  session.open();
  const effects = session.receive(said({ t: "refused", id: 0, reason: "bad_token", text: "no" }));
  assert.deepEqual(done(effects), ["keep", "unseated", "send"]);
  const [{ client_key, ...hello }] = sent(effects) as [Hello];
  assert.equal(client_key?.length, 64);
  assert.deepEqual(hello, { t: "hello", id: 0, v: 1, name: "Ada", client: "test" });
  assert.deepEqual(effects[0], { do: "keep", token: null });
});

test("a refused plain hello ends the session, unless the server says to come back", () => {
  const session = new Session("", "test");
  session.open();
  assert.deepEqual(
    done(session.receive(said({ t: "refused", id: 0, reason: "draining", text: "", retry: true }))),
    ["later"],
  );
  assert.deepEqual(done(session.receive(said({ t: "refused", id: 0, reason: "bad_name", text: "" }))), [
    "gone",
  ]);
});

test("after taken_over the saved token stays, because the newer window uses it", () => {
  const session = atTable();
  const left = { t: "left", room: "ABCDE", text: "" };
  assert.deepEqual(done(session.receive(said({ ...left, reason: "taken_over" }))), ["tell"]);
  assert.deepEqual(done(atTable().receive(said({ ...left, reason: "kicked" }))), ["keep", "tell"]);
  assert.equal(session.token, null);
});

test("leaving deletes the token, so that it is not sent after a later cut", () => {
  const session = atTable();
  session.request({ t: "leave" });
  assert.deepEqual(done(session.receive(said({ t: "ack", id: 5 }))), ["keep", "answer"]);
  assert.equal(session.open().token, undefined);
});

test("a race's nonce is found by its key, and a race opened again has its new one", () => {
  const session = atTable();
  session.receive(view(1, 0, { race: { key: "race:1", nonce: "aa", moves: ["slap"] } }));
  assert.equal(session.nonceOf("race:1"), "aa");
  session.receive(view(2, 1, { race: { key: "race:1", nonce: "bb", moves: ["slap"] } }));
  assert.deepEqual(
    [session.nonceOf("race:1"), session.nonceOf("aa"), session.nonceOf("none")],
    ["bb", "aa", undefined],
  );
});

test("the seat is the one in the view, because the start removes empty seats", () => {
  const session = atTable();
  session.receive(view(1, 0, { you: 0 }));
  assert.equal(session.seat, 0);
});

test("the address of another node is used after the token is kept", () => {
  const session = new Session("Ada", "test");
  session.open();
  session.receive(welcome());
  session.request({ t: "join", room: "ABCDE" });
  const effects = session.receive(said({ t: "ack", id: 1, got: seated("t", { home: "ws://there" }) }));
  assert.deepEqual(done(effects), ["keep", "owner", "answer"]);
});

/** A room in which the deal starts: our seat is 1, the other committed too. */
const dealing = (commits: string[], more: object = {}): ServerMessage =>
  said({
    t: "room",
    room: "ABCDE",
    game: "g",
    phase: "lobby",
    number: 1,
    host: 0,
    seats: commits.map((commit, seat) => ({ seat, kind: "player", commit })),
    options: {},
    private: false,
    commitment: "",
    dealing: { seats: [...commits.keys()], left_us: 5_000_000 },
    ...more,
  });
const OTHER = "ff".repeat(32);

function readied(): [Session, commit: string] {
  const session = new Session("Ada", "test", null, () => "ab".repeat(32));
  session.open();
  session.receive(welcome());
  session.request({ t: "join", room: "ABCDE" });
  session.receive(said({ t: "ack", id: 1, got: seated("first") }));
  const [, effects] = session.request({ t: "ready" });
  return [session, (sent(effects)[0] as { commit: string }).commit];
}

test("ready carries the hash of a nonce, and the nonce follows once, when the deal starts", () => {
  const [session, commit] = readied();
  assert.match(commit, /^[0-9a-f]{64}$/);
  assert.equal(commit, nonceCommit("ab".repeat(32)));
  assert.deepEqual(
    sent(session.receive(dealing([OTHER, commit], { dealing: null }))),
    [],
    "not before the deal starts",
  );
  assert.deepEqual(sent(session.receive(dealing([OTHER, commit]))), [
    { t: "reveal", id: 3, nonce: "ab".repeat(32) },
  ]);
  assert.deepEqual(sent(session.receive(dealing([OTHER, commit]))), [], "never twice");
});

test("a reveal that was cut off is sent again with its old id", () => {
  const [session, commit] = readied();
  session.receive(dealing([OTHER, commit]));
  session.cut();
  session.open();
  const effects = session.receive(welcome({ resumed: seated("second") }));
  assert.deepEqual(sent(effects).at(-1), { t: "reveal", id: 3, nonce: "ab".repeat(32) });
});

test("nothing is revealed after the hashes of the others have changed, and the player is told", () => {
  const [session, commit] = readied();
  session.receive(dealing([OTHER, commit], { dealing: { seats: [0], left_us: 1 } }));
  const effects = session.receive(dealing(["00".repeat(32), commit]));
  assert.deepEqual(done(effects), ["tell", "doubt"]);
});

test("at the end the hashes and our nonce are compared with what was seen", () => {
  const over = { winners: [], why: "", scores: [], seed: "", nonces: ["", "ab".repeat(32)] };
  for (const [end, doubts] of [
    [{ ...over }, 0],
    [{ ...over, nonces: ["", ""] }, 1],
    [{ ...over, commits: [] }, 1],
  ] as const) {
    const [session, commit] = readied();
    session.receive(dealing([OTHER, commit]));
    const effects = session.receive(view(1, 0, { over: { commits: [OTHER, commit], ...end } }));
    assert.equal(effects.filter((it) => it.do === "doubt").length, doubts);
  }
});

test("a ready that is taken back has no hash, and a nonce given in clear is not changed", () => {
  const [session] = readied();
  assert.deepEqual(sent(session.request({ t: "ready", ready: false })[1]), [
    { t: "ready", id: 3, ready: false },
  ]);
  assert.deepEqual(sent(session.request({ t: "ready", nonce: "c0ffee" })[1]), [
    { t: "ready", id: 4, nonce: "c0ffee" },
  ]);
});
