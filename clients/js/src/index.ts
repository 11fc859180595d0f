/** The TypeScript SDK of Photofinish. */

export { Photofinish } from "./connection/connection.js";
export type { CreateOptions, RoomsQuery } from "./connection/connection.js";
export type { ConnectOptions, Events, State } from "./options.js";
export { Table } from "./table.js";
export type { BotOptions, Move, Timing } from "./table.js";
export { addsUp, fieldsOf, isAllowed, sampleMove, sampleOffer } from "./offers.js";
export type { Chance, Choice } from "./offers.js";
export { Followed } from "./followed.js";
export type { EventPart, EventParts } from "./followed.js";
export { sit } from "./player.js";
export type { Choose, Decision, Sitting, SitOptions } from "./player.js";
export { CutOff, Refusal } from "./errors.js";
export { browserKey, hostOf, keepBrowserKey, PlayerKey } from "./keys.js";
export { RaceTimer, type Screen } from "./racetimer.js";
export { browserTokens, memoryTokens } from "./connection/tokens.js";
export type { TokenStore } from "./connection/tokens.js";
export { CODECS } from "./codec.js";
export type { Codec, Encoding } from "./codec.js";
export { Malformed } from "./read.js";
export { Session } from "./connection/session.js";
export { verifyReplay } from "./verify/index.js";
export type { Report, Seen } from "./verify/index.js";
export { attemptsOf, racesOf } from "./verify/races.js";
export type { ReadRace } from "./verify/races.js";
export type * from "./messages.js";
export { CLOSES, REASONS, SUBPROTOCOLS, VERSION } from "./messages.js";
export type { Room as RoomMessage, RoomList as RoomsPage, View as ViewMessage } from "./messages.js";
