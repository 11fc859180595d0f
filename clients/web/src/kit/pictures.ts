/** Every picture on a card, in a box of 100 × 100: outline in the deep colour, fill colour, one white highlight. */
const ray = (n: number, from: number, to: number): string =>
  Array.from({ length: n }, (_, i) => {
    const a = (i * 2 * Math.PI) / n;
    const at = (r: number): string => `${(50 + r * Math.cos(a)).toFixed(1)} ${(50 + r * Math.sin(a)).toFixed(1)}`;
    return `M${at(from)}L${at(to)}`;
  }).join("");
const fur = (n: number, small: number, large: number): string =>
  Array.from({ length: n * 2 }, (_, i) => {
    const a = (i * Math.PI) / n;
    const r = i % 2 ? small : large;
    return `${i ? "L" : "M"}${(50 + r * Math.cos(a)).toFixed(1)} ${(50 + r * Math.sin(a)).toFixed(1)}`;
  }).join("") + "Z";

const SMILE = '<path d="M42 48q3-4 6 0M54 48q3-4 6 0M42 56q8 8 17 0" fill="none"/>';
const GHOST = "M26 88V46a24 26 0 0 1 48 0V88l-9-8-7 8-8-8-8 8-7-8z";
const EYES = '<ellipse cx="42" cy="42" rx="3.6" ry="5.4" fill="currentColor"/><ellipse cx="58" cy="42" rx="3.6" ry="5.4" fill="currentColor"/>';
const SHAPES: Record<string, string> = {
  circle: '<circle cx="50" cy="64" r="8.5" fill="currentColor" stroke="none"/>',
  diamond: '<path d="M50 53l10 11-10 11-10-11z" fill="currentColor" stroke="none"/>',
  triangle: '<path d="M50 54l10.5 18h-21z" fill="currentColor" stroke="none"/>',
  square: '<path d="M42 56h16v16H42z" fill="currentColor" stroke="none"/>',
  star: '<path d="M50 52l3.7 8.3 9 .9-6.8 6 2 8.8-7.9-4.6-7.9 4.6 2-8.8-6.8-6 9-.9z" fill="currentColor" stroke="none"/>',
};

