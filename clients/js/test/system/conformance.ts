/** The SDK as a client under test of `photofinish conformance`: `node conformance.js`, the rest is in the environment. */

import ws from "ws";
import { Photofinish, Refusal, sampleMove, sit, type Choose } from "../../src/index.js";

const WebSocket: unknown = globalThis.WebSocket ?? ws;
const {
  CONFORMANCE_URL: url = "",
  CONFORMANCE_ROOM: room = "",
  CONFORMANCE_DO,
  CONFORMANCE_SAY: say,
} = process.env;
const codec = process.env["CONFORMANCE_CODEC"] === "json" ? "json" : "msgpack";
const games = Number(process.env["CONFORMANCE_GAMES"]);

/** Answers what the table waits for, and takes most chances of a race. */
const choose: Choose = (view) => {
  const raced = view.offers.filter((it) => !it.awaited && (it.risky || view.race?.moves.includes(it.move)));
  const quick = Math.random() < 0.6 ? sampleMove(raced) : null;
  if (quick !== null) return { move: quick, after: 150 + Math.random() * 300 };
  return sampleMove(view.offers.filter((it) => it.awaited));
};

const me = await Photofinish.connect(url, { name: "Candidate", WebSocket, codec });

if (CONFORMANCE_DO === "watch") {
  const over = new Promise<void>((resolve) => {
    me.on("view", (view) => view.over !== null && resolve());
    me.on("state", ({ state }) => state === "closed" && resolve());
  });
  await me.watch(room);
  await over;
} else {
  await joinPatiently();
  let isSaid = !say;
  const played = (): void => {
    if (!isSaid) void me.table?.chat(say ?? "").catch(() => {}); // it may be forbidden to talk
    isSaid = true;
  };
  for (let number = 1; number <= games; number += 1) {
    await inLobby(number);
    await me.table?.ready();
    const { over } = await sit(me, choose, { beyond: number - 1, played });
    if (over === null) break;
  }
}
me.close();

async function joinPatiently(): Promise<void> {
  for (;;) {
    try {
      await me.join(room);
      return;
    } catch (error) {
      if (!(error instanceof Refusal && error.retryable)) throw error;
      await new Promise((resolve) => setTimeout(resolve, 200));
    }
  }
}

/** After a game: until the host has called the next one. */
async function inLobby(number: number): Promise<void> {
  if (number === 1 || me.table?.room.phase === "lobby") return;
  await new Promise<void>((resolve) => {
    const off = me.on("room", (it) => {
      if (it.phase !== "lobby") return;
      off();
      resolve();
    });
  });
}
