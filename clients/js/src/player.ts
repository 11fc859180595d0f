/** A player is one function; `sit` plays it at a table until the game is over. */

import type { Photofinish } from "./connection/connection.js";
import { CutOff, Refusal } from "./errors.js";
import type { Over, View } from "./messages.js";
import { RaceTimer } from "./racetimer.js";
import type { Move } from "./table.js";

/** The move to make now, or null to wait; with `after`: after this many milliseconds, unless a newer view comes first. */
export type Decision = Move | { move: Move; after: number } | null;
export type Choose = (view: View) => Decision;

export interface Sitting {
  /** Null: the player has left the room, or was removed. */
  over: Over | null;
  moves: number;
  refusals: Record<string, number>;
}

/** How long we wait after an `ack` for the view that shows the move. */
const SETTLE = 500;
/** How long after a refusal the player is asked again if no new view comes. */
const AGAIN = 300;
/** After this many refusals on one view the player waits for the next view. */
const STUBBORN = 8;
/** Refusals that a new view explains. */
const ANOTHER_RACE: ReadonlySet<string> = new Set(["race_reopened", "wrong_nonce", "no_race"]);

export interface SitOptions {
  /** Ignore the views of games up to this number: they belong to games already played at this table. */
  beyond?: number;
  /** Called with each move when its `ack` has arrived. */
  played?: (move: Move) => void;
}

/** Play until the game is over, or until the player is no longer in the room. */
export async function sit(
  connection: Photofinish,
  choose: Choose,
  options: SitOptions = {},
): Promise<Sitting> {
  const { beyond = 0, played } = options;
  const sitting: Sitting = { over: null, moves: 0, refusals: {} };
  const timer = new RaceTimer();
  let view = connection.table?.view ?? null;
  let wake = (): void => {};
  let hasEnded = false;
  const see = (next: View): void => {
    view = next;
    if (next.race !== null) timer.drawn(next.race.nonce, performance.now());
    wake();
  };
  const end = (): void => {
    hasEnded = true;
    wake();
  };
  const off = [
    connection.on("view", see),
    connection.on("table", (table) => table === null && end()),
    connection.on("state", ({ state }) => state === "closed" && end()),
  ];
  /** Wait for the next view, or for this many milliseconds. */
  const news = (ms?: number): Promise<void> =>
    new Promise((resolve) => {
      const limit = ms === undefined ? undefined : setTimeout(resolve, ms);
      wake = () => {
        clearTimeout(limit);
        resolve();
      };
    });
  if (view !== null) see(view);
  try {
    let refused = 0;
    let decidedOn: View | null = null;
    for (;;) {
      const now: View | null = view;
      if (now !== null && now.number > beyond && now.over !== null) return { ...sitting, over: now.over };
      if (hasEnded) {
        if (connection.state === "closed")
          throw connection.error ?? new CutOff("the connection ended in the middle of the game");
        return sitting;
      }
      if (now === null || now.number <= beyond || (now === decidedOn && refused === 0)) {
        await news();
        continue;
      }
      if (now !== decidedOn) refused = 0;
      decidedOn = now;
      const decision = choose(now);
      if (decision === null) {
        refused = 0;
        continue;
      }
      const { move, after } = isTimed(decision) ? decision : { move: decision, after: 0 };
      const pause = Math.max(after, refused > 0 ? AGAIN : 0);
      if (pause > 0) {
        await news(pause);
        if (view !== now || hasEnded) continue;
      }
      const raceKey = now.race?.nonce;
      const reactUs = raceKey && timer.reaction(raceKey, { timeStamp: performance.now() });
      try {
        const isRaced = now.race?.moves.includes(move.t) || now.race?.closers.includes(move.t);
        const timing = raceKey && isRaced ? { raceKey, reactUs: reactUs || undefined } : undefined;
        const ack = await connection.table?.play(move, timing);
        sitting.moves += 1;
        played?.(move);
        refused = 0;
        const shows = ack?.seq ?? (view as View).seq;
        // A view from before the `ack` does not show the move: a decision based on it could repeat the move.
        const until = performance.now() + SETTLE;
        while (!hasEnded && (view as View).seq < shows && performance.now() < until)
          await news(Math.max(1, until - performance.now()));
      } catch (error) {
        if (!(error instanceof Refusal)) throw error;
        sitting.refusals[error.reason] = (sitting.refusals[error.reason] ?? 0) + 1;
        refused = ANOTHER_RACE.has(error.reason) || refused >= STUBBORN ? 0 : refused + 1;
      }
    }
  } finally {
    off.forEach((it) => it());
  }
}

function isTimed(decision: NonNullable<Decision>): decision is { move: Move; after: number } {
  return typeof decision["move"] === "object" && !("t" in decision);
}
