// Generated from protocol/schema by tools/messages.py. Do not edit: `make js-messages` writes it.

export const VERSION = 1;

export const SUBPROTOCOLS = { msgpack: "photofinish.v1+msgpack", json: "photofinish.v1+json" } as const;

/** Must come first, within five seconds. With a `token`: resume a seat; `seq` is the last view that you saw. */
export interface Hello {
  t: "hello";
  id: number;
  v: number;
  name?: string;
  client?: string;
  token?: string | null;
  seq?: number;
  client_key?: string;
}

/** List the games of this server, with the schemas of their options and moves. */
export interface Games {
  t: "games";
  id: number;
}

/** List open rooms, of one game or of all, one page at a time. */
export interface Rooms {
  t: "rooms";
  id: number;
  game?: string | null;
  limit?: number;
  skip?: number;
}

/** Open a room and sit down in its seat 0 as its host. */
export interface Create {
  t: "create";
  id: number;
  game: string;
  seats?: number | null;
  options?: Record<string, unknown>;
  private?: boolean;
  spectator_delay?: number;
  max_ping_ms?: number;
  absent_seconds?: number;
  referee?: string;
  substitutes?: boolean;
}

/** Sit down: in that seat, or in the first free one. */
export interface Join {
  t: "join";
  id: number;
  room: string;
  seat?: number | null;
}

/**
 * Watch a room. With the host's `referee` password: as the table's referee.
 *
 * At a table of an event its officials are referees by their key. `seat`: see what this seat sees. Only for a referee
 * to whom an organiser has opened the hands of this table (`open_hands`).
 */
export interface Watch {
  t: "watch";
  id: number;
  room: string;
  referee?: string;
  seat?: number | null;
}

/** Give up the seat, or stop watching. In a running game the token still resumes the seat. */
export interface Leave {
  t: "leave";
  id: number;
}

/**
 * Say that you are (not) ready. `commit` is the hash of a nonce that you will `reveal` for the shuffle.
 *
 * `nonce` gives the nonce itself (hex). It is for clients that cannot hash: the server knows it before the deal.
 */
export interface Ready {
  t: "ready";
  id: number;
  ready?: boolean;
  nonce?: string;
  commit?: string;
}

/** After `start`: the nonce (hex) whose hash your `ready` carried. Send it when `room.dealing` names your seat. */
export interface Reveal {
  t: "reveal";
  id: number;
  nonce: string;
}

/** Host: put a house bot into that seat, or into the first free one. */
export interface Bot {
  t: "bot";
  id: number;
  seat?: number | null;
  player?: "house" | "random";
  strength?: "easy" | "medium" | "strong";
}

/** Host: remove a bot. */
export interface Remove {
  t: "remove";
  id: number;
  seat: number;
}

/** Host: remove a player, who cannot come back to this room. */
export interface Kick {
  t: "kick";
  id: number;
  seat: number;
}

/** Host: hand the room over to the player in that seat. */
export interface Host {
  t: "host";
  id: number;
  seat: number;
}

/** Host, before the game starts: other options. What is left out stays as it is. */
export interface Configure {
  t: "configure";
  id: number;
  options?: Record<string, unknown> | null;
  absent_seconds?: number | null;
}

/** Host: deal. All players must be ready. Empty seats are removed. The server waits five seconds for nonces. */
export interface Start {
  t: "start";
  id: number;
}

/** Host, after the game: back to the lobby with the same players and a new seed. */
export interface Rematch {
  t: "rematch";
  id: number;
}

/**
 * Make a move. In a race, `race` is the nonce of the view that showed it, and `react_us` may tell how long
 * the hand took, from drawing that view to the input event.
 */
export interface Play {
  t: "play";
  id: number;
  move: Record<string, unknown>;
  race?: string | null;
  react_us?: number | null;
}

export interface Chat {
  t: "chat";
  id: number;
  text: string;
}

export interface Emote {
  t: "emote";
  id: number;
  emote: string;
}

/** Answered by a `pong` with the same `at`. */
export interface Ping {
  t: "ping";
  id: number;
  at?: number;
}

/** Prove that you have this Ed25519 key: sign the welcome's `challenge`. Once per connection. */
export interface Identify {
  t: "identify";
  id: number;
  key: string;
  name: string;
  signature: string;
}

/** Take part in an event. `nonce_hash` commits to a nonce that `check_in` reveals for the draw. */
export interface Enter {
  t: "enter";
  id: number;
  event: string;
  code?: string;
  nonce_hash?: string;
  team?: string;
}

/** Confirm that you are there. `nonce` (hex) is the one that `enter` committed to. */
export interface CheckIn {
  t: "check_in";
  id: number;
  event: string;
  nonce?: string;
}

/** Leave the event. A pairing that is running is forfeited; results stay. */
export interface Withdraw {
  t: "withdraw";
  id: number;
  event: string;
}

