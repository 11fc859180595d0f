/** Cards: full, compact and backs, all in a box of 100 × 140. */
import type { ComponentChildren, JSX } from "preact";

export interface Face {
  colour: string;
  /** Top left: a number or a letter. */
  corner?: string;
  /** A large numeral instead of a picture. */
  numeral?: string;
  /** The numeral stands on a rune stone. */
  stone?: boolean;
  pic?: string;
  label?: string;
  /** A ghost's card: white or black paper, with the shape of its symbol in the corner. */
  paper?: "white" | "black";
  shape?: string;
  /** A second, small picture in the upper right corner. */
  mark?: string;
}
/** The size of a numeral, so that long figures stay inside: `size` for one digit, `wide` for the width of the paper. */
const fitting = (text: string, size: number, wide: number): number => Math.min(size, Math.round(wide / (0.56 * Math.max(1, text.length))));
export type Back = "deck" | "white" | "black" | `seat${number}`;

export function Pic(props: { id: string; x?: number; y?: number; size?: number; class?: string }): JSX.Element {
  const { id, x = 0, y = 0, size = 100 } = props;
  return <use href={`#p-${id}`} x={x} y={y} width={size} height={size} class={props.class} />;
}

function Sign({ colour, x, y, size }: { colour: string; x: number; y: number; size: number }): JSX.Element {
  return <use href={`#s-${colour}`} x={x} y={y} width={size} height={size} />;
}

const Paper = ({ fill, edge = "#CFC3A8" }: { fill: string; edge?: string }): JSX.Element => (
  <rect x="0.7" y="0.7" width="98.6" height="138.6" rx="11" fill={fill} stroke={edge} stroke-width="1.4" />
);

function GhostFace({ face }: { face: Face }): JSX.Element {
  const dark = face.paper === "black";
  const ink = dark ? "#FDFBF5" : "#20242B";
  return (
    <g style={{ color: ink }}>
      <Paper fill={dark ? "#2A2F3B" : "#F4EDE0"} edge={dark ? "#FDFBF5" : "#20242B"} />
      <Pic id={`shape_${face.shape}`} x={8} y={8} size={26} />
      <Pic id={`ghost_${face.paper}_${face.shape}`} x={12} y={40} size={76} />
    </g>
  );
}

function Corner({ face, turned }: { face: Face; turned?: boolean }): JSX.Element {
  // The figure of a card with a picture stands here alone: it must be read at 60 px, so the sign stands beside it.
  if (face.pic && /^[−-]?\d+$/.test(face.corner ?? ""))
    return (
      <g transform={turned ? "rotate(180 50 70)" : undefined}>
        <text x="12" y="37" font-size={(face.corner ?? "").length > 1 ? 31 : 35} class="serif" fill="currentColor">
          {face.corner}
        </text>
        <Sign colour={face.colour} x={72} y={14} size={16} />
      </g>
    );
  return (
    <g transform={turned ? "rotate(180 50 70)" : undefined}>
      <text x={(face.corner ?? "").length > 1 ? 22 : 19} y="31" font-size={fitting(face.corner ?? "", (face.corner ?? "").length > 1 ? 21 : 24, 34)} class="serif" text-anchor="middle" fill="currentColor">
        {face.corner}
      </text>
      <Sign colour={face.colour} x={12} y={face.corner ? 36 : 14} size={14} />
    </g>
  );
}

function FullFace({ face }: { face: Face }): JSX.Element {
  return (
    <g style={{ color: "var(--deep)" }}>
      <Paper fill="#FCF7EA" />
      <rect x="6.5" y="6.5" width="87" height="127" rx="7" fill="none" stroke="var(--fill)" stroke-width="2.6" />
      <Corner face={face} />
      {face.stone && <Pic id="stone" x={20} y={38} size={60} />}
      {face.numeral && (
        <text x="50" y={face.stone ? (face.numeral.length > 1 ? 84 : 88) : 96} font-size={face.stone ? fitting(face.numeral, face.numeral.length > 1 ? 31 : 42, 44) : fitting(face.numeral, 54, 74)} class="serif" text-anchor="middle" fill="currentColor">
          {face.numeral}
        </text>
      )}
      {face.pic && <circle cx="50" cy="74" r="35" fill="var(--tint)" />}
      {face.pic && <Pic id={face.pic} x={18} y={42} size={64} />}
      {face.mark && <Pic id={face.mark} x={62} y={10} size={26} />}
      {face.label ? (
        <text x="50" y="125" font-size={face.label.length > 11 ? 11 : 13.5} class="sans" text-anchor="middle" fill="currentColor">
          {face.label}
        </text>
      ) : (
        <Corner face={face} turned />
      )}
    </g>
  );
}

function CompactFace({ face }: { face: Face }): JSX.Element {
  return (
    <g style={{ color: "var(--deep)" }}>
      <Paper fill="#FCF7EA" />
      <rect x="7" y="7" width="86" height="126" rx="6" fill="var(--tint)" />
      <path d="M7 104h86v23a6 6 0 0 1-6 6H13a6 6 0 0 1-6-6z" fill="var(--deep)" />
      <g style={{ color: "#fff" }}>
        <Sign colour={face.colour} x={41} y={109} size={18} />
      </g>
      {face.pic ? (
        <Pic id={face.pic} x={11} y={16} size={78} />
      ) : (
        <text x="50" y="82" font-size={fitting(face.numeral ?? face.corner ?? "", 70, 82)} class="serif" text-anchor="middle" fill="currentColor">
          {face.numeral ?? face.corner}
        </text>
      )}
    </g>
  );
}

function BackArt({ back }: { back: Back }): JSX.Element {
  if (back === "white" || back === "black") {
    const dark = back === "black";
    return (
      <g style={{ color: dark ? "#FDFBF5" : "#20242B" }}>
        <Paper fill={dark ? "#20242B" : "#FDFBF5"} edge={dark ? "#FDFBF5" : "#20242B"} />
        <Pic id="grave" x={18} y={36} size={64} />
      </g>
    );
  }
  return (
    <>
      <Paper fill="#FCF7EA" edge="#D8CCB2" />
      <rect x="6" y="6" width="88" height="128" rx="7" fill="#23525C" />
      <rect x="6" y="6" width="88" height="128" rx="7" fill="url(#stripes)" />
      {back === "deck" ? (
        <g fill="none" stroke="#F6EBD3" stroke-width="4.2" stroke-linecap="round">
          <circle cx="50" cy="74" r="25" />
          <path d="M40 41h20M50 60v14l9 8" />
        </g>
      ) : (
        <use href={`#seat-${back.slice(4)}`} x="27" y="47" width="46" height="46" />
      )}
    </>
  );
}

export function CardArt(props: { face?: Face | null; compact?: boolean; back?: Back; children?: ComponentChildren }): JSX.Element {
  const { face, compact, back = "deck" } = props;
  return (
    <svg class={`art ${face ? `c-${face.colour}` : ""}`} viewBox="0 0 100 140" aria-hidden="true">
      {!face ? <BackArt back={back} /> : face.paper ? <GhostFace face={face} /> : compact ? <CompactFace face={face} /> : <FullFace face={face} />}
      {props.children}
    </svg>
  );
}
