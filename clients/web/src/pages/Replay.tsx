/** Replays: step, play, jump to a race, as any seat saw it, and the result of its verification. */
import type { JSX } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { verifyReplay } from "@photofinish/client";
import { batch } from "@preact/signals";
import { advise, known, seenBy, type Known } from "../coach";
import { t } from "../i18n/index";
import { keptReplays } from "../keptreplays";
import { Icon } from "../kit/icons";
import { clearTable, link, log, room, view } from "../net/store";
import type { Happened, Room, View } from "../net/wire";
import { fetchReplay } from "../replaycheck";
import { go } from "../route";
import { save } from "../save";
import { gameTitle } from "../kit/titles";
import { share } from "../table/Sheets";
import { handsOff } from "../table/state";
import { tablePng } from "../table/end/picture";
import { Table } from "../table/Table";
import { Verified } from "../table/end/Verified";

interface ReplayViews {
  game: string;
  room: string;
  number: number;
  names: string[];
  options: Record<string, unknown>;
  seat: number | null;
  steps: { at: number; view: Record<string, unknown>; last: Happened[] }[];
  races: { key: string; step: number }[];
  over: { winners: number[]; why: string; scores: number[] } | null;
}
async function replayViews(code: string, number: number, seat: number | null): Promise<ReplayViews> {
  const answer = await fetch(`/api/replays/${encodeURIComponent(code)}/${number}/views${seat === null ? "" : `?seat=${seat}`}`);
  if (!answer.ok) throw new Error(t("noSuchReplay"));
  return (await answer.json()) as ReplayViews;
}

const happened = (it: Partial<Happened>): Happened => ({ what: it.what ?? "", seat: it.seat ?? null, text: it.text ?? "", detail: it.detail ?? {} });

/** Show one step of a replay on the same table that is used for play. */
function show(it: ReplayViews, n: number): void {
  const step = it.steps[n];
  if (!step) return;
  batch(() => {
    handsOff.value = true;
    link.value = "open";
    room.value = {
      t: "room", room: it.room, game: it.game, phase: "over", number: it.number, host: -1, options: it.options, private: false, commitment: "", watchers: 0, spectator_delay: 0, max_ping_ms: 0,
      seats: it.names.map((name, seat) => ({ seat, kind: "player", name: name.replace(/ \(bot\)/, ""), ready: true, connected: true, autopilot: false, wins: 0 })),
    } as unknown as Room;
    view.value = {
      t: "view", room: it.room, game: it.game, number: it.number, seq: n + 1, from: n, you: it.seat, view: step.view, scores: [], head: "", commitment: "", offers: [], race: null, clocks: [],
      last: step.last.map(happened), over: null,
    } as unknown as View;
    log.value = it.steps.slice(0, n + 1).flatMap((past, i) => past.last.map((event, j) => ({ id: i * 1000 + j, seq: i, game: it.game, event: happened(event), race: null }))).slice(-200);
  });
}

/** Games whose cards lie face down before the seats. */
const COACHED = new Set(["cambio", "kodiak"]);

function Coach({ step, seen, seat, names }: { step: ReplayViews["steps"][number] | undefined; seen: Known; seat: number; names: string[] }): JSX.Element | null {
  if (!step) return null;
  const { own, knew, matches } = advise(step, seen, seat);
  const where = (matches ?? []).map(([at, slot]) => (at === seat ? t("yourCardN", { n: slot + 1 }) : t("cardNOf", { n: slot + 1, name: (names[at] ?? "").replace(/ \(bot\)/, "") })));
  return (
    <span role="status" class="small coachline">
      {t("coachKnew", { knew, own })} {matches !== null && (where.length ? t("coachMatch", { where: where.join(", ") }) : t("coachNoMatch"))}
    </span>
  );
}

async function savePicture(name: string): Promise<void> {
  const node = document.querySelector<HTMLElement>(".table");
  if (node) save(name, await tablePng(node), "image/png");
}

