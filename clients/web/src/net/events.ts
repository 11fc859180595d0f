/** An event as its pages show it: followed over the socket (T67), else JSON over HTTP every five seconds with its `ETag` (T71). */
import { useEffect, useState } from "preact/hooks";
import { Refusal, type EventParts } from "@photofinish/client";
import { connect } from "./link";
import { connections, link } from "./store";

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
  registration: string;
  teams: number;
  check_in_minutes: number;
  late_join_until: number;
  organisers: string[];
  referees: string[];
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
  hands_opened: string[];
  /** `seats` are those of the game: the first seat changes with every game of two (T31), and who does not come has none (T23). */
  games: { game: number; attempt: number; room: string; seats: number[]; no_show_at: number; head: string; places: number[]; how: string; ended_at: number }[];
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
/** A dispute (T59): officials see the open ones too. */
export interface Mark {
  mark: number;
  by: string;
  round: number;
  table: number;
  game: number;
  race: string;
  text: string;
  ruling: string;
  ruled_by: string;
  reason: string;
  /** T62: this ruling replaced an earlier one. It is the last. */
  replaced: boolean;
}
/** T49: what a referee should look at. */
export interface Note {
  number: number;
  what: string;
  text: string;
  round: number;
  table: number;
}
export interface RoundRow {
  round: number;
  state: string;
  tables: number;
  done: number;
  starts_at: number | null;
  began_at: number;
}
const EVERY = 5000;

export type Found<T> = { state: "loading" | "away" | "none"; value: T | null } | { state: "here"; value: T };

/** The newest answer of this address. While the server does not answer, the last one stays on the screen. */
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

export interface EventNow {
  state: "loading" | "here" | "away" | "none";
  /** Whether changes come by themselves. */
  isLive: boolean;
  info: EventInfo | null;
  round: RoundRow | null;
  entrants: Entrant[];
  /** Of the round that is played or was played last. */
  tables: EventTable[];
  standings: Row[];
  bracket: Match[];
  marks: Mark[];
  notes: Note[];
}
const NOTHING: EventNow = { state: "loading", isLive: false, info: null, round: null, entrants: [], tables: [], standings: [], bracket: [], marks: [], notes: [] };
const PARTS = ["info", "entrants", "round", "tables", "standings", "bracket", "disputes"] as const;
/** How long the page waits for the socket before it loads its parts over HTTP. */
const SOON = 1500;

const list = <T>(rows: Record<string, unknown> | undefined): T[] => Object.values(rows ?? {}) as T[];

function fromParts(parts: EventParts, seq: number): EventNow {
  const info = (parts.info?.[""] ?? null) as EventInfo | null;
  return {
    state: "here",
    isLive: true,
    info: info && { ...info, entries: seq },
    round: (parts.round?.[""] ?? null) as RoundRow | null,
    entrants: list<Entrant>(parts.entrants),
    tables: list<EventTable>(parts.tables).sort((a, b) => a.table - b.table),
    standings: list<Row>(parts.standings).sort((a, b) => a.rank - b.rank || a.number - b.number),
    bracket: list<Match>(parts.bracket),
    marks: list<Mark | Note>(parts.disputes).filter((it): it is Mark => "mark" in it),
    notes: list<Mark | Note>(parts.disputes).filter((it): it is Note => !("mark" in it)),
  };
}

/** All parts over HTTP, as far as they have changed. */
async function fetchAll(at: string, before: EventNow, mark: { now: string }): Promise<EventNow> {
  const answer = await fetch(at, mark.now ? { headers: { "If-None-Match": mark.now } } : undefined);
  if (answer.status === 304) return { ...before, state: "here" };
  if (!answer.ok) return { ...NOTHING, state: "none" };
  mark.now = answer.headers.get("ETag") ?? "";
  const info = (await answer.json()) as EventInfo;
  const part = async <T>(name: string): Promise<T[]> => fetch(`${at}/${name}`).then((it) => (it.ok ? (it.json() as Promise<T[]>) : []));
  const isBracket = info.format === "single" || info.format === "double";
  const [entrants, tables, standings, bracket, marks] = await Promise.all([
    part<Entrant>("entrants"),
    info.round ? part<EventTable>(`rounds/${info.round}`) : [],
    info.round ? part<Row>("standings") : [],
    isBracket ? part<Match>("bracket") : [],
    part<Mark>("disputes"),
  ]);
  return { ...NOTHING, state: "here", info, entrants, tables, standings, bracket, marks };
}

export function useEvent(code: string): EventNow {
  const [now, set] = useState<EventNow>(NOTHING);
  const at = `/api/events/${encodeURIComponent(code)}`;
  useEffect(() => {
    let here = true;
    let followed: (() => void) | null = null;
    const mark = { now: "" };
    let held = NOTHING;
    const show = (next: EventNow): void => void (here && set((held = next)));
    const begin = async (): Promise<void> => {
      try {
        const end = await (await connect()).follow(code, PARTS, (parts, seq) => show(fromParts(parts, seq)));
        if (here) followed = end;
        else end();
      } catch (error) {
        if (error instanceof Refusal && error.reason === "no_such_event") show({ ...NOTHING, state: "none" });
      }
    };
    const look = (): void => {
      if (link.value === "open" && (followed || held.state === "none")) return;
      fetchAll(at, held, mark).then(show, () => show({ ...held, state: "away", isLive: false }));
      if (link.value === "closed" || link.value === "off") void begin();
    };
    void begin();
    const first = setTimeout(look, SOON);
    const timer = setInterval(look, EVERY);
    return () => {
      here = false;
      clearTimeout(first);
      clearInterval(timer);
      followed?.();
    };
  }, [code, connections.value]);
  return now;
}

/** The head of the event’s log, looked up at once and after each change, at most every five seconds. */
export function useHead(code: string, entries: number): string {
  const [head, set] = useState("");
  const [at, setAt] = useState({ entries, when: -EVERY });
  useEffect(() => {
    const timer = setTimeout(() => setAt({ entries, when: performance.now() }), Math.max(0, at.when + EVERY - performance.now()));
    return () => clearTimeout(timer);
  }, [entries]);
  useEffect(() => {
    if (!at.entries) return;
    let here = true;
    fetch(`/api/events/${encodeURIComponent(code)}`)
      .then((answer) => answer.json() as Promise<EventInfo>)
      .then((info) => here && set(info.head ?? ""), () => undefined);
    return () => void (here = false);
  }, [code, at.entries]);
  return head;
}

/** Points are counted in 840ths, so that every tie divides evenly. */
export const points = (row: { points_840: number }): number => Math.round((row.points_840 / 840) * 100) / 100;
