/** A player of an event: enter, check in, withdraw, and go to the table one is called to. The key stays in this browser. */
import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import { browserKey } from "@photofinish/client";
import { t } from "../i18n";
import type { Entrant, EventInfo } from "../net/events";
import { identified, keptCodes } from "../net/identity";
import { called } from "../net/store";
import { go } from "../route";
import { settings } from "../settings";
import { useAction } from "./Lobby";

/** Events that this browser has entered: their pages prove the key at once, so that a call reaches them. */
const entered = keptCodes("photofinish.entered");

export function PlayerPanel({ it, entrants }: { it: EventInfo; entrants: Entrant[] }): JSX.Element | null {
  const [key, setKey] = useState("");
  const [busy, error, run] = useAction();
  useEffect(() => {
    if (entered.all().includes(it.event)) void identified().catch(() => undefined);
    void browserKey().then((mine) => setKey(mine.publicKey), () => undefined);
  }, [it.event]);
  const me = entrants.find((one) => one.key === key);
  const call = called.value?.event === it.event ? called.value : null;
  const over = it.state === "finished" || it.state === "cancelled" || it.state === "sealed";
  const say = (what: "enter" | "check_in" | "withdraw"): void =>
    run(async () => {
      const at = await identified();
      await at.ask({ t: what, event: it.event });
      if (what === "enter") entered.set([...entered.all(), it.event]);
      if (what === "withdraw") entered.set(entered.all().filter((one) => one !== it.event));
    });
  if (over || (!me && it.state !== "open" && it.state !== "check_in")) return null;
  return (
    <section class="playerpanel" aria-label={t("youHere")}>
      {call && !over && (
        <button class="btn main wide" onClick={() => go(`/t/${call.room}`)}>
          <span>{t("calledTo", { table: call.table, seat: call.seat + 1 })}<span class="sub">{t("calledWith", { names: call.opponents.join(", ") })}</span></span>
        </button>
      )}
      {me ? (
        <p class="row tight">
          <span class="grow">{t("youEntered", { name: me.name, key: key.slice(0, 8) })}</span>
          {it.state === "check_in" && !me.checked_in && <button class="btn main" disabled={busy !== ""} onClick={() => say("check_in")}>{t("checkIn")}</button>}
          {!me.left_round && <button class="btn" disabled={busy !== ""} onClick={() => say("withdraw")}>{t("withdraw")}</button>}
        </p>
      ) : (
        <>
          <button class="btn main wide" disabled={busy !== ""} onClick={() => say("enter")}>{t("enterAs", { name: settings.value.name })}</button>
          <p class="small">{t("keyStays")}</p>
        </>
      )}
      {error && <p class="error" role="alert">{error}</p>}
    </section>
  );
}
