/** Which page the address means. */
import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import { t } from "./i18n";
import { Sprite } from "./kit/Sprite";
import { polite, urgent } from "./live";
import { load } from "./games";
import "./net/calls";
import { connect, forgetSeat, keptSeat, sentence, table } from "./net/link";
import { clearTable, link, room, trouble } from "./net/store";
import { Lobby } from "./pages/Lobby";
import { follow, go, route } from "./route";
import { Lazy } from "./kit/Lazy";

interface Trouble {
  code: string;
  text: string;
}

/** Enter CODE: resume the saved seat, else join, or watch. */
async function enter(code: string, watch: boolean): Promise<void> {
  if (room.value?.room === code && table) return;
  const kept = keptSeat();
  if (kept?.room === code && !watch) {
    load(kept.game);
    try {
      await connect(kept.token);
      return;
    } catch (error) {
      if (sentence(error).code !== "bad_token") throw error;
      forgetSeat();
      throw error;
    }
  }
  const it = await connect();
  await (watch ? it.watch(code) : it.join(code));
}

/** Codes of a server that does not answer, and how often the page of a table tries it again. */
const AWAY = new Set(["1006", "away"]);
const RETRY_MS = 4000;

function TablePage({ code, watch }: { code: string; watch: boolean }): JSX.Element {
  const [fault, setFault] = useState<Trouble | null>(null);
  const [tries, setTries] = useState(0);
  useEffect(() => {
    let here = true;
    enter(code, watch).then(() => here && setFault(null), (error: unknown) => here && setFault(sentence(error)));
    return () => void (here = false);
  }, [code, watch, tries]);
  useEffect(() => setFault(null), [code, watch]);
  const isAway = fault !== null && AWAY.has(fault.code);
  useEffect(() => {
    if (!isAway) return;
    const timer = setInterval(() => setTries((n) => n + 1), RETRY_MS);
    return () => clearInterval(timer);
  }, [isAway]);
  const gone = trouble.value && (trouble.value.code === "kicked" || trouble.value.code === "quarantined") ? trouble.value : null;
  const shown = fault ?? gone ?? (link.value === "closed" && !room.value ? trouble.value : null);
  if (!shown || room.value) return <Lazy key="table" load={() => import("./table/Table").then((it) => it.Table)} />;
  const full = shown.code === "room_full" || shown.code === "seat_taken" || shown.code === "already_started";
  return (
    <main class="page center faultpage">
      <h1>{code}</h1>
      <p role="alert">{isAway ? t("awayRetrying") : shown.code === "no_such_room" ? t("noSuchRoom", { code }) : full ? t("roomFull", { code }) : shown.code === "bad_token" ? t("seatLost", { code }) : shown.text}</p>
      <div class="stack">
        {shown.code === "bad_token" && <button class="btn main wide" onClick={() => setTries(tries + 1)}>{t("joinAgain")}</button>}
        {shown.code === "4409" && <button class="btn main wide" onClick={() => setTries(tries + 1)}>{t("playHere")}</button>}
        {(full || shown.code === "bad_token") && <button class="btn wide" onClick={() => go(`/t/${code}?watch`)}>{t("watch")}</button>}
        {shown.code === "bad_version" && <button class="btn main wide" onClick={() => location.reload()}>{t("reload")}</button>}
        {!full && !["bad_token", "4409", "bad_version"].includes(shown.code) && <button class="btn main wide" onClick={() => setTries(tries + 1)}>{t(isAway ? "tryNow" : "tryAgain")}</button>}
        <a class="btn wide" href="/" onClick={() => ((trouble.value = null), clearTable())}>{t("toLobby")}</a>
      </div>
    </main>
  );
}

function Page(): JSX.Element {
  const { path, query, hash } = route.value;
  switch (path[0]) {
    case "t":
      return <TablePage code={(path[1] ?? "").toUpperCase()} watch={query.has("watch")} />;
    case "r":
      return <Lazy key={path.join("/")} load={() => import("./pages/Replay").then((it) => () => <it.ReplayPage code={path[1] ?? ""} number={Number(path[2] ?? 1)} at={hash} />)} />;
    case "replays":
      return <Lazy key="replays" load={() => import("./pages/Replay").then((it) => () => <it.ReplaysPage />)} />;
    case "practise":
      return <Lazy key="practise" load={() => import("./pages/Practise").then((it) => () => <it.PractisePage />)} />;
    case "rules":
      return <Lazy key={`rules ${path[1]} ${hash}`} load={() => import("./pages/Rules").then((it) => () => <it.RulesPage game={path[1] ?? "cambio"} clause={hash} />)} />;
    case "events":
      return (
        <Lazy
          key={path.join("/")}
          load={() => path[1] && path[2] === "screen" ? import("./pages/events/EventScreen").then((it) => () => <it.ScreenPage code={path[1]?.toUpperCase() ?? ""} />) : import("./pages/events/Events").then((it) => () => (path[1] ? <it.EventPage code={path[1].toUpperCase()} /> : <it.EventsPage />))}
        />
      );
    case "settings":
      return <Lazy key="settings" load={() => import("./pages/Settings").then((it) => it.SettingsPage)} />;
    case "tables":
      return <Lobby start="tables" />;
    default:
      return <Lobby />;
  }
}

export function App(): JSX.Element {
  return (
    <div class="app" onClick={follow}>
      <Sprite />
      <Page />
      <div class="hidden-text" aria-live="polite">{polite.value}</div>
      <div class="hidden-text" aria-live="assertive">{urgent.value}</div>
    </div>
  );
}
