/** §11: what a player of an event has done so far: its tables, and its reactions with their strips. */
import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import { t } from "../../i18n";
import type { Entrant, EventInfo, EventTable } from "../../net/events";
import type { Names } from "./EventParts";
import { Strips } from "./Reactions";

export function OwnResults({ it, me, names }: { it: EventInfo; me: Entrant; names: Names }): JSX.Element | null {
  const [open, setOpen] = useState(false);
  if (!it.round) return null;
  return (
    <details class="desk" onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>{t("ownResults")}</summary>
      {open && <Tables it={it} me={me} names={names} />}
      {open && <Strips at={`/api/events/${it.event}`} number={me.number} />}
    </details>
  );
}

function Tables({ it, me, names }: { it: EventInfo; me: Entrant; names: Names }): JSX.Element {
  const [rounds, set] = useState<EventTable[][]>([]);
  useEffect(() => {
    let here = true;
    const one = (n: number): Promise<EventTable[]> => fetch(`/api/events/${it.event}/rounds/${n}`).then((answer) => (answer.ok ? (answer.json() as Promise<EventTable[]>) : []));
    Promise.all(Array.from({ length: it.round }, (_, n) => one(n + 1))).then((found) => here && set(found), () => undefined);
    return () => void (here = false);
  }, [it.event, it.entries]);
  const own = rounds.flatMap((tables) => tables.filter((table) => table.seats.includes(me.number)));
  return (
    <ol class="eventtables">
      {own.map((table) => (
        <li key={`${table.round}.${table.table}`} class="eventtable">
          <span class="small">{t("roundN", { n: table.round })}</span>
          <span class="grow">{table.bye ? t("bye") : table.seats.filter((n) => n !== me.number).map(names).join(", ")}</span>
          <span class="small">{table.games.filter((game) => game.places.length && game.seats.includes(me.number) && game.how !== "void").map((game) => t("placeN", { n: game.places[game.seats.indexOf(me.number)] ?? 0 })).join(" · ")}</span>
        </li>
      ))}
    </ol>
  );
}
