/** Hosting an event from the browser: its file, and the steps from draft to seal. The key stays in this browser. */
import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import { maybe, t } from "../../i18n";
import { Icon } from "../../kit/icons";
import type { EventInfo } from "../../net/events";
import { identified } from "../../net/identity";
import { browserKey } from "../../net/key";
import { files, hosted, warned } from "../../net/kept";
import { go } from "../../route";
import { useAction } from "../Lobby";

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
type Step = "open" | "start" | "pause" | "resume" | "round" | "seal" | "cancel";
/** What is possible in which state, the likely one first. */
const STEPS: Record<string, readonly Step[]> = {
  draft: ["open", "cancel"],
  open: ["start", "cancel"],
  check_in: ["start", "cancel"],
  running: ["pause", "round", "cancel"],
  paused: ["resume", "cancel"],
  finished: ["seal"],
};

function FileField({ toml, set }: { toml: string; set: (toml: string) => void }): JSX.Element {
  return <label class="field"><span>{t("eventFile")}</span><textarea class="input tomlfile" rows={14} spellcheck={false} value={toml} onInput={(event) => set(event.currentTarget.value)} /></label>;
}

/** The file of a new event. Its faults are shown with their lines. */
export function HostForm(): JSX.Element {
  const [open, setOpen] = useState(false);
  const [toml, setToml] = useState(FILE);
  const [busy, error, run] = useAction();
  const create = (): void =>
    run(async () => {
      const { got } = await (await identified()).request({ t: "event_create", toml });
      if (got?.got !== "event") return;
      hosted.add(got.event);
      files.set(got.event, toml);
      warned.set(got.event, got.warnings);
      go(`/events/${got.event}`);
    });
  if (!open) return <button class="btn wide" onClick={() => setOpen(true)}>{t("hostEvent")}</button>;
  return (
    <section class="playerpanel stack" aria-label={t("hostEvent")}>
      <FileField toml={toml} set={setToml} />
      {error && <pre class="error tomlfaults" role="alert">{error}</pre>}
      <button class="btn main wide" disabled={busy !== ""} onClick={create}>{t("createEvent")}</button>
    </section>
  );
}

/** T13, T14: another file, as far as the state of the event allows. */
export function EditForm({ it }: { it: EventInfo }): JSX.Element {
  const [toml, setToml] = useState(files.get(it.event) ?? "");
  const [busy, error, run] = useAction();
  const save = (): void =>
    run(async () => {
      const { got } = await (await identified()).request({ t: "event_edit", event: it.event, toml });
      files.set(it.event, toml);
      if (got?.got === "event") warned.set(it.event, got.warnings);
    });
  return (
    <details class="desk">
      <summary>{t("eventFile")}</summary>
      <div class="stack">
        <FileField toml={toml} set={setToml} />
        {error && <pre class="error tomlfaults" role="alert">{error}</pre>}
        <button class="btn" disabled={busy !== "" || !toml.trim()} onClick={save}>{t("save")}</button>
      </div>
    </details>
  );
}

/** The signature of the organiser over the head of the log (§3). */
async function seal(event: string): Promise<string> {
  const { head } = (await (await fetch(`/api/events/${event}`, { cache: "no-store" })).json()) as { head: string };
  return (await browserKey()).seal(head);
}

/** The next steps. What cannot be undone is asked for twice. */
export function Steps({ it, isOrganiser }: { it: EventInfo; isOrganiser: boolean }): JSX.Element | null {
  const [busy, error, run] = useAction();
  const [sure, setSure] = useState("");
  const [reason, setReason] = useState("");
  useEffect(() => setSure(""), [it.state]);
  const steps = (STEPS[it.state] ?? []).filter((what) => (isOrganiser || what === "pause" || what === "resume") && (what !== "round" || it.round_state === "paired"));
  if (!steps.length) return null;
  const needsReason = steps.includes("cancel") || steps.includes("pause");
  const act = (what: Step): void => {
    if ((what === "cancel" || what === "seal") && sure !== what) return setSure(what);
    run(async () => {
      const why = what === "cancel" || what === "pause" ? { reason: reason.trim() || t("hostReason") } : {};
      const signed = what === "seal" ? { signature: await seal(it.event) } : {};
      const { got } = await (await identified()).request({ t: "event_do", event: it.event, do: what, ...why, ...signed });
      if (got?.got === "event" && (what === "open" || what === "start")) warned.set(it.event, got.warnings);
      setReason("");
    });
  };
  return (
    <div class="stack">
      <div class="row tight hoststeps">
        {steps.map((what, n) => (
          <button key={what} class={`btn ${n === 0 ? "main" : ""}`} disabled={busy !== ""} onClick={() => act(what)}>
            {sure === what ? t("tapAgain", { what: maybe(`hostDo.${what}`, what) }) : maybe(`hostDo.${what}`, what)}
          </button>
        ))}
      </div>
      {isOrganiser && (warned.get(it.event) ?? []).map((text) => <p key={text} class="small warned" role="note"><Icon name="warn" size={16} /> {text}</p>)}
      {needsReason && <label class="field"><span>{t("reasonPublic")}</span><input class="input" maxLength={280} value={reason} placeholder={t("hostReason")} onInput={(event) => setReason(event.currentTarget.value)} /></label>}
      {error && <p class="error" role="alert">{error}</p>}
    </div>
  );
}
