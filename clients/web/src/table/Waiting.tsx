/** Before the deal: who sits where, the code to pass on, and one main button. */
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { t } from "../i18n";
import { Icon } from "../kit/icons";
import { SeatMark } from "../kit/seats";
import { Sheet } from "../kit/Sheet";
import { minutesOf, useSeconds } from "../kit/seconds";
import { noShowAt } from "../net/calls";
import { eventRooms } from "../net/kept";
import { attempt, leaveTable, table } from "../net/link";
import { games, link, room, sheet, toast, trouble } from "../net/store";
import { OptionsForm, OptionsList } from "../pages/Options";
import { RulesText } from "../pages/Rules";
import { go } from "../route";
import { settings } from "../settings";
import { gameTitle } from "../kit/titles";
import { LostBand } from "./Bars";
import { Invite } from "./Sheets";

/** T23: how long the player of an event has for the button. An extension by the referee is not told here. */
function HereWithin({ room: code }: { room: string }): JSX.Element | null {
  const left = (noShowAt.get(code) ?? 0) - useSeconds();
  return left > 0 ? <p class="small" role="timer">{t("hereWithin", { time: minutesOf(left) })}</p> : null;
}

export function Waiting(): JSX.Element {
  const now = room.value;
  const [options, setOptions] = useState<Record<string, unknown> | null>(null);
  if (!now)
    return (
      <main class="page center">
        <p class="small" role="status">{trouble.value?.text ?? t("connecting")}</p>
        {link.value === "closed" && <a class="btn main" href="/" data-reload>{t("toLobby")}</a>}
      </main>
    );
  const seat = table?.seat ?? null;
  const isHost = seat !== null && now.host === seat;
  const own = seat === null ? null : now.seats[seat];
  const info = games.value.find((game) => game.key === now.game);
  const least = info?.least ?? 2;
  const all = now.seats.filter((it) => it.kind !== "empty");
  const event = seat === null ? null : eventRooms.get(now.room);
  const others = all.filter((it) => it.seat !== seat && !it.ready);
  const start = async (): Promise<void> => {
    if (!own?.ready) await attempt((it) => it.ready());
    await attempt((it) => it.start());
  };
  return (
    <main class="page waiting">
      <header class="row between">
        <h1>{gameTitle(now.game)}</h1>
        <button class="btn" onClick={() => void leaveTable().then(() => go(event ? `/events/${event.event}` : "/"))}>
          <Icon name="door" /> {event ? t("backToEvent") : t("leave")}
        </button>
      </header>
      <div class="waitgrid">
        <section class="stack">
          {event ? <p class="eventcall"><b>{t("eventTable", { round: event.round, table: event.table })}</b><br />{t("calledWith", { names: event.opponents.join(", ") })}</p> : <Invite code={now.room} />}
        </section>
        <section class="stack">
          <h2>{t("seats")}</h2>
          <ul class="places">
            {now.seats.map((it) => (
              <li key={it.seat} class={`place ${it.kind}`}>
                <SeatMark seat={it.seat} size={24} />
                <span class="grow">
                  {it.kind === "empty" ? <span class="small">{t("freeSeat")}</span> : <b>{it.name}</b>}
                  {it.wins > 0 && <span class="chip">{t("wins", { n: it.wins })}</span>}
                </span>
                {it.kind !== "empty" && <span class={it.ready ? "good" : "small"}>{it.ready ? t("ready") : t("notReady")}</span>}
                {isHost && it.kind === "empty" && info?.house && (
                  <button class="btn" onClick={() => void attempt((at) => at.bot({ seat: it.seat, strength: settings.value.strength }))}>
                    <Icon name="bot" size={20} /> {t("addBot")}
                  </button>
                )}
                {isHost && it.kind === "bot" && (
                  <button class="iconbtn" aria-label={t("removeBot", { name: it.name })} onClick={() => void attempt((at) => at.remove(it.seat))}>
                    <Icon name="close" size={18} />
                  </button>
                )}
                {isHost && it.kind === "player" && it.seat !== seat && (
                  <button class="iconbtn" aria-label={t("kickName", { name: it.name })} onClick={() => void attempt((at) => at.kick(it.seat))}>
                    <Icon name="close" size={18} />
                  </button>
                )}
              </li>
            ))}
          </ul>
          <div class="waitgo stack">
            <LostBand />
            {event && own && !own.ready && <HereWithin room={now.room} />}
            {toast.value && <p class="error" role="alert">{toast.value.text}</p>}
            {seat === null ? (
              <p class="small">{t("youWatch")}</p>
            ) : isHost ? (
              <>
                {all.length < least && <p class="small">{t("needsPlayers", { n: least })}</p>}
                <button class="btn main wide" disabled={all.length < least || link.value !== "open"} onClick={() => void start()}>
                  {others.length ? t("startWhenReady") : t("start")}
                </button>
              </>
            ) : (
              <button class={`btn wide ${own?.ready ? "" : "main"}`} onClick={() => void attempt((at) => at.ready(!own?.ready))}>
                {own?.ready ? t("notReadyAfterAll") : t(event ? "readyHere" : "ready")}
              </button>
            )}
          </div>
          <div class="row">
            <button class="btn grow" onClick={() => (sheet.value = "rules")}>
              <Icon name="rules" /> {t("rules")}
            </button>
            {isHost && (
              <button class="btn grow" onClick={() => setOptions(now.options)}>
                <Icon name="settings" /> {t("options")}
              </button>
            )}
          </div>
          <OptionsList room={now} />
          <details class="small">
            <summary>{t("commitmentIs", { digits: now.commitment.slice(0, 8) })}</summary>
            <p>{t("commitmentWhat")}</p>
          </details>
        </section>
      </div>
      {sheet.value === "rules" && <Sheet title={t("rules")} onClose={() => (sheet.value = null)} wide><RulesText game={now.game} clause="" /></Sheet>}
      {options && info && (
        <Sheet title={t("options")} onClose={() => setOptions(null)}>
          <OptionsForm game={info} value={options} set={setOptions} />
          <button class="btn main wide" onClick={() => void attempt((at) => at.configure(options)).then((done) => done && setOptions(null))}>
            {t("save")}
          </button>
          {toast.value && <p class="error" role="alert">{toast.value.text}</p>}
        </Sheet>
      )}
    </main>
  );
}