export function ReplayPage({ code, number, at }: { code: string; number: number; at: string }): JSX.Element {
  const [it, setIt] = useState<ReplayViews | null>(null);
  const [fault, setFault] = useState("");
  const [step, setStep] = useState(0);
  const [seat, setSeat] = useState<number | null>(() => { const named = new URLSearchParams(at).get("coach"); return named === null ? null : Number(named); });
  const [playing, setPlaying] = useState(false);
  const [coach, setCoach] = useState(new URLSearchParams(at).has("coach"));
  const first = useRef(true);
  useEffect(() => {
    let here = true;
    replayViews(code, number, seat).then(
      (found) => {
        if (!here) return;
        setIt(found);
        if (first.current) {
          first.current = false;
          const wanted = new URLSearchParams(at);
          const named = wanted.get("race");
          const race = found.races.find((it) => it.key === named) ?? found.races[Number(named ?? 0) - 1];
          setStep(Math.min(found.steps.length - 1, race ? race.step : Number(wanted.get("step") ?? 0)));
        }
      },
      (error: unknown) => here && setFault(error instanceof Error ? error.message : String(error)),
    );
    return () => void (here = false);
  }, [code, number, seat]);
  const seen = it && coach && it.seat !== null ? seenBy(it.steps, step, it.seat) : null;
  useEffect(() => {
    if (it) show(it, step);
    known.value = seen;
  }, [it, step, coach]);
  useEffect(
    () => () => {
      handsOff.value = false;
      known.value = null;
      clearTable();
    },
    [],
  );
  useEffect(() => {
    if (!playing || !it) return;
    const timer = setInterval(() => setStep((n) => (n + 1 < it.steps.length ? n + 1 : (setPlaying(false), n))), 900);
    return () => clearInterval(timer);
  }, [playing, it]);
  const last = (it?.steps.length ?? 1) - 1;
  const move = (n: number): void => {
    const to = Math.max(0, Math.min(last, n));
    setStep(to);
    history.replaceState(null, "", `/r/${code}/${number}#step=${to}`);
  };
  const race = it?.races.find((found) => found.step > step);
  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      if ((event.target as HTMLElement).matches("input, select, textarea")) return;
      if (event.code === "ArrowLeft") move(step - 1);
      else if (event.code === "ArrowRight") move(step + 1);
      else if (event.code === "KeyP") setPlaying(!playing);
      else if (event.code === "KeyR" && race) move(race.step);
    };
    addEventListener("keydown", onKey);
    return () => removeEventListener("keydown", onKey);
  });
  if (fault)
    return (
      <main class="page center faultpage">
        <p role="alert">{fault}</p>
        <div class="stack"><a class="btn main wide" href="/replays">{t("replays")}</a><a class="btn wide" href="/">{t("toLobby")}</a></div>
      </main>
    );
  if (!it) return <main class="page center"><p class="small" role="status">{t("loading")}</p></main>;
  return (
    <div class="replay">
      <Table />
      <section class="replaybar" aria-label={t("replay")}>
        <div class="row between">
          <span><b>{t("replayOf", { code, n: number })}</b> <Verified room={code} number={number} /></span>
          <label class="row tight small">
            {t("seenBy")}
            <select class="input seatpick" value={String(seat ?? "")} onChange={(event) => setSeat(event.currentTarget.value === "" ? null : Number(event.currentTarget.value))}>
              <option value="">{t("watch")}</option>
              {it.names.map((name, n) => <option key={n} value={n}>{name}</option>)}
            </select>
          </label>
        </div>
        {seen && it.seat !== null && <Coach step={it.steps[step]} seen={seen} seat={it.seat} names={it.names} />}
        <input type="range" min={0} max={last} value={step} aria-label={t("step", { n: step + 1, of: last + 1 })} onInput={(event) => move(Number(event.currentTarget.value))} />
        <div class="row between replaykeys">
          <button class="iconbtn" aria-label={t("toStart")} onClick={() => move(0)}><Icon name="first" /></button>
          <button class="iconbtn" aria-label={t("back")} onClick={() => move(step - 1)}><Icon name="back" /></button>
          <button class="iconbtn" aria-label={playing ? t("pauseIt") : t("playIt")} onClick={() => setPlaying(!playing)}><Icon name={playing ? "pause" : "play"} /></button>
          <button class="iconbtn" aria-label={t("forward")} onClick={() => move(step + 1)}><Icon name="next" /></button>
          <button class="iconbtn" aria-label={t("toEnd")} onClick={() => move(last)}><Icon name="last" /></button>
          <button class="iconbtn" aria-label={t("nextRace")} disabled={!race} onClick={() => race && move(race.step)}><Icon name="bolt" /></button>
        </div>
        <div class="row between replaytools">
          {it.seat !== null && COACHED.has(it.game) ? (
            <span class="row tight small grow">
              <button class="chipbtn" aria-pressed={coach} onClick={() => setCoach(!coach)}><Icon name="eye" size={18} /> {t("coach")}</button>
            </span>
          ) : <span class="grow" />}
          <button class="iconbtn" aria-label={t("copyLink")} onClick={() => void share(location.href)}><Icon name="link" /></button>
          <button class="iconbtn" aria-label={t("saveJson")} onClick={() => void fetchReplay(code, number).then((text) => save(`photofinish-${code}-${number}.json`, text, "application/json"))}><Icon name="download" /></button>
          <button class="iconbtn" aria-label={t("savePng")} onClick={() => void savePicture(`photofinish-${code}-${number}-${step}.png`)}><Icon name="camera" /></button>
          <a class="iconbtn" href="/" aria-label={t("toLobby")}><Icon name="door" /></a>
        </div>
      </section>
    </div>
  );
}

