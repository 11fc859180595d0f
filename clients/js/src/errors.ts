/** What can go wrong for a player, by name. */

import type { EventError, Reason, Refused } from "./messages.js";

/** The server refused a request; nothing has changed. `clause` names the rule of the game, if it was a rule. */
export class Refusal extends Error {
  override name = "Refusal";
  readonly reason: Reason;
  readonly clause: string;
  readonly text: string;
  /** The same message can succeed later without any other change. */
  readonly retryable: boolean;
  /** With `bad_event`: each fault of the event file, with its line. */
  readonly errors: readonly EventError[];

  constructor(
    refused: Pick<Refused, "reason" | "clause" | "text" | "retry"> & Partial<Pick<Refused, "errors">>,
  ) {
    super(refused.clause ? `${refused.text} [${refused.clause}]` : refused.text);
    this.reason = refused.reason;
    this.clause = refused.clause;
    this.text = refused.text;
    this.retryable = refused.retry;
    this.errors = refused.errors ?? [];
  }
}

/** The connection has ended for good, or was cut during a request that is not safe to repeat. */
export class CutOff extends Error {
  override name = "CutOff";
  readonly code: number;

  constructor(text: string, code = 1006) {
    super(text);
    this.code = code;
  }
}
