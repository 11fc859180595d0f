/** What lies on a ship of Jamaica: holds, treasures, and the battle that two ships are in. */
import type { JSX } from "preact";
import { maybe, t } from "../i18n";
import { SeatMark } from "../kit/seats";
import type { Scene } from "../table/module";
import { Obj } from "../table/Obj";

/** `card` is null if this viewer may not know its face; `curse`: everybody knows that it is one. */
interface Treasure {
  place: number;
  up: boolean;
  curse: boolean;
  card: { id: string; type: "power" | "treasure" | "cursed"; points?: number } | null;
}
export interface Hold {
  resource: string | null;
  count: number;
}
export interface Ship {
  ship: number | "ghost";
  space: number;
  lap: number;
  finished: boolean;
  to_go: number;
  holds: Hold[];
  treasures: Treasure[];
}
/** `firepower` is null for a star. */
interface Shot {
  powder: number;
  die: string;
  firepower: number | null;
}
export interface Battle {
  attacker: number | "ghost";
  defender: number | "ghost";
  attack: Shot | null;
  defence: Shot | null;
  winner: number | "ghost" | null;
}

const Good = ({ id }: { id: string }): JSX.Element => (
  <svg class="good-icon c-brown" viewBox="0 0 100 100" style={{ color: "#5a3a1a" }} role="img" aria-label={maybe(`good.${id}`, id)}><use href={`#p-${id}`} /></svg>
);

const POWERS: Record<string, string> = { morgans_map: "map", sarans_sabre: "sabers", lady_beth: "gunpowder", sixth_hold: "chest" };
function TreasureSign({ it }: { it: Treasure }): JSX.Element {
  const points = it.card?.points ?? 0;
  const name = it.card ? (it.card.type === "power" ? maybe(`jamaica.${it.card.id}`, it.card.id) : t("jamaica.treasureWorth", { n: points })) : it.curse ? t("jamaica.knownCurse") : t("jamaica.hiddenTreasure");
  const pic = it.card?.type === "power" ? (POWERS[it.card.id] ?? "chest") : it.curse || points < 0 ? "skull" : "chest";
  return (
    <span class={`treasure ${it.up ? "up" : ""}`} role="img" aria-label={name} title={name}>
      <svg class="good-icon c-yellow" viewBox="0 0 100 100" style={{ color: "#5a3a1a" }} aria-hidden="true"><use href={`#p-${pic}`} /></svg>
      {it.card && it.card.type !== "power" && <b class="num">{points > 0 ? `+${points}` : points < 0 ? `−${-points}` : 0}</b>}
    </span>
  );
}
export const Treasures = ({ ship }: { ship: Ship }): JSX.Element => (
  <span class="treasures" role="group" aria-label={t("jamaica.treasures", { n: ship.treasures.length })}>{ship.treasures.map((it) => <TreasureSign key={it.place} it={it} />)}</span>
);

export const Holds = ({ s, ship, own }: { s: Scene; ship: Ship; own?: boolean }): JSX.Element => (
  <span class={`holds ${own ? "ownholds" : ""}`}>
    {ship.holds.map((hold, n) => {
      const name = hold.resource ? t("jamaica.hold", { n: n + 1, count: hold.count, what: maybe(`good.${hold.resource}`, hold.resource) }) : t("jamaica.emptyHold", { n: n + 1 });
      const inside = hold.resource ? <><Good id={hold.resource} /> {hold.count}</> : "";
      return own ? <Obj key={n} k={`hold:${s.me}:${n}`} name={name} class={`holdbox ${hold.resource ? "" : "none"}`}>{inside}</Obj> : <span key={n} class={`holdbox ${hold.resource ? "" : "none"}`} role="img" aria-label={name}>{inside}</span>;
    })}
    {ship.treasures.length > 0 && <Treasures ship={ship} />}
  </span>
);

function Side({ s, ship, shot, won }: { s: Scene; ship: number | "ghost"; shot: Shot | null; won: boolean }): JSX.Element {
  return (
    <span class={`battleside ${won ? "won" : ""}`}>
      {ship === "ghost" ? <svg viewBox="0 0 100 100" width="20" height="20" style={{ color: "#20242b" }} aria-hidden="true"><use href="#p-ghost" /></svg> : <SeatMark seat={ship} />}
      <b class="battlename">{ship === "ghost" ? t("jamaica.ghost") : s.name(ship)}</b>
      {shot && (
        <span class="shot">
          <Good id="gunpowder" /> {shot.powder} + {shot.firepower === null ? <svg viewBox="0 0 100 100" width="20" height="20" style={{ color: "#7a4f00" }} role="img" aria-label={t("jamaica.star")}><use href="#p-star" /></svg> : <><span class="shotdie">{shot.die}</span> = <b class="num firepower">{shot.firepower}</b></>}
        </span>
      )}
    </span>
  );
}
export const BattleBanner = ({ s, it }: { s: Scene; it: Battle }): JSX.Element => (
  <div class="battle" role="group" aria-label={t("jamaica.battle")}>
    <Side s={s} ship={it.attacker} shot={it.attack} won={it.winner === it.attacker} />
    <svg viewBox="0 0 100 100" width="34" height="34" class="c-brown" style={{ color: "#5a3a1a" }} aria-hidden="true"><use href="#p-sabers" /></svg>
    <Side s={s} ship={it.defender} shot={it.defence} won={it.winner === it.defender} />
  </div>
);
