/** What the public pages of an event show: JSON over HTTP, asked again every five seconds, with its `ETag`. */
import { useEffect, useState } from "preact/hooks";

export interface EventInfo {
  event: string;
  title: string;
  game: string;
  format: string;
  seats: number;
  state: string;
  reason: string;
  entrants: number;
  round: number;
  round_state: string;
  rounds: number;
  rules_hash: string;
  officials_play: boolean;
  hands: string;
  rehearsal: boolean;
  head?: string;
  entries?: number;
}
export interface Row {
  rank: number;
  number: number;
  name: string;
  points_840: number;
  ties: Record<string, string>;
}
export interface EventTable {
  round: number;
  table: number;
  seats: number[];
  bye: boolean;
  state: string;
  winner: number;
  games: { game: number; room: string; head: string; places: number[]; how: string }[];
}
export interface Entrant {
  number: number;
  key: string;
  name: string;
  kind: string;
  checked_in: boolean;
  left_round: number;
}
export interface Match {
  match: string;
  winner: number;
  loser: number;
}
export interface Ruling {
  mark: number;
  round: number;
  table: number;
  ruling: string;
  reason: string;
}
const EVERY = 5000;

export type Found<T> = { state: "loading" | "away" | "none"; value: T | null } | { state: "here"; value: T };

/** The newest answer of this address. A server that is away leaves the last one on the screen. */
export function useJson<T>(path: string | null): Found<T> {
  const [found, set] = useState<Found<T>>({ state: "loading", value: null });
  useEffect(() => {
    if (path === null) return;
    let here = true;
    let mark = "";
    const look = async (): Promise<void> => {
      try {
        const answer = await fetch(path, mark ? { headers: { "If-None-Match": mark } } : undefined);
        if (!here || answer.status === 304) return;
        if (!answer.ok) return set({ state: "none", value: null });
        mark = answer.headers.get("ETag") ?? "";
        const value = (await answer.json()) as T;
        if (here) set({ state: "here", value });
      } catch {
        if (here) set((old) => ({ state: "away", value: old.value }));
      }
    };
    void look();
    const timer = setInterval(() => void look(), EVERY);
    return () => {
      here = false;
      clearInterval(timer);
    };
  }, [path]);
  return found;
}

/** Points are counted in 840ths, so that every tie divides evenly. */
export const points = (row: { points_840: number }): number => Math.round((row.points_840 / 840) * 100) / 100;
