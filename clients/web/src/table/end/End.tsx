/** The end: who won, the points, every strip, and whether the game verifies, computed here. */
import type { JSX } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { number, t } from "../../i18n/index";
import { Icon } from "../../kit/icons";
import { SeatMark } from "../../kit/seats";
import { keepReplay } from "../../keptreplays";
import { answer, waitingCall } from "../../net/calls";
import { eventRooms } from "../../net/kept";
import { attempt, leaveTable, practise } from "../../net/link";
import { room, sheet, verdicts, you } from "../../net/store";
import { go } from "../../route";
import { sounds } from "../../sound";
import type { GameModule, Scene } from "../module";
import { headline, StripLine } from "./Strip";
import { Verified } from "./Verified";
import { whyText } from "../why";

export function End({ s, game }: { s: Scene; game: GameModule }): JSX.Element | null {
  const over = s.msg.over;
  const [shown, setShown] = useState(false);
  const [folded, setFolded] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setShown(true), 1200);
    if (over?.winners.includes(you.value ?? -1)) sounds.victory();
    keepReplay({ room: s.msg.room, number: s.msg.number, game: s.msg.game, seat: s.you });
    return () => clearTimeout(timer);
  }, []);
  const box = useRef<HTMLElement>(null);
  useEffect(() => {
    if (!document.activeElement?.matches("input, textarea")) box.current?.focus({ preventScroll: true });
  }, [shown, folded]);
  if (!over || !shown || sheet.value) return null;
  if (folded)
    return (
      <button class="btn main unfold" onClick={() => setFolded(false)}>
        <Icon name="trophy" /> {t("result")}
      </button>
    );
  const low = game.points?.(s).low ?? false;
  const rank = over.scores.map((score, seat) => ({ score, seat })).sort((a, b) => (low ? a.score - b.score : b.score - a.score));
  const races = verdicts.value.filter((race) => race.marks.length);
  const won = races.filter((race) => race.marks.find((mark) => mark.verdict === "done")?.seat === s.you).length;
  const names = over.winners.map((seat) => s.name(seat));
  const title = !names.length ? t("nobodyWins") : over.winners.includes(s.you ?? -1) ? (names.length > 1 ? t("youAllWin") : t("youWin")) : t("wins1", { name: names.join(", ") });
  const isHost = room.value?.host === s.you;
  const event = s.you === null ? null : eventRooms.get(s.msg.room);
  return (
    <div class="endscrim">
      <section ref={box} tabIndex={-1} class="end" role="dialog" aria-modal="false" aria-label={title}>
        <button class="iconbtn fold" aria-label={t("lookAtTable")} onClick={() => setFolded(true)}>
          <Icon name="eye" />
        </button>
        <h1>{title}</h1>
        <p class="small">{whyText(s.msg.game, over.why)}</p>
        <ol class="ranks">
          {rank.map(({ score, seat }) => (
            <li key={seat} class={over.winners.includes(seat) ? "winner" : ""}>
              <SeatMark seat={seat} size={22} /> <b class="grow">{s.name(seat)}</b> <span class="num">{number(score)}</span>
            </li>
          ))}
        </ol>
        {races.length > 0 && (
          <>
            <h2>{t("racesWon", { n: races.length, won })}</h2>
            <div class="endraces">
              {races.map((race) => (
                <button class="racecard" key={race.key} onClick={() => (sheet.value = `race:${race.key}`)}>
                  <b>{headline(race)}</b>
                  <StripLine race={race} small />
                </button>
              ))}
            </div>
          </>
        )}
        <Verified room={s.msg.room} number={s.msg.number} />
        <div class="stack">
          {event && <NextTable event={event.event} />}
          {s.you !== null &&
            !event &&
            (s.msg.game === "reflex" && s.seats.length === 1 ? (
              <button class="btn main wide" onClick={() => void practise().then((code) => go(`/t/${code}`))}>{t("tenMore")}</button>
            ) : isHost ? (
              <button class="btn main wide" onClick={() => void attempt((table) => table.rematch())}>{t("rematch")}</button>
            ) : (
              <p class="small">{t("waitRematch", { name: s.name(room.value?.host ?? 0) })}</p>
            ))}
          {s.msg.game === "reflex" && <a class="btn wide" href="/practise" onClick={() => void leaveTable()}>{t("myTimes")}</a>}
          <div class="row">
            <a class="btn grow" href={`/r/${s.msg.room}/${s.msg.number}`}>{t("replay")}</a>
            {s.you !== null && (s.msg.game === "cambio" || s.msg.game === "kodiak") && <a class="btn grow" href={`/r/${s.msg.room}/${s.msg.number}#coach=${s.you}`}>{t("coach")}</a>}
            <button class="btn grow" onClick={() => void leaveTable().then(() => go("/"))}>{t("toLobby")}</button>
          </div>
        </div>
      </section>
    </div>
  );
}

/** How long the result stays on the screen before the page goes to the next table. */
const PAUSE = 8;

/** After a game of an event: a button back to its page, or the next table, to which the page goes by itself (T68). */
function NextTable({ event }: { event: string }): JSX.Element {
  const call = waitingCall();
  const [left, setLeft] = useState(PAUSE);
  useEffect(() => {
    if (!call) return;
    if (left <= 0) return void answer(call);
    const timer = setTimeout(() => setLeft(left - 1), 1000);
    return () => clearTimeout(timer);
  }, [call?.room, left]);
  return (
    <>
      {call && (
        <>
          <p role="status">{t("nextTableIn", { table: call.table, seat: call.seat + 1, n: left })}</p>
          <button class="btn main wide" onClick={() => void answer(call)}>{t("goNow")}</button>
        </>
      )}
      <button class={`btn wide ${call ? "" : "main"}`} onClick={() => void leaveTable().then(() => go(`/events/${event}`))}>{t("backToEvent")}</button>
    </>
  );
}
