/** Two nodes that ask for an access token and name their own addresses: PHOTOFINISH_URLS, PHOTOFINISH_TOKEN. */

import assert from "node:assert/strict";
import { test } from "node:test";
import ws from "ws";
import { CutOff, Photofinish } from "../../src/index.js";

/** Node has one of its own from version 22 on. */
const WebSocket: unknown = globalThis.WebSocket ?? ws;
const [one = "", two = ""] = (process.env["PHOTOFINISH_URLS"] ?? "").split(",");
const accessToken = process.env["PHOTOFINISH_TOKEN"] ?? "";

for (const codec of ["msgpack", "json"] as const)
  test(`a client connects to the node of its room and sends its access token there too, in ${codec}`, async () => {
    const ada = await Photofinish.connect(one, { name: "Ada", WebSocket, accessToken, codec });
    const bo = await Photofinish.connect(two.replace("://", `://anybody:${accessToken}@`), {
      name: "Bo",
      WebSocket,
      codec,
    });
    try {
      const { room } = (await ada.create({ game: "cambio", seats: 2 })).room;
      const table = await bo.join(room);
      await table.ready();
      assert.equal(bo.url, `${one}/`);
      assert.equal(table.seat, 1);
      assert.equal(table.isLeft, false);
      assert.ok(!bo.url.includes(accessToken));
    } finally {
      ada.close();
      bo.close();
    }
  });

test("a client without a token is refused at once with the reason", async () => {
  const began = performance.now();
  const wrong = Photofinish.connect(one, { name: "Eve", WebSocket, accessToken: "wrong" });
  await assert.rejects(
    wrong,
    (it) => it instanceof CutOff && it.code === 401 && /access token/.test(it.message),
  );
  assert.ok(performance.now() - began < 4000);
});
