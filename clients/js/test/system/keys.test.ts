/** A player with a key enters an event and follows it, on a real server: PHOTOFINISH_URL. */

import assert from "node:assert/strict";
import { once } from "node:events";
import { test } from "node:test";
import ws from "ws";
import { Photofinish, PlayerKey, Refusal, type EventNews } from "../../src/index.js";

/** Node has one of its own from version 22 on. */
const WebSocket: unknown = globalThis.WebSocket ?? ws;
const url = process.env["PHOTOFINISH_URL"] ?? "";
const TOML =
  'title = "Friday"\ngame = "cambio"\nformat = "swiss"\nrounds = 1\n[clock]\ncheck_in_minutes = 0\nbreak_seconds = 0\n';

for (const codec of ["msgpack", "json"] as const)
  test(`T6, T67, T68: keys are proved, players are called and seated, pages are updated, in ${codec}`, async () => {
    const connect = async (name: string, webCrypto = true): Promise<Photofinish> => {
      const { seed } = await PlayerKey.create();
      const key = await PlayerKey.fromSeed(seed, { webCrypto });
      return Photofinish.connect(url, { name, WebSocket, codec, key });
    };
    const [host, ada, bo] = [await connect("Host"), await connect("Ada"), await connect("Bo", false)];
    const page = await Photofinish.connect(url, { name: "Page", WebSocket, codec });
    try {
      const created = await host.request({ t: "event_create", toml: TOML });
      const event = created.got?.got === "event" ? created.got.event : "";
      await assert.rejects(
        page.request({ t: "enter", event }),
        (it) => it instanceof Refusal && it.reason === "not_identified",
      );
      const heard: EventNews[] = [];
      page.on("event", (it) => heard.push(it));
      await page.request({ t: "follow", event, parts: ["info", "entrants"] });
      await host.request({ t: "event_do", event, do: "open" });

      const seated = [ada, bo].map(async (player) => {
        const call = new Promise<{ room: string; seat: number }>((resolve) => player.on("called", resolve));
        await player.request({ t: "enter", event });
        await player.request({ t: "check_in", event });
        const { room, seat } = await call;
        const ack = await player.request({ t: "sit", event });
        assert.deepEqual(ack.got?.got === "seated" && [ack.got.room, ack.got.seat], [room, seat]);
      });
      const entrants = (): number =>
        new Set(heard.flatMap((it) => Object.keys(it.parts["entrants"]?.rows ?? {}))).size;
      while (entrants() < 2) await new Promise<void>((resolve) => page.on("event", () => resolve()));
      await host.request({ t: "event_do", event, do: "start" });
      await Promise.all(seated);

      assert.equal(heard[0]?.from, 0);
      for (const [at, news] of heard.entries()) if (at > 0) assert.equal(news.from, heard[at - 1]?.seq);
    } finally {
      [host, ada, bo, page].forEach((it) => it.close());
    }
  });

test("T6: after a cut the key is proved again on the new socket", async () => {
  const sockets: ws[] = [];
  class Watched extends ws {
    constructor(address: string | URL, protocols?: string[]) {
      super(address, protocols);
      sockets.push(this);
    }
  }
  const key = await PlayerKey.create();
  const host = await Photofinish.connect(url, { name: "Host", WebSocket: Watched, key });
  try {
    const welcome = new Promise<void>((resolve) => host.on("welcome", () => resolve()));
    const [first] = sockets;
    assert.ok(first);
    const closed = once(first, "close");
    first.terminate();
    await closed;
    await welcome;
    // The proof follows the welcome: a request that needs the key succeeds once it is there.
    for (let tries = 0; ; tries++) {
      try {
        await host.request({ t: "event_create", toml: TOML });
        break;
      } catch (error) {
        if (!(error instanceof Refusal) || error.reason !== "not_identified" || tries > 200) throw error;
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
    }
    assert.equal(sockets.length, 2);
  } finally {
    host.close();
  }
});
