// The bench's counter on boardgame.io: one move, and a view to each of four seats with `playerView`. In memory.
import { createRequire } from "node:module";

const require = createRequire(import.meta.url);
const { Server, Origins } = require("boardgame.io/server");

const SEATS = 4;
const HAND = 64;

const counter = {
  name: "counter",
  setup: ({ random }) => ({
    counts: new Array(SEATS).fill(0),
    board: Array.from({ length: 100 }, (_, n) => n),
    hands: Array.from({ length: SEATS }, () => Array.from({ length: HAND }, () => random.Die(100) - 1)),
    last: "",
  }),
  playerView: ({ G, playerID }) => {
    const { hands, ...open } = G;
    return { ...open, hand: playerID === null ? [] : hands[playerID] };
  },
  turn: { minMoves: 1, maxMoves: 1 },
  moves: {
    add: ({ G, playerID }) => {
      G.counts[playerID] += 1;
      G.last = `${playerID} added one.`;
    },
  },
};

const server = Server({ games: [counter], origins: [Origins.LOCALHOST] });
const running = await server.run({ port: 0, callback: () => {} });
console.log(`ws://127.0.0.1:${running.appServer.address().port}`);
process.stdin.on("end", () => process.exit(0)).resume();
