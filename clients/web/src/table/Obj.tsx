/** Something on the table that can be tapped while it is lit: a card, a place, a pile, a ship. */
import type { ComponentChildren, JSX } from "preact";
import { CardArt, type Back, type Face } from "../kit/Card";
import { t } from "../i18n";
import { sent } from "../net/store";
import { lit, picked, shaking, slapLit } from "./state";
import { Icon } from "../kit/icons";

export interface ObjProps {
  k: string;
  name: string;
  class?: string;
  style?: Record<string, string | number | undefined>;
  children?: ComponentChildren;
  cap?: string;
}

export function objectClass(k: string): string {
  const isLit = lit.value.has(k);
  const parts = ["obj"];
  if (isLit) parts.push(slapLit.value.has(k) ? "slap" : "lit");
  if (picked.value.includes(k)) parts.push("picked");
  if (sent.value?.keys.includes(k)) parts.push("sent");
  if (shaking.value === k) parts.push("shake");
  return parts.join(" ");
}

export function Obj(props: ObjProps): JSX.Element {
  const { k } = props;
  const isLit = lit.value.has(k);
  const isPicked = picked.value.includes(k);
  const name = isLit ? `${props.name}, ${slapLit.value.has(k) ? t("canBeSlapped") : t("canBeChosen")}` : props.name;
  return (
    <div
      data-k={k}
      class={`${objectClass(k)} ${props.class ?? ""}`}
      style={props.style}
      role={isLit ? "button" : "img"}
      tabIndex={isLit ? 0 : undefined}
      aria-label={isLit ? undefined : name}
      aria-pressed={isLit && isPicked ? true : undefined}
    >
      {isLit && <span class="hidden-text">{name}</span>}
      {props.children}
      {isPicked && (
        <span class="tick">
          <Icon name="check" size={16} />
        </span>
      )}
      {props.cap && isLit && <kbd class="cap" aria-hidden="true">{props.cap}</kbd>}
    </div>
  );
}

/** The tick of a picked object inside a drawing. */
export const SvgTick = ({ k, x, y }: { k: string; x: number; y: number }): JSX.Element | null =>
  picked.value.includes(k) ? (
    <g class="svgtick" transform={`translate(${x} ${y})`}>
      <circle r="17" />
      <path d="M-8 0l5.5 6L8-6" />
    </g>
  ) : null;

export interface CardProps extends Omit<ObjProps, "children"> {
  face?: Face | null;
  back?: Back;
  compact?: boolean;
  children?: ComponentChildren;
}

export const Card = ({ face, back, compact, children, ...rest }: CardProps): JSX.Element => (
  <Obj {...rest} class={`card ${rest.class ?? ""}`}>
    <CardArt face={face} compact={compact} back={back} />
    {children}
  </Obj>
);

/** A card that nothing can be done with. */
export const Still = (props: { face?: Face | null; back?: Back; compact?: boolean; class?: string; name?: string }): JSX.Element => (
  <span class={`card still ${props.class ?? ""}`} role={props.name ? "img" : undefined} aria-label={props.name}>
    <CardArt face={props.face} back={props.back} compact={props.compact} />
  </span>
);
