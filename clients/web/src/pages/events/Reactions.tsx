/** T48: the leader board of reaction times. Every figure leads to the strips behind it. */
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { milliseconds, t } from "../../i18n";
import { useJson } from "../../net/events";
import type { Names } from "./EventParts";
import { useWindow } from "./EventParts";

interface Reaction {
  number: number;
  n: number;
  median_us: number | null;
  low_us: number | null;
  high_us: number | null;
  best10_us: number | null;
  iqr_us: number | null;
  false_starts: number;
  wrong: number;
}
interface RaceLine {
  round: number;
  race: string;
  score_us: number;
  counted: boolean;
  strip: string;
}
/** As many reactions rank a player; with fewer it stands below the line. */
const ENOUGH = 10;
const COLUMNS = 8;
const time = (us: number | null): string => (us === null ? "–" : milliseconds(us, 0));

/** Neighbours whose intervals overlap are not told apart. */
const isAlike = (row: Reaction, above: Reaction | undefined): boolean => above !== undefined && row.n >= ENOUGH && (above.high_us ?? 0) >= (row.low_us ?? 0);

export function Reactions({ at, names }: { at: string; names: Names }): JSX.Element {
  const { state, value } = useJson<Reaction[]>(`${at}/reactions`);
  const rows = value ?? [];
  const [shown, more] = useWindow(rows.length);
  const [open, setOpen] = useState(0);
  if (!rows.some((row) => row.n || row.false_starts || row.wrong)) return <p class="small" role="status">{t(state === "loading" ? "loading" : "noReactions")}</p>;
  return (
    <div class="tablewrap" tabIndex={0} role="group" aria-label={t("reactionBoard")}>
      <table class="standings reactions">
        <thead>
          <tr>
            <th scope="col">{t("rank")}</th><th scope="col">{t("player")}</th><th scope="col">{t("reactionCount")}</th><th scope="col">{t("reactionMedian")}</th>
            <th scope="col">{t("reactionBest")}</th><th scope="col">{t("reactionSpread")}</th><th scope="col">{t("falseStarts")}</th><th scope="col">{t("wrongSlaps")}</th>
          </tr>
        </thead>
        {rows.slice(0, shown).map((row, n) => (
          <tbody key={row.number}>
            <tr>
              <td class="num">{row.n >= ENOUGH ? n + 1 : "–"}</td>
              <th scope="row">{names(row.number)}{isAlike(row, rows[n - 1]) && <span class="small alike"> {t("notToldApart")}</span>}</th>
              <td class="num">{row.n}</td>
              <td class="num">
                {row.n > 0 ? <button class="linkbtn" aria-expanded={open === row.number} onClick={() => setOpen(open === row.number ? 0 : row.number)}><b>{time(row.median_us)}</b></button> : "–"}
                {row.low_us !== null && row.high_us !== null && <span class="small"> {time(row.low_us)}–{time(row.high_us)}</span>}
              </td>
              <td class="num">{time(row.best10_us)}</td><td class="num">{time(row.iqr_us)}</td><td class="num">{row.false_starts}</td><td class="num">{row.wrong}</td>
            </tr>
            {open === row.number && <tr><td colSpan={COLUMNS} class="stripcell"><Strips at={at} number={row.number} /></td></tr>}
          </tbody>
        ))}
      </table>
      {more}
      <p class="small">{t("reactionWhy")}</p>
    </div>
  );
}

/** The counted reactions of one player, the quickest first, each with the strip of its race. */
export function Strips({ at, number }: { at: string; number: number }): JSX.Element {
  const { state, value } = useJson<RaceLine[]>(`${at}/races?number=${number}`);
  const lines = (value ?? []).filter((line) => line.counted).sort((a, b) => a.score_us - b.score_us);
  if (state === "none") return <p class="small">{t("stripsSealed")}</p>;
  if (!lines.length) return <p class="small" role="status">{t(state === "loading" ? "loading" : "noReactions")}</p>;
  return (
    <ul class="strips">
      {lines.map((line) => (
        <li key={line.strip}><a href={`/r/${roomOf(line.strip)}/1#race=${line.race}`}>{milliseconds(line.score_us)}<span class="hidden-text"> {t("roundN", { n: line.round })}</span></a></li>
      ))}
    </ul>
  );
}

/** `replays/ROOM-1.json#race` is where the strip is in an export. */
const roomOf = (strip: string): string => /^replays\/([A-Z]+)-/.exec(strip)?.[1] ?? "";
