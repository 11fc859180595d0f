/** How long to wait before the next attempt. */

const FIRST_WAIT = 50;
const LONGEST_WAIT = 2000;
/** The pause is this share of the time without a connection, so that it is short after a short cut. */
const SHARE = 0.25;

/** Milliseconds until the next attempt after `away` milliseconds. Half of it is random, so that clients do not reconnect all at once. */
export function pause(away: number, chance: number): number {
  return (Math.min(LONGEST_WAIT, Math.max(FIRST_WAIT, SHARE * away)) * (1 + chance)) / 2;
}
