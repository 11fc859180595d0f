/** §8: the disputes of an event as officials see them: record, strip and recomputation, and the ruling. A race's order is never edited. */
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { attemptsOf, racesOf, type ReadRace } from "@photofinish/client";
import { maybe, milliseconds, t } from "../../i18n/index";
import { Icon } from "../../kit/icons";
import type { EventInfo, EventNow, EventTable, Mark } from "../../net/events";
import { useJson } from "../../net/events";
import { fetchReplay } from "../../replaycheck";
import { headline, Lanes, StripLine } from "../../table/end/Strip";
import { Verified } from "../../table/end/Verified";
import "../../styles/table.css";
import type { Names } from "./EventParts";
import { LineHistory } from "./LineHistory";
import { useAction } from "../Lobby";
import { sendRequest, Places, Reason, Seat } from "./Officials";

const RULINGS = ["confirm", "replay", "adjust", "warn", "forfeit", "disqualify"] as const;
type Ruling = (typeof RULINGS)[number];
type Game = EventTable["games"][number];

export function Disputes({ now, it, names, own }: { now: EventNow; it: EventInfo; names: Names; own: string }): JSX.Element | null {
  const open = now.marks.filter((mark) => !mark.ruling);
  const ruled = now.marks.filter((mark) => mark.ruling);
  const byKey = new Map(now.entrants.map((one) => [one.key, one.name]));
  if (!now.marks.length && !now.notes.length) return null;
  return (
    <div class="stack disputes">
      {open.length > 0 && <h2>{t("openDisputes", { n: open.length })}</h2>}
      {[...open, ...ruled].map((mark) => <Dispute key={mark.mark} it={it} mark={mark} by={byKey.get(mark.by) ?? mark.by.slice(0, 8)} names={names} tables={now.tables} own={own} />)}
      {now.notes.length > 0 && (
        <details class="desk">
          <summary>{t("notesForReferee", { n: now.notes.length })}</summary>
          <ul>{now.notes.map((note, n) => <li key={n}>{names(note.number)}: {note.text}</li>)}</ul>
        </details>
      )}
    </div>
  );
}

/** T62: a ruling is replaced once: by another referee, or by an organiser, who may replace its own too. */
const mayReplace = (it: EventInfo, mark: Mark, own: string): boolean =>
  mark.ruling !== "" && !mark.replaced && it.state !== "sealed" && it.state !== "cancelled" && (mark.ruled_by !== own || it.organisers.includes(own));

function Dispute({ it, mark, by, names, tables, own }: { it: EventInfo; mark: Mark; by: string; names: Names; tables: EventTable[]; own: string }): JSX.Element {
  const older = useJson<EventTable[]>(mark.round !== it.round ? `/api/events/${it.event}/rounds/${mark.round}` : null).value ?? [];
  const table = [...tables, ...older].find((one) => one.round === mark.round && one.table === mark.table);
  const game = table?.games.filter((one) => one.game === mark.game).at(-1);
  return (
    <article class="dispute stack" aria-label={t("disputeN", { n: mark.mark })}>
      <p><b>{t("disputeN", { n: mark.mark })}</b> <span class="small">{t("roundN", { n: mark.round })} · {t("tableN", { n: mark.table })} · {by}</span></p>
      <p class="quoted">{mark.text}</p>
      {mark.ruling && <p><b>{maybe(`ruling.${mark.ruling}`, mark.ruling)}</b>: {mark.reason} <span class="small num">{mark.ruled_by.slice(0, 8)}</span> {mark.replaced && <span class="small">{t("rulingReplaced")}</span>}</p>}
      {game?.room && <Evidence room={game.room} race={mark.race} />}
      {table && !mark.ruling && <RuleForm it={it} mark={mark} table={table} game={game} isCorrected={game?.how === "ruled"} names={names} />}
      {table && mayReplace(it, mark, own) && (
        <details class="desk">
          <summary>{t("replaceDo")}</summary>
          <RuleForm it={it} mark={mark} table={table} game={game} isCorrected={game?.how === "ruled"} names={names} />
        </details>
      )}
    </article>
  );
}

