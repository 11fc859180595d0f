/** Cards that lie before a seat: what Cambio and Kodiak share. */
import type { JSX } from "preact";
import { known } from "../coach";
import { t } from "../i18n";
import { Icon } from "../kit/icons";
import { deckFace, deckName, type DeckFace } from "../kit/thedeck";
import { Card, Obj } from "../table/Obj";
import { capOf } from "../table/input/caps";
import type { Scene } from "../table/module";
import { aimedSeat } from "../table/state";

export interface Slot {
  filled: boolean;
  mark: number;
  face: DeckFace | null;
  up?: boolean;
}
export const slotKey = (seat: number, slot: number): string => `slot:${seat}:${slot}`;

/** The letters of your own slots, as they lie. */
export const SLOT_CODES = ["KeyQ", "KeyW", "KeyA", "KeyS", "KeyE", "KeyR", "KeyG", "KeyH"];

export function slotName(s: Scene, seat: number, slot: number, it: Slot): string {
  const who = seat === s.you ? t("yourCardN", { n: slot + 1 }) : t("cardNOf", { n: slot + 1, name: s.name(seat) });
  if (!it.filled) return t("emptyPlace", { who });
  return `${who}, ${it.face ? deckName(it.face) : t("faceDown")}`;
}

/** The coach's sign: this seat had seen the card. */
const Seen = ({ face }: { face: DeckFace | undefined }): JSX.Element | null =>
  face ? <span class="seensign" title={deckName(face)}><Icon name="eye" size={12} />{face.kind === "number" ? <b>{face.rune}</b> : <svg viewBox="0 0 100 100" class={`c-${face.colour}`} style={{ color: "var(--deep)" }}><use href={`#p-${deckFace(face)?.pic ?? "stone"}`} /></svg>}</span> : null;

/** Slots 0–3 as 2 × 2, further ones in columns to the right; `shape` lays them out otherwise. */
export function SlotGrid(props: { s: Scene; seat: number; slots: Slot[]; looked: Set<string>; order: number[][]; compact: boolean; codes: readonly string[] }): JSX.Element {
  const { s, seat, slots, order } = props;
  const rows = order.length;
  const cols = Math.max(...order.map((row) => row.length));
  // Letters stand on your own cards, and on those of the seat whose digit was pressed.
  const codes = (aimedSeat.value ?? s.you) === seat ? props.codes : [];
  const place = (slot: number, x: number, y: number, isAlone: boolean): JSX.Element | null => {
    const it = slots[slot];
    if (!it) return null;
    const k = slotKey(seat, slot);
    const style = { gridColumn: x + 1, gridRow: y + 1, left: isAlone && cols === 2 ? "calc((var(--w) + var(--gap)) / 2)" : undefined };
    const code = codes[slot];
    const same = { k, name: slotName(s, seat, slot, it), style, cap: code && capOf(code) };
    if (!it.filled) return <Obj {...same} class="slot hole" />;
    return (
      <Card {...same} face={deckFace(it.face)} compact={props.compact} class={`slot ${props.looked.has(k) ? "looked" : ""}`}>
        {!it.face && known.value?.has(it.mark) && <Seen face={known.value.get(it.mark)} />}
      </Card>
    );
  };
  return (
    <div role="grid" aria-label={seat === s.you ? t("yourCards") : t("cardsOf", { name: s.name(seat) })} class={`slotgrid cols${cols} ${cols > 4 ? "many" : ""}`} style={{ "--cols": cols, "--rows": rows }}>
      {order.map((row, y) => (
        <div role="row" class="asis" key={y}>
          {row.map((slot, x) => (
            <div role="gridcell" class="asis" key={slot}>
              {place(slot, x, y, row.length === 1)}
            </div>
          ))}
        </div>
      ))}
    </div>
  );
}
