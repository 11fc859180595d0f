/** §11: the big screen of an event, for a hall: no input, large, scrolls by itself. */
import "../../styles/events.css";
import "../../styles/table.css";
import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import { attemptsOf, racesOf, type ReadRace } from "@photofinish/client";
import { t } from "../../i18n";
import { useEvent, useJson, type EventTable, type Row } from "../../net/events";
import { fetchReplay } from "../../replaycheck";
import { headline, StripLine } from "../../table/end/Strip";
import { Bracket, EventTables, namesOf, RoundClock, Standings } from "./EventParts";
import { roundWords, stateWord } from "./Events";

export function ScreenPage({ code }: { code: string }): JSX.Element {
  const { info: it, state, round, standings: rows, bracket, tables, entrants } = useEvent(code);
  const names = namesOf(entrants);
  const last = it && it.round > 1 ? `/api/events/${it.event}/standings?after=${it.round - 1}` : null;
  const earlier = useJson<Row[]>(last).value ?? [];
  const before = new Map(earlier.map((row) => [row.number, row.rank]));
  return (
    <main class="bigscreen">
      <header>
        <h1>{it?.title ?? code}</h1>
        <p>{it ? [stateWord(it), roundWords(it)].filter(Boolean).join(" · ") : state === "none" ? t("noSuchEvent", { code }) : state === "away" ? t("serverAway") : t("loading")} {it?.state === "running" && round && <RoundClock round={round} />}</p>
      </header>
      {bracket.length > 0 ? (
        <section aria-label={t("bracket")}><h2>{t("bracket")}</h2><div class="scrollbox"><div class="scroller" style={{ "--rows": bracket.length }}><Bracket matches={bracket} names={names} rounds={it?.format === "single" ? it.rounds : 0} /></div></div></section>
      ) : (
        <section aria-label={t("standings")}><h2>{t("standings")}</h2><div class="scrollbox"><div class="scroller" style={{ "--rows": Math.min(20, rows.length) }}><Standings rows={rows} most={20} before={before} /></div></div></section>
      )}
      <section aria-label={t("tables")} class="screentables"><h2>{t("tables")}</h2><div class="scrollbox"><div class="scroller" style={{ "--rows": tables.length }}><EventTables tables={tables} names={names} /></div></div></section>
      <LastStrip tables={tables} />
    </main>
  );
}

/** The last race of the game that ended last. The replay of a sealed deal is not shown (T43). */
function LastStrip({ tables }: { tables: EventTable[] }): JSX.Element | null {
  const room = tables.flatMap((table) => table.games).filter((game) => game.ended_at > 0).sort((a, b) => b.ended_at - a.ended_at)[0]?.room ?? "";
  const [race, set] = useState<ReadRace | null>(null);
  useEffect(() => {
    if (!room) return;
    let here = true;
    fetchReplay(room, 1).then((text) => here && set(racesOf(text).map((one) => ({ ...one, marks: attemptsOf(one) })).filter((one) => one.marks.length).at(-1) ?? null), () => undefined);
    return () => void (here = false);
  }, [room]);
  if (!race) return null;
  const named = (seat: number): string => (race.names[seat] ?? `${seat + 1}`).replace(/ \(bot\)/, "");
  return <section class="screenstrip" aria-label={t("lastRace")}><h2>{t("lastRace")}: {headline(race, named)}</h2><StripLine race={race} named={named} /></section>;
}