/** Arena: pause from being paired, or come back. */
export interface Rest {
  t: "rest";
  id: number;
  event: string;
  on?: boolean;
}

/** Ask the referee to look at a race of your game; with an empty `race`, at the whole game. */
export interface MarkRace {
  t: "mark";
  id: number;
  event: string;
  round: number;
  table: number;
  game: number;
  race?: string;
  text: string;
}

/**
 * Referee: decide about a mark. `places` for `adjust`; `number` names an entrant for the last three.
 *
 * A mark that is ruled on is refused (`already_decided`), unless `replaces` says that the sender knows the ruling:
 * another referee or an organiser may replace it once.
 */
export interface Rule {
  t: "rule";
  id: number;
  event: string;
  mark: number;
  ruling: "adjust" | "confirm" | "disqualify" | "forfeit" | "replay" | "warn";
  reason: string;
  places?: number[];
  number?: number;
  replaces?: boolean;
}

/** Referee: a ruling without a mark. `replaces` as in `rule`: for a game whose places were changed before. */
export interface Correct {
  t: "correct";
  id: number;
  event: string;
  round: number;
  table: number;
  game: number;
  places: number[];
  reason: string;
  replaces?: boolean;
}

/** Referee: this entrant loses the pairing that is called or played. */
export interface Forfeit {
  t: "forfeit";
  id: number;
  event: string;
  round: number;
  table: number;
  number: number;
  reason: string;
}

/** Referee: wait longer for the players of this table, by this time. */
export interface Extend {
  t: "extend";
  id: number;
  event: string;
  table: number;
  seconds: number;
}

/** A new event from an event file (TOML). You are its organiser. */
export interface EventCreate {
  t: "event_create";
  id: number;
  toml: string;
}

/** Organiser: another event file. */
export interface EventEdit {
  t: "event_edit";
  id: number;
  event: string;
  toml: string;
}

/** Organiser: the next step of the event. `pause` and `cancel` need a reason, `seal` a signature over the head. */
export interface EventDo {
  t: "event_do";
  id: number;
  event: string;
  do: "cancel" | "open" | "pause" | "resume" | "round" | "seal" | "start";
  reason?: string;
  signature?: string;
}

/** Organiser, in a rehearsal: this many house bots enter like people. */
export interface EventBots {
  t: "event_bots";
  id: number;
  event: string;
  bots: number;
}

/** Organiser: more names for the list, each `{name, key?, seed?}`. */
export interface Admit {
  t: "admit";
  id: number;
  event: string;
  names: Record<string, unknown>[];
}

/** Organiser: remove this entrant from the event. */
export interface RemoveEntrant {
  t: "remove_entrant";
  id: number;
  event: string;
  entrant: string;
  reason: string;
}

/** Organiser: an entrant has lost its key. From now on the new key is the entrant. */
export interface Rebind {
  t: "rebind";
  id: number;
  event: string;
  entrant: string;
  key: string;
  reason: string;
}

/** Organiser: name referees or organisers, or (with `away`) relieve them. */
export interface Appoint {
  t: "appoint";
  id: number;
  event: string;
  role: "organiser" | "referee";
  keys: string[];
  away?: boolean;
}

/** Organiser: let a referee see the hands of a table. It is logged and shown to its players at once. */
export interface OpenHands {
  t: "open_hands";
  id: number;
  event: string;
  table: number;
  referee: string;
  reason: string;
}

/** Take the seat that you were called to. Answered like `join`. */
export interface Sit {
  t: "sit";
  id: number;
  event: string;
}

/** Get parts of an event as they change, in `event` messages. No key is needed. */
export interface Follow {
  t: "follow";
  id: number;
  event: string;
  parts?: ("bracket" | "disputes" | "entrants" | "info" | "reactions" | "round" | "standings" | "tables")[];
  seq?: number;
}

/** Stop following an event. */
export interface Unfollow {
  t: "unfollow";
  id: number;
  event: string;
}

/** Version 1 of the wire. Fields that are not listed are ignored. */
export type ClientMessage =
  | Hello
  | Games
  | Rooms
  | Create
  | Join
  | Watch
  | Leave
  | Ready
  | Reveal
  | Bot
  | Remove
  | Kick
  | Host
  | Configure
  | Start
  | Rematch
  | Play
  | Chat
  | Emote
  | Ping
  | Identify
  | Enter
  | CheckIn
  | Withdraw
  | Rest
  | MarkRace
  | Rule
  | Correct
  | Forfeit
  | Extend
  | EventCreate
  | EventEdit
  | EventDo
  | EventBots
  | Admit
  | RemoveEntrant
  | Rebind
  | Appoint
  | OpenHands
  | Sit
  | Follow
  | Unfollow;

