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

/** What the seat's first claim in this race was granted: its later ones get no more. */
export interface Granted {
  soft: number;
  credit: number;
}

export interface Known {
  kind: Kind;
  elapsed: number;
  path: Path;
  reactUs: number | null;
  /** With what the seat went into the race. */
  start: Start;
  first: Granted | null;
  /** What the seat's earlier moves force. */
  least: number;
}

/** No path was measured: that of a seat that was away. */
export const NO_PATH: Path = {
  kmin: null,
  amin: null,
  slow: null,
  behind_proxy: false,
  usual: null,
  echo: null,
  sample: null,
  resent: false,
};

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

/** What a line usually takes beyond its least round trip. */
export function jitterOf(path: Path, params: Params): number {
  const base = baseOf(path, params.cap);
  const most = params.jitter_free + Math.floor((base * params.jitter_percent) / 100);
  return path.usual === null ? 0 : Math.min(Math.max(0, path.usual - base), most);
}

/** How late the line was in this very race, as far as the kernel bears it out. */
export function behindOf(path: Path, params: Params): number {
  if (path.sample === null || path.echo === null || path.behind_proxy) return 0;
  const took = path.resent ? path.echo : Math.min(path.echo, path.sample);
  return Math.max(0, took - baseOf(path, params.cap) - jitterOf(path, params));
}

/** The most that a race on this path may be credited with. */
function seen(path: Path, params: Params): number {
  if (isBlind(path)) return params.blind_most;
  const late = behindOf(path, params) - params.late_free - Math.floor(jitterOf(path, params) / 2);
  return Math.min(Math.max(0, late), params.late_most);
}

/** What the seat's account holds in a race on this path. */
function purseIn(start: Start, path: Path, params: Params): number {
  if (isBlind(path)) return Math.min(start.purse + params.blind_gain, params.blind_most);
  const saved = Math.floor((seen(path, params) * params.purse_percent) / 100);
  return Math.min(start.purse + saved, params.purse_most);
}

function isBlind(path: Path): boolean {
  return path.sample === null || path.behind_proxy;
}

export function judge(params: Params, it: Known): Score {
  const { path, start } = it;
  const hi = it.elapsed - baseOf(path, params.cap);
  const jitter = jitterOf(path, params);
  const behind = behindOf(path, params);
  const isContested = it.kind === "contested";
  if (hi < params.floor && isContested)
    return { lo: hi, hi, jitter, behind, soft: 0, credit: 0, score: hi, void: true };
  const slack = params.screen_slack;
  const level = Math.min(Math.max(start.screen, params.screen - slack), params.screen + slack);
  let [soft, credit, most] = [0, 0, 0];
  if (it.reactUs !== null && isContested) {
    const swing = params.swing + Math.floor(jitter / 2);
    let top = Math.min(
      swing + Math.min(behind, params.late_free),
      params.gain * (params.screen_most - start.screen),
    );
    const low = Math.max(-swing, params.gain * (params.screen_least - start.screen));
    let room = Math.min(seen(path, params), purseIn(start, path, params));
    if (it.first !== null) [top, room] = [Math.min(top, it.first.soft), Math.min(room, it.first.credit)];
    const over = hi - it.reactUs - jitter - start.screen;
    soft = Math.min(Math.max(low, Math.min(over, top)), top);
    credit = over > 0 ? Math.min(Math.max(0, over - soft), room) : 0;
    most = Math.max(top, soft) + room;
  }
  const floor = isContested ? params.floor : 0;
  const at = (takenOff: number): number =>
    Math.min(Math.max(hi - Math.max(0, jitter + level + takenOff), floor), Math.max(hi, floor));
  const score = Math.max(at(soft + credit), it.least);
  return { lo: at(most), hi, jitter, behind, soft, credit, score, void: false };
}
