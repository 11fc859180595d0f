/** The photo finish: a line of time with every hand's mark, and the sheet with a lane for each. */
import type { JSX } from "preact";
import { milliseconds, t } from "../../i18n/index";
import { Icon } from "../../kit/icons";
import { SeatMark, seatLook } from "../../kit/seats";
import { nameOf, sheet, you } from "../../net/store";
import type { Mark, RaceReport } from "../../net/wire";

const winner = (race: Pick<RaceReport, "marks">): Mark | undefined => race.marks.find((mark) => mark.verdict === "done");
/** Who sits where: at a table its players, in a record those that it names. */
type Names = (seat: number) => string;
/** A race from a `race` message or from a record. */
type Raced = Pick<RaceReport, "marks">;
const who = (seat: number, name: Names): string => (seat === you.value ? t("youLow") : name(seat));

export function headline(race: Raced, named: Names = nameOf): string {
  const first = winner(race);
  if (!first) {
    const tried = race.marks[0];
    return tried ? t("nobodyWon") : t("noMarks");
  }
  const others = race.marks.filter((mark) => mark !== first && mark.seat !== first.seat && mark.verdict !== "void" && mark.verdict !== "refused");
  const second = others.filter((mark) => !mark.late).sort((a, b) => a.score - b.score)[0];
  const name = first.seat === you.value ? "" : named(first.seat);
  if (first.heat && second) return t("deadHeat", { a: who(first.seat, named), b: who(second.seat, named) });
  if (!second) return name ? t("firstAlone", { name, ms: milliseconds(first.score) }) : t("youFirstAlone", { ms: milliseconds(first.score) });
  const by = milliseconds(Math.abs(second.score - first.score));
  return name ? t("firstBy", { name, ms: by }) : t("youFirstBy", { ms: by });
}

const verdictWord = (mark: Mark): string =>
  mark.verdict === "void" ? t("falseStart") : mark.verdict === "refused" ? t("wrongCard") : mark.late || mark.verdict === "held" ? t("tooLate") : "";

function bounds(marks: readonly Mark[], wide: boolean): [number, number] {
  const all = marks.flatMap((mark) => (wide ? [mark.lo, mark.hi, mark.score] : [mark.score]));
  const low = Math.min(...all);
  const high = Math.max(...all);
  const room = Math.max(40_000, (high - low) * 0.25);
  return wide ? [0, high + room] : [Math.max(0, low - room), high + room];
}

const step = (span: number): number => [10, 20, 50, 100, 200, 500, 1000, 2000, 5000].map((ms) => ms * 1000).find((us) => span / us <= 6) ?? 10_000_000;

export function StripLine({ race, small, named = nameOf }: { race: Raced; small?: boolean; named?: Names }): JSX.Element {
  const [low, high] = bounds(race.marks, false);
  const at = (us: number): number => 20 + (560 * (us - low)) / (high - low);
  const size = step(high - low);
  const marks = [...race.marks].reverse();
  const first = winner(race);
  // Marks at the same place, as in a dead heat, stand above and below the first.
  const height = (mark: Mark): number => {
    const under = race.marks.slice(0, race.marks.indexOf(mark)).filter((it) => Math.abs(at(it.score) - at(mark.score)) < 18);
    return 40 + ([0, -17, 15][Math.min(2, under.length)] ?? 0);
  };
  const isAlone = (mark: Mark): boolean => !race.marks.some((it) => it !== mark && Math.abs(at(it.score) - at(mark.score)) < 18);
  const ticks: number[] = [];
  for (let us = Math.ceil(low / size) * size; us < high; us += size) ticks.push(us);
  return (
    <svg class="stripline" viewBox={small ? "0 12 600 44" : "0 0 600 74"} role="img" aria-label={headline(race, named)}>
      <path d="M20 40H580" class="axis" />
      {!small &&
        ticks.map((us) => (
          <g key={us}>
            <path d={`M${at(us)} 32v16`} class="axis" />
            <text x={at(us)} y="68" class="tickname">
              {milliseconds(us, 0)}
            </text>
          </g>
        ))}
      {first && <path d={`M${at(first.score)} 12v44`} class="finish" />}
      {marks.map((mark, n) => (
        <g key={n} transform={`translate(${at(mark.score)} ${height(mark)})`}>
          {mark.verdict === "refused" || mark.verdict === "void" ? (
            <g>
              <path d="M-10-10L10 10M10-10L-10 10" stroke="var(--rim)" stroke-width="9" stroke-linecap="round" />
              <path d="M-10-10L10 10M10-10L-10 10" stroke={seatLook(mark.seat).colour} stroke-width="5" stroke-linecap="round" />
            </g>
          ) : (
            <use href={`#seat-${mark.seat % 8}`} x="-14" y="-14" width="28" height="28" class={mark === first ? "winner" : ""} />
          )}
          {!small && mark.seat === you.value && (
            <text {...(isAlone(mark) ? { y: -18 } : { x: -18, y: 6 })} class={`tickname you ${isAlone(mark) ? "" : "beside"}`}>
              {t("youLow")}
            </text>
          )}
        </g>
      ))}
    </svg>
  );
}

