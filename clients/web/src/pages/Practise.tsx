/** A reaction trainer. It measures as a race does: from the frame that shows the signal to the input event. */
import type { JSX } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { milliseconds, t } from "../i18n";
import { CardArt } from "../kit/Card";
import { Icon } from "../kit/icons";
import { quickPlay } from "../net/link";
import { go } from "../route";
import { useAction } from "./Lobby";

const KEY = "photofinish.reactions";
const MOST = 200;
const stored = (): number[] => {
  try {
    return (JSON.parse(localStorage.getItem(KEY) ?? "[]") as unknown[]).filter((it): it is number => typeof it === "number");
  } catch {
    return [];
  }
};
const keep = (times: number[]): void => {
  try {
    localStorage.setItem(KEY, JSON.stringify(times));
  } catch {
    // storage is forbidden: the times last as long as the page
  }
};
const median = (sorted: number[]): number => sorted[Math.floor(sorted.length / 2)] ?? 0;

function Histogram({ times }: { times: number[] }): JSX.Element {
  const [low, high, bins] = [150, 650, 20];
  const counts = Array.from({ length: bins }, () => 0);
  for (const it of times) {
    const n = Math.max(0, Math.min(bins - 1, Math.floor(((it - low) / (high - low)) * bins)));
    counts[n] = (counts[n] ?? 0) + 1;
  }
  const most = Math.max(1, ...counts);
  return (
    <svg class="histogram" viewBox="0 0 400 130" role="img" aria-label={t("histogram", { n: times.length })}>
      {counts.map((count, n) => <rect key={n} x={n * 20 + 1} y={100 - (96 * count) / most} width="18" height={(96 * count) / most} rx="3" class="bar" />)}
      <path d="M0 101h400" class="axis" />
      {[200, 300, 400, 500, 600].map((ms) => <text key={ms} x={((ms - low) / (high - low)) * 400} y="122" class="tickname">{ms}</text>)}
    </svg>
  );
}

function Trend({ times }: { times: number[] }): JSX.Element | null {
  if (times.length < 3) return null;
  const shown = times.slice(-60);
  const points = shown.map((it, n) => `${(400 * n) / (shown.length - 1)},${100 - Math.min(96, Math.max(0, ((it - 150) / 500) * 96))}`).join(" ");
  return <svg class="histogram" viewBox="0 0 400 104" aria-hidden="true"><polyline points={points} class="trend" /></svg>;
}

export function PractisePage(): JSX.Element {
  const [phase, setPhase] = useState<"start" | "wait" | "go" | "early" | "done">("start");
  const [times, setTimes] = useState(stored);
  const [latest, setLatest] = useState(0);
  const [busy, error, run] = useAction();
  const drawn = useRef(0);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  useEffect(() => {
    if (phase !== "go") return;
    drawn.current = 0;
    const frame = requestAnimationFrame((at) => (drawn.current = at));
    return () => cancelAnimationFrame(frame);
  }, [phase]);
  const press = (event: { timeStamp: number }): void => {
    if (phase === "wait") {
      clearTimeout(timer.current);
      setPhase("early");
    } else if (phase === "go") {
      const ms = event.timeStamp - drawn.current;
      if (!drawn.current || ms < 100) return setPhase("early");
      const all = [...times, Math.round(ms * 10) / 10].slice(-MOST);
      keep(all);
      setTimes(all);
      setLatest(ms);
      setPhase("done");
    } else {
      setPhase("wait");
      timer.current = setTimeout(() => setPhase("go"), 1200 + Math.random() * 2600);
    }
  };
  const sorted = [...times].sort((a, b) => a - b);
  const middle = median(sorted);
  const spread = median(sorted.map((it) => Math.abs(it - middle)).sort((a, b) => a - b));
  const text = { start: t("practiseStart"), wait: t("practiseWait"), go: t("practiseGo"), early: t("practiseEarly"), done: t("practiseYours", { ms: milliseconds(latest * 1000) }) }[phase];
  return (
    <main class="page reading practise">
      <header class="row"><a class="iconbtn" href="/" aria-label={t("toLobby")}><Icon name="back" /></a><h1>{t("practiseTitle")}</h1></header>
      <button class={`flash ${phase}`} onPointerDown={press} onKeyDown={(event) => !event.repeat && (event.key === "Enter" || event.key === " ") && (event.preventDefault(), press(event))}>
        <span class="flashcard">{phase === "go" ? <CardArt face={{ colour: "yellow", corner: "7", numeral: "7", stone: true }} /> : <CardArt />}</span>
        <b>{text}</b>
      </button>
      {times.length > 0 && (
        <>
          <dl class="figures">
            <div><dt>{t("best")}</dt><dd>{milliseconds((sorted[0] ?? 0) * 1000)}</dd></div>
            <div><dt>{t("median")}</dt><dd>{milliseconds(middle * 1000)}</dd></div>
            <div><dt>{t("spread")}</dt><dd>± {milliseconds(spread * 1000)}</dd></div>
            <div><dt>{t("tries")}</dt><dd>{times.length}</dd></div>
          </dl>
          <Histogram times={times} />
          <Trend times={times} />
        </>
      )}
      <p class="small">{t("practiseNote")}</p>
      <button class="btn wide" disabled={busy !== ""} onClick={() => run(async () => go(`/t/${await quickPlay("cambio", 3, "strong")}`))}>{t("cambioDrill")}</button>
      {error && <p class="error" role="alert">{error}</p>}
      {times.length > 0 && <button class="btn quiet" onClick={() => (keep([]), setTimes([]), setPhase("start"))}>{t("practiseClear")}</button>}
    </main>
  );
}