export const PICTURES: Record<string, string> = {
  stone:
    '<path d="M20 94C16 52 24 8 50 8s34 44 30 86z" fill="var(--tint)"/><path d="M30 30l7-9M29 84l9 6M71 84l-8 6" stroke-width="2.4" opacity=".6"/>',
  sun: `<path d="${ray(12, 30, 42)}" fill="none"/><circle cx="50" cy="50" r="20"/>${SMILE}`,
  hairball: `<path d="${fur(16, 26, 40)}" fill="var(--tint)"/><circle cx="50" cy="50" r="20"/>${SMILE}`,
  crown:
    '<path d="M16 72l6-36 17 16 11-28 11 28 17-16 6 36z"/><path d="M18 84h64" stroke-width="5"/><path d="M50 56l5 6-5 6-5-6z" fill="#fff" stroke="none"/><circle cx="22" cy="32" r="3.6"/><circle cx="50" cy="20" r="3.6"/><circle cx="78" cy="32" r="3.6"/>',
  eyein:
    '<path d="M10 40Q50 2 90 40 50 78 10 40z" fill="#fff"/><circle cx="50" cy="40" r="13"/><circle cx="50" cy="40" r="4.5" fill="currentColor"/><path d="M50 66v24M41 82l9 9 9-9" fill="none" stroke-width="5"/>',
  eyeout:
    '<path d="M10 40Q50 2 90 40 50 78 10 40z" fill="#fff"/><circle cx="50" cy="40" r="13"/><circle cx="50" cy="40" r="4.5" fill="currentColor"/><path d="M50 92V68M41 76l9-9 9 9" fill="none" stroke-width="5"/>',
  arrows:
    '<path d="M18 44c4-24 44-30 60-6M78 18v21H58M82 56c-4 24-44 30-60 6M22 82V61h20" fill="none" stroke-width="6.5"/>',
  rod: '<path d="M16 88L78 14c8 16 10 34 6 46 0 8-12 8-12 0" fill="none"/><circle cx="30" cy="72" r="5"/>',
  salmon:
    '<path d="M38 32q14-14 22-2z"/><path d="M8 54q14-26 46-22 18 3 26 14l14-12q-2 16 0 34l-16-10q-18 18-44 14-20-4-26-18z"/><path d="M26 42q6 12 0 26" fill="none"/><circle cx="20" cy="50" r="2.6" fill="currentColor" stroke="none"/><path d="M40 46l12-2M46 56l14-3" stroke="#fff" fill="none"/>',
  waves:
    '<path d="M8 30q10-14 20 0t20 0 20 0M8 52q10-14 20 0t20 0 20 0 20 0M8 74q10-14 20 0t20 0 20 0M78 38l14 14-14 14" fill="none" stroke-width="5.5"/>',
  tourist:
    '<path d="M24 88q0-26 26-26t26 26z"/><circle cx="50" cy="44" r="17" fill="#f6cfae"/><path d="M20 36h60" stroke-width="6"/><path d="M32 34q2-22 18-22t18 22z"/><circle cx="43" cy="45" r="2.4" fill="currentColor" stroke="none"/><circle cx="57" cy="45" r="2.4" fill="currentColor" stroke="none"/><path d="M44 53q6 5 12 0" fill="none"/><path d="M36 68h28v17H36z" fill="var(--deep)"/><circle cx="50" cy="77" r="5.5" fill="#fff" stroke="none"/>',
  local:
    '<path d="M22 90q0-30 28-30t28 30z"/><circle cx="50" cy="42" r="18" fill="#f6cfae"/><path d="M32 42v16q4 22 18 22t18-22V42q-6 10-18 10T32 42z" fill="#fff"/><path d="M30 34q0-22 20-22t20 22z" fill="var(--deep)"/><circle cx="43" cy="42" r="2.2" fill="currentColor" stroke="none"/><circle cx="57" cy="42" r="2.2" fill="currentColor" stroke="none"/>',
  eagle:
    '<path d="M24 92q-8-50 20-72 22-12 36 12l-14 24 10 36z"/><path d="M26 58q0-34 26-42 22-2 28 18l-16 22-8-6-6 12-8-8-8 12z" fill="#fff"/><path d="M64 32q26-8 28 26-10-8-26-4z" fill="#f4be45"/><circle cx="58" cy="34" r="3" fill="currentColor" stroke="none"/>',
  bear: '<circle cx="24" cy="28" r="12"/><circle cx="76" cy="28" r="12"/><circle cx="24" cy="28" r="5" fill="var(--tint)" stroke="none"/><circle cx="76" cy="28" r="5" fill="var(--tint)" stroke="none"/><path d="M50 18q34 0 34 36 0 34-34 34T16 54q0-36 34-36z"/><ellipse cx="50" cy="66" rx="17" ry="15" fill="#fff"/><circle cx="36" cy="46" r="3" fill="currentColor" stroke="none"/><circle cx="64" cy="46" r="3" fill="currentColor" stroke="none"/><path d="M45 60h10l-5 6zM50 66v7" fill="currentColor"/>',
  rune_red: '<path d="M20 94C16 52 24 8 50 8s34 44 30 86z" fill="var(--tint)"/><path d="M40 84V28M40 46l22-16M40 62l20-14" fill="none" stroke-width="6"/>',
  rune_blue: '<path d="M20 94C16 52 24 8 50 8s34 44 30 86z" fill="var(--tint)"/><path d="M50 84V28M34 46l16-18 16 18" fill="none" stroke-width="6"/>',
  mask: '<path d="M8 40q42-18 84 0 2 30-24 32-12 0-18-14-6 14-18 14Q6 70 8 40z" fill="var(--deep)"/><ellipse cx="32" cy="50" rx="10" ry="7" fill="#fff"/><ellipse cx="68" cy="50" rx="10" ry="7" fill="#fff"/>',
  tent: '<path d="M50 14L10 86h80z"/><path d="M50 40L34 86h32z" fill="var(--deep)"/><path d="M50 14V6M50 6l12 4-12 4" fill="#fff"/>',
  boat: '<path d="M10 62h80q-6 24-22 24H32Q16 86 10 62z"/><path d="M50 58V14" fill="none"/><path d="M54 16q26 14 26 36H54z" fill="#fff"/><path d="M46 24Q28 34 26 52h20z" fill="#fff"/>',
  hat: '<path d="M6 64q44 24 88 0-4-10-22-12-4-30-22-30T28 52Q10 54 6 64z"/><path d="M28 52q22 10 44 0v8q-22 10-44 0z" fill="var(--deep)"/>',
  ghost: `<path d="${GHOST}" fill="#fff"/>${EYES}<ellipse cx="50" cy="60" rx="4.5" ry="6.5" fill="currentColor"/>`,
  sabers:
    '<path d="M16 14q50 14 58 60M84 14q-50 14-58 60" fill="none" stroke-width="6"/><path d="M62 66l22 16M38 66L16 82" stroke-width="6"/><circle cx="80" cy="86" r="5"/><circle cx="20" cy="86" r="5"/>',
  wheel: `<path d="${ray(8, 12, 44)}" stroke-width="6" fill="none"/><circle cx="50" cy="50" r="28" fill="none" stroke-width="8"/><circle cx="50" cy="50" r="28" fill="none" stroke="var(--fill)" stroke-width="3"/><circle cx="50" cy="50" r="9"/>`,
  mermaid:
    '<path d="M50 94Q28 70 42 46q6-12 6-26 2-10 4 0 0 14 6 26 14 24-8 48z"/><path d="M50 26Q30 24 18 8q24-4 32 14Q58 4 82 8 70 24 50 26z"/><path d="M43 56q7 6 14 0M41 68q9 7 18 0" stroke="#fff" fill="none"/>',
  bell: '<path d="M50 12q26 4 26 38 0 14 8 22H16q8-8 8-22 0-34 26-38z"/><path d="M12 74h76" stroke-width="5"/><circle cx="50" cy="84" r="7"/>',
  ore: '<path d="M50 8L80 36 68 88H32L20 36z"/><path d="M50 8L40 38l10 50M20 36h60M40 38l-8 50M60 38l8 50M50 8l10 30-10 50" fill="none" stroke-width="2.4"/><path d="M42 20l6-6" stroke="#fff"/>',
  plant: '<path d="M50 92V44" fill="none" stroke-width="5"/><path d="M50 60Q16 60 14 26q34-2 36 34z"/><path d="M50 48q0-34 36-38 2 36-36 38z"/>',
  organism: '<ellipse cx="50" cy="66" rx="21" ry="18"/><ellipse cx="22" cy="46" rx="9" ry="12"/><ellipse cx="40" cy="26" rx="9" ry="13"/><ellipse cx="61" cy="26" rx="9" ry="13"/><ellipse cx="79" cy="46" rx="9" ry="12"/>',
  liquid: '<path d="M40 10h20M43 10v26L20 78q-4 12 8 12h44q12 0 8-12L57 36V10" fill="#fff"/><path d="M31 58h38l11 20q4 12-8 12H28q-12 0-8-12z"/><circle cx="46" cy="72" r="4" fill="#fff" stroke="none"/><circle cx="58" cy="80" r="3" fill="#fff" stroke="none"/>',
  soul: '<path d="M50 92q-32-4-30-34 2-18 16-26-2 12 6 16 2-26 18-42-2 18 12 30 10 10 8 24-4 28-30 32z"/><path d="M50 84q-12-4-10-18 6-4 8-14 12 12 12 20 0 10-10 12z" fill="#fff" stroke="none"/>',
  forward: '<path d="M10 50h72M56 22l30 28-30 28" fill="none" stroke-width="11" stroke="var(--deep)"/>',
  backward: '<path d="M90 50H18M44 22L14 50l30 28" fill="none" stroke-width="11" stroke="var(--deep)"/>',
  gold: '<circle cx="50" cy="50" r="36" fill="#f4be45"/><circle cx="50" cy="50" r="27" fill="none" stroke-width="2.4"/><path d="M60 36q-20-6-20 6t10 8 10 8-20 6M50 28v44" fill="none" stroke-width="4"/>',
  food: '<path d="M10 58q0-28 40-28t40 28q0 14-14 14H24Q10 72 10 58z" fill="#d8924a"/><path d="M30 40l8 16M48 36l8 18M66 38l8 16" stroke="#fff3da" fill="none" stroke-width="4"/>',
  gunpowder: '<path d="M24 20h52q14 30 0 62H24q-14-32 0-62z" fill="#8d6b4a"/><path d="M17 38h66M17 64h66" stroke-width="5" fill="none"/><path d="M60 20q4-12 16-12" fill="none" stroke="#e2604f"/>',
  chest: '<path d="M12 46q0-26 38-26t38 26v36H12z"/><path d="M12 48h76" stroke-width="5"/><path d="M43 42h14v16H43z" fill="#f4be45"/>',
  skull: '<path d="M50 10q36 0 36 34 0 18-14 24v16H28V68q-14-6-14-24 0-34 36-34z" fill="#fff"/><circle cx="35" cy="46" r="9" fill="currentColor"/><circle cx="65" cy="46" r="9" fill="currentColor"/><path d="M50 56l5 10H45z" fill="currentColor"/><path d="M42 84v-9M50 84v-9M58 84v-9" fill="none"/>',
  anchor: '<circle cx="50" cy="20" r="9" fill="none" stroke-width="6"/><path d="M50 29v56M30 42h40M16 58q4 27 34 27t34-27" fill="none" stroke-width="7"/>',
  light_go: '<circle cx="50" cy="50" r="38" fill="#35c46f"/><path d="M30 52l14 14 27-30" fill="none" stroke="#fff" stroke-width="10"/>',
  light_stop: '<path d="M34 12h32l22 22v32L66 88H34L12 66V34z" fill="#e2604f"/><path d="M28 50h44" stroke="#fff" stroke-width="11"/>',
  cat: '<path d="M18 16l18 14q14-4 28 0l18-14 4 44q-4 30-36 30T14 60z" fill="#e6a448"/><ellipse cx="36" cy="52" rx="4" ry="6" fill="currentColor"/><ellipse cx="64" cy="52" rx="4" ry="6" fill="currentColor"/><path d="M45 62h10l-5 6zM50 68q-2 8-10 6M50 68q2 8 10 6M8 60l16 2M8 72l16-3M92 60l-16 2M92 72l-16-3" fill="none"/>',
  mouse: '<circle cx="26" cy="32" r="18" fill="#b9c2c9"/><circle cx="74" cy="32" r="18" fill="#b9c2c9"/><circle cx="26" cy="32" r="9" fill="#f0c4c0" stroke="none"/><circle cx="74" cy="32" r="9" fill="#f0c4c0" stroke="none"/><path d="M50 28q30 2 30 28 0 18-30 36-30-18-30-36 0-26 30-28z" fill="#cfd6db"/><circle cx="38" cy="54" r="4" fill="currentColor"/><circle cx="62" cy="54" r="4" fill="currentColor"/><circle cx="50" cy="84" r="5" fill="#e2604f"/>',
  paw: '<ellipse cx="50" cy="66" rx="21" ry="18"/><ellipse cx="22" cy="46" rx="9" ry="12"/><ellipse cx="40" cy="26" rx="9" ry="13"/><ellipse cx="61" cy="26" rx="9" ry="13"/><ellipse cx="79" cy="46" rx="9" ry="12"/>',
  ship: '<path d="M50 66V12" fill="none" stroke-width="5"/><path d="M54 14q24 12 24 42H54zM46 14Q24 26 22 56h24z" fill="#fff"/><path d="M8 66h84q-8 22-24 22H32Q16 88 8 66z" fill="#b98552"/>',
  cauldron: '<path d="M14 42h72q6 46-36 48Q8 88 14 42z" fill="#3d4a52"/><ellipse cx="50" cy="40" rx="37" ry="11" fill="#9a76cc"/><circle cx="36" cy="22" r="6" fill="#9a76cc"/><circle cx="58" cy="14" r="8" fill="#9a76cc"/>',
  map: '<path d="M12 24l25-10 26 10 25-10v62L63 86 37 76 12 86z" fill="var(--tint)"/><path d="M37 14v62M63 24v62" fill="none"/><path d="M24 64q8-22 20-16t26-14" fill="none" stroke-dasharray="6 5"/><path d="M66 28l10 10M76 28L66 38" fill="none" stroke-width="5"/>',
  horn: '<path d="M10 40l10-3 50-25v66L20 55l-10-3z"/><path d="M26 56l6 28h14l-7-23M82 30q8 15 0 30M90 20q14 25 0 50" fill="none"/>',
  die: '<rect x="12" y="12" width="76" height="76" rx="16" fill="#fcf7ea"/>',
  splash: '<path d="M8 78q10-14 21 0t21 0 21 0 21 0" fill="none" stroke-width="6"/><path d="M50 10q11 16 11 24a11 11 0 0 1-22 0q0-8 11-24zM22 34q8 12 8 18a8 8 0 0 1-16 0q0-6 8-18zM78 34q8 12 8 18a8 8 0 0 1-16 0q0-6 8-18z" fill="#7fc2db"/>',
  rocks: '<path d="M6 88l12-32 16 6 12-36 18 10 8 22 10-8 12 38z" fill="#c2b7a5"/><path d="M46 26l6 30-8 32M64 36l-2 24" fill="none"/>',
  smoke: '<path d="M24 80a19 19 0 0 1 3-37 25 25 0 0 1 47-6 20 20 0 0 1 4 43z" fill="#e8ecef"/><path d="M36 62q8-14 22-6" fill="none"/>',
  storm: '<path d="M24 62a17 17 0 0 1 3-33 24 24 0 0 1 45-6 19 19 0 0 1 4 39z" fill="#9aa7b4"/><path d="M54 46L38 70h14l-6 22 22-30H54z" fill="#ffc24b"/>',
  star: '<path d="M50 6l12 29 32 2-25 20 9 32-28-18-28 18 9-32L6 37l32-2z" fill="#ffc24b"/>',
  whiteflag: '<path d="M26 94V8" fill="none" stroke-width="6"/><path d="M29 14q16-8 28 1t28 0v38q-16 9-28 0t-28 1z" fill="#fff"/>',
  candle: '<path d="M36 48h28v44H36z" fill="#fcf7ea"/><path d="M50 48V38" fill="none"/><path d="M50 30q-9-9 2-22 2 10 6 13-1 8-8 9z" fill="none" stroke-dasharray="5 5"/>',
  dawn: `<path d="${ray(16, 30, 44)}" fill="none"/><circle cx="50" cy="50" r="22"/>`,
  grave: '<path d="M26 90V44a24 26 0 0 1 48 0v46z" fill="none"/><path d="M50 40v30M40 50h20" fill="none"/>',
  keeper_white: '<path d="M24 96q2-40 26-40t26 40z" fill="#fff"/><circle cx="50" cy="44" r="15" fill="#f6cfae"/><path d="M20 36q30 10 60 0M36 34q0-20 14-20t14 20q-14 6-28 0z" fill="#fff"/><circle cx="82" cy="74" r="9" fill="#ffc24b"/>',
  keeper_black: '<path d="M24 96q2-40 26-40t26 40z" fill="#20242b"/><circle cx="50" cy="44" r="15" fill="#f6cfae"/><path d="M20 36q30 10 60 0M36 34q0-20 14-20t14 20q-14 6-28 0z" fill="#20242b"/><circle cx="82" cy="74" r="9" fill="#ffc24b"/>',
};
for (const [name, inside] of Object.entries(SHAPES)) {
  PICTURES[`ghost_white_${name}`] = `<g color="#20242b" stroke="#20242b"><path d="${GHOST}" fill="#fdfbf5"/>${EYES}${inside}</g>`;
  PICTURES[`ghost_black_${name}`] =
    `<g color="#fdfbf5" stroke="#fdfbf5"><path d="${GHOST}" fill="#20242b"/>${EYES}${inside}</g>`;
  PICTURES[`shape_${name}`] = `<g transform="translate(-150 -206) scale(4)">${inside}</g>`;
}