/** The answer to `hello`. `resumed`: you have your seat again, with a new token. Count `id`s from `next_id`. */
export interface Welcome {
  t: "welcome";
  id: number;
  v: number;
  name: string;
  limits: Limits;
  next_id: number;
  server: string;
  resumed: Seated | null;
  challenge: string;
}

export interface Limits {
  frame: number;
  rate: number;
  burst: number;
  name: number;
  chat: number;
  remembered: number;
  emotes: string[];
}

/** You have this seat. `token` resumes it after a cut; it works once and is replaced each time. */
export interface Seated {
  got: "seated";
  room: string;
  seat: number;
  token: string;
  name: string;
  home: string;
  next_id: number;
}

/** Done and stored. To a move: views with this `seq` or a higher one contain it. */
export interface Ack {
  t: "ack";
  id: number;
  seq: number | null;
  got: Seated | Watching | RoomList | GameList | BotIn | Pong | EventGot | null;
}

export interface Watching {
  got: "watching";
  room: string;
}

/** `total` counts all rooms, not only those on this page. */
export interface RoomList {
  got: "rooms";
  rooms: RoomLine[];
  total: number;
}

/** A room in the list. */
export interface RoomLine {
  room: string;
  game: string;
  phase: "lobby" | "over" | "playing";
  seats: number;
  free: number;
  host: string;
  watchers: number;
}

export interface GameList {
  got: "games";
  games: GameInfo[];
}

/** A game of this server. `options` and `moves` are JSON Schemas. */
export interface GameInfo {
  key: string;
  title: string;
  blurb: string;
  least: number;
  most: number;
  house: boolean;
  options: Record<string, unknown>;
  moves: Record<string, unknown>;
}

export interface BotIn {
  got: "bot";
  seat: number;
}

export interface Pong {
  got: "pong";
  at: number;
  now: number;
}

/**
 * The event after what you asked: its state, and how many entries its log has.
 *
 * `warnings` are for the organiser: the file is accepted, but something in it may surprise (T12).
 */
export interface EventGot {
  got: "event";
  event: string;
  state: string;
  entries: number;
  warnings: string[];
}

/** Not done; nothing has changed. `clause` names the rule of the game, `retry` says if trying again helps. */
export interface Refused {
  t: "refused";
  id: number;
  reason: Reason;
  text: string;
  clause: string;
  retry: boolean;
  errors: EventError[];
}

/** The `reason` of a `refused` message. */
export type Reason =
  "already_decided" | "already_entered" | "already_started" | "bad_code" | "bad_event" | "bad_message" | "bad_move" | "bad_name" | "bad_nonce" | "bad_options" | "bad_signature" | "bad_text" | "bad_token" | "bad_version" | "busy" | "draining" | "elsewhere" | "event_full" | "false_start" | "game_over" | "high_ping" | "illegal_move" | "in_a_room" | "key_taken" | "kicked" | "muted" | "name_bound" | "name_taken" | "no_hello" | "no_house_bot" | "no_race" | "no_such_event" | "no_such_race" | "no_such_room" | "no_such_seat" | "not_a_bot" | "not_a_player" | "not_allowed" | "not_called" | "not_enough_seats" | "not_entered" | "not_host" | "not_identified" | "not_in_a_room" | "not_listed" | "not_organiser" | "not_ready" | "not_referee" | "not_seated" | "not_started" | "not_your_table" | "own_table" | "pinned" | "quarantined" | "race_reopened" | "registration_closed" | "room_full" | "sealed" | "seat_taken" | "second_hello" | "stale_id" | "too_fast" | "too_few" | "too_late" | "too_many_bots" | "too_many_events" | "too_many_followed" | "too_many_marks" | "too_many_moves" | "too_many_rooms" | "unknown_emote" | "unknown_game" | "unknown_type" | "wrong_nonce" | "wrong_reveal" | "wrong_state";

/** One fault of an event file. `nearest` is a known key that looks like an unknown one. */
export interface EventError {
  line: number;
  key: string;
  found: string;
  allowed: string;
  nearest: string;
}

/** Your move is held in the race; the answer follows. The move may still be refused. */
export interface Pending {
  t: "pending";
  id: number;
}

/** The room itself: who sits where. Sent whenever it changes. */
export interface Room {
  t: "room";
  room: string;
  game: string;
  phase: "lobby" | "over" | "playing";
  number: number;
  host: number;
  seats: Place[];
  options: Record<string, unknown>;
  private: boolean;
  commitment: string;
  watchers: number;
  spectator_delay: number;
  max_ping_ms: number;
  substitutes: boolean;
  referee: boolean;
  dealing: Dealing | null;
  withheld: number[];
  absent_seconds: number;
}

/** A seat as everybody sees it. */
export interface Place {
  seat: number;
  kind: "bot" | "empty" | "player";
  name: string;
  ready: boolean;
  connected: boolean;
  autopilot: boolean;
  wins: number;
  commit: string;
}

