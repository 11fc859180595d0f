/** The score of one move: the formulae of protocol/RACES.md. */

import type { Kind, Params, Path } from "./record.js";

export interface Score {
  lo: number;
  hi: number;
  give: number;
  score: number;
  clamped: boolean;
  void: boolean;
}

export interface Known {
  kind: Kind;
  elapsed: number;
  base: number;
  reactUs: number | null;
  quota: number;
  raceLeft: number;
  flagged: boolean;
  /** What the seat's earlier moves force. */
  least: number;
}

/** The round trip taken off a seat's times. Nothing measured yet: nothing taken off. */
export function baseOf(path: Path, cap: number): number {
  const known = (path.behind_proxy ? [path.amin] : [path.kmin, path.amin]).filter((it) => it !== null);
  return known.length === 0 ? 0 : Math.min(...known, cap);
}

/** How long after a given reaction of a seat its move must have come in. */
export function patience(path: Path, params: Params): number {
  const base = baseOf(path, params.cap);
  const slow = path.slow ?? base;
  const spare = Math.min(Math.max(params.wait_base + slow - base, params.wait_least), params.wait_most);
  return params.eps + base + spare;
}

export function judge(params: Params, it: Known): Score {
  const hi = it.elapsed - it.base;
  const lo = hi - (it.flagged ? params.flagged_g : params.g);
  const claim = it.reactUs ?? hi - params.unclaimed;
  const clamped = claim < hi - params.g;
  const floor = it.kind === "contested" ? params.floor : 0;
  if (hi < floor && it.kind === "contested") return { lo, hi, give: 0, score: hi, clamped, void: true };
  const give = Math.min(Math.max(0, lo - claim), it.quota, it.raceLeft);
  const clipped = Math.min(Math.max(claim, floor, lo - give), Math.max(hi, floor));
  return { lo, hi, give, score: Math.max(clipped, it.least), clamped, void: false };
}
