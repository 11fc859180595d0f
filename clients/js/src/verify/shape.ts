/** What every log must look like, whatever its game: one deal, one end, times in order, seats that exist. */

import type { Dealt, Entry, Step } from "./entries.js";

/** Too many for the one byte that a seat has in a toss. */
const MOST_SEATS = 255;

/** Without faults the first entry is the only deal and the last is the only end. */
export function shapeFaults(entries: readonly Entry[]): string[] {
  const [dealt] = entries;
  if (dealt?.e !== "deal") return ["the game has no deal"];
  const faults = [...dealFaults(dealt)];
  const { seats } = dealt;
  if (entries.at(-1)?.e !== "end") faults.push("the game has no end");
  let newest = 0;
  for (const [number, entry] of entries.entries()) {
    const where = `entry ${number}`;
    if (entry.e === "deal" && number > 0) faults.push(`${where}: a second deal`);
    if (entry.e === "end") {
      if (number < entries.length - 1) faults.push(`${where}: the end is not the last entry`);
      if (!areSeats(entry.winners, seats)) faults.push(`${where}: the winners are not seats of this game`);
    }
    if (entry.e === "step" || entry.e === "race") {
      if (entry.at < newest) faults.push(`${where}: its time is ${entry.at}, after ${newest}`);
      newest = Math.max(newest, entry.at);
    }
    if (entry.e === "step") faults.push(...stepFaults(entry, seats).map((it) => `${where}: ${it}`));
    if (entry.e === "race" && !areSeats(entry.record.seats, seats))
      faults.push(`${where}: the race is not between seats of this game`);
  }
  return faults;
}

function* dealFaults({
  seats,
  names,
  nonces,
  previous,
  withheld,
  commits,
  v,
  number,
}: Dealt): Generator<string> {
  if (seats <= 0 || seats >= MOST_SEATS) yield `a game of ${seats} seats`;
  if (names.length !== seats) yield `${names.length} names at ${seats} seats`;
  if (nonces.length !== seats) yield `${nonces.length} nonces at ${seats} seats`;
  if (!areSeats(previous, seats)) yield "the winners of the game before are not seats of this game";
  if (!areSeats(withheld, seats)) yield "the seats that withheld a nonce are not seats of this game";
  if (v < 0 || number < 1) yield "a number of the deal is outside its range";
  if (v > 0 && commits.length !== seats) yield `${commits.length} hashes at ${seats} seats`;
}

function stepFaults({ seat, move, timer, evidence }: Step, seats: number): string[] {
  if ((seat === null) !== (move === null) || (seat === null) === (timer === null))
    return ["not either a move of a seat or a clock"];
  if (seat !== null && (seat < 0 || seat >= seats)) return [`there is no seat ${seat}`];
  if (evidence !== null && evidence.seat !== seat) return ["its evidence is of another seat"];
  return [];
}

function areSeats(told: readonly number[], seats: number): boolean {
  return new Set(told).size === told.length && told.every((seat) => seat >= 0 && seat < seats);
}