/** The host has started the deal. `seats` have not yet revealed their nonces; after `left_us` they are left out. */
export interface Dealing {
  seats: number[];
  left_us: number;
}

/** Everything you may know. `seq` counts the changes of your view; `from` is the `seq` of the view sent before. */
export interface View {
  t: "view";
  room: string;
  game: string;
  number: number;
  seq: number;
  from: number;
  you: number | null;
  view: unknown;
  scores: number[];
  head: string;
  commitment: string;
  offers: Offer[];
  race: OpenRace | null;
  clocks: Clock[];
  last: Happened[];
  over: Over | null;
}

/**
 * One move you may send now: its name, and one choice for each group of fields.
 *
 * Choices are independent of each other, but for `where`, which ties the first two:
 * `different_seats` (two objects whose `seat` must differ), `different_values`.
 */
export interface Offer {
  move: string;
  choices: (OneOf | SomeOf | Amounts)[];
  where: "" | "different_seats" | "different_values";
  text: string;
  awaited: boolean;
  risky: boolean;
}

/** Pick one row; its values fill `fields` in order. `optional`: or leave all of these fields out. */
export interface OneOf {
  k: "one";
  fields: string[];
  rows: unknown[][];
  optional: boolean;
}

/**
 * Pick `least` to `most` different `values` as a list.
 *
 * With `weights` (one per value), the weights picked must add up to one of `sums`, or to at least `sum_least`.
 */
export interface SomeOf {
  k: "some";
  field: string;
  values: unknown[];
  least: number;
  most: number;
  weights: number[];
  sums: number[];
  sum_least: number | null;
  optional: boolean;
}

/** Give each key a number from 0 to its limit (a 0 may be left out); together `least` to `most`. */
export interface Amounts {
  k: "amounts";
  field: string;
  limits: Record<string, number>;
  least: number;
  most: number;
  optional: boolean;
}

/** The race that is open: answer its moves with this `nonce`. `anytime` moves need none. */
export interface OpenRace {
  key: string;
  nonce: string;
  moves: string[];
  closers: string[];
  anytime: string[];
}

/**
 * A clock and its remaining time when this view was made.
 *
 * `seats`: everybody it waits for. `seat`: the one seat that misses it when it expires.
 */
export interface Clock {
  key: string;
  left_us: number;
  seat: number | null;
  seats: number[];
  running: boolean;
}

/** One thing that happened. `{0}`, `{1}` … in `text` stand for the players in those seats. */
export interface Happened {
  what: string;
  seat: number | null;
  text: string;
  detail: Record<string, unknown>;
}

/**
 * How the game ended, and what the commitments were made from: the seed and each seat's nonce, in hex.
 *
 * `places` is the place of each seat (1, 1, 3). Rank only by this: what `scores` mean differs from game to game.
 * `ledger` has the line of every seat that was in a race: after the game nothing has to stay hidden.
 */
export interface Over {
  winners: number[];
  why: string;
  scores: number[];
  places: number[];
  seed: string;
  nonces: string[];
  commits: string[];
  withheld: number[];
  ledger: LagLine[];
}

/**
 * A seat's lag ledger in this game: time given for its network, time claimed but not given.
 *
 * `quota_us`: what may still be credited for late lines without kernel proof. `credited_us`: what was credited for
 * lines that were late in their race. `screen_us`: how long the seat's screen seems to take, by its claims. `proof`:
 * what the server's kernel proves of late lines on the seat's connection; unless it is `full`, `quota_us` bounds the
 * credit.
 */
export interface LagLine {
  seat: number;
  base_us: number;
  quota_us: number;
  given_us: number;
  uncompensated_us: number;
  false_starts: number;
  credited_us: number;
  screen_us: number;
  proof: "full" | "none" | "partial";
}

/**
 * What this receiver may know of a race that has closed: public moves and its own.
 *
 * `ledger` has the receiver's own line, for a referee the lines of all seats; everybody gets all lines with `over`.
 * `record`, the full evidence, is sent to a referee at once; everybody gets it with the replay.
 */
export interface RaceReport {
  t: "race";
  key: string;
  number: number;
  marks: Mark[];
  ledger: LagLine[];
  record: unknown;
}

/**
 * One move in a race: how long after this seat's own trigger the hand moved.
 *
 * `score` is what it was sorted by, between `lo` and `hi` as far as that could be known; `base` is the network
 * time that was subtracted. `refused`: the rules refused it; `void`: a false start; `held`: too late. `late` and
 * `heat` refer only to moves that this receiver may know of.
 */
export interface Mark {
  seat: number;
  move: string;
  score: number;
  lo: number;
  hi: number;
  base: number;
  verdict: "done" | "held" | "refused" | "void";
  late: boolean;
  heat: boolean;
}

/** A chat message. `seat` is missing for spectators, and their `name` ends in "(watching)". */
export interface Said {
  t: "said";
  name: string;
  text: string;
  seat: number | null;
}

