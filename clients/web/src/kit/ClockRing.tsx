/** A ring with seconds, counted down here from the time in the view. */
import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import { t } from "../i18n";
import { say } from "../live";
import { sounds } from "../sound";

export interface Ticking {
  key: string;
  endsAt: number;
  total: number;
  running: boolean;
  left: number;
}

export function ClockRing({ clock, own }: { clock: Ticking; own?: boolean }): JSX.Element {
  const [now, setNow] = useState(performance.now());
  useEffect(() => {
    if (!clock.running) return;
    const timer = setInterval(() => setNow(performance.now()), 250);
    return () => clearInterval(timer);
  }, [clock.key, clock.endsAt, clock.running]);
  const left = clock.running ? Math.max(0, clock.endsAt - now) : clock.left;
  const seconds = Math.ceil(left / 1000);
  const share = clock.total ? Math.min(1, left / clock.total) : 0;
  const urgent = clock.running && seconds <= 5;
  useEffect(() => {
    if (own && urgent && seconds > 0 && clock.total > 6000) sounds.tick();
    if (own && clock.running && seconds === 10 && clock.total > 15000) say(t("secondsLeft", { n: 10 }), true);
  }, [own, urgent, seconds]);
  return (
    <span class={`clock ${urgent ? "urgent" : ""}`} role="timer" aria-label={t("secondsLeft", { n: seconds })}>
      <svg viewBox="0 0 36 36" aria-hidden="true">
        <circle cx="18" cy="18" r="15.5" class="track" />
        <circle cx="18" cy="18" r="15.5" class="left" pathLength={100} stroke-dasharray={`${share * 100} 100`} />
      </svg>
      <b>{clock.running ? seconds : "||"}</b>
    </span>
  );
}
