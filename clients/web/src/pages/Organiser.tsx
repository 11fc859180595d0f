/** Hosting an event from the browser: its file, and what its organiser may do next. The key stays in this browser. */
import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import { maybe, t } from "../i18n";
import type { EventInfo } from "../net/events";
import { identified, keptCodes } from "../net/identity";
import { go } from "../route";
import { useAction } from "./Lobby";

/** Events that this browser has created. */
const hosted = keptCodes("photofinish.hosted");
const FILE = `title = "Friday Cambio"
game = "cambio"
format = "swiss"      # swiss, roundrobin, single, double, arena, slapoff
rounds = 4

[clock]
check_in_minutes = 0  # nobody has to check in
no_show_seconds = 60

[options]
target_points = 10
`;
/** What is possible in which state, the likely one first. */
const STEPS: Record<string, readonly ("open" | "start" | "pause" | "resume" | "round" | "cancel")[]> = {
  draft: ["open", "cancel"],
  open: ["start", "cancel"],
  check_in: ["start", "cancel"],
  running: ["pause", "round", "cancel"],
  paused: ["resume", "cancel"],
};

/** The file of a new event. Its faults are told with their lines. */
export function HostForm(): JSX.Element {
  const [open, setOpen] = useState(false);
  const [toml, setToml] = useState(FILE);
  const [busy, error, run] = useAction();
  const create = (): void =>
    run(async () => {
      const { got } = await (await identified()).ask({ t: "event_create", toml });
      if (got?.got !== "event") return;
      hosted.set([...hosted.all(), got.event]);
      go(`/events/${got.event}`);
    });
  if (!open) return <button class="btn wide" onClick={() => setOpen(true)}>{t("hostEvent")}</button>;
  return (
    <section class="playerpanel stack" aria-label={t("hostEvent")}>
      <label class="field"><span>{t("eventFile")}</span><textarea class="input tomlfile" rows={14} spellcheck={false} value={toml} onInput={(event) => setToml(event.currentTarget.value)} /></label>
      {error && <pre class="error tomlfaults" role="alert">{error}</pre>}
      <button class="btn main wide" disabled={busy !== ""} onClick={create}>{t("createEvent")}</button>
      <p class="small">{t("keyStays")}</p>
    </section>
  );
}

/** The organiser's next steps, for the browser that created the event. */
export function OrganiserPanel({ it }: { it: EventInfo }): JSX.Element | null {
  const [busy, error, run] = useAction();
  const [sure, setSure] = useState(false);
  useEffect(() => setSure(false), [it.state]);
  const steps = STEPS[it.state] ?? [];
  if (!hosted.all().includes(it.event) || !steps.length) return null;
  const act = (what: (typeof steps)[number]): void => {
    if (what === "cancel" && !sure) return setSure(true);
    run(async () => void (await (await identified()).ask({ t: "event_do", event: it.event, do: what, ...(what === "cancel" || what === "pause" ? { reason: t("hostReason") } : {}) })));
  };
  return (
    <section class="playerpanel stack" aria-label={t("youHost")}>
      <b>{t("youHost")}</b>
      <div class="row tight hoststeps">
        {steps.map((what, n) => (
          <button key={what} class={`btn ${n === 0 ? "main" : ""}`} disabled={busy !== ""} onClick={() => act(what)}>
            {what === "cancel" && sure ? t("tapAgain", { what: t("hostDo.cancel") }) : maybe(`hostDo.${what}`, what)}
          </button>
        ))}
      </div>
      {error && <p class="error" role="alert">{error}</p>}
    </section>
  );
}
