/** `seated` names a node that cannot be reached: PHOTOFINISH_URLS has the room's node and another. */

import assert from "node:assert/strict";
import { test } from "node:test";
import ws from "ws";
import { Photofinish } from "../../src/index.js";

/** Node has one of its own from version 22 on. */
const WebSocket: unknown = globalThis.WebSocket ?? ws;
const [one = "", two = ""] = (process.env["PHOTOFINISH_URLS"] ?? "").split(",");

test("a client that cannot reach the node of its room keeps its seat through the first node", async () => {
  const ada = await Photofinish.connect(one, { name: "Ada", WebSocket });
  const bo = await Photofinish.connect(two, { name: "Bo", WebSocket });
  try {
    const { room } = (await ada.create({ game: "cambio", seats: 2 })).room;
    const table = await bo.join(room);
    await table.ready();
    await table.chat("from over there");
    assert.equal(bo.url, `${two}/`);
    assert.equal(table.seat, 1);
  } finally {
    ada.close();
    bo.close();
  }
});
