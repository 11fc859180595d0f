/** A clock of a page, in minutes and seconds. */
import { useEffect, useState } from "preact/hooks";

/** The milliseconds since 1970, once per second. */
export function useSeconds(): number {
  const [now, set] = useState(Date.now());
  useEffect(() => {
    const timer = setInterval(() => set(Date.now()), 1000);
    return () => clearInterval(timer);
  }, []);
  return now;
}
export const minutesOf = (ms: number): string => {
  const seconds = Math.max(0, Math.round(ms / 1000));
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
};