export interface Emoted {
  t: "emoted";
  seat: number;
  emote: string;
}

/** You are no longer in the room, and why. */
export interface Left {
  t: "left";
  room: string;
  reason: "closed" | "kicked" | "left" | "quarantined" | "taken_over";
  text: string;
}

/** The connection is about to be closed, and why. */
export interface Bye {
  t: "bye";
  code: number;
  text: string;
  retry: boolean;
  retry_after_ms: number;
}

/** Your table waits: join `room`. Sent to every connection of the key, and again after `identify`. */
export interface Called {
  t: "called";
  event: string;
  round: number;
  table: number;
  game: number;
  attempt: number;
  room: string;
  seat: number;
  opponents: string[];
  no_show_in_us: number;
}

/** What has changed in an event you follow. With `from` 0 the parts are whole, else only the changed rows come. */
export interface EventNews {
  t: "event";
  event: string;
  seq: number;
  from: number;
  parts: Record<string, PartRows>;
}

/** Rows of one part of an event, by key. A row replaces the one with the same key. */
export interface PartRows {
  rows: Record<string, unknown>;
  gone: string[];
}

/** Version 1 of the wire. Fields that are not listed are ignored. */
export type ServerMessage =
  | Welcome
  | Ack
  | Refused
  | Pending
  | Room
  | View
  | RaceReport
  | Said
  | Emoted
  | Left
  | Bye
  | Called
  | EventNews;

export const REASONS: Readonly<Record<string, { retry: boolean; text: string }>> = {
  bad_message: {"retry": false, "text": "That message is missing a field, or a field has the wrong type."},
  unknown_type: {"retry": false, "text": "The server does not know this type of message."},
  no_hello: {"retry": false, "text": "Say hello first."},
  second_hello: {"retry": false, "text": "You have said hello already."},
  bad_version: {"retry": false, "text": "The server does not speak that version of the protocol."},
  bad_name: {"retry": false, "text": "That name cannot be used. Take 1 to 24 letters, digits or marks."},
  bad_token: {"retry": false, "text": "This token does not give you a seat here."},
  stale_id: {"retry": false, "text": "That id is too old. Count up from the last one."},
  too_fast: {"retry": true, "text": "Too many messages. Wait a moment."},
  unknown_game: {"retry": false, "text": "This server does not have that game."},
  bad_options: {"retry": false, "text": "The game cannot be set up with these options."},
  no_such_room: {"retry": false, "text": "There is no room with that code."},
  room_full: {"retry": true, "text": "Every seat in that room is taken."},
  seat_taken: {"retry": true, "text": "That seat is taken."},
  no_such_seat: {"retry": false, "text": "The table has no such seat."},
  in_a_room: {"retry": false, "text": "You are in a room already. Leave it first."},
  not_in_a_room: {"retry": false, "text": "You are not in a room."},
  not_seated: {"retry": false, "text": "Only players can do that, and you are watching."},
  not_host: {"retry": false, "text": "Only the host of the room can do that."},
  not_a_bot: {"retry": false, "text": "There is no bot in that seat."},
  not_a_player: {"retry": false, "text": "No player sits there."},
  no_house_bot: {"retry": false, "text": "This game has no house bot."},
  not_enough_seats: {"retry": true, "text": "The game needs more players."},
  not_ready: {"retry": true, "text": "Not everybody is ready."},
  already_started: {"retry": false, "text": "The game has started."},
  not_started: {"retry": true, "text": "The game has not started."},
  game_over: {"retry": false, "text": "The game is over."},
  bad_move: {"retry": false, "text": "That is not a move of this game, or one of its fields is wrong."},
  illegal_move: {"retry": false, "text": "The rules do not allow that now."},
  no_race: {"retry": false, "text": "No race is open."},
  wrong_nonce: {"retry": false, "text": "The nonce is not that of the open race."},
  false_start: {"retry": true, "text": "Too quick: nobody can have seen the card yet."},
  too_many_moves: {"retry": false, "text": "You have made 32 moves in this race. Wait until it closes."},
  race_reopened: {"retry": true, "text": "The race was opened again. Nothing was decided."},
  high_ping: {"retry": true, "text": "Your connection is slower than this table allows."},
  muted: {"retry": true, "text": "No talking now: the rules of this game forbid it."},
  bad_text: {"retry": false, "text": "That text is empty or too long."},
  unknown_emote: {"retry": false, "text": "There is no such emote."},
  kicked: {"retry": false, "text": "The host removed you from this room."},
  wrong_reveal: {"retry": false, "text": "That is not the nonce you committed to with `ready`."},
  quarantined: {"retry": false, "text": "This room stopped because of an error. Its log is kept."},
  draining: {"retry": true, "text": "The server is about to restart. Reconnect in a moment."},
  too_many_rooms: {"retry": true, "text": "Too many rooms are open."},
  too_many_bots: {"retry": true, "text": "Too many house bots play in rooms that were opened from your address."},
  elsewhere: {"retry": true, "text": "That room is moving to another node. Try again."},
  bad_signature: {"retry": false, "text": "The signature does not fit this key and the challenge of this connection."},
  not_identified: {"retry": false, "text": "Prove your key with `identify` first."},
  no_such_event: {"retry": false, "text": "There is no event with that code."},
  wrong_state: {"retry": false, "text": "The event is not in a state for that."},
  bad_event: {"retry": false, "text": "The event file has faults."},
  pinned: {"retry": false, "text": "That cannot change any more."},
  too_many_events: {"retry": true, "text": "Too many events are open."},
  not_organiser: {"retry": false, "text": "Only an organiser of the event can do that."},
  not_referee: {"retry": false, "text": "Only a referee or organiser of the event can do that."},
  own_table: {"retry": false, "text": "You play at that table yourself."},
  already_entered: {"retry": false, "text": "You have entered this event."},
  not_entered: {"retry": false, "text": "That key has not entered this event."},
  name_taken: {"retry": false, "text": "Somebody in this event has that name."},
  name_bound: {"retry": false, "text": "That name is bound to another key."},
  key_taken: {"retry": false, "text": "Another entrant has that key."},
  bad_code: {"retry": false, "text": "That is not the entry code."},
  not_listed: {"retry": false, "text": "That name is not on the list."},
  event_full: {"retry": true, "text": "The event is full."},
  registration_closed: {"retry": false, "text": "Registration is closed."},
  bad_nonce: {"retry": false, "text": "That is not the nonce you committed to."},
  too_few: {"retry": true, "text": "Too few entrants are checked in."},
  not_your_table: {"retry": false, "text": "You did not sit at that table."},
  no_such_race: {"retry": false, "text": "That game has no such race."},
  too_late: {"retry": false, "text": "It is too late for that."},
  too_many_marks: {"retry": false, "text": "You have marked too many races."},
  already_decided: {"retry": false, "text": "That is decided already."},
  not_allowed: {"retry": false, "text": "The event's rules do not allow that."},
  sealed: {"retry": true, "text": "That is sealed until every table has finished."},
  not_called: {"retry": true, "text": "You are not called to a table of this event now."},
  busy: {"retry": true, "text": "You are called to a table of another event. Play there first."},
  too_many_followed: {"retry": false, "text": "You follow four events already. Unfollow one of them first."},
};

