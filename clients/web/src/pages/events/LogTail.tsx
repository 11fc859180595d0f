/** §11: the newest entries of the event's log, for its officials. */
import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import { language, t } from "../../i18n";
import type { EventInfo } from "../../net/events";

const MOST = 20;
interface Entry {
  n: number;
  at: number;
  by: string;
  e: string;
}

export function LogTail({ it }: { it: EventInfo }): JSX.Element {
  const [open, setOpen] = useState(false);
  return (
    <details class="desk" onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>{t("logTail")}</summary>
      {open && <Entries it={it} />}
    </details>
  );
}

function Entries({ it }: { it: EventInfo }): JSX.Element {
  const [lines, set] = useState<Entry[]>([]);
  useEffect(() => {
    let here = true;
    fetch(`/api/events/${it.event}/log?from=${Math.max(0, (it.entries ?? 0) - MOST)}`)
      .then((answer) => answer.text())
      .then((text) => here && set(text.split("\n").filter(Boolean).map((line) => JSON.parse((JSON.parse(line) as { body: string }).body) as Entry).reverse()), () => undefined);
    return () => void (here = false);
  }, [it.event, it.entries]);
  const clock = new Intl.DateTimeFormat(language.value, { timeStyle: "medium" });
  return (
    <ol class="logtail small">
      {lines.map((one) => <li key={one.n}><span class="num">{one.n}</span> <time>{clock.format(one.at / 1000)}</time> <b>{one.e.replaceAll("_", " ")}</b> <span class="num">{one.by.length === 64 ? one.by.slice(0, 8) : one.by}</span></li>)}
    </ol>
  );
}