/** Is it a replay at all, even if it does not verify? */
function isReplay(text: string): boolean {
  const file: unknown = JSON.parse(text);
  return typeof file === "object" && file !== null && "seed" in file && "entries" in file;
}

export function ReplaysPage(): JSX.Element {
  const [found, setFound] = useState<{ name: string; ok: boolean; text: string } | null>(null);
  const list = keptReplays();
  const open = async (file: File | undefined): Promise<void> => {
    if (!file) return;
    const text = await file.text();
    try {
      const report = verifyReplay(text);
      setFound({ name: file.name, ok: report.isTrue, text: report.isTrue ? t("verifiedHere") : t(isReplay(text) ? "notVerified" : "notAReplay", { why: report.faults[0] ?? "" }) });
    } catch (error) {
      setFound({ name: file.name, ok: false, text: t("notAReplay", { why: error instanceof Error ? error.message : String(error) }) });
    }
  };
  return (
    <main class="page reading">
      <header class="row"><a class="iconbtn" href="/" aria-label={t("toLobby")}><Icon name="back" /></a><h1>{t("replays")}</h1></header>
      {!list.length && <div class="nothing"><Icon name="log" size={40} /><p>{t("noReplays")}</p></div>}
      <ul class="places">
        {list.map((it) => (
          <li key={`${it.room}${it.number}`}>
            <button class="place replayline" onClick={() => go(`/r/${it.room}/${it.number}`)}>
              <b class="grow">{gameTitle(it.game)} · {it.room}</b> <span class="small">{new Date(it.when).toLocaleString()}</span>
            </button>
          </li>
        ))}
      </ul>
      <label class="btn wide filepick">
        {t("openReplay")}
        <input class="hidden-text" type="file" accept="application/json,.json" onChange={(event) => void open(event.currentTarget.files?.[0])} />
      </label>
      {found && <p role="alert" class={found.ok ? "good" : "error"}>{found.name}: {found.text}</p>}
    </main>
  );
}
