/** Tournaments for everybody: the list, and the page of one event. */
import "../styles/events.css";
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { maybe, number as figure, t } from "../i18n";
import { Icon } from "../kit/icons";
import { gameTitle } from "../kit/titles";
import { HostForm, OrganiserPanel } from "./Organiser";
import { PlayerPanel } from "./Player";
import { points, useJson, type Entrant, type EventInfo, type EventTable, type Match, type Row, type Ruling } from "../net/events";

const stateWord = (it: EventInfo): string => maybe(`event.state.${it.state}`, it.state);
const formatWord = (it: EventInfo): string => maybe(`event.format.${it.format}`, it.format);
const roundWords = (it: EventInfo): string => (it.round && it.state !== "finished" ? [t("roundOf", { n: it.round, of: it.rounds || it.round }), maybe(`event.round.${it.round_state}`, it.round_state)].join(" · ") : "");

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
      <p class="small">{t("hostOne")}</p>
    </main>
  );
}

type Names = (number: number) => string;
const namesOf = (entrants: Entrant[] | null): Names => {
  const all = new Map((entrants ?? []).map((it) => [it.number, it.name]));
  return (n) => all.get(n) ?? `#${n}`;
};

export function Standings({ rows, most }: { rows: Row[]; most?: number }): JSX.Element {
  const ties = Object.keys(rows[0]?.ties ?? {}).filter((it) => it !== "lot" && rows.some((row) => row.ties[it] && row.ties[it] !== "0"));
  return (
    <div class="tablewrap" tabIndex={0} role="group" aria-label={t("standings")}>
      <table class="standings">
        <thead>
          <tr><th scope="col">{t("rank")}</th><th scope="col">{t("player")}</th><th scope="col">{t("points")}</th>{ties.map((it) => <th scope="col" key={it} title={maybe(`tie.${it}.why`, "")}>{maybe(`tie.${it}`, it.replaceAll("_", " "))}</th>)}</tr>
        </thead>
        <tbody>
          {rows.slice(0, most).map((row) => (
            <tr key={row.number}><td class="num">{row.rank}</td><th scope="row">{row.name}</th><td class="num"><b>{figure(points(row))}</b></td>{ties.map((it) => <td key={it} class="num">{tieText(row.ties[it])}</td>)}</tr>
          ))}
        </tbody>
      </table>
      {ties.length > 0 && !most && (
        <dl class="tiewhy small">{ties.map((it) => <div key={it}><dt>{maybe(`tie.${it}`, it.replaceAll("_", " "))}</dt><dd>{maybe(`tie.${it}.why`, "")}</dd></div>)}</dl>
      )}
    </div>
  );
}

/** Ties of points are sums of 840ths; others are plain figures. */
const tieText = (text: string | undefined): string => (text === undefined || text === "" ? "–" : /^-?\d{3,}$/.test(text) && Number(text) % 70 === 0 ? figure(Math.round((Number(text) / 840) * 100) / 100) : text);

export function EventTables({ tables, names }: { tables: EventTable[]; names: Names }): JSX.Element {
  return (
    <ol class="eventtables">
      {tables.map((it) => {
        const last = it.games.at(-1);
        const over = last !== undefined && last.places.length > 0;
        return (
          <li key={it.table} class={`eventtable ${it.state}`}>
            <span class="tableno" aria-label={t("tableN", { n: it.table })}>{it.table}</span>
            <span class="grow">
              {it.seats.map((n, at) => (
                <span key={n} class={`eventseat ${it.winner === n ? "winner" : ""}`}>
                  {names(n)}{over && last.places[at] !== undefined ? <span class="small"> {t("placeN", { n: last.places[at] ?? 0 })}</span> : ""}
                </span>
              ))}
            </span>
            <span class="small">{it.bye ? t("bye") : maybe(`event.table.${it.state}`, it.state)}</span>
            {last?.room && (over ? <a class="btn" href={`/r/${last.room}/1`}>{t("replay")}</a> : <a class="btn" href={`/t/${last.room}?watch`}><Icon name="eye" size={18} /> {t("watch")}</a>)}
          </li>
        );
      })}
    </ol>
  );
}

export function Bracket({ matches, names }: { matches: Match[]; names: Names }): JSX.Element {
  return (
    <ol class="eventtables">
      {matches.map((it) => (
        <li key={it.match} class="eventtable"><span class="tableno">{it.match}</span><span class="grow"><span class="eventseat winner">{names(it.winner)}</span><span class="eventseat">{names(it.loser)}</span></span></li>
      ))}
    </ol>
  );
}

