/** What organisers and referees do in a running event: steps, disputes, tables, entrants, the file (TOURNAMENTS §1, §8, §11). */
import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import { maybe, t } from "../../i18n";
import { Icon } from "../../kit/icons";
import { minutesOf, useSeconds } from "../../kit/seconds";
import type { Entrant, EventInfo, EventNow, EventTable } from "../../net/events";
import { identified } from "../../net/identity";
import { hosted } from "../../net/kept";
import { Disputes } from "./Disputes";
import type { Names } from "./EventParts";
import { useAction } from "../Lobby";
import { LogTail } from "./LogTail";
import { EditForm, Steps } from "./Organiser";
import { useOwnKey } from "./OwnKey";

type Wish = Parameters<Awaited<ReturnType<typeof identified>>["request"]>[0];
export const sendRequest = async (wish: Wish): Promise<void> => void (await (await identified()).request(wish));

export function OfficialPanel({ now, it, names }: { now: EventNow; it: EventInfo; names: Names }): JSX.Element | null {
  const key = useOwnKey();
  const isOrganiser = key !== "" && it.organisers.includes(key);
  const isReferee = key !== "" && it.referees.includes(key);
  useEffect(() => {
    if (!isOrganiser && !isReferee) return;
    // The page proves the key at every later visit too: officials see open disputes.
    hosted.add(it.event);
    void identified().catch(() => undefined);
  }, [isOrganiser, isReferee]);
  if (!isOrganiser && !isReferee) return null;
  return (
    <section class="playerpanel stack" aria-label={t(isOrganiser ? "youHost" : "youReferee")}>
      <b>{t(isOrganiser ? "youHost" : "youReferee")}</b>
      <Steps it={it} isOrganiser={isOrganiser} />
      <Disputes now={now} it={it} names={names} own={key} />
      {now.tables.length > 0 && it.state !== "sealed" && it.state !== "cancelled" && <TablesDesk it={it} tables={now.tables} names={names} isOrganiser={isOrganiser} />}
      {isOrganiser && it.state !== "sealed" && it.state !== "cancelled" && <EntrantsDesk it={it} entrants={now.entrants} />}
      {isOrganiser && it.state !== "finished" && it.state !== "sealed" && it.state !== "cancelled" && <EditForm it={it} />}
      <LogTail it={it} />
    </section>
  );
}

/** A reason of 1 to 280 characters, which the log shows to everybody, and the button that sends it. */
export function Reason({ label, send, ready = true, children }: { label: string; send: (reason: string) => Promise<unknown>; ready?: boolean; children?: JSX.Element | false }): JSX.Element {
  const [reason, setReason] = useState("");
  const [busy, error, run] = useAction();
  return (
    <form
      class="stack reasonform"
      onSubmit={(event) => {
        event.preventDefault();
        if (reason.trim() && ready) run(() => send(reason.trim()).then(() => setReason("")));
      }}
    >
      {children}
      <label class="field"><span>{t("reasonPublic")}</span><input class="input" maxLength={280} value={reason} onInput={(event) => setReason(event.currentTarget.value)} /></label>
      <button class="btn" disabled={busy !== "" || !reason.trim() || !ready}>{label}</button>
      {error && <p class="error" role="alert">{error}</p>}
    </form>
  );
}

/** One place per seat, such as 1, 1, 3. */
export function Places({ seats, names, value, set }: { seats: readonly number[]; names: Names; value: readonly number[]; set: (places: number[]) => void }): JSX.Element {
  return (
    <div class="row tight placesform" role="group" aria-label={t("places")}>
      {seats.map((number, at) => (
        <label key={at} class="field"><span>{names(number)}</span>
          <input class="input" type="number" min={1} max={seats.length} value={value[at] ?? at + 1} onInput={(event) => set(seats.map((_, n) => (n === at ? Number(event.currentTarget.value) : (value[n] ?? n + 1))))} />
        </label>
      ))}
    </div>
  );
}

export function Seat({ seats, names, value, set }: { seats: readonly number[]; names: Names; value: number; set: (number: number) => void }): JSX.Element {
  return (
    <label class="field"><span>{t("entrant")}</span>
      <select class="input" value={value} onChange={(event) => set(Number(event.currentTarget.value))}>
        {seats.filter((it) => it > 0).map((it) => <option key={it} value={it}>{names(it)}</option>)}
      </select>
    </label>
  );
}

/** §11: somebody has not come yet. How long the table still waits (T23). */
function Late({ until }: { until: number }): JSX.Element {
  const left = until - useSeconds();
  return <span class="late"><Icon name="clock" size={16} /> {t("lateSeats", { time: minutesOf(left) })}</span>;
}

