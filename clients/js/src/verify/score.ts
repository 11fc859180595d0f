/** The score of one move: the formulae of protocol/RACES.md. */

import type { Kind, Params, Path, Start } from "./record.js";

export interface Score {
  lo: number;
  hi: number;
  jitter: number;
  behind: number;
  soft: number;
  credit: number;
  score: number;
  void: boolean;
}

export interface Known {
  kind: Kind;
  elapsed: number;
  path: Path;
  reactUs: number | null;
  /** The standing of the seat at the opening. */
  start: Start;
  /** The lower limit from the seat's earlier moves. */
  least: number;
  /** False for records of version 2, which credited every claim. */
  hasDoubt: boolean;
}

/** The path of a seat that was away: nothing is measured. */
export const NO_PATH: Path = {
  kmin: null,
  amin: null,
  slow: null,
  behind_proxy: false,
  usual: null,
  acked: null,
  delayable: false,
};

/** The round trip that is subtracted from a seat's times; 0 if nothing was measured yet. */
export function baseOf(path: Pick<Path, "kmin" | "amin" | "behind_proxy">, cap: number): number {
  const known = (path.behind_proxy ? [path.amin] : [path.kmin, path.amin]).filter((it) => it !== null);
  return known.length === 0 ? 0 : Math.min(...known, cap);
}

/** How long after a given reaction of a seat its move must have arrived. */
export function patience(path: Path, params: Params): number {
  const base = baseOf(path, params.cap);
  const slow = path.slow ?? base;
  const spare = Math.min(Math.max(params.wait_base + slow - base, params.wait_least), params.wait_most);
  return params.eps + base + spare;
}

/** What a line usually takes beyond its smallest round trip. */
function jitterOf(path: Path, params: Params): number {
  const base = baseOf(path, params.cap);
  const most = params.jitter_free + Math.floor((base * params.jitter_percent) / 100);
  if (path.usual === null) return 0;
  return Math.min(Math.floor((Math.max(0, path.usual - base) * params.jitter_scale) / 100), most);
}

/** How late the line was in this race, as far as the kernel proves it. */
function behindOf(path: Path, params: Params): number {
  if (path.acked === null || path.behind_proxy) return 0;
  const expected = Math.max(baseOf(path, params.cap) + jitterOf(path, params), path.usual ?? 0);
  return Math.max(0, path.acked - expected);
}

/** The most that is credited for a late line in this race. */
function provenOf(path: Path, params: Params): number {
  const late = behindOf(path, params) - params.late_free - Math.floor(jitterOf(path, params) / 2);
  return Math.min(Math.max(0, late), params.late_most);
}

/** Does the kernel tell when the trigger was acknowledged, and could no program delay the ACK? */
export function hasProof(path: Path): boolean {
  return path.acked !== null && !path.behind_proxy && !path.delayable;
}

/** The most that any seat is credited on this path in this race. */
function creditMost(path: Path, params: Params): number {
  if (hasProof(path)) return provenOf(path, params);
  if (path.acked === null || path.behind_proxy) return params.unproven_race;
  return Math.min(provenOf(path, params), params.unproven_race);
}

export function judge(params: Params, it: Known): Score {
  const { path, start } = it;
  const hi = it.elapsed - baseOf(path, params.cap);
  const jitter = jitterOf(path, params);
  const behind = behindOf(path, params);
  const isContested = it.kind === "contested";
  if (hi < params.floor && isContested)
    return { lo: hi, hi, jitter, behind, soft: 0, credit: 0, score: hi, void: true };
  const common = jitter + params.screen;
  let [soft, credit, widest] = [0, 0, 0];
  if (it.reactUs !== null && isContested) {
    const most = creditMost(path, params);
    const swing = params.swing + Math.floor(jitter / 2);
    const over = hi - it.reactUs - jitter - start.screen;
    const top = Math.min(swing, params.gain * (params.screen_most - start.screen));
    const low = Math.max(-swing, -common, params.gain * (params.screen_least - start.screen));
    soft = Math.max(low, Math.min(over, top));
    const limit = hasProof(path) ? most : Math.min(start.unproven, most);
    credit = Math.min(Math.max(0, over - soft), limit);
    // A claim that asks for far more than the line can explain is a lie, and a late ACK must give no credit for it.
    const isKnown = path.acked !== null && !path.behind_proxy;
    if (it.hasDoubt && isKnown && over - soft > provenOf(path, params) + 2 * swing) credit = 0;
    widest = swing + most;
  }
  const floor = isContested ? params.floor : 0;
  const at = (granted: number): number => Math.max(hi - common - granted, floor);
  const score = Math.max(at(soft + credit), it.least);
  return { lo: at(widest), hi, jitter, behind, soft, credit, score, void: false };
}
