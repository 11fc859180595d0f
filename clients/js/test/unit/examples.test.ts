/** Every file of protocol/examples and every frame of protocol/transcripts, both ways. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { decode, encode } from "@msgpack/msgpack";
import { CODECS } from "../../src/codec.js";
import { SHAPES, MESSAGE_SHAPES, type ClientMessage } from "../../src/messages.js";
import { Session } from "../../src/connection/session.js";
import { hex, jsonLines, protocolFiles, protocolText } from "../files.js";

interface Example {
  name: string;
  direction: "client" | "server";
  message: Record<string, unknown>;
  json: string;
  hex: string;
}

const EXAMPLES: Example[] = protocolFiles("examples", ".json").map((it) =>
  JSON.parse(protocolText(`examples/${it}`)),
);

/** The server may write the header of a map of up to 15 fields in three bytes: `de 00 0e` for `8e`. */
function isSame(ours: Uint8Array, theirs: Uint8Array): boolean {
  let place = 0;
  for (const byte of ours) {
    const size = byte & 0x0f;
    if (byte >> 4 === 8 && theirs[place] === 0xde && theirs[place + 1] === 0 && theirs[place + 2] === size)
      place += 3;
    else if (theirs[place] === byte) place += 1;
    else return false;
  }
  return place === theirs.length;
}

test("every message has an example in both directions", () => {
  const seen = new Set(EXAMPLES.filter((it) => it.direction === "server").map((it) => it.message["t"]));
  assert.deepEqual([...seen].sort(), Object.keys(MESSAGE_SHAPES).sort());
  assert.ok(EXAMPLES.filter((it) => it.direction === "client").length >= 20);
});

for (const it of EXAMPLES) {
  test(`${it.name}: its msgpack bytes and its JSON text are the same message`, () => {
    const bytes = Buffer.from(it.hex, "hex");
    assert.deepEqual(decode(bytes), it.message);
    assert.deepEqual(JSON.parse(it.json), it.message);
    if (it.direction === "client") {
      assert.equal(hex(CODECS.msgpack.pack(it.message as unknown as ClientMessage) as Uint8Array), it.hex);
      assert.equal(CODECS.json.pack(it.message as unknown as ClientMessage), it.json);
    } else {
      assert.ok(
        isSame(encode(it.message), bytes),
        "the bytes differ in more than the length of a map's header",
      );
      const read = CODECS.msgpack.unpack(bytes);
      assert.deepEqual(CODECS.json.unpack(it.json), read);
      assert.deepEqual(withoutDefaults(read, MESSAGE_SHAPES[it.message["t"] as string]!), it.message);
    }
  });
}

/** The message as the server sends it: what has its default value is left out. */
function withoutDefaults(value: any, name: string): Record<string, unknown> {
  const kept = Object.entries(SHAPES[name]!).flatMap(([key, field]) => {
    const isDefault = "else" in field && JSON.stringify(field.else) === JSON.stringify(value[key]);
    return isDefault ? [] : [[key, inner(value[key], field.is)]];
  });
  return Object.fromEntries(kept);
}

function inner(value: any, shape: any): unknown {
  if (value === null || typeof shape === "string") return value;
  if ("maybe" in shape) return inner(value, shape.maybe);
  if ("list" in shape) return value.map((it: unknown) => inner(it, shape.list));
  if ("map" in shape)
    return Object.fromEntries(Object.entries(value).map(([key, it]) => [key, inner(it, shape.map)]));
  return withoutDefaults(value, "by" in shape ? shape.of[value[shape.by]] : shape.ref);
}

test("first-move: every frame is read, and what the client sent is written byte for byte", () => {
  const lines = jsonLines("transcripts/first-move.jsonl");
  assert.ok(lines.length > 10);
  for (const line of lines) {
    const bytes = Buffer.from(line.hex, "hex");
    if (line.from === "client") {
      const message = JSON.parse(line.json) as ClientMessage;
      assert.equal(hex(CODECS.msgpack.pack(message) as Uint8Array), line.hex);
      assert.equal(CODECS.json.pack(message), line.json);
    } else {
      assert.ok(isSame(encode(JSON.parse(line.json)), bytes));
      assert.deepEqual(CODECS.msgpack.unpack(bytes), CODECS.json.unpack(line.json));
    }
  }
});

for (const name of protocolFiles("transcripts", ".jsonl")) {
  test(`${name}: a session follows it, answers each request once and keeps the chain of views`, () => {
    const session = new Session("Ada", "test");
    const ours = new Map<number, number>(); // the transcript's id to ours: a session counts for itself
    let answers = 0;
    let views = 0;
    for (const line of jsonLines(`transcripts/${name}`)) {
      const message = line.message ?? JSON.parse(line.json);
      if (line.from === "client" && message.t === "hello") {
        session.token = message.token ?? null;
        session.open();
      } else if (line.from === "client") {
        const { id, ...body } = message;
        const sent = session.request(body)[1].find((it) => it.do === "send");
        assert.deepEqual(sent?.message, { ...message, id: sent?.message.id });
        ours.set(id, sent?.message.id ?? -1);
      } else {
        const read = CODECS.json.unpack(
          JSON.stringify({ ...message, id: ours.get(message.id) ?? message.id }),
        );
        assert.ok(read !== null);
        answers += session.receive(read).filter((it) => it.do === "answer").length;
        if (read.t !== "view") continue;
        views += 1;
        assert.equal(session.view?.seq, message.seq);
      }
    }
    assert.ok(views > 0);
    assert.equal(answers, ours.size);
  });
}