function TableDesk({ it, table, names, isOrganiser }: { it: EventInfo; table: EventTable; names: Names; isOrganiser: boolean }): JSX.Element {
  const game = table.games.filter((one) => one.places.length).at(-1);
  const [places, setPlaces] = useState<number[]>(game?.places ?? []);
  const [number, setNumber] = useState(table.seats[0] ?? 0);
  const [referee, setReferee] = useState(it.referees[0] ?? "");
  const [busy, error, run] = useAction();
  const isOver = table.state === "done" || table.state === "forfeit" || table.state === "void";
  const at = { event: it.event, round: table.round, table: table.table };
  return (
    <details class="desk">
      <summary>{t("tableN", { n: table.table })}: {table.seats.map(names).join(", ")} <span class="small">{maybe(`event.table.${table.state}`, table.state)}</span>{table.state === "called" && <Late until={(table.games.at(-1)?.no_show_at ?? 0) / 1000} />}</summary>
      {table.state === "called" && (
        <button class="btn" disabled={busy !== ""} onClick={() => run(() => sendRequest({ t: "extend", event: it.event, table: table.table, seconds: 60 }))}>{t("waitLonger")}</button>
      )}
      {!isOver && table.state !== "disputed" && (
        <Reason label={t("forfeitDo")} send={(reason) => sendRequest({ t: "forfeit", ...at, number, reason })}>
          <Seat seats={table.seats} names={names} value={number} set={setNumber} />
        </Reason>
      )}
      {game && (
        <Reason label={t("correctDo")} send={(reason) => sendRequest({ t: "correct", ...at, game: game.game, places, reason, ...(game.how === "ruled" ? { replaces: true } : {}) })}>
          <Places seats={game.seats} names={names} value={places} set={setPlaces} />
        </Reason>
      )}
      {isOrganiser && !isOver && it.hands === "logged" && it.referees.length > 0 && (
        <Reason label={t("openHandsDo")} send={(reason) => sendRequest({ t: "open_hands", event: it.event, table: table.table, referee: referee || it.referees[0] || "", reason })}>
          <label class="field"><span>{t("referee")}</span>
            <select class="input num" value={referee} onChange={(event) => setReferee(event.currentTarget.value)}>
              {it.referees.map((key) => <option key={key} value={key}>{key.slice(0, 8)}</option>)}
            </select>
          </label>
        </Reason>
      )}
      {error && <p class="error" role="alert">{error}</p>}
    </details>
  );
}

function TablesDesk({ it, tables, names, isOrganiser }: { it: EventInfo; tables: EventTable[]; names: Names; isOrganiser: boolean }): JSX.Element {
  return (
    <details class="desk">
      <summary>{t("tables")} · {t("roundN", { n: it.round })}</summary>
      {tables.filter((one) => !one.bye).map((one) => <TableDesk key={`${one.round}.${one.table}.${one.games.length}.${one.games.at(-1)?.places.join("")}`} it={it} table={one} names={names} isOrganiser={isOrganiser} />)}
    </details>
  );
}

function EntrantDesk({ it, one }: { it: EventInfo; one: Entrant }): JSX.Element {
  const [key, setKey] = useState("");
  return (
    <details class="desk">
      <summary>{one.name} <span class="small num">{one.key.slice(0, 8)}</span> <span class="small">{one.left_round ? t("leftRound", { n: one.left_round }) : one.checked_in ? t("checkedIn") : ""}</span></summary>
      {!one.left_round && <Reason label={t("removeDo")} send={(reason) => sendRequest({ t: "remove_entrant", event: it.event, entrant: one.key, reason })} />}
      {!one.left_round && (
        <Reason label={t("rebindDo")} ready={/^[0-9a-f]{64}$/.test(key)} send={(reason) => sendRequest({ t: "rebind", event: it.event, entrant: one.key, key, reason })}>
          <label class="field"><span>{t("newKey")}</span><input class="input num" maxLength={64} value={key} spellcheck={false} onInput={(event) => setKey(event.currentTarget.value.trim().toLowerCase())} /></label>
        </Reason>
      )}
    </details>
  );
}

const AT_A_TIME = 64;

function EntrantsDesk({ it, entrants }: { it: EventInfo; entrants: Entrant[] }): JSX.Element {
  const [list, setList] = useState("");
  const [referee, setReferee] = useState("");
  const [busy, error, run] = useAction();
  const admit = (): void =>
    run(async () => {
      const names = list.split("\n").map((line) => line.trim()).filter(Boolean).map((name) => ({ name }));
      for (let from = 0; from < names.length; from += AT_A_TIME) await sendRequest({ t: "admit", event: it.event, names: names.slice(from, from + AT_A_TIME) });
      setList("");
    });
  return (
    <details class="desk">
      <summary>{t("entrants")} · {entrants.length}</summary>
      {entrants.map((one) => <EntrantDesk key={one.key} it={it} one={one} />)}
      <div class="stack">
        <label class="field"><span>{t("admitNames")}</span><textarea class="input" rows={3} value={list} onInput={(event) => setList(event.currentTarget.value)} /></label>
        <button class="btn" disabled={busy !== "" || !list.trim()} onClick={admit}>{t("admitDo")}</button>
        {it.rehearsal && (it.state === "open" || it.state === "check_in") && <button class="btn" disabled={busy !== ""} onClick={() => run(() => sendRequest({ t: "event_bots", event: it.event, bots: 4 }))}>{t("fourBots")}</button>}
        <label class="field"><span>{t("refereeKey")}</span><input class="input num" maxLength={64} value={referee} spellcheck={false} onInput={(event) => setReferee(event.currentTarget.value.trim().toLowerCase())} /></label>
        <button class="btn" disabled={busy !== "" || !/^[0-9a-f]{64}$/.test(referee)} onClick={() => run(() => sendRequest({ t: "appoint", event: it.event, role: "referee", keys: [referee] }).then(() => setReferee("")))}>{t("appointDo")}</button>
        {error && <p class="error" role="alert">{error}</p>}
      </div>
    </details>
  );
}
