/** Finished games of this browser, for the list of replays and the coach. */
const LIST = "photofinish.replays";
export interface Kept {
  room: string;
  number: number;
  game: string;
  seat?: number | null;
  when: number;
}

export function keptReplays(): Kept[] {
  try {
    return JSON.parse(localStorage.getItem(LIST) ?? "[]") as Kept[];
  } catch {
    return [];
  }
}

export function keepReplay(it: Omit<Kept, "when">): void {
  try {
    const rest = keptReplays().filter((kept) => kept.room !== it.room || kept.number !== it.number);
    localStorage.setItem(LIST, JSON.stringify([{ ...it, when: Date.now() }, ...rest].slice(0, 50)));
  } catch {
    // storage is forbidden: nothing is listed
  }
}
