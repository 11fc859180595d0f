/**
 * Plays a whole game of random moves: `node party.js ADDRESSES GAME SEATS OPTIONS`, the seats spread over the addresses.
 * Prints one line of JSON for each acknowledged move, and at the end everybody's own account of the game.
 */

import ws from "ws";
import { Photofinish, sampleMove, sit, type Choose, type Move } from "../../src/index.js";

/** Node has one of its own from version 22 on. */
const WebSocket: unknown = globalThis.WebSocket ?? ws;
const [addresses = "", game = "cambio", seats = "4", options = "{}"] = process.argv.slice(2);
const urls = addresses.split(",");

const choose: Choose = (view) => {
  const raced = new Set(view.race?.moves);
  const move = sampleMove(view.offers.filter((it) => !raced.has(it.move) || Math.random() < 0.1));
  return move === null ? null : { move, after: view.race === null ? 0 : 150 + Math.random() * 200 };
};

const players = await Promise.all(
  Array.from({ length: Number(seats) }, (_, seat) =>
    Photofinish.connect(urls[seat % urls.length] ?? "", {
      name: `Player ${seat}`,
      WebSocket,
      pingEvery: 1000,
    }),
  ),
);
const [host] = players as [Photofinish];
const { room } = (await host.create({ game, seats: Number(seats), options: JSON.parse(options) })).room;
for (const [seat, player] of players.entries()) {
  const table = seat === 0 ? player.table : await player.join(room, { seat });
  await table?.ready();
}
let acknowledged = 0;
const accounts = players.map(async (player) => {
  const moves: Move[] = [];
  const played = (move: Move): void => {
    moves.push(move);
    console.log(JSON.stringify({ acknowledged: ++acknowledged }));
  };
  const { over, refusals } = await sit(player, choose, { played });
  return { moves, over, refusals, cuts: player.cuts, url: player.url };
});
await host.table?.start();
console.log(JSON.stringify({ room, players: await Promise.all(accounts) }));
players.forEach((it) => it.close());
