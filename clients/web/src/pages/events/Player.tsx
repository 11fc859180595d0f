/** A player of an event: enter, check in, withdraw, mark a race, and go to the table one is called to. The key stays in this browser. */
import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import { t } from "../../i18n";
import { useJson, type Entrant, type EventInfo, type EventNow, type EventTable } from "../../net/events";
import { answer, callFault } from "../../net/calls";
import { identified } from "../../net/identity";
import { entered, nonces } from "../../net/kept";
import { called } from "../../net/store";
import { settings } from "../../settings";
import { namesOf } from "./EventParts";
import { useAction } from "../Lobby";
import { useOwnKey } from "./OwnKey";
import { OwnResults } from "./OwnResults";

const hex = (bytes: Uint8Array): string => [...bytes].map((it) => it.toString(16).padStart(2, "0")).join("");
async function sha256(bytes: Uint8Array<ArrayBuffer>): Promise<string | null> {
  // Pages without TLS have no WebCrypto: then no nonce is committed to, which is allowed.
  return globalThis.crypto?.subtle ? hex(new Uint8Array(await crypto.subtle.digest("SHA-256", bytes))) : null;
}

/** T41: a nonce of the player's own goes into the draw. It is committed to now and revealed at the check-in. */
async function commitNonce(event: string): Promise<{ nonce_hash?: string }> {
  const nonce = crypto.getRandomValues(new Uint8Array(32));
  const hash = await sha256(nonce);
  if (hash === null) return {};
  nonces.set(event, hex(nonce));
  return nonces.get(event) ? { nonce_hash: hash } : {};
}

async function checkIn(event: string): Promise<void> {
  const nonce = nonces.get(event);
  await (await identified()).request({ t: "check_in", event, ...(nonce ? { nonce } : {}) });
}

async function enter(it: EventInfo, code: string, team: string): Promise<void> {
  const at = await identified();
  await at.request({ t: "enter", event: it.event, ...(await commitNonce(it.event)), ...(code ? { code } : {}), ...(team ? { team } : {}) });
  entered.add(it.event);
  // Without a check-in nobody asks for the nonce later, so it is revealed at once.
  if (it.check_in_minutes === 0 && (it.state === "open" || it.state === "check_in")) await checkIn(it.event);
}

const OVER = new Set(["finished", "sealed", "cancelled"]);
const mayEnter = (it: EventInfo): boolean =>
  it.state === "open" || it.state === "check_in" || ((it.state === "running" || it.state === "paused") && it.round < it.late_join_until);

export function PlayerPanel({ now, it }: { now: EventNow; it: EventInfo }): JSX.Element | null {
  const key = useOwnKey();
  const [busy, error, run] = useAction();
  const [code, setCode] = useState("");
  const [team, setTeam] = useState("");
  const me = now.entrants.find((one) => one.key === key);
  const isIn = me !== undefined && !me.left_round;
  const over = OVER.has(it.state);
  useEffect(() => {
    if (over && it.state !== "finished") entered.drop(it.event);
    else if (isIn) {
      entered.add(it.event);
      void identified().catch(() => undefined);
    }
  }, [it.event, over, isIn]);
  const call = called.value?.event === it.event && it.state === "running" ? called.value : null;
  const withdraw = (): void => run(async () => (await (await identified()).request({ t: "withdraw", event: it.event }), entered.drop(it.event)));
  // T3: officials play only where the file says so.
  const isOfficial = it.organisers.includes(key) || it.referees.includes(key);
  if (!me && (!mayEnter(it) || (isOfficial && !it.officials_play))) return null;
  return (
    <section class="playerpanel stack" aria-label={t("youHere")}>
      {call && isIn && (
        <button class="btn main wide" onClick={() => void answer(call)}>
          <span>{t("calledTo", { table: call.table, seat: call.seat + 1 })}<span class="sub">{t("calledWith", { names: call.opponents.join(", ") })}</span></span>
        </button>
      )}
      {callFault.value && <p class="error" role="alert">{callFault.value}</p>}
      {me && isIn && it.round_state === "paired" && <NextSeat now={now} it={it} me={me} />}
      {me ? (
        <p class="row tight">
          <span class="grow">{t("youEntered", { name: me.name, key: key.slice(0, 8) })}</span>
          {it.state === "check_in" && !me.checked_in && <button class="btn main" disabled={busy !== ""} onClick={() => run(() => checkIn(it.event))}>{t("checkIn")}</button>}
          {isIn && !over && <button class="btn" disabled={busy !== ""} onClick={withdraw}>{t("withdraw")}</button>}
        </p>
      ) : (
        <>
          {it.registration === "code" && <label class="field"><span>{t("entryCode")}</span><input class="input" value={code} maxLength={32} onInput={(event) => setCode(event.currentTarget.value)} /></label>}
          {it.teams === 2 && <label class="field"><span>{t("teamName")}</span><input class="input" value={team} maxLength={24} onInput={(event) => setTeam(event.currentTarget.value)} /></label>}
          <button class="btn main wide" disabled={busy !== ""} onClick={() => run(() => enter(it, code, team))}>{t(it.round ? "enterLateAs" : "enterAs", { name: settings.value.name })}</button>
        </>
      )}
      {me && <MarkForm it={it} me={me} tables={now.tables} />}
      {me && <OwnResults it={it} me={me} names={namesOf(now.entrants)} />}
      {error && <p class="error" role="alert">{error}</p>}
    </section>
  );
}

