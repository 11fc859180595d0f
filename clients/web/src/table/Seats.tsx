/** The other seats: tiles with cards before them, or a row of badges. */
import type { JSX } from "preact";
import { t } from "../i18n";
import { ClockRing } from "../kit/ClockRing";
import { Icon } from "../kit/icons";
import { SeatMark } from "../kit/seats";
import { clocks } from "../net/store";
import type { GameModule, Scene } from "./module";
import { Obj } from "./Obj";
import { aimedSeat, lit } from "./state";

const ANGLES: Record<number, number[]> = {
  1: [0],
  2: [-50, 50],
  3: [-75, 0, 75],
  4: [-80, -35, 35, 80],
  5: [-85, -36, 0, 36, 85],
  6: [-95, -57, -19, 19, 57, 95],
  7: [-95, -63, -32, 0, 32, 63, 95],
};

export function SeatClock({ seat, own }: { seat: number; own?: boolean }): JSX.Element | null {
  const its = clocks.value.filter((clock) => clock.seats.includes(seat));
  if (!its.length) return null;
  return (
    <>
      {its.map((clock) => (
        <ClockRing key={clock.key} clock={clock} own={own} />
      ))}
    </>
  );
}

export function SeatName({ s, seat }: { s: Scene; seat: number }): JSX.Element {
  const place = s.seats[seat];
  return (
    <span class="seatname">
      <SeatMark seat={seat} />
      <b>{s.name(seat)}</b>
      {place?.autopilot && (
        <span title={t("autopilot")}>
          <Icon name="gear" size={16} />
        </span>
      )}
    </span>
  );
}

/** "Mei, Points 21, 3 cards": what a tile says to those who hear the table. */
function seatLabel(s: Scene, game: GameModule, seat: number): string {
  const points = game.points?.(s);
  const total = points?.rows.find((row) => row.seat === seat)?.total;
  const sizes = s.v.hand_sizes as number[] | undefined;
  const slots = (s.v.table as { filled: boolean }[][] | undefined)?.[seat];
  const cards = Array.isArray(slots) ? slots.filter((it) => it.filled).length : sizes?.[seat];
  return [s.name(seat), total === undefined ? "" : `${points?.figure ?? t("points")} ${total}`, cards === undefined ? "" : t("nCards", { n: cards })].filter(Boolean).join(", ");
}

export function Seats({ s, game }: { s: Scene; game: GameModule }): JSX.Element {
  const angles = ANGLES[s.others.length] ?? [];
  const turn = game.turn(s);
  const badge = game.layout === "badges";
  const rows = !s.narrow || game.layout !== "slots" ? 1 : s.others.length > 3 ? 2 : 1;
  return (
    <div class={`seats n${s.others.length} rows${rows}`}>
      {s.others.map((seat, n) => {
        const place = s.seats[seat];
        const active = turn === seat || (turn === null && s.awaited.has(seat));
        const score = game.score?.(s, seat);
        const angle = ((angles[n] ?? 0) * Math.PI) / 180;
        const style = { "--x": `${(50 + 42 * Math.sin(angle)).toFixed(2)}%`, "--y": `${(50 - 50 * Math.cos(angle)).toFixed(2)}%` };
        const grow = game.layout === "slots" ? { flexGrow: Math.min(3, Math.max(2, Math.ceil(((s.v.table?.[seat] as unknown[] | undefined)?.length ?? 4) / 2))) } : {};
        const k = `seat:${seat}`;
        const label = seatLabel(s, game, seat);
        const inside = (
          <>
            <div class="tilehead">
              <SeatName s={s} seat={seat} />
              {game.codes && <kbd class="cap seatcap" aria-hidden="true">{n + 1}</kbd>}
              <span class="row tight">
                {badge || !s.narrow || active ? <SeatClock seat={seat} /> : null}
                {(!badge || game.shortScore) && <span class="score num">{score}</span>}
              </span>
            </div>
            {badge && (
              <div class="tilerow">
                {game.note && <span class="tilenote small">{game.note(s, seat)}</span>}
                {!game.shortScore && <span class="score num">{score}</span>}
              </div>
            )}
            {game.Tile && <game.Tile s={s} seat={seat} />}
          </>
        );
        const cls = `tile ${active ? "active" : ""} ${place && !place.connected ? "away" : ""} ${aimedSeat.value === seat ? "aimed" : ""}`;
        return lit.value.has(k) ? (
          <Obj key={seat} k={k} name={label} class={cls} style={{ ...style, ...grow }}>
            {inside}
          </Obj>
        ) : (
          <div key={seat} data-k={k} class={cls} style={{ ...style, ...grow }} role="group" aria-label={label}>
            {inside}
          </div>
        );
      })}
    </div>
  );
}
