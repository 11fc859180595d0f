/** "Verified" is always computed here from the replay. */
import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import { t } from "../../i18n/index";
import { Icon } from "../../kit/icons";
import { check, type Checked } from "../../replaycheck";

export function Verified({ room, number, text }: { room: string; number: number; text?: string }): JSX.Element {
  const [found, set] = useState<Checked | null>(null);
  useEffect(() => {
    let here = true;
    set(null);
    void check(room, number, text).then((it) => here && set(it));
    return () => void (here = false);
  }, [room, number, text]);
  if (!found) return <p class="small" role="status">{t("checking")}</p>;
  return (
    <p class={found.ok ? "good row tight" : found.ok === null ? "small" : "error row tight"} role="status">
      {found.ok !== null && <Icon name={found.ok ? "check" : "close"} size={20} />}
      {found.ok ? t("verifiedHere") : found.ok === null ? found.why : t("notVerified", { why: found.why })}
    </p>
  );
}
