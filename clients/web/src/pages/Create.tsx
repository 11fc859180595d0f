/** Create a table: every option of the game, then those of the table. */
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { t } from "../i18n/index";
import { Sheet } from "../kit/Sheet";
import { connect, sentence } from "../net/link";
import { games } from "../net/store";
import { go } from "../route";
import { change } from "../settings";
import { Stepper } from "../table/input/Builder";
import { gameTitle } from "../kit/titles";
import { defaultsOf, OptionsForm } from "./Options";
import { Segments, Switch } from "./Settings";

export function Create({ game: first, onClose }: { game: string; onClose: () => void }): JSX.Element {
  const [key, setKey] = useState(first);
  const info = games.value.find((it) => it.key === key) ?? games.value[0];
  const [values, setValues] = useState<Record<string, unknown> | null>(null);
  const [seats, setSeats] = useState<number | null>(null);
  const [hidden, setHidden] = useState(false);
  const [delay, setDelay] = useState(0);
  const [most, setMost] = useState(0);
  const [referee, setReferee] = useState("");
  const [error, setError] = useState("");
  if (!info) return <Sheet title={t("createTable")} onClose={onClose}><p class="small">{t("connecting")}</p></Sheet>;
  const options = values ?? defaultsOf(info);
  const create = async (): Promise<void> => {
    const all = defaultsOf(info);
    const changed = Object.fromEntries(Object.entries(options).filter(([name, value]) => JSON.stringify(value) !== JSON.stringify(all[name])));
    try {
      const it = await connect();
      const table = await it.create({ game: info.key, seats: seats ?? info.most, options: changed, private: hidden, spectator_delay: delay, max_ping_ms: most, referee });
      change({ lastGame: info.key });
      go(`/t/${table.room.room}`);
    } catch (fault) {
      setError(sentence(fault).text);
    }
  };
  return (
    <Sheet title={t("createTable")} onClose={onClose}>
      <div class="stack">
        <Segments label={t("game")} value={info.key} set={(it) => (setKey(it), setValues(null), setSeats(null))} of={games.value.map((it) => [it.key, gameTitle(it.key)] as const)} />
        <Stepper label={t("seats")} value={seats ?? info.most} least={info.least} most={info.most} set={setSeats} />
        <OptionsForm game={info} value={options} set={setValues} />
        <details>
          <summary>{t("moreSettings")}</summary>
          <div class="stack">
            <Switch label={t("privateTable")} on={hidden} set={setHidden} />
            <Stepper label={t("spectatorDelay")} value={delay} least={0} most={600} by={5} unit=" s" set={setDelay} />
            <Stepper label={t("mostPing")} value={most} least={0} most={1000} by={50} unit=" ms" set={setMost} />
            <label class="field"><span>{t("refereeWord")}</span><input class="input" maxLength={128} value={referee} onInput={(event) => setReferee(event.currentTarget.value)} /></label>
          </div>
        </details>
        {error && <p class="error" role="alert">{error}</p>}
        <button class="btn main wide" onClick={() => void create()}>{t("create")}</button>
      </div>
    </Sheet>
  );
}
