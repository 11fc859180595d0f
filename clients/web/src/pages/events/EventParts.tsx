/** Parts of an event's pages: standings, tables, bracket. Long lists grow as they are scrolled. */
import type { JSX } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { maybe, number as figure, t } from "../../i18n";
import { Icon } from "../../kit/icons";
import { minutesOf, useSeconds } from "../../kit/seconds";
import { points, type Entrant, type EventTable, type Match, type RoundRow, type Row } from "../../net/events";

export type Names = (number: number) => string;
export const namesOf = (entrants: readonly Entrant[]): Names => {
  const all = new Map(entrants.map((it) => [it.number, it.name]));
  return (n) => (n ? (all.get(n) ?? `#${n}`) : t("botSeat"));
};

/** Until the round starts, and then since. */
export function RoundClock({ round }: { round: RoundRow }): JSX.Element | null {
  const now = useSeconds();
  const isPaired = round.state === "paired";
  const from = isPaired ? round.starts_at : round.state === "playing" ? round.began_at : null;
  if (!from) return null;
  const time = minutesOf(Math.abs(now - from / 1000));
  return <time class="num" role="timer" aria-label={t("roundClock")}>· {isPaired ? t("startsIn", { time }) : time}</time>;
}

const PAGE = 60;

/** The first rows of a long list, and more of them as soon as their end comes into sight (T71). */
export function useWindow(length: number): [number, JSX.Element | null] {
  const [most, setMost] = useState(PAGE);
  const end = useRef<HTMLSpanElement>(null);
  useEffect(() => {
    if (!end.current || most >= length) return;
    const watch = new IntersectionObserver((seen) => seen.some((it) => it.isIntersecting) && setMost((n) => n + PAGE), { rootMargin: "400px" });
    watch.observe(end.current);
    return () => watch.disconnect();
  }, [most, length]);
  return [most, most < length ? <span ref={end} class="small listend">{t("loading")}</span> : null];
}

/** `before`: the ranks of the round before, for who has moved. */
export function Standings({ rows, most, before }: { rows: Row[]; most?: number; before?: ReadonlyMap<number, number> }): JSX.Element {
  const ties = Object.keys(rows[0]?.ties ?? {}).filter((it) => it !== "lot" && rows.some((row) => row.ties[it] && row.ties[it] !== "0"));
  const [shown, more] = useWindow(Math.min(rows.length, most ?? rows.length));
  return (
    <div class="tablewrap" tabIndex={0} role="group" aria-label={t("standings")}>
      <table class="standings">
        <thead>
          <tr><th scope="col">{t("rank")}</th><th scope="col">{t("player")}</th><th scope="col">{t("points")}</th>{ties.map((it) => <th scope="col" key={it} title={maybe(`tie.${it}.why`, "")}>{maybe(`tie.${it}`, it.replaceAll("_", " "))}</th>)}</tr>
        </thead>
        <tbody>
          {rows.slice(0, Math.min(shown, most ?? shown)).map((row) => (
            <tr key={row.number}><td class="num">{row.rank}</td><th scope="row">{row.name}{before && <Moved by={(before.get(row.number) ?? row.rank) - row.rank} />}</th><td class="num"><b>{figure(points(row))}</b></td>{ties.map((it) => <td key={it} class="num">{tieText(row.ties[it])}</td>)}</tr>
          ))}
        </tbody>
      </table>
      {more}
      {ties.length > 0 && !most && (
        <dl class="tiewhy small">{ties.map((it) => <div key={it}><dt>{maybe(`tie.${it}`, it.replaceAll("_", " "))}</dt><dd>{maybe(`tie.${it}.why`, "")}</dd></div>)}</dl>
      )}
    </div>
  );
}

function Moved({ by }: { by: number }): JSX.Element | null {
  if (!by) return null;
  return <span class={by > 0 ? "moved up" : "moved"} role="img" aria-label={t(by > 0 ? "movedUp" : "movedDown", { n: Math.abs(by) })}> {by > 0 ? "▲" : "▼"}{Math.abs(by)}</span>;
}

/** Ties of points are sums of 840ths; others are plain figures. */
const tieText = (text: string | undefined): string => (text === undefined || text === "" ? "–" : /^-?\d{3,}$/.test(text) && Number(text) % 70 === 0 ? figure(Math.round((Number(text) / 840) * 100) / 100) : text);

