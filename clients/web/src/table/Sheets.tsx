/** Everything that the player opens over the table. A new trigger closes it. */
import type { JSX } from "preact";
import { renderSVG } from "uqr";
import { t } from "../i18n/index";
import { Icon } from "../kit/icons";
import { Sheet } from "../kit/Sheet";
import { attempt, leaveTable } from "../net/link";
import { room, sheet, verdicts, you } from "../net/store";
import { OptionsList } from "../pages/Options";
import { RulesText } from "../pages/Rules";
import { SettingsForm } from "../pages/Settings";
import { go } from "../route";
import { change, settings } from "../settings";
import { LinkFacts } from "./Bars";
import { capOf } from "./input/caps";
import type { GameModule, Scene } from "./module";
import { Chat, Log, Points, Races } from "./Side";
import { headline, Lanes } from "./end/Strip";
import { stripSvg } from "./end/stripsvg";
import { save } from "../save";

const close = (): void => void (sheet.value = null);
export const inviteLink = (code: string): string => `${location.origin}/t/${code}`;

export function Invite({ code }: { code: string }): JSX.Element {
  const url = inviteLink(code);
  return (
    <div class="stack invite">
      <p class="bigcode" aria-label={t("codeIs", { code: code.split("").join(" ") })}>{code}</p>
      <div class="qr" role="img" aria-label={t("qrOf", { url })} dangerouslySetInnerHTML={{ __html: renderSVG(url, { border: 2 }) }} />
      <p class="small">{url}</p>
      <button class="btn wide" onClick={() => void share(url)}>
        <Icon name="share" /> {t("share")}
      </button>
    </div>
  );
}

export async function share(url: string): Promise<void> {
  try {
    if (navigator.share) await navigator.share({ url });
    else await navigator.clipboard.writeText(url);
  } catch {
    // the player changed their mind
  }
}

function MenuSheet({ s }: { s: Scene }): JSX.Element {
  const items: [Parameters<typeof Icon>[0]["name"], string, () => void][] = [
    ["rules", t("rules"), () => (sheet.value = "rules")],
    ["share", t("invite"), () => (sheet.value = "invite")],
    ["log", t("log"), () => (sheet.value = "log")],
    ["trophy", t("points"), () => (sheet.value = "points")],
    ["flag", t("races"), () => (sheet.value = "races")],
    [settings.value.sound ? "sound" : "mute", settings.value.sound ? t("soundOn") : t("soundOff"), () => change({ sound: !settings.value.sound })],
    [settings.value.hand === "left" ? "left" : "next", t(`handIs.${settings.value.hand}`), () => change({ hand: settings.value.hand === "left" ? "right" : "left" })],
    ["gear", t("options"), () => (sheet.value = "options")],
    ["settings", t("settings"), () => (sheet.value = "settings")],
    ["clock", t("keysTitle"), () => (sheet.value = "keys")],
    ["door", s.you === null ? t("stopWatching") : t("leaveSeat"), () => (sheet.value = "leave")],
  ];
  return (
    <ul class="menu">
      {items.map(([icon, text, act]) => (
        <li key={text}>
          <button onClick={act}>
            <Icon name={icon} /> {text}
          </button>
        </li>
      ))}
      <li class="small">{t("watchers", { n: room.value?.watchers ?? 0 })}</li>
      {room.value?.host === you.value &&
        s.others
          .filter((seat) => s.seats[seat]?.kind === "player")
          .map((seat) => (
            <li key={seat} class="row">
              <span class="grow">{s.name(seat)}</span>
              <button class="btn" onClick={() => void attempt((table) => table.host(seat))}>
                {t("handOver")}
              </button>
              <button class="btn" onClick={() => void attempt((table) => table.kick(seat))}>
                {t("kick")}
              </button>
            </li>
          ))}
    </ul>
  );
}

const KEYS = ["Tab", "Enter", "Esc", "Z", "O", "T", "M", "V", "?"] as const;

export function Sheets({ s, game }: { s: Scene; game: GameModule }): JSX.Element | null {
  const open = sheet.value;
  if (!open) return null;
  const [kind, what = ""] = open.split(/:(.*)/s) as [string, string?];
  switch (kind) {
    case "menu":
      return <Sheet title={t("menu")} onClose={close}><MenuSheet s={s} /></Sheet>;
    case "log":
      return <Sheet title={t("log")} onClose={close}><Log /></Sheet>;
    case "chat":
      return <Sheet title={t("chat")} onClose={close}><Chat game={s.msg.game} /></Sheet>;
    case "points":
      return <Sheet title={t("points")} onClose={close}><Points s={s} game={game} /></Sheet>;
    case "races":
      return <Sheet title={t("races")} onClose={close}><Races /></Sheet>;
    case "rules":
      return <Sheet title={t("rules")} onClose={close} wide><RulesText game={s.msg.game} clause={what} /></Sheet>;
    case "settings":
      return <Sheet title={t("settings")} onClose={close}><SettingsForm /></Sheet>;
    case "options":
      return <Sheet title={t("options")} onClose={close}>{room.value && <OptionsList room={room.value} />}</Sheet>;
    case "invite":
      return <Sheet title={t("invite")} onClose={close}><Invite code={room.value?.room ?? ""} /></Sheet>;
    case "link":
      return <Sheet title={t("connection")} onClose={close}><LinkFacts /></Sheet>;
    case "keys":
      return (
        <Sheet title={t("keysTitle")} onClose={close}>
          <dl class="facts">
            {KEYS.map((key) => (
              <div key={key} class="row between">
                <dt><kbd>{key}</kbd></dt>
                <dd>{t(`key.${key}`)}</dd>
              </div>
            ))}
            {game.codes && (
              <>
                <div class="row between">
                  <dt>{game.codes.slice(0, 4).map((code) => <kbd key={code}>{capOf(code)}</kbd>)} …</dt>
                  <dd>{t("key.letters")}</dd>
                </div>
                <div class="row between">
                  <dt><kbd>1–7</kbd></dt>
                  <dd>{t("key.1–7")}</dd>
                </div>
              </>
            )}
          </dl>
        </Sheet>
      );
    case "leave":
      return (
        <Sheet title={s.you === null ? t("stopWatching") : t("leaveSeat")} onClose={close}>
          <div class="stack">
            <p>{s.you === null ? t("leaveWatch") : t("leaveSure")}</p>
            <button class="btn main wide" onClick={() => void leaveTable().then(() => go("/"))}>{t("leave")}</button>
            <button class="btn wide" onClick={close}>{t("stay")}</button>
          </div>
        </Sheet>
      );
    case "race": {
      const race = verdicts.value.find((it) => it.key === what);
      if (!race) return null;
      return (
        <Sheet title={headline(race)} onClose={close}>
          <Lanes race={race} />
          <div class="row">
            <button class="btn grow" onClick={() => save(`race-${room.value?.room}-${race.number}.svg`, stripSvg(race), "image/svg+xml")}>
              <Icon name="download" /> {t("saveStrip")}
            </button>
            <button class="btn grow" onClick={() => void share(`${location.origin}/r/${room.value?.room}/${race.number}#race=${encodeURIComponent(race.key)}`)}>
              <Icon name="link" /> {t("copyLink")}
            </button>
            <button class="btn main grow" onClick={close}>{t("goOn")}</button>
          </div>
        </Sheet>
      );
    }
    default:
      return null;
  }
}