export const CLOSES: Readonly<Record<number, { retry: boolean; text: string }>> = {
  1003: {"retry": false, "text": "A text frame on the msgpack protocol, or a binary one on JSON."},
  1009: {"retry": false, "text": "A frame larger than 16 KiB."},
  1012: {"retry": true, "text": "The server restarts. Reconnect with your token."},
  4400: {"retry": false, "text": "A frame that is not a message."},
  4401: {"retry": true, "text": "No hello within five seconds."},
  4409: {"retry": false, "text": "A newer connection of yours took over your seat."},
  4429: {"retry": true, "text": "Far too many messages."},
  4408: {"retry": true, "text": "You did not read what was sent to you."},
  4500: {"retry": true, "text": "The server had an internal error."},
};

/** Which shape a message of the server has, by its `t`. */
export const MESSAGE_SHAPES: Readonly<Record<string, string>> = {"welcome": "Welcome", "ack": "Ack", "refused": "Refused", "pending": "Pending", "room": "Room", "view": "View", "race": "RaceReport", "said": "Said", "emoted": "Emoted", "left": "Left", "bye": "Bye", "called": "Called", "event": "EventNews"};

export type Shape =
  | "integer"
  | "string"
  | "boolean"
  | "any"
  | "object"
  | { readonly list: Shape }
  | { readonly map: Shape }
  | { readonly maybe: Shape }
  | { readonly ref: string }
  | { readonly by: string; readonly of: Readonly<Record<string, string>> };

/** The fields of each shape. `else` is the default of a field that may be left out. */
export const SHAPES: Readonly<
  Record<string, Readonly<Record<string, { readonly is: Shape; readonly else?: unknown }>>>