export function EventTables({ tables, names }: { tables: EventTable[]; names: Names }): JSX.Element {
  const [shown, more] = useWindow(tables.length);
  return (
    <ol class="eventtables">
      {tables.slice(0, shown).map((it) => {
        const last = it.games.at(-1);
        const over = last !== undefined && last.places.length > 0;
        return (
          <li key={it.table} class={`eventtable ${it.state}`}>
            <span class="tableno" aria-label={t("tableN", { n: it.table })}>{it.table}</span>
            <span class="grow">
              {it.seats.map((n) => (
                <span key={n} class={`eventseat ${it.winner === n ? "winner" : ""}`}>
                  {names(n)}{over && last.seats.includes(n) ? <span class="small"> {t("placeN", { n: last.places[last.seats.indexOf(n)] ?? 0 })}</span> : ""}
                </span>
              ))}
              {/* T4: what was opened cannot be hidden afterwards. */}
              {it.hands_opened.length > 0 && <span class="small handsopen"><Icon name="eye" size={16} /> {t("handsOpen", { keys: it.hands_opened.map((key) => key.slice(0, 8)).join(", ") })}</span>}
            </span>
            <span class="small">{it.bye ? t("bye") : maybe(`event.table.${it.state}`, it.state)}</span>
            {last?.room && (over ? <a class="btn" href={`/r/${last.room}/1`}>{t("replay")}</a> : <a class="btn" href={`/t/${last.room}?watch`}><Icon name="eye" size={18} /> {t("watch")}</a>)}
          </li>
        );
      })}
      {more && <li>{more}</li>}
    </ol>
  );
}

/** `W3` is round 3 of the winners' side, `L` the losers', `T` for third place, `F` the grand final, `R` its reset. */
function stageWord(stage: string, rounds: number): string {
  const n = Number(stage.slice(1));
  if (stage.startsWith("L")) return t("losersRound", { n });
  if (!stage.startsWith("W")) return maybe(`bracket.${stage}`, stage);
  const left = rounds - n;
  return !rounds ? t("winnersRound", { n }) : left === 0 ? t("bracket.final") : left === 1 ? t("semiFinals") : left === 2 ? t("quarterFinals") : t("roundN", { n });
}

/** Round by round, the newest first. `rounds`: of a single elimination; 0 in a double one. */
export function Bracket({ matches, names, rounds }: { matches: Match[]; names: Names; rounds: number }): JSX.Element {
  const stages = new Map<string, Match[]>();
  for (const it of matches) {
    const stage = it.match.split(".")[0] ?? "";
    stages.set(stage, [...(stages.get(stage) ?? []), it]);
  }
  const order = [...stages].reverse();
  // The match for third place is the last of the bracket, but the final comes first.
  const final = order.findIndex(([stage]) => stage === `W${rounds}`);
  if (final > 0) order.unshift(...order.splice(final, 1));
  return (
    <>
      {order.map(([stage, played]) => (
        <div key={stage} class="bracketround" role="group" aria-label={stageWord(stage, rounds)}>
          <h3 aria-hidden="true">{stageWord(stage, rounds)}</h3>
          <ol class="eventtables">
            {played.map((it) => (
              <li key={it.match} class="eventtable"><span class="grow"><span class="eventseat winner">{names(it.winner)}</span><span class={`eventseat ${it.loser ? "" : "small"}`}>{it.loser ? names(it.loser) : t("bye")}</span></span></li>
            ))}
          </ol>
        </div>
      ))}
    </>
  );
}

export function Entrants({ entrants }: { entrants: Entrant[] }): JSX.Element {
  const [shown, more] = useWindow(entrants.length);
  return (
    <ol class="eventtables">
      {entrants.slice(0, shown).map((one) => (
        <li key={one.key} class="eventtable"><span class="tableno">{one.number || "–"}</span><span class="grow">{one.name} <span class="small num">{one.key.slice(0, 8)}</span></span><span class="small">{one.left_round ? t("leftRound", { n: one.left_round }) : one.checked_in ? t("checkedIn") : ""}</span></li>
      ))}
      {more && <li>{more}</li>}
    </ol>
  );
}