/** T60: the whole record, the strip, and the same race judged again in this browser. */
function Evidence({ room, race }: { room: string; race: string }): JSX.Element {
  const [found, setFound] = useState<ReadRace[] | null>(null);
  const [busy, error, run] = useAction();
  if (!found)
    return (
      <>
        <button class="btn" disabled={busy !== ""} onClick={() => run(async () => setFound(racesOf(await fetchReplay(room, 1)).map((one) => ({ ...one, marks: attemptsOf(one) }))))}>{t("lookAtRecord")}</button>
        {error && <p class="error" role="alert">{error}</p>}
      </>
    );
  const shown = found.filter((one) => (race ? one.key === race : one.marks.length > 0));
  return (
    <div class="stack evidence">
      <div class="row tight"><Verified room={room} number={1} /> <a href={`/r/${room}/1${race ? `#race=${race}` : ""}`}>{t("replay")}</a></div>
      {shown.length === 0 && <p class="small">{t("noRaces")}</p>}
      {shown.map((one) => <RaceEvidence key={one.key} race={one} />)}
      <LineHistory races={found} />
    </div>
  );
}

function RaceEvidence({ race }: { race: ReadRace }): JSX.Element {
  const named = (seat: number): string => (race.names[seat] ?? `${seat + 1}`).replace(/ \(bot\)/, "");
  const moves = [...race.record.moves, ...race.record.void, ...race.record.held].filter((it) => it.seat !== null);
  return (
    <div class="stack raceevidence">
      <h3>{headline(race, named)}</h3>
      {race.marks.length > 0 && <StripLine race={race} named={named} />}
      {race.marks.length > 0 && <Lanes race={race} named={named} />}
      <p class={race.faults.length ? "error" : "good"} role="status">
        <Icon name={race.faults.length ? "close" : "check"} size={18} /> {race.faults.length ? t("recomputedWrong", { why: race.faults[0] ?? "" }) : t("recomputedSame")}
      </p>
      <div class="tablewrap" tabIndex={0} role="group" aria-label={t("record")}>
        <table class="standings">
          <thead><tr><th scope="col">{t("player")}</th><th scope="col">{t("claimed")}</th><th scope="col">{t("counted")}</th><th scope="col">{t("networkTakenOff")}</th><th scope="col">{t("retransmits")}</th><th scope="col">{t("serverLag")}</th></tr></thead>
          <tbody>
            {moves.map((it) => (
              <tr key={it.ticket}><th scope="row">{named(it.seat ?? 0)}</th><td class="num">{it.react_us === null ? "–" : milliseconds(it.react_us)}</td><td class="num">{milliseconds(it.score)}</td><td class="num">{milliseconds(it.base)}</td><td class="num">{it.retransmits}</td><td class="num">{milliseconds(it.loop_lag)}</td></tr>
            ))}
          </tbody>
        </table>
      </div>
      <details class="small"><summary>{t("record")}</summary><pre class="recordjson">{JSON.stringify(race.record, null, 1)}</pre></details>
    </div>
  );
}

/** T61: confirm, replay the hand, or decide about places or a player, each with a reason. */
function RuleForm({ it, mark, table, game, isCorrected, names }: { it: EventInfo; mark: Mark; table: EventTable; game: Game | undefined; isCorrected: boolean; names: Names }): JSX.Element {
  const [ruling, setRuling] = useState<Ruling>("confirm");
  const [wanted, setWanted] = useState<number[]>(game?.places ?? []);
  const [number, setNumber] = useState(table.seats[0] ?? 0);
  const isAbout = ruling === "warn" || ruling === "forfeit" || ruling === "disqualify";
  // Only who sees a ruling may say that it is replaced (T63).
  const replaces = mark.ruling !== "" || (ruling === "adjust" && isCorrected);
  const send = (reason: string): Promise<void> =>
    sendRequest({ t: "rule", event: it.event, mark: mark.mark, ruling, reason, replaces, ...(ruling === "adjust" ? { places: wanted } : {}), ...(isAbout ? { number } : {}) });
  return (
    <Reason label={t(mark.ruling ? "replaceDo" : "ruleDo")} send={send}>
      <>
        <div class="seg" role="group" aria-label={t("rulings")}>
          {RULINGS.map((one) => <button key={one} type="button" aria-pressed={ruling === one} onClick={() => setRuling(one)}>{maybe(`ruleWord.${one}`, one)}</button>)}
        </div>
        <p class="small">{maybe(`ruleWhy.${ruling}`, "")}</p>
        {ruling === "adjust" && game && <Places seats={game.seats} names={names} value={wanted} set={setWanted} />}
        {isAbout && <Seat seats={table.seats} names={names} value={number} set={setNumber} />}
      </>
    </Reason>
  );
}
