/** Practise: Reflex alone on the server's own race path, drills against bots, and the player's own times. */
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { milliseconds, t } from "../i18n";
import { CardArt } from "../kit/Card";
import { Icon } from "../kit/icons";
import { keptReplays } from "../keptreplays";
import { gameTitle } from "../kit/titles";
import { practise, quickPlay } from "../net/link";
import { figures, forgetReactions, reactions } from "../reactions";
import { go } from "../route";
import { useAction } from "./Lobby";

const [LOW, HIGH, BINS] = [150, 650, 20];
const across = (ms: number): number => ((ms - LOW) / (HIGH - LOW)) * 400;

function Histogram({ times }: { times: number[] }): JSX.Element {
  const counts = Array.from({ length: BINS }, () => 0);
  for (const it of times) {
    const n = Math.max(0, Math.min(BINS - 1, Math.floor((across(it) / 400) * BINS)));
    counts[n] = (counts[n] ?? 0) + 1;
  }
  const most = Math.max(1, ...counts);
  return (
    <svg class="histogram" viewBox="0 0 400 130" role="img" aria-label={t("histogram", { n: times.length })}>
      {counts.map((count, n) => <rect key={n} x={n * 20 + 1} y={100 - (96 * count) / most} width="18" height={(96 * count) / most} rx="3" class="bar" />)}
      <path d="M0 101h400" class="axis" />
      {[200, 300, 400, 500, 600].map((ms) => <text key={ms} x={across(ms)} y="122" class="tickname">{ms}</text>)}
    </svg>
  );
}

/** The last times one after another, with the median as a line. */
function Trend({ times }: { times: number[] }): JSX.Element | null {
  if (times.length < 3) return null;
  const shown = times.slice(-60);
  const y = (ms: number): number => 100 - Math.min(96, Math.max(0, ((ms - LOW) / (HIGH - LOW)) * 96));
  const x = (n: number): number => 6 + (388 * n) / (shown.length - 1);
  const level = y(figures(shown).median);
  return (
    <svg class="histogram" viewBox="0 0 400 104" role="img" aria-label={t("trend", { n: shown.length })}>
      <path d={`M0 ${level}h400`} class="axis dashed" />
      <polyline points={shown.map((it, n) => `${x(n)},${y(it)}`).join(" ")} class="trend" />
      {shown.map((it, n) => <circle key={n} cx={x(n)} cy={y(it)} r="3.4" class="trenddot" />)}
    </svg>
  );
}

export function PractisePage(): JSX.Element {
  const [busy, error, run] = useAction();
  const [of, setOf] = useState<"all" | "reflex" | "games">("all");
  const all = reactions.value;
  const last = keptReplays().find((it) => (it.game === "cambio" || it.game === "kodiak") && typeof it.seat === "number");
  const times = all.filter((it) => of === "all" || (it.game === "reflex") === (of === "reflex")).map((it) => it.ms);
  const { best, median, spread } = figures(times);
  return (
    <main class="page reading practise">
      <header class="row"><a class="iconbtn" href="/" aria-label={t("toLobby")}><Icon name="back" /></a><h1>{t("practiseTitle")}</h1></header>
      <button class="flash" disabled={busy !== ""} onClick={() => run(async () => go(`/t/${await practise()}`))}>
        <span class="flashcard"><CardArt face={{ colour: "green", pic: "light_go", label: t("reflex.go") }} /></span>
        <b>{busy ? t("dealing") : t("practiseStart")}</b>
        <span class="small">{t("practiseHow")}</span>
      </button>
      {error && <p class="error" role="alert">{error}</p>}
      {all.length > 0 && (
        <>
          <div class="seg" role="group" aria-label={t("practiseOf")}>
            {(["all", "reflex", "games"] as const).map((it) => (
              <button key={it} aria-pressed={of === it} onClick={() => setOf(it)}>{it === "reflex" ? gameTitle("reflex") : it === "games" ? t("practiseGames") : t("practiseAll")}</button>
            ))}
          </div>
          {times.length > 0 && (
            <>
              <dl class="figures">
                <div><dt>{t("best")}</dt><dd>{milliseconds(best * 1000)}</dd></div>
                <div><dt>{t("median")}</dt><dd>{milliseconds(median * 1000)}</dd></div>
                <div><dt>{t("spread")}</dt><dd>± {milliseconds(spread * 1000)}</dd></div>
                <div><dt>{t("tries")}</dt><dd>{times.length}</dd></div>
              </dl>
              <Histogram times={times} />
              <Trend times={times} />
            </>
          )}
        </>
      )}
      <p class="small">{t("practiseNote")}</p>
      <button class="btn wide" disabled={busy !== ""} onClick={() => run(async () => go(`/t/${await quickPlay("cambio", 3, "strong")}`))}>{t("cambioDrill")}</button>
      {last && <a class="btn wide" href={`/r/${last.room}/${last.number}#coach=${last.seat}`}>{t("coachLast", { game: gameTitle(last.game) })}</a>}
      {all.length > 0 && <button class="btn quiet" onClick={forgetReactions}>{t("practiseClear")}</button>}
    </main>
  );
}
