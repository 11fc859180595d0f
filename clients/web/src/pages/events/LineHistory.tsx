/** T60: how the line of each seat was from race to race, as the server measured it. All of it is in the records. */
import type { JSX } from "preact";
import type { ReadRace } from "@photofinish/client";
import { number, t } from "../../i18n/index";

type Path = ReadRace["record"]["moves"][number]["path"];

interface Line {
  path: Path;
  /** The seat had no trigger of its own, or lost its connection in this race. */
  away: boolean;
}

/** The line of a seat when it moved; if it did not, when the race waited for it. Undefined: neither. */
function lineOf(race: ReadRace, seat: number): Line | undefined {
  const { moves, void: refused, held, decisions } = race.record;
  const moved = [...moves, ...refused, ...held].filter((it) => it.seat === seat).at(-1);
  if (moved) return { path: moved.path, away: moved.away };
  const waited = decisions.flatMap((it) => it.marks).filter((it) => it.seat === seat).at(-1);
  return waited && { path: waited.path, away: waited.shown === null };
}

const least = ({ kmin, amin, behind_proxy }: Path): number | null => {
  const known = [amin, behind_proxy ? null : kmin].filter((it) => it !== null);
  return known.length ? Math.min(...known) : null;
};

const tenths = (us: number | null): string => (us === null ? "–" : number(Math.round(us / 100) / 10));

export function LineHistory({ races }: { races: readonly ReadRace[] }): JSX.Element | null {
  const first = races[0];
  if (!first) return null;
  const seats = [...new Set(races.flatMap((it) => it.record.seats))].sort((a, b) => a - b);
  return (
    <details class="small linehistory">
      <summary>{t("lineHistory")}</summary>
      <p>{t("lineWhy")}</p>
      <div class="tablewrap" tabIndex={0} role="group" aria-label={t("lineHistory")}>
        <table class="standings">
          <thead><tr><th scope="col">{t("lineAfter")}</th>{seats.map((seat) => <th key={seat} scope="col">{(first.names[seat] ?? `${seat + 1}`).replace(/ \(bot\)/, "")}</th>)}</tr></thead>
          <tbody>
            {races.map((race) => (
              <tr key={race.key}>
                <th scope="row" class="num">{number(Math.round((race.record.opened - first.record.opened) / 1e6))} s</th>
                {seats.map((seat) => {
                  const line = lineOf(race, seat);
                  return <td key={seat} class="num">{line ? [least(line.path), line.path.usual, line.path.slow].map(tenths).join(" / ") : "–"}{line?.away && ` (${t("lineAway")})`}</td>;
                })}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </details>
  );
}
