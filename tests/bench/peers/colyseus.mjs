// The bench's counter on Colyseus: one move, one ack, and a view of about 520 bytes to each of four seats.
// `sends`: each seat gets its own view as a message. `schema`: the state is synchronised by Colyseus' own patches,
// each seat's hand only to that seat. All of it in memory.
import { Server, Room } from "@colyseus/core";
import { WebSocketTransport } from "@colyseus/ws-transport";
import { schema, StateView, t } from "@colyseus/schema";

const way = process.argv[2];
const SEATS = 4;
const HAND = 64;
const board = Array.from({ length: 100 }, (_, n) => n);
const below = (most) => Math.floor(Math.random() * most);
const dealt = () => Array.from({ length: HAND }, () => below(100));

const Seat = schema({ count: t.number(), hand: t.array("uint8").view() });
const State = schema({ turn: t.number(), last: t.string(), board: t.array("uint8"), seats: t.array(Seat) });

class Counter extends Room {
  onCreate() {
    this.maxClients = SEATS;
    this.patchRate = null; // patches go out with the move, not by a clock
    this.turn = 0;
    if (way === "schema") {
      const state = new State();
      state.turn = 0;
      state.last = "";
      board.forEach((it) => state.board.push(it));
      for (let n = 0; n < SEATS; n += 1) {
        const seat = new Seat();
        seat.count = 0;
        dealt().forEach((it) => seat.hand.push(it));
        state.seats.push(seat);
      }
      this.state = state;
    } else {
      this.counts = new Array(SEATS).fill(0);
      this.hands = Array.from({ length: SEATS }, dealt);
    }
    this.seatOf = new Map();
    this.onMessage("add", (client) => this.add(client));
  }

  onJoin(client) {
    const seat = this.seatOf.size;
    this.seatOf.set(client.sessionId, seat);
    if (way === "schema") {
      client.view = new StateView();
      client.view.add(this.state.seats[seat]);
    }
  }

  add(client) {
    if (this.seatOf.get(client.sessionId) !== this.turn) {
      client.send("refused", { text: "It is another seat's turn." });
      return;
    }
    const seat = this.turn;
    this.turn = (seat + 1) % SEATS;
    client.send("ack", { id: 1 });
    if (way === "schema") {
      this.state.seats[seat].count += 1;
      this.state.turn = this.turn;
      this.state.last = `${seat} added one.`;
      this.broadcastPatch();
      return;
    }
    this.counts[seat] += 1;
    for (const other of this.clients) {
      const own = this.seatOf.get(other.sessionId);
      other.send("view", {
        counts: this.counts, board, hand: this.hands[own], turn: this.turn, you: own,
        last: [{ what: "added", seat, text: `{${seat}} added one.` }],
      });
    }
  }
}

const transport = new WebSocketTransport({ pingInterval: 0 });
const server = new Server({ transport, greet: false });
server.define("counter", Counter);
await server.listen(0, "127.0.0.1");
const { port } = transport.server.address();
console.log(`ws://127.0.0.1:${port}`);
process.stdin.on("end", () => process.exit(0)).resume();
