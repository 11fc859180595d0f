/** All drawings that cards and seats refer to, once in the page. */
import type { JSX } from "preact";
import { sprite } from "./pictures";
import { seatSymbols } from "./seats";

const INSIDE =
  '<defs><pattern id="stripes" width="14" height="14" patternUnits="userSpaceOnUse" patternTransform="rotate(-45)"><path d="M3 0v14" stroke="#5E8A90" stroke-width="3.6" opacity=".55"/></pattern></defs>' +
  sprite() +
  seatSymbols();

export const Sprite = (): JSX.Element => (
  <svg class="sprite" width="0" height="0" aria-hidden="true" dangerouslySetInnerHTML={{ __html: INSIDE }} />
);
