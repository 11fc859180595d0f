/** Line icons, 24 × 24. */
import type { JSX } from "preact";

const ICONS = {
  menu: "M3 6h18M3 12h18M3 18h18",
  chat: "M3 5h18v12h-9l-5 4v-4H3z",
  log: "M6 3h12v18H6zM9 8h6M9 12h6M9 16h4",
  next: "M9 5l7 7-7 7",
  back: "M15 5l-7 7 7 7",
  close: "M5 5l14 14M19 5L5 19",
  rules: "M4 4h7v16H4zM13 4h7v16h-7z",
  settings: "M3 7h4M13 7h8M3 17h8M17 17h4M7 7a3 3 0 1 0 6 0 3 3 0 1 0-6 0zM11 17a3 3 0 1 0 6 0 3 3 0 1 0-6 0z",
  sound: "M4 9v6h4l6 5V4L8 9zM17 9q3 3 0 6M19.5 6.500q6 5.5 0 11",
  mute: "M4 9v6h4l6 5V4L8 9zM17 9l5 6M22 9l-5 6",
  share: "M12 15V3M7 8l5-5 5 5M5 12v9h14v-9",
  bolt: "M13 2L5 14h6l-1 8 9-13h-6z",
  eye: "M2 12q10-13 20 0-10 13-20 0zM12 9a3 3 0 1 0 0 6 3 3 0 0 0 0-6z",
  people: "M8 11a3.5 3.5 0 1 0 0-7 3.5 3.5 0 0 0 0 7zM2 20q0-7 6-7t6 7M16 4.500a3.5 3.5 0 0 1 0 6.500M17 13q5 1 5 7",
  clock: "M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18zM12 7v5l3 3",
  plus: "M12 4v16M4 12h16",
  check: "M4 12l6 6L20 6",
  qr: "M4 4h6v6H4zM14 4h6v6h-6zM4 14h6v6H4zM14 14h2v2h-2zM18 18h2v2h-2zM20 14v1M14 20h1",
  gear: "M12 8a4 4 0 1 0 0 8 4 4 0 0 0 0-8zM12 2v3M12 19v3M2 12h3M19 12h3M5 5l2 2M17 17l2 2M5 19l2-2M17 7l2-2",
  lock: "M6 11h12v10H6zM8 11V8a4 4 0 0 1 8 0v3",
  snow: "M12 2v20M3 7l18 10M3 17L21 7M9 3l3 3 3-3M9 21l3-3 3 3",
  left: "M19 12H5M11 6l-6 6 6 6",
  right: "M5 12h14M13 6l6 6-6 6",
  door: "M5 3h9v18H5M14 12h7M18 8l4 4-4 4",
  camera: "M3 7h4l2-3h6l2 3h4v13H3zM12 9.500a4 4 0 1 0 0 8 4 4 0 0 0 0-8z",
  flag: "M5 21V4h13l-3 4 3 4H5",
  play: "M7 4l13 8-13 8z",
  pause: "M7 4v16M17 4v16",
  first: "M18 4l-10 8 10 8zM6 4v16",
  last: "M6 4l10 8-10 8zM18 4v16",
  download: "M12 3v12M7 10l5 5 5-5M4 20h16",
  link: "M10 14l4-4M8 10l-3 3a4 4 0 0 0 6 6l3-3M16 14l3-3a4 4 0 0 0-6-6l-3 3",
  trophy: "M7 3h10v7a5 5 0 0 1-10 0zM7 5H3q0 6 4 6M17 5h4q0 6-4 6M12 15v4M8 21h8",
  warn: "M12 3L2 21h20zM12 10v5M12 17.500v.5",
  bot: "M5 9h14v10H5zM12 9V5M9 13v2M15 13v2M2 13v3M22 13v3",
} as const;
export type IconName = keyof typeof ICONS;

export function Icon({ name, size = 24 }: { name: IconName; size?: number }): JSX.Element {
  return (
    <svg class="icon" viewBox="0 0 24 24" style={size === 24 ? undefined : { width: size, height: size }} aria-hidden="true">
      <path d={ICONS[name]} />
    </svg>
  );
}

export function Logo({ size = 34 }: { size?: number }): JSX.Element {
  return (
    <svg width={size} height={size} viewBox="0 0 40 40" aria-hidden="true">
      <rect width="40" height="40" rx="9" fill="#143236" />
      <path d="M11 7v26" stroke="#FF7A57" stroke-width="3.4" />
      <path d="M25 4v32" stroke="#FFC24B" stroke-width="2.4" />
      <rect x="20.5" y="9" width="9" height="9" fill="#E69F00" stroke="#fff" stroke-width="1.4" />
      <circle cx="28.5" cy="26" r="5.6" fill="#0072B2" stroke="#fff" stroke-width="1.6" />
    </svg>
  );
}