/** The signs of the card colours, in a box of 20 × 20. */
export const SIGNS: Record<string, string> = {
  yellow: '<circle cx="10" cy="10" r="8"/>',
  blue: '<path d="M10 1q8 9 8 12a7 6 0 0 1-16 0q0-3 8-12z"/>',
  red: '<path d="M10 2l9 16H1z"/>',
  green: '<path d="M2 18Q0 4 18 2q2 16-12 15z"/>',
  purple: '<path d="M10 1l8 9-8 9-8-9z"/>',
  white: '<circle cx="10" cy="10" r="6.5" fill="none" stroke="currentColor" stroke-width="3.5"/>',
  brown: '<path d="M3 3h14v14H3z"/>',
  black: '<path d="M10 2l7 4v8l-7 4-7-4V6z"/>',
};

export const sprite = (): string =>
  Object.entries(PICTURES)
    .map(
      ([id, inside]) =>
        `<symbol id="p-${id}" viewBox="0 0 100 100"><g fill="var(--fill)" stroke="currentColor" stroke-width="3.4" stroke-linecap="round" stroke-linejoin="round">${inside}</g></symbol>`,
    )
    .join("") +
  Object.entries(SIGNS)
    .map(([id, inside]) => `<symbol id="s-${id}" viewBox="0 0 20 20"><g fill="currentColor">${inside}</g></symbol>`)
    .join("");