export function StripBand({ race, onClose }: { race: RaceReport; onClose: () => void }): JSX.Element {
  return (
    <button class="stripband" onClick={() => ((sheet.value = `race:${race.key}`), onClose())}>
      <span class="row between">
        <h2>{headline(race)}</h2>
        <Icon name="next" />
      </span>
      <StripLine race={race} />
    </button>
  );
}

/** At most four lines of time, at round figures. */
function ticksUpTo(high: number): number[] {
  const step = [50_000, 100_000, 200_000, 500_000, 1_000_000].find((us) => high / us <= 4) ?? high;
  return Array.from({ length: Math.floor(high / step) }, (_, n) => (n + 1) * step);
}

export function Lanes({ race, named = nameOf }: { race: Raced; named?: Names }): JSX.Element {
  const [, high] = bounds(race.marks, true);
  const x = (us: number): number => (100 * us) / high;
  const first = winner(race);
  const seats = [...new Set(race.marks.map((mark) => mark.seat))];
  const own = you.value;
  const place = own === null ? -1 : race.marks.filter((mark) => mark.verdict !== "void" && mark.verdict !== "refused").findIndex((mark) => mark.seat === own);
  return (
    <div class="lanes">
      <p class="small">{place === 0 ? t("youWereFirst") : place > 0 ? t("youWerePlace", { n: place + 1 }) : t("youDidNot")}</p>
      <div class="lanesbox">
        <span class="shown" />
        {ticksUpTo(high).map((us) => <span key={us} class="lanetick" style={{ left: `${x(us)}%` }} />)}
        {first && <span class="finishline" style={{ left: `${x(first.score)}%` }} />}
        {seats.map((seat) => (
          <div class="lane" key={seat}>
            {race.marks
              .filter((mark) => mark.seat === seat)
              .map((mark, n) => (
                <div key={n}>
                  <div class="row between lanehead">
                    <span class="row">
                      <SeatMark seat={seat} />
                      <b>{seat === own ? t("nameYou", { name: named(seat) }) : named(seat)}</b>
                      <span class={mark === first ? "good" : "wrong"}>{mark === first ? t("first") : verdictWord(mark)}</span>
                    </span>
                    <b class="num">{milliseconds(mark.score)}</b>
                  </div>
                  <div class="lanebar">
                    <span class="could" style={{ left: `${x(mark.lo)}%`, width: `${Math.max(0.6, x(mark.hi) - x(mark.lo))}%` }} />
                    <span class="taken" style={{ left: `${x(mark.score)}%`, width: `${Math.min(100 - x(mark.score), x(mark.base))}%` }} />
                    <span class="dot" style={{ left: `${x(mark.score)}%` }}>
                      <SeatMark seat={seat} size={26} />
                    </span>
                  </div>
                </div>
              ))}
          </div>
        ))}
      </div>
      <div class="laneaxis caption" aria-hidden="true">
        <span>{t("cardShown")}</span>
        {ticksUpTo(high).filter((us) => x(us) > 32 && x(us) < 94).map((us) => <span key={us} class="num" style={{ left: `${x(us)}%` }}>{milliseconds(us, 0)}</span>)}
      </div>
      <p class="legend caption">
        <span class="key could" /> {t("mayHaveBeen")} <span class="key taken" /> {t("networkTakenOff")}
      </p>
    </div>
  );
}
