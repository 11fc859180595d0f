// A whole game against a bot with nothing but WebSocket. Node 22: node bare.mjs [URL]. Node 20: --experimental-websocket.
// Deno: deno run --allow-net bare.mjs [URL]. Browser: <script type="module" src="bare.mjs"> (set globalThis.URL_OF_TABLE).
const argv = globalThis.Deno?.args ?? globalThis.process?.argv.slice(2) ?? [];
const url = globalThis.URL_OF_TABLE ?? argv[0] ?? "ws://127.0.0.1:8765";

const pick = (list) => list[Math.floor(Math.random() * list.length)];
const hex = (bytes) => Array.from(bytes, (it) => it.toString(16).padStart(2, "0")).join("");
const nonce = crypto.getRandomValues(new Uint8Array(32)); // goes into the shuffle, so that nobody can have chosen the deal
const label = new TextEncoder().encode("photofinish nonce");
const commit = hex(new Uint8Array(await crypto.subtle.digest("SHA-256", new Uint8Array([...label, ...nonce]))));

/** A move from an offer: its name, and one pick for each of its choices. */
function sample(offer) {
  const move = { t: offer.move };
  for (const it of offer.choices ?? []) {
    // A field that is left out has its default.
    if (it.k === "one") pick(it.rows).forEach((value, at) => (move[it.fields[at]] = value));
    else if (it.k === "some") move[it.field] = it.values.slice(0, it.least ?? 0);
    else {
      let left = it.least ?? 0; // amounts: so many in all
      move[it.field] = {};
      for (const [key, limit] of Object.entries(it.limits)) {
        const taken = Math.min(limit, left);
        if (taken > 0) move[it.field][key] = taken;
        left -= taken;
      }
    }
  }
  return move;
}

const socket = new WebSocket(url, ["photofinish.v1+json"]); // the subprotocol chooses the encoding
let id = 0; // every message has an id of its own, counted up
const send = (t, fields = {}) => socket.send(JSON.stringify({ t, id: id++, ...fields }));
let view = {};
let waitsFor = 0; // the first `seq` that shows our last move
let isOut = false; // a move has no answer yet

socket.onopen = () => {
  send("hello", { v: 1, name: "Ada" });
  send("create", { game: "cambio", seats: 2, options: { target_points: 5 } });
  send("bot"); // a house bot in the free seat
  send("ready", { commit });
  send("start");
};
socket.onmessage = ({ data }) => {
  const message = JSON.parse(data);
  if (message.t === "refused") {
    console.log("refused:", message.reason, message.text);
    isOut = false;
  } else if (message.t === "ack" && message.seq !== undefined) {
    [waitsFor, isOut] = [message.seq, false]; // the answer to a move
  } else if (message.t === "room" && message.dealing) {
    send("reveal", { nonce: hex(nonce) }); // the deal waits for our nonce
  } else if (message.t === "view") {
    view = message; // complete: it replaces the one before
    if (message.over) {
      console.log("over:", message.over.why, "places", message.over.places.join(" "));
      socket.close();
      return;
    }
  }
  // `awaited`: the table waits for us, and each of these is an answer. Everything else may be ignored.
  const awaited = (view.offers ?? []).filter((it) => it.awaited);
  if (awaited.length > 0 && !isOut && view.seq >= waitsFor) {
    isOut = true; // one move at a time: its answer comes first
    send("play", { move: sample(pick(awaited)) });
  }
};
