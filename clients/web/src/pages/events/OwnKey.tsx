/** T5, T8: the key of this browser: its public part for the organiser, and ways to take it to another browser in a file. */
import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import { t } from "../../i18n";
import { browserKey, keepBrowserKey, PlayerKey } from "../../net/key";
import { save } from "../../save";

/** The public key of this browser, once it is known. */
export function useOwnKey(): string {
  const [key, setKey] = useState("");
  useEffect(() => void browserKey().then((mine) => setKey(mine.publicKey), () => undefined), []);
  return key;
}

/** The key in a file like that of the terminal: 64 hex digits. Null if the file is something else. */
async function keyIn(file: File): Promise<PlayerKey | null> {
  const seed = file.size > 1000 ? "" : (await file.text()).trim();
  return /^[0-9a-f]{64}$/i.test(seed) ? PlayerKey.fromSeed(seed.toLowerCase()) : null;
}

export function OwnKey(): JSX.Element | null {
  const value = useOwnKey();
  const [other, setOther] = useState<PlayerKey | null>(null);
  const [error, setError] = useState("");
  if (!value) return null;
  const toFile = async (): Promise<void> => {
    const own = await browserKey();
    save(`photofinish-${own.publicKey.slice(0, 8)}.key`, `${own.seed}\n`, "text/plain");
  };
  const choose = async (input: HTMLInputElement): Promise<void> => {
    const file = input.files?.[0];
    input.value = "";
    if (!file) return;
    const found = await keyIn(file).catch(() => null);
    setOther(found);
    setError(found ? "" : t("noKeyFile", { file: file.name }));
  };
  // The page begins anew: its connection has proved the key before.
  const replace = (key: PlayerKey): Promise<void> => keepBrowserKey(key).then(() => location.reload(), () => setError(t("keyNotKept")));
  return (
    <details class="small ownkey">
      <summary>{t("ownKey")}</summary>
      <code class="num">{value}</code>
      <p>{t("keyStays")} {t("keyFileIs")}</p>
      <div class="row tight">
        <button class="btn" onClick={() => void toFile()}>{t("saveKey")}</button>
        <label class="btn">{t("useKey")}<input class="hidden-text" type="file" onChange={(event) => void choose(event.currentTarget)} /></label>
      </div>
      {error && <p class="error" role="alert">{error}</p>}
      {other && (
        <div class="row tight" role="group" aria-label={t("useKey")}>
          <span class="grow">{other.publicKey === value ? t("sameKey") : t("replaceKey", { own: value.slice(0, 8), other: other.publicKey.slice(0, 8) })}</span>
          {other.publicKey !== value && <button class="btn main" onClick={() => void replace(other)}>{t("doReplaceKey")}</button>}
          <button class="btn" onClick={() => setOther(null)}>{t("keepKey")}</button>
        </div>
      )}
    </details>
  );
}