> = {
  Welcome: {"t": {"is": "string"}, "id": {"is": "integer"}, "v": {"is": "integer"}, "name": {"is": "string"}, "limits": {"is": {"ref": "Limits"}}, "next_id": {"is": "integer"}, "server": {"is": "string"}, "resumed": {"is": {"maybe": {"ref": "Seated"}}, "else": null}, "challenge": {"is": "string", "else": ""}},
  Limits: {"frame": {"is": "integer"}, "rate": {"is": "integer"}, "burst": {"is": "integer"}, "name": {"is": "integer"}, "chat": {"is": "integer"}, "remembered": {"is": "integer"}, "emotes": {"is": {"list": "string"}}},
  Seated: {"got": {"is": "string"}, "room": {"is": "string"}, "seat": {"is": "integer"}, "token": {"is": "string"}, "name": {"is": "string", "else": ""}, "home": {"is": "string", "else": ""}, "next_id": {"is": "integer", "else": 0}},
  Ack: {"t": {"is": "string"}, "id": {"is": "integer"}, "seq": {"is": {"maybe": "integer"}, "else": null}, "got": {"is": {"maybe": {"by": "got", "of": {"seated": "Seated", "watching": "Watching", "rooms": "RoomList", "games": "GameList", "bot": "BotIn", "pong": "Pong", "event": "EventGot"}}}, "else": null}},
  Watching: {"got": {"is": "string"}, "room": {"is": "string"}},
  RoomList: {"got": {"is": "string"}, "rooms": {"is": {"list": {"ref": "RoomLine"}}}, "total": {"is": "integer"}},
  RoomLine: {"room": {"is": "string"}, "game": {"is": "string"}, "phase": {"is": "string"}, "seats": {"is": "integer"}, "free": {"is": "integer"}, "host": {"is": "string"}, "watchers": {"is": "integer", "else": 0}},
  GameList: {"got": {"is": "string"}, "games": {"is": {"list": {"ref": "GameInfo"}}}},
  GameInfo: {"key": {"is": "string"}, "title": {"is": "string"}, "blurb": {"is": "string"}, "least": {"is": "integer"}, "most": {"is": "integer"}, "house": {"is": "boolean"}, "options": {"is": "object"}, "moves": {"is": "object"}},
  BotIn: {"got": {"is": "string"}, "seat": {"is": "integer"}},
  Pong: {"got": {"is": "string"}, "at": {"is": "integer"}, "now": {"is": "integer"}},
  EventGot: {"got": {"is": "string"}, "event": {"is": "string"}, "state": {"is": "string"}, "entries": {"is": "integer"}, "warnings": {"is": {"list": "string"}, "else": []}},
  Refused: {"t": {"is": "string"}, "id": {"is": "integer"}, "reason": {"is": "string"}, "text": {"is": "string"}, "clause": {"is": "string", "else": ""}, "retry": {"is": "boolean", "else": false}, "errors": {"is": {"list": {"ref": "EventError"}}, "else": []}},
  EventError: {"line": {"is": "integer"}, "key": {"is": "string"}, "found": {"is": "string"}, "allowed": {"is": "string"}, "nearest": {"is": "string", "else": ""}},
  Pending: {"t": {"is": "string"}, "id": {"is": "integer"}},
  Room: {"t": {"is": "string"}, "room": {"is": "string"}, "game": {"is": "string"}, "phase": {"is": "string"}, "number": {"is": "integer"}, "host": {"is": "integer"}, "seats": {"is": {"list": {"ref": "Place"}}}, "options": {"is": "object"}, "private": {"is": "boolean"}, "commitment": {"is": "string"}, "watchers": {"is": "integer", "else": 0}, "spectator_delay": {"is": "integer", "else": 0}, "max_ping_ms": {"is": "integer", "else": 0}, "substitutes": {"is": "boolean", "else": false}, "referee": {"is": "boolean", "else": false}, "dealing": {"is": {"maybe": {"ref": "Dealing"}}, "else": null}, "withheld": {"is": {"list": "integer"}, "else": []}, "absent_seconds": {"is": "integer", "else": 120}},
  Place: {"seat": {"is": "integer"}, "kind": {"is": "string"}, "name": {"is": "string", "else": ""}, "ready": {"is": "boolean", "else": false}, "connected": {"is": "boolean", "else": false}, "autopilot": {"is": "boolean", "else": false}, "wins": {"is": "integer", "else": 0}, "commit": {"is": "string", "else": ""}},
  Dealing: {"seats": {"is": {"list": "integer"}}, "left_us": {"is": "integer"}},
  View: {"t": {"is": "string"}, "room": {"is": "string"}, "game": {"is": "string"}, "number": {"is": "integer"}, "seq": {"is": "integer"}, "from": {"is": "integer"}, "you": {"is": {"maybe": "integer"}}, "view": {"is": "any"}, "scores": {"is": {"list": "integer"}}, "head": {"is": "string"}, "commitment": {"is": "string"}, "offers": {"is": {"list": {"ref": "Offer"}}, "else": []}, "race": {"is": {"maybe": {"ref": "OpenRace"}}, "else": null}, "clocks": {"is": {"list": {"ref": "Clock"}}, "else": []}, "last": {"is": {"list": {"ref": "Happened"}}, "else": []}, "over": {"is": {"maybe": {"ref": "Over"}}, "else": null}},
  Offer: {"move": {"is": "string"}, "choices": {"is": {"list": {"by": "k", "of": {"one": "OneOf", "some": "SomeOf", "amounts": "Amounts"}}}, "else": []}, "where": {"is": "string", "else": ""}, "text": {"is": "string", "else": ""}, "awaited": {"is": "boolean", "else": false}, "risky": {"is": "boolean", "else": false}},
  OneOf: {"k": {"is": "string"}, "fields": {"is": {"list": "string"}}, "rows": {"is": {"list": {"list": "any"}}}, "optional": {"is": "boolean", "else": false}},
  SomeOf: {"k": {"is": "string"}, "field": {"is": "string"}, "values": {"is": {"list": "any"}}, "least": {"is": "integer", "else": 0}, "most": {"is": "integer", "else": 1}, "weights": {"is": {"list": "integer"}, "else": []}, "sums": {"is": {"list": "integer"}, "else": []}, "sum_least": {"is": {"maybe": "integer"}, "else": null}, "optional": {"is": "boolean", "else": false}},
  Amounts: {"k": {"is": "string"}, "field": {"is": "string"}, "limits": {"is": {"map": "integer"}}, "least": {"is": "integer", "else": 0}, "most": {"is": "integer", "else": 0}, "optional": {"is": "boolean", "else": false}},
  OpenRace: {"key": {"is": "string"}, "nonce": {"is": "string"}, "moves": {"is": {"list": "string"}}, "closers": {"is": {"list": "string"}, "else": []}, "anytime": {"is": {"list": "string"}, "else": []}},
  Clock: {"key": {"is": "string"}, "left_us": {"is": "integer"}, "seat": {"is": {"maybe": "integer"}, "else": null}, "seats": {"is": {"list": "integer"}, "else": []}, "running": {"is": "boolean", "else": true}},
  Happened: {"what": {"is": "string"}, "seat": {"is": {"maybe": "integer"}, "else": null}, "text": {"is": "string", "else": ""}, "detail": {"is": "object", "else": {}}},
  Over: {"winners": {"is": {"list": "integer"}}, "why": {"is": "string"}, "scores": {"is": {"list": "integer"}}, "places": {"is": {"list": "integer"}, "else": []}, "seed": {"is": "string"}, "nonces": {"is": {"list": "string"}}, "commits": {"is": {"list": "string"}, "else": []}, "withheld": {"is": {"list": "integer"}, "else": []}, "ledger": {"is": {"list": {"ref": "LagLine"}}, "else": []}},
  LagLine: {"seat": {"is": "integer"}, "base_us": {"is": "integer"}, "quota_us": {"is": "integer"}, "given_us": {"is": "integer"}, "uncompensated_us": {"is": "integer"}, "false_starts": {"is": "integer", "else": 0}, "credited_us": {"is": "integer", "else": 0}, "screen_us": {"is": "integer", "else": 0}, "proof": {"is": "string", "else": "none"}},
  RaceReport: {"t": {"is": "string"}, "key": {"is": "string"}, "number": {"is": "integer"}, "marks": {"is": {"list": {"ref": "Mark"}}}, "ledger": {"is": {"list": {"ref": "LagLine"}}, "else": []}, "record": {"is": "any", "else": null}},
  Mark: {"seat": {"is": "integer"}, "move": {"is": "string"}, "score": {"is": "integer"}, "lo": {"is": "integer"}, "hi": {"is": "integer"}, "base": {"is": "integer"}, "verdict": {"is": "string", "else": "done"}, "late": {"is": "boolean", "else": false}, "heat": {"is": "boolean", "else": false}},
  Said: {"t": {"is": "string"}, "name": {"is": "string"}, "text": {"is": "string"}, "seat": {"is": {"maybe": "integer"}, "else": null}},
  Emoted: {"t": {"is": "string"}, "seat": {"is": "integer"}, "emote": {"is": "string"}},
  Left: {"t": {"is": "string"}, "room": {"is": "string"}, "reason": {"is": "string"}, "text": {"is": "string"}},
  Bye: {"t": {"is": "string"}, "code": {"is": "integer"}, "text": {"is": "string"}, "retry": {"is": "boolean", "else": false}, "retry_after_ms": {"is": "integer", "else": 0}},
  Called: {"t": {"is": "string"}, "event": {"is": "string"}, "round": {"is": "integer"}, "table": {"is": "integer"}, "game": {"is": "integer"}, "attempt": {"is": "integer"}, "room": {"is": "string"}, "seat": {"is": "integer"}, "opponents": {"is": {"list": "string"}}, "no_show_in_us": {"is": "integer"}},
  EventNews: {"t": {"is": "string"}, "event": {"is": "string"}, "seq": {"is": "integer"}, "from": {"is": "integer"}, "parts": {"is": {"map": {"ref": "PartRows"}}}},
  PartRows: {"rows": {"is": "object"}, "gone": {"is": {"list": "string"}, "else": []}},
};
