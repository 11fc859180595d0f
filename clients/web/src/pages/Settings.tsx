/** Settings: all of them stay in this browser. */
import type { JSX } from "preact";
import { t } from "../i18n";
import { Icon } from "../kit/icons";
import { change, forgetEverything, settings, storageWorks, type Settings } from "../settings";

export function Switch({ label, on, set }: { label: string; on: boolean; set: (on: boolean) => void }): JSX.Element {
  return (
    <div class="row between">
      <span>{label}</span>
      <button class="switch" role="switch" aria-checked={on} aria-label={label} onClick={() => set(!on)} />
    </div>
  );
}

export function Segments<T extends string>(props: { label: string; value: T; of: readonly (readonly [T, string])[]; set: (value: T) => void }): JSX.Element {
  return (
    <div class="field">
      <span>{props.label}</span>
      <div class="seg" role="group" aria-label={props.label}>
        {props.of.map(([value, text]) => (
          <button key={value} type="button" aria-pressed={props.value === value} onClick={() => props.set(value)}>
            {text}
          </button>
        ))}
      </div>
    </div>
  );
}

export function SettingsForm(): JSX.Element {
  const now = settings.value;
  const set = <K extends keyof Settings>(key: K) => (value: Settings[K]) => change({ [key]: value } as Partial<Settings>);
  return (
    <div class="stack">
      {!storageWorks && <p class="error">{t("storageForbidden")}</p>}
      <label class="field">
        <span>{t("yourName")}</span>
        <input class="input" maxLength={24} value={now.name} onChange={(event) => change({ name: event.currentTarget.value.trim() || now.name })} />
      </label>
      <Segments label={t("theme")} value={now.theme} set={set("theme")} of={[["system", t("bySystem")], ["dark", t("dark")], ["light", t("light")]]} />
      <Segments label={t("language")} value={now.language} set={set("language")} of={[["system", t("bySystem")], ["en", "English"], ["de", "Deutsch"], ["ja", "日本語"]]} />
      <Segments label={t("motion")} value={now.motion} set={set("motion")} of={[["system", t("bySystem")], ["less", t("lessMotion")]]} />
      <Segments label={t("hand")} value={now.hand} set={set("hand")} of={[["left", t("leftHand")], ["right", t("rightHand")]]} />
      <Switch label={t("sound")} on={now.sound} set={set("sound")} />
      <Switch label={t("vibration")} on={now.vibration} set={set("vibration")} />
      <Switch label={t("singleKeys")} on={now.keys} set={set("keys")} />
      <Switch label={t("hints")} on={now.hints} set={set("hints")} />
      <button class="btn wide" onClick={() => change({ seenHints: [], hints: true })}>{t("hintsAgain")}</button>
      <button class="btn wide" onClick={forgetEverything}>{t("forgetAll")}</button>
    </div>
  );
}

export function SettingsPage(): JSX.Element {
  return (
    <main class="page reading">
      <header class="row">
        <a class="iconbtn" href="/" aria-label={t("toLobby")}><Icon name="back" /></a>
        <h1>{t("settings")}</h1>
      </header>
      <SettingsForm />
    </main>
  );
}