interface Rated {
  rating: number;
  spread: number;
  provisional: boolean;
}

/** §11: where the player sits next and with whom, from the pairing to the call. */
function NextSeat({ now, it, me }: { now: EventNow; it: EventInfo; me: Entrant }): JSX.Element | null {
  const own = now.tables.find((one) => one.round === it.round && one.seats.includes(me.number));
  if (!own) return null;
  if (own.bye) return <p role="status"><b>{t("youSitOut")}</b></p>;
  const names = namesOf(now.entrants);
  return (
    <div class="nextseat" role="status">
      <b>{t("nextTable", { table: own.table, seat: own.seats.indexOf(me.number) + 1 })}</b>
      <ul>{own.seats.filter((one) => one !== me.number).map((one) => <li key={one}>{t("calledWith", { names: names(one) })} {one > 0 && <RatingOf event={it.event} number={one} />}</li>)}</ul>
    </div>
  );
}

/** T66: the rating and its uncertainty; with a question mark while it is provisional. */
function RatingOf({ event, number }: { event: string; number: number }): JSX.Element | null {
  const row = useJson<Rated[]>(`/api/events/${event}/ratings?number=${number}`).value?.[0];
  return row ? <span class="small num" title={t("ratingIs")}>{row.rating} ± {row.spread}{row.provisional ? "?" : ""}</span> : null;
}

interface RaceLine {
  table: number;
  game: number;
  race: string;
}

/** T59: ask the referee to look at a race of the own table, or at the whole game. */
function MarkForm({ it, me, tables }: { it: EventInfo; me: Entrant; tables: EventTable[] }): JSX.Element | null {
  const own = tables.find((one) => one.seats.includes(me.number) && !one.bye);
  const game = own?.games.filter((one) => one.room).at(-1);
  const [open, setOpen] = useState(false);
  const [race, setRace] = useState("");
  const [text, setText] = useState("");
  const [sent, setSent] = useState(false);
  const [busy, error, run] = useAction();
  const lines = useJson<RaceLine[]>(open && own ? `/api/events/${it.event}/races?round=${own.round}` : null).value ?? [];
  if (!own || !game || it.state === "sealed" || it.state === "cancelled") return null;
  const races = [...new Set(lines.filter((one) => one.table === own.table && one.game === game.game).map((one) => one.race))];
  const send = (): void =>
    run(async () => {
      await (await identified()).request({ t: "mark", event: it.event, round: own.round, table: own.table, game: game.game, race, text: text.trim() });
      setSent(true);
      setOpen(false);
      setText("");
    });
  if (!open)
    return (
      <p class="row tight">
        <span class="small grow" role="status">{sent ? t("markSent") : ""}</span>
        <button class="btn" onClick={() => (setOpen(true), setSent(false))}>{t("markRace")}</button>
      </p>
    );
  return (
    <div class="stack">
      <label class="field">
        <span>{t("whichRace")}</span>
        <select class="input" value={race} onChange={(event) => setRace(event.currentTarget.value)}>
          <option value="">{t("wholeGame")}</option>
          {races.map((one, n) => <option key={one} value={one}>{t("raceN", { n: n + 1, key: one })}</option>)}
        </select>
      </label>
      <label class="field"><span>{t("markText")}</span><textarea class="input" rows={3} maxLength={280} value={text} onInput={(event) => setText(event.currentTarget.value)} /></label>
      <div class="row tight"><button class="btn main" disabled={busy !== "" || !text.trim()} onClick={send}>{t("markSend")}</button><button class="btn" onClick={() => setOpen(false)}>{t("close")}</button></div>
      {error && <p class="error" role="alert">{error}</p>}
    </div>
  );
}