export function EventPage({ code }: { code: string }): JSX.Element {
  const at = `/api/events/${encodeURIComponent(code)}`;
  const info = useJson<EventInfo>(at);
  const it = info.value;
  const [tab, setTab] = useState<"tables" | "standings" | "bracket" | "entrants" | "rulings">("tables");
  const [round, setRound] = useState(0);
  const shown = round || it?.round || 0;
  const tables = useJson<EventTable[]>(shown ? `${at}/rounds/${shown}` : null).value ?? [];
  const rows = useJson<Row[]>(it && it.round ? `${at}/standings` : null).value ?? [];
  const entrants = useJson<Entrant[]>(`${at}/entrants`).value;
  const matches = useJson<Match[]>(it && (it.format === "single" || it.format === "double") ? `${at}/bracket` : null).value ?? [];
  const rulings = useJson<Ruling[]>(`${at}/disputes`).value ?? [];
  const names = namesOf(entrants);
  if (!it)
    return (
      <main class="page center faultpage">
        <h1>{code}</h1>
        <p role={info.state === "loading" ? "status" : "alert"}>{info.state === "loading" ? t("loading") : info.state === "none" ? t("noSuchEvent", { code }) : t("serverAway")}</p>
        <div class="stack"><a class="btn main wide" href="/events">{t("events")}</a><a class="btn wide" href="/">{t("toLobby")}</a></div>
      </main>
    );
  const tabs: [typeof tab, string, boolean][] = [
    ["tables", t("tables"), true],
    ["standings", t("standings"), true],
    ["bracket", t("bracket"), matches.length > 0],
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
      {info.state === "away" && <p class="notice error" role="alert">{t("serverAway")}</p>}
      <p class="row tight eventfacts">
        <span class={`chip state-${it.state}`}>{stateWord(it)}</span>
        <span>{gameTitle(it.game)} · {formatWord(it)} · {t("nEntrants", { n: it.entrants })}</span>
        <b>{roundWords(it)}</b>
      </p>
      {it.reason && <p class="small">{it.reason}</p>}
      {it.rehearsal && <p class="small">{t("rehearsal")}</p>}
      {it.officials_play && <p class="small">{t("officialsPlay")}</p>}
      <OrganiserPanel it={it} />
      <PlayerPanel it={it} entrants={entrants ?? []} />
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
        {tab === "bracket" && <Bracket matches={matches} names={names} />}
        {tab === "entrants" && (
          <ol class="eventtables">
            {(entrants ?? []).map((one) => (
              <li key={one.key} class="eventtable"><span class="tableno">{one.number || "–"}</span><span class="grow">{one.name} <span class="small num">{one.key.slice(0, 8)}</span></span><span class="small">{one.left_round ? t("leftRound", { n: one.left_round }) : one.checked_in ? t("checkedIn") : ""}</span></li>
            ))}
          </ol>
        )}
        {tab === "rulings" && (
          <ol class="eventtables">
            {rulings.map((one) => <li key={one.mark} class="eventtable"><span class="tableno">{one.table}</span><span class="grow"><b>{maybe(`ruling.${one.ruling}`, one.ruling)}</b> {one.reason}</span><span class="small">{t("roundN", { n: one.round })}</span></li>)}
          </ol>
        )}
      </section>
      <footer class="small eventfoot">
        <span class="num">{t("logHead", { n: it.entries ?? 0, head: (it.head ?? "").slice(0, 16) })}</span>
        <span class="num">{t("rulesHash", { hash: it.rules_hash.slice(0, 16) })}</span>
        <span><a data-reload href={`${at}/report`}>{t("report")}</a> · <a data-reload href={`/events/${it.event}.ics`}>{t("calendar")}</a> · <a data-reload href={`/events/${it.event}.atom`}>Atom</a>{it.state === "finished" && <> · <a data-reload href={`${at}/export.zip`}>{t("export")}</a></>}</span>
      </footer>
    </main>
  );
}

/** For a hall: no input, large, scrolls by itself. */
export function ScreenPage({ code }: { code: string }): JSX.Element {
  const at = `/api/events/${encodeURIComponent(code)}`;
  const { value: it, state } = useJson<EventInfo>(at);
  const rows = useJson<Row[]>(it && it.round ? `${at}/standings` : null).value ?? [];
  const tables = useJson<EventTable[]>(it && it.round ? `${at}/rounds/${it.round}` : null).value ?? [];
  const entrants = useJson<Entrant[]>(`${at}/entrants`).value;
  const names = namesOf(entrants);
  return (
    <main class="bigscreen">
      <header>
        <h1>{it?.title ?? code}</h1>
        <p>{it ? [stateWord(it), roundWords(it)].filter(Boolean).join(" · ") : state === "none" ? t("noSuchEvent", { code }) : state === "away" ? t("serverAway") : t("loading")}</p>
      </header>
      <section aria-label={t("standings")}><h2>{t("standings")}</h2><Standings rows={rows} most={20} /></section>
      <section aria-label={t("tables")} class="screentables"><h2>{t("tables")}</h2><div class="scroller" style={{ "--rows": tables.length }}><EventTables tables={tables} names={names} /></div></section>
    </main>
  );
}
