/** The side on a laptop, and the same parts as sheets on a phone: points, log, chat, races. */
import type { JSX } from "preact";
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import { maybe, number, t } from "../i18n/index";
import { SeatMark } from "../kit/seats";
import { attempt } from "../net/link";
import { moduleOf } from "../games/index";
import { emotes, log, sheet, talk, unread, verdicts, view, you, type LogLine } from "../net/store";
import type { Happened } from "../net/wire";
import { flash } from "./input/Motion";
import { objectsOf } from "./input/objects";
import type { GameModule, Scene } from "./module";
import { scene } from "./scene";
import { headline, StripLine } from "./end/Strip";
import { eventText } from "./words";

export function Points({ s, game }: { s: Scene; game: GameModule }): JSX.Element | null {
  const points = game.points?.(s);
  if (!points) return null;
  return (
    <section class={`points ${points.heads.length > 4 ? "many" : ""}`}>
      <div class="row between">
        <h2>{points.title ?? t("points")}</h2>
        <span class="caption">{points.note ?? (points.low ? t("fewestWins") : t("mostWins"))}</span>
      </div>
      <table>
        <thead>
          <tr>
            <th scope="col"><span class="hidden-text">{t("player")}</span></th>
            {points.heads.map((head, n) => (
              <th scope="col" key={n}>{head}</th>
            ))}
            <th scope="col">{points.figure ?? t("total")}</th>
          </tr>
        </thead>
        <tbody>
          {points.rows.map((row) => (
            <tr key={row.seat} class={row.seat === s.you ? "mine" : ""}>
              <th scope="row">
                <span class="row tight">
                  <SeatMark seat={row.seat} /> <span class="ell">{s.name(row.seat)}</span>
                </span>
              </th>
              {row.cells.map((cell, n) => (
                <td key={n}>{cell}</td>
              ))}
              <td>
                <b>{typeof row.total === "number" ? number(row.total) : row.total}</b>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

const HEADINGS = new Set(["dealt", "round", "laid_out", "rolled"]);

/** The objects that an event was about light up; on a phone the log makes way for them. */
function point(event: Happened): void {
  const now = view.value;
  if (!now) return;
  const s = scene(now, false);
  const keys = [...(moduleOf(now.game)?.fly?.(s, event).flatMap((it) => [it.from, it.to]) ?? []), ...objectsOf(event)];
  if (sheet.value === "log") sheet.value = null;
  // After the sheet is gone.
  requestAnimationFrame(() => [...keys, `seat:${event.seat ?? -1}`].forEach((key) => flash(key)));
}

function Line({ line }: { line: LogLine }): JSX.Element {
  if (line.race)
    return (
      <li>
        <button class="racecard" onClick={() => (sheet.value = `race:${line.race?.key}`)}>
          <b>{headline(line.race)}</b>
          <StripLine race={line.race} small />
        </button>
      </li>
    );
  const event = line.event;
  if (!event) return <li />;
  return (
    <li class={HEADINGS.has(event.what) ? "heading" : ""} onClick={() => point(event)}>
      {event.seat !== null && <SeatMark seat={event.seat} size={14} />} {eventText(line.game, event)}
    </li>
  );
}

export function Log(): JSX.Element {
  const end = useRef<HTMLLIElement>(null);
  const list = useRef<HTMLOListElement>(null);
  const showNewest = (): void => {
    if (list.current) list.current.scrollTop = list.current.scrollHeight;
    end.current?.scrollIntoView({ block: "nearest" });
  };
  useLayoutEffect(showNewest, [log.value]);
  useEffect(() => {
    const watch = new ResizeObserver(showNewest);
    if (list.current) watch.observe(list.current);
    return () => watch.disconnect();
  }, []);
  return (
    <ol ref={list} class="log" tabIndex={0} aria-label={t("log")}>
      {log.value.map((line) => (
        <Line key={line.id} line={line} />
      ))}
      <li ref={end} aria-hidden="true" />
    </ol>
  );
}

export function Chat({ game }: { game: string }): JSX.Element {
  const [text, setText] = useState("");
  const [open, setOpen] = useState(false);
  useEffect(() => void (unread.value = false), [talk.value]);
  const send = (event: Event): void => {
    event.preventDefault();
    const said = text.trim();
    if (!said) return;
    void attempt((table) => table.chat(said)).then((done) => done && setText(""));
  };
  return (
    <div class="chat">
      <ol class="talk" tabIndex={0} aria-label={t("chat")}>
        {talk.value.map((it) => (
          <li key={it.id}>
            <b>{it.seat !== null && <SeatMark seat={it.seat} size={14} />} {it.name}</b> {it.emote ? <i>{maybe(`emote.${it.text}`, it.text)}</i> : it.text}
          </li>
        ))}
        {!talk.value.length && <li class="small">{t("nobodySaid")}</li>}
      </ol>
      {you.value !== null && open && (
        <div class="emotes">
          {emotes.value.map((emote) => (
            <button key={emote} class="btn" onClick={() => (void attempt((table) => table.emote(emote)), setOpen(false))}>
              {maybe(`emote.${emote}`, emote)}
            </button>
          ))}
        </div>
      )}
      <form class="row tight" onSubmit={send} data-game={game}>
        <input class="input" value={text} maxLength={280} placeholder={t("saySomething")} aria-label={t("saySomething")} onInput={(event) => setText(event.currentTarget.value)} />
        {you.value !== null && (
          <button type="button" class="iconbtn" aria-expanded={open} aria-label={t("emotes")} onClick={() => setOpen(!open)}>
            <svg class="icon" viewBox="0 0 24 24" aria-hidden="true"><path d="M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18zM9 9v1M15 9v1M8 14q4 4 8 0" /></svg>
          </button>
        )}
      </form>
    </div>
  );
}

export function Races(): JSX.Element {
  const all = verdicts.value.filter((race) => race.marks.length);
  if (!all.length) return <p class="small">{t("noRaces")}</p>;
  return (
    <ol class="races">
      {all.map((race) => (
        <li key={race.key}>
          <button class="racecard" onClick={() => (sheet.value = `race:${race.key}`)}>
            <b>{headline(race)}</b>
            <StripLine race={race} small />
          </button>
        </li>
      ))}
    </ol>
  );
}

export function Side({ s, game }: { s: Scene; game: GameModule }): JSX.Element {
  const [tab, setTab] = useState<"log" | "chat" | "races">("log");
  const tabs = { log: t("log"), chat: t("chat"), races: t("races") } as const;
  return (
    <aside class="side" aria-label={t("side")}>
      <Points s={s} game={game} />
      <div class="tabs" role="tablist">
        {(Object.keys(tabs) as (keyof typeof tabs)[]).map((it) => (
          <button key={it} role="tab" aria-selected={tab === it} onClick={() => setTab(it)}>
            {tabs[it]}
            {it === "chat" && unread.value && <span class="newdot" />}
          </button>
        ))}
      </div>
      <div class="tabbody" role="tabpanel" aria-label={tabs[tab]}>
        {tab === "log" ? <Log /> : tab === "chat" ? <Chat game={s.msg.game} /> : <Races />}
      </div>
    </aside>
  );
}

