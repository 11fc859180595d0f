/** Who this browser is in events: its key, and which events it has to do with. */
import { browserKey } from "@photofinish/client";
import { connect, setPlayerKey } from "./link";

/** The connection with the key proved. */
export async function identified(): Promise<Awaited<ReturnType<typeof connect>>> {
  setPlayerKey(await browserKey());
  return connect();
}

/** A list of codes that this browser keeps. Where storage is forbidden it is empty. */
export function keptCodes(key: string): { all: () => string[]; set: (codes: string[]) => void } {
  return {
    all: () => {
      try {
        return JSON.parse(localStorage.getItem(key) ?? "[]") as string[];
      } catch {
        return [];
      }
    },
    set: (codes) => {
      try {
        localStorage.setItem(key, JSON.stringify(codes.slice(-50)));
      } catch {
        // storage is forbidden: nothing is kept
      }
    },
  };
}
