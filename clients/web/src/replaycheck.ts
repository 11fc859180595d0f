/** Fetches a replay and verifies it with the SDK. */
import { verifyReplay } from "@photofinish/client";
import { t } from "./i18n";

export interface Checked {
  /** Null: it could not be verified. */
  ok: boolean | null;
  why: string;
}

export async function fetchReplay(room: string, number: number): Promise<string> {
  const answer = await fetch(`/api/replays/${encodeURIComponent(room)}/${number}`);
  if (!answer.ok) throw new Error(t("noSuchReplay"));
  return answer.text();
}

export async function check(room: string, number: number, text?: string): Promise<Checked> {
  let replay: string;
  try {
    replay = text ?? (await fetchReplay(room, number));
  } catch {
    return { ok: null, why: t("replayLater") };
  }
  try {
    const report = verifyReplay(replay);
    return { ok: report.isTrue, why: report.faults[0] ?? "" };
  } catch (error) {
    return { ok: false, why: error instanceof Error ? error.message : String(error) };
  }
}
