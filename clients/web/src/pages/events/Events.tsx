/** Tournaments for everybody: the list, and the page of one event. */
import "../../styles/events.css";
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { maybe, t } from "../../i18n";
import { Icon } from "../../kit/icons";
import { gameTitle } from "../../kit/titles";
import { useEvent, useHead, useJson, type EventInfo, type EventTable } from "../../net/events";
import { link } from "../../net/store";
import { Bracket, Entrants, EventTables, namesOf, RoundClock, Standings } from "./EventParts";
import { OfficialPanel } from "./Officials";
import { HostForm } from "./Organiser";
import { OwnKey } from "./OwnKey";
import { PlayerPanel } from "./Player";
import { Reactions } from "./Reactions";

export const stateWord = (it: EventInfo): string => maybe(`event.state.${it.state}`, it.state);
const formatWord = (it: EventInfo): string => maybe(`event.format.${it.format}`, it.format);
export const roundWords = (it: EventInfo): string => (it.round && it.state !== "finished" && it.state !== "sealed" ? [it.rounds ? t("roundOf", { n: it.round, of: it.rounds }) : t("roundN", { n: it.round }), maybe(`event.round.${it.round_state}`, it.round_state)].join(" · ") : "");

export function EventsPage(): JSX.Element {
  const { state, value } = useJson<EventInfo[]>("/api/events");
  return (
    <main class="page reading">
      <header class="row"><a class="iconbtn" href="/" aria-label={t("toLobby")}><Icon name="back" /></a><h1>{t("events")}</h1></header>
      {state === "loading" && <p class="small" role="status">{t("loading")}</p>}
      {state === "away" && <p class="notice error" role="alert">{t("serverAway")}</p>}
      {value && !value.length && <p class="small">{t("noEvents")}</p>}
      <ul class="eventlist">
        {(value ?? []).map((it) => (
          <li key={it.event}>
            <a class="place" href={`/events/${it.event}`}>
              <span class="grow"><b>{it.title}</b><br /><span class="small">{gameTitle(it.game)} · {formatWord(it)} · {t("nEntrants", { n: it.entrants })}</span></span>
              <span class={`chip state-${it.state}`}>{stateWord(it)}</span>
            </a>
          </li>
        ))}
      </ul>
      <HostForm />
      <OwnKey />
      <p class="small">{t("hostOne")}</p>
    </main>
  );
}

export function EventPage({ code }: { code: string }): JSX.Element {
  const now = useEvent(code);
  const it = now.info;
  const [tab, setTab] = useState<"tables" | "standings" | "bracket" | "reactions" | "entrants" | "rulings">("tables");
  const [round, setRound] = useState(0);
  const head = useHead(code, it?.entries ?? 0);
  const at = `/api/events/${encodeURIComponent(code)}`;
  const isPast = it !== null && round > 0 && round !== it.round;
  const past = useJson<EventTable[]>(isPast ? `${at}/rounds/${round}` : null).value ?? [];
  const { entrants, standings: rows, bracket: matches } = now;
  const [tables, shown] = isPast ? [past, round] : [now.tables, it?.round ?? 0];
  const rulings = now.marks.filter((one) => one.ruling);
  const names = namesOf(entrants);
  if (!it)
    return (
      <main class="page center faultpage">
        <h1>{code}</h1>
        <p role={now.state === "loading" ? "status" : "alert"}>{now.state === "loading" ? t("loading") : now.state === "none" ? t("noSuchEvent", { code }) : t("serverAway")}</p>
        <div class="stack"><a class="btn main wide" href="/events">{t("events")}</a><a class="btn wide" href="/">{t("toLobby")}</a></div>
      </main>
    );
  const tabs: [typeof tab, string, boolean][] = [
    ["tables", t("tables"), true],
    ["standings", t("standings"), true],
    ["bracket", t("bracket"), matches.length > 0],
    ["reactions", t("reactionBoard"), it.round > 0],
    ["entrants", t("entrants"), true],
    ["rulings", t("rulings"), rulings.length > 0],
  ];
  return (
    <main class="page reading event">
      <header class="row">
        <a class="iconbtn" href="/events" aria-label={t("events")}><Icon name="back" /></a>
        <h1 class="grow">{it.title}</h1>
        <a class="btn" href={`/events/${it.event}/screen`}>{t("bigScreen")}</a>
      </header>
      {(now.state === "away" || (now.isLive && link.value !== "open")) && <p class="notice error" role="alert">{t("serverAway")}</p>}
      <p class="row tight eventfacts">
        <span class={`chip state-${it.state}`}>{stateWord(it)}</span>
        <span>{gameTitle(it.game)} · {formatWord(it)} · {t("nEntrants", { n: it.entrants })}</span>
        <b>{roundWords(it)} {it.state === "running" && now.round && <RoundClock round={now.round} />}</b>
      </p>
      {it.reason && <p class="small">{it.reason}</p>}
      {it.rehearsal && <p class="small">{t("rehearsal")}</p>}
      {it.officials_play && <p class="small">{t("officialsPlay")}</p>}
      <PlayerPanel now={now} it={it} />
      <OfficialPanel now={now} it={it} names={names} />
      <div class="tabs" role="tablist">
        {tabs.filter(([, , has]) => has).map(([key, text]) => <button key={key} role="tab" aria-selected={tab === key} onClick={() => setTab(key)}>{text}</button>)}
      </div>
      <section role="tabpanel" aria-label={tabs.find(([key]) => key === tab)?.[1]}>
        {tab === "tables" && (
          <>
            {it.round > 1 && (
              <div class="seg" role="group" aria-label={t("roundsOf")}>
                {Array.from({ length: it.round }, (_, n) => <button key={n} aria-pressed={shown === n + 1} onClick={() => setRound(n + 1)}>{t("roundShort", { n: n + 1 })}</button>)}
              </div>
            )}
            {tables.length ? <EventTables tables={tables} names={names} /> : <p class="small">{t("notPaired")}</p>}
          </>
        )}
        {tab === "standings" && (rows.length ? <Standings rows={rows} /> : <p class="small">{t("notPaired")}</p>)}
        {tab === "bracket" && <Bracket matches={matches} names={names} rounds={it.format === "single" ? it.rounds : 0} />}
        {tab === "reactions" && <Reactions at={at} names={names} />}
        {tab === "entrants" && <Entrants entrants={entrants} />}
        {tab === "rulings" && (
          <ol class="eventtables">
            {rulings.map((one) => <li key={one.mark} class="eventtable"><span class="tableno">{one.table}</span><span class="grow"><b>{maybe(`ruling.${one.ruling}`, one.ruling)}</b> {one.reason} {one.replaced && <span class="small">{t("rulingReplaced")}</span>}</span><span class="small">{t("roundN", { n: one.round })}</span></li>)}
          </ol>
        )}
      </section>
      <OwnKey />
      <footer class="small eventfoot">
        <span class="num">{t("logHead", { n: it.entries ?? 0, head: head.slice(0, 16) })}</span>
        <span class="num">{t("rulesHash", { hash: it.rules_hash.slice(0, 16) })}</span>
        <span><span class="screenlink"><a href={`/events/${it.event}/screen`}>{t("bigScreen")}</a> · </span><a data-reload href={`${at}/report`}>{t("report")}</a> · <a data-reload href={`/events/${it.event}.ics`}>{t("calendar")}</a> · <a data-reload href={`/events/${it.event}.atom`}>Atom</a>{(it.state === "finished" || it.state === "sealed") && <> · <a data-reload href={`${at}/export.zip`}>{t("export")}</a></>}</span>
      </footer>
    </main>
  );
}
