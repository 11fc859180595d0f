/** The bar above, the ticker below, the toast of a refusal, the band of a lost connection. */
import type { JSX } from "preact";
import { number, t } from "../i18n/index";
import { Icon } from "../kit/icons";
import { gameTitle } from "../kit/titles";
import { answer, waitingCall } from "../net/calls";
import { retryNow } from "../net/link";
import { ledger, link, log, ping, room, sheet, toast, trouble, unread, view } from "../net/store";
import { change, settings } from "../settings";
import type { GameModule, Scene } from "./module";
import { headline } from "./end/Strip";
import { eventText } from "./words";

export function Bars({ ms }: { ms: number | null }): JSX.Element {
  const bars = ms === null ? 0 : ms < 80 ? 3 : ms < 200 ? 2 : 1;
  return (
    <svg class={`bars b${bars}`} width="22" height="18" viewBox="0 0 22 18" aria-hidden="true">
      <rect x="0" y="11" width="6" height="7" rx="1.5" class={bars > 0 ? "on" : ""} />
      <rect x="8" y="6" width="6" height="12" rx="1.5" class={bars > 1 ? "on" : ""} />
      <rect x="16" y="0" width="6" height="18" rx="1.5" class={bars > 2 ? "on" : ""} />
    </svg>
  );
}

export function TopBar({ s, game }: { s: Scene; game: GameModule }): JSX.Element {
  const ms = ping.value;
  const shown = ms === null ? "–" : t("ms", { n: number(Math.round(ms)) });
  const call = waitingCall();
  return (
    <header class="topbar">
      <button class="iconbtn" aria-label={t("menu")} onClick={() => (sheet.value = "menu")}>
        <Icon name="menu" />
      </button>
      <div class="grow titles">
        <h1>{gameTitle(s.msg.game)}</h1>
        <p class="small">
          {[s.you === null && (room.value?.spectator_delay ? t("watchingDelay", { n: room.value.spectator_delay }) : t("watchingNow")), game.subtitle?.(s), room.value?.room].filter(Boolean).join(" · ")}
        </p>
      </div>
      {call && !s.msg.over && (
        <button class="btn main callbtn" aria-label={t("calledTo", { table: call.table, seat: call.seat + 1 })} onClick={() => void answer(call)}>
          <Icon name="trophy" size={20} /> {t("tableN", { n: call.table })}
        </button>
      )}
      <button class="net" onClick={() => (sheet.value = "link")} aria-label={t("connectionIs", { ms: shown })}>
        <Bars ms={link.value === "open" ? ms : null} />
        <span class="num">{shown}</span>
      </button>
      {s.narrow ? (
        <button class="iconbtn" aria-label={t("chat")} onClick={() => ((sheet.value = "chat"), (unread.value = false))}>
          <Icon name="chat" />
          {unread.value && <span class="newdot" />}
        </button>
      ) : (
        <>
          <button class="btn quiet" onClick={() => (sheet.value = "invite")}>
            <Icon name="share" /> {t("invite")}
          </button>
          <button class="btn quiet" onClick={() => (sheet.value = "rules")}>
            <Icon name="rules" /> {t("rules")}
          </button>
          <button class="iconbtn" aria-label={t("sound")} aria-pressed={settings.value.sound} onClick={() => change({ sound: !settings.value.sound })}>
            <Icon name={settings.value.sound ? "sound" : "mute"} />
          </button>
          <button class="iconbtn" aria-label={t("settings")} onClick={() => (sheet.value = "settings")}>
            <Icon name="settings" />
          </button>
        </>
      )}
    </header>
  );
}

export function Ticker(): JSX.Element {
  const lines = log.value.slice(-2);
  return (
    <button class="ticker" onClick={() => (sheet.value = "log")}>
      <Icon name="log" size={20} />
      <span class="hidden-text">{t("openLog")}</span>
      <span class="grow tickertext">
        {lines.map((line, n) => (
          <span key={line.id} class={n === lines.length - 1 ? "newest" : ""}>
            {line.event ? eventText(line.game, line.event) : line.race ? headline(line.race) : ""}{" "}
          </span>
        ))}
      </span>
      <Icon name="next" size={20} />
    </button>
  );
}

/** The server is away: a sentence, and a way on. */
export function LostBand(): JSX.Element | null {
  if (link.value === "open") return null;
  return (
    <div class="band" role="status">
      <Icon name="clock" />
      <span class="grow">{link.value === "closed" ? (trouble.value?.text ?? t("serverAway")) : t("lostComingBack")}</span>
      {link.value === "closed" ? (
        <a class="btn" href={location.pathname}>
          {trouble.value?.code === "4409" ? t("playHere") : t("reload")}
        </a>
      ) : (
        <button class="btn" onClick={retryNow}>
          {t("tryNow")}
        </button>
      )}
    </div>
  );
}

export function Toasts(): JSX.Element | null {
  if (link.value !== "open" && view.value) return <LostBand />;
  const it = toast.value;
  if (!it) return null;
  return (
    <div class="toast" role="alert">
      <span class="grow">{it.text}</span>
      {it.clause && (
        <button class="btn quiet clause" onClick={() => (sheet.value = `rules:${it.clause}`)}>
          {it.clause} <Icon name="next" size={16} />
        </button>
      )}
      <button class="iconbtn" aria-label={t("close")} onClick={() => (toast.value = null)}>
        <Icon name="close" size={18} />
      </button>
    </div>
  );
}

export function LinkFacts(): JSX.Element {
  const own = ledger.value;
  const ms = (us: number): string => t("ms", { n: number(Math.round(us / 100) / 10) });
  return (
    <dl class="facts">
      <dt>{t("pingName")}</dt>
      <dd>{ping.value === null ? "–" : t("ms", { n: number(Math.round(ping.value)) })}</dd>
      {own && (
        <>
          <dt>{t("takenOff")}</dt>
          <dd>{ms(own.base_us)}</dd>
          <dt>{t("credited")}</dt>
          <dd>{ms(own.credited_us)}</dd>
          <dt>{t("lateLines")}</dt>
          <dd>{own.proof === "full" ? t("lateProven") : t("lateWithin", { ms: ms(own.quota_us) })}</dd>
          <dt>{t("falseStarts")}</dt>
          <dd>{own.false_starts}</dd>
        </>
      )}
    </dl>
  );
}
