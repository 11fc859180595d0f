/** The lobby: one tap starts a game. */
import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import { maybe, t } from "../i18n";
import { CardArt } from "../kit/Card";
import { Icon, Logo } from "../kit/icons";
import { SeatMark } from "../kit/seats";
import { Sheet } from "../kit/Sheet";
import { connect, keptSeat, quickPlay, sentence } from "../net/link";
import { games, link, trouble } from "../net/store";
import type { GameInfo, RoomLine } from "../net/wire";
import { go } from "../route";
import { change, settings, storageWorks } from "../settings";
import { gameTitle } from "../kit/titles";
import { later } from "../kit/Lazy";
import { load } from "../games";
import { GameList, GAME_CARDS } from "./GameList";

type Tab = "play" | "tables";
const Scan = later(() => import("./Scan").then((it) => it.Scan));
const Create = later(() => import("./Create").then((it) => it.Create));
const RulesText = later(() => import("./Rules").then((it) => it.RulesText));

export function useAction(): [string, string, (what: () => Promise<unknown>) => void] {
  const [busy, setBusy] = useState("");
  const [error, setError] = useState("");
  const run = (what: () => Promise<unknown>): void => {
    setBusy("busy");
    setError("");
    what().then(
      () => setBusy(""),
      (fault: unknown) => {
        setBusy("");
        setError(sentence(fault).text);
      },
    );
  };
  return [busy, error, run];
}

function Pick<T extends string | number>(props: { label: string; value: T; of: readonly (readonly [T, string])[]; set: (value: T) => void }): JSX.Element {
  return (
    <label class="pick">
      <span class="hidden-text">{props.label}</span>
      <select value={String(props.value)} onChange={(event) => props.set(props.of[event.currentTarget.selectedIndex]?.[0] ?? props.value)}>
        {props.of.map(([value, text]) => (
          <option key={String(value)} value={String(value)}>{text}</option>
        ))}
      </select>
    </label>
  );
}

function Hero({ rules }: { rules: (game: string) => void }): JSX.Element {
  const now = settings.value;
  const game = now.lastGame;
  const info = games.value.find((it) => it.key === game);
  const card = GAME_CARDS.find((it) => it.key === game);
  const most = (info?.most ?? card?.most ?? 4) - 1;
  const least = (info?.least ?? card?.least ?? 2) - 1;
  const bots = Math.min(Math.max(now.bots, least), most);
  const [busy, error, run] = useAction();
  const kept = keptSeat();
  const deal = (): void => run(async () => go(`/t/${await quickPlay(game, bots, now.strength)}`));
  return (
    <section class="hero" aria-label={t("playGame", { game: gameTitle(game) })}>
      <div class="herotext">
        <h1>{t("playGame", { game: gameTitle(game) })}</h1>
        <p>{maybe(`game.${game}.hero`, info?.blurb ?? "")}</p>
      </div>
      <div class="fan" aria-hidden="true">
        <CardArt compact face={{ colour: "blue", numeral: "3" }} />
        <CardArt compact face={{ colour: "red", pic: "crown" }} />
        <CardArt />
      </div>
      <div class="heropicks">
        <Pick label={t("botsLabel")} value={bots} set={(n) => change({ bots: n })} of={Array.from({ length: most - least + 1 }, (_, n) => [least + n, t("nBots", { n: least + n })] as const)} />
        <Pick label={t("strength")} value={now.strength} set={(strength) => change({ strength })} of={(["easy", "medium", "strong"] as const).map((it) => [it, t(`strength.${it}`)] as const)} />
        <button class="chipbtn" onClick={() => rules(game)}>
          <Icon name="rules" size={20} /> {t("rules")}
        </button>
      </div>
      <button class="btn main wide deal" disabled={busy !== ""} onClick={deal}>
        {busy ? t("dealing") : t("dealMeIn")}
      </button>
      {kept?.room && (
        <a class="btn wide goon" href={`/t/${kept.room}`}>
          {t("goOnAt", { code: kept.room })}
        </a>
      )}
      {error && <p class="error" role="alert">{error}</p>}
    </section>
  );
}

function JoinForm(): JSX.Element {
  const [code, setCode] = useState("");
  const [error, setError] = useState("");
  const [scanning, setScanning] = useState(false);
  const submit = (event: Event): void => {
    event.preventDefault();
    if (code.length !== 5) return setError(t("codeHasFive"));
    go(`/t/${code}`);
  };
  return (
    <form class="joinform" onSubmit={submit}>
      <label class="codebox">
        <span>{t("code")}</span>
        <input
          class="codeinput"
          value={code}
          maxLength={5}
          autocapitalize="characters"
          autocomplete="off"
          spellcheck={false}
          placeholder="_ _ _ _ _"
          aria-label={t("codeLabel")}
          onInput={(event) => {
            setError("");
            setCode(event.currentTarget.value.toUpperCase().replace(/[^A-Z]/g, "").slice(0, 5));
          }}
        />
      </label>
      <button class="btn">{t("join")}</button>
      <button type="button" class="btn scanbtn" aria-label={t("scan")} onClick={() => setScanning(true)}><Icon name="qr" /></button>
      {scanning && <Scan onClose={() => setScanning(false)} />}
      {error && <p class="error" role="alert">{error}</p>}
    </form>
  );
}

export function Tables({ onCreate }: { onCreate: () => void }): JSX.Element {
  const [rooms, setRooms] = useState<RoomLine[] | null>(null);
  useEffect(() => {
    let here = true;
    const look = (): void => {
      connect().then((it) => it.rooms({ limit: 50 })).then((page) => here && setRooms(page.rooms), () => undefined);
    };
    look();
    const timer = setInterval(look, 5000);
    return () => {
      here = false;
      clearInterval(timer);
    };
  }, []);
  return (
    <section class="tables">
      <h2>{t("openTables")}</h2>
      {rooms === null ? (
        <p class="small">{trouble.value?.text ?? t("loading")}</p>
      ) : !rooms.length ? (
        <div class="nothing">
          <Icon name="eye" size={40} />
          <p>{t("noTables")}</p>
          <button class="btn" onClick={onCreate}>{t("createTable")}</button>
        </div>
      ) : (
        <ul>
          {[...rooms].sort((a, b) => Number(b.free > 0) - Number(a.free > 0)).map((it) => (
            <li key={it.room} class="row">
              <b class="num">{it.room}</b>
              <span class="grow">
                {gameTitle(it.game)} <span class="small">{it.phase === "lobby" || it.free > 0 ? t("seatsTaken", { n: it.seats - it.free, of: it.seats }) : t("playing")} · {it.host}</span>
              </span>
              {it.free > 0 && <a class="btn" href={`/t/${it.room}`}>{t("join")}</a>}
              <a class="iconbtn" href={`/t/${it.room}?watch`} aria-label={t("watchRoom", { code: it.room })}><Icon name="eye" /></a>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

function NameChip(): JSX.Element {
  const [open, setOpen] = useState(false);
  const [name, setName] = useState(settings.value.name);
  return (
    <>
      <button class="namechip" onClick={() => (setName(settings.value.name), setOpen(true))} aria-label={t("nameIs", { name: settings.value.name })}>
        <SeatMark seat={0} /> <b>{settings.value.name}</b>
      </button>
      {open && (
        <Sheet title={t("yourName")} onClose={() => setOpen(false)}>
          <form
            class="stack"
            onSubmit={(event) => {
              event.preventDefault();
              if (!name.trim()) return;
              change({ name: name.trim() });
              setOpen(false);
              void connect().catch(() => undefined);
            }}
          >
            <input class="input" autofocus maxLength={24} value={name} aria-label={t("yourName")} onInput={(event) => setName(event.currentTarget.value)} />
            <p class="small">{t("nameRule")}</p>
            <button class="btn main wide" disabled={!name.trim()}>{t("save")}</button>
          </form>
        </Sheet>
      )}
    </>
  );
}

function GameSheet({ game, onClose, rules, create }: { game: GameInfo; onClose: () => void; rules: () => void; create: () => void }): JSX.Element {
  const [busy, error, run] = useAction();
  const bots = Math.min(Math.max(settings.value.bots, game.least - 1), game.most - 1);
  useEffect(() => load(game.key), []);
  const deal = (): void => {
    change({ lastGame: game.key });
    run(async () => go(`/t/${await quickPlay(game.key, bots, settings.value.strength)}`));
  };
  return (
    <Sheet title={gameTitle(game.key)} onClose={onClose}>
      <div class="stack">
        <p>{maybe(`game.${game.key}.blurb`, game.blurb)}</p>
        <p class="small">{t("playersAndLength", { least: game.least, most: game.most, minutes: GAME_CARDS.find((it) => it.key === game.key)?.minutes ?? 15 })}</p>
        <button class="btn main wide" disabled={busy !== "" || !game.house} onClick={deal}>{t("quickPlay", { n: bots })}</button>
        <div class="row">
          <button class="btn grow" onClick={create}>{t("createTable")}</button>
          <a class="btn grow" href="/tables">{t("watch")}</a>
          <button class="btn grow" onClick={rules}>{t("rules")}</button>
        </div>
        {error && <p class="error" role="alert">{error}</p>}
      </div>
    </Sheet>
  );
}

export function Lobby({ start = "play" }: { start?: Tab }): JSX.Element {
  const [open, setOpen] = useState<string | null>(null);
  const [rules, setRules] = useState<string | null>(null);
  const [create, setCreate] = useState<string | null>(null);
  useEffect(() => {
    void connect().catch(() => undefined);
    // The table is loaded after the lobby is drawn.
    const timer = setTimeout(() => (load(settings.value.lastGame), void import("../table/Table")), 700);
    return () => clearTimeout(timer);
  }, []);
  const info = games.value.find((it) => it.key === open);
  const tabs: [Tab | "practise" | "replays" | "events", string, Parameters<typeof Icon>[0]["name"], string][] = [
    ["play", t("play"), "people", "/"],
    ["tables", t("tables"), "eye", "/tables"],
    ["practise", t("practise"), "clock", "/practise"],
    ["events", t("events"), "trophy", "/events"],
    ["replays", t("replays"), "log", "/replays"],
  ];
  return (
    <div class="lobby">
      <header class="lobbybar">
        <a class="brand" href="/"><Logo /> <span>Photofinish</span></a>
        <nav class="topnav" aria-label={t("sections")}>
          {tabs.map(([key, text, , href]) => (
            <a key={key} href={href} aria-current={start === key ? "page" : undefined}>{text}</a>
          ))}
        </nav>
        <NameChip />
        <a class="iconbtn" href="/settings" aria-label={t("settings")}><Icon name="settings" /></a>
      </header>
      <main class={`lobbymain on-${start}`}>
        {!storageWorks && <p class="notice small">{t("storageForbidden")}</p>}
        {link.value !== "open" && trouble.value && (
          <p class="notice error" role="alert">{trouble.value.text} {trouble.value.code === "bad_version" ? <button class="btn" onClick={() => location.reload()}>{t("reload")}</button> : <button class="btn" onClick={() => void connect().catch(() => undefined)}>{t("tryAgain")}</button>}</p>
        )}
        <div class="lobbyleft">
          <Hero rules={setRules} />
          <div class="onlyphone"><JoinForm /></div>
          <GameList onOpen={setOpen} onCreate={() => setCreate(settings.value.lastGame)} />
        </div>
        <div class="lobbyright">
          <div class="onlywide"><JoinForm /></div>
          <Tables onCreate={() => setCreate(settings.value.lastGame)} />
        </div>
      </main>
      <nav class="bottomnav" aria-label={t("sections")}>
        {tabs.map(([key, text, icon, href]) => (
          <a key={key} href={href} aria-current={start === key ? "page" : undefined}>
            <Icon name={icon} /> {text}
          </a>
        ))}
      </nav>
      {info && !rules && !create && <GameSheet game={info} onClose={() => setOpen(null)} rules={() => setRules(info.key)} create={() => setCreate(info.key)} />}
      {rules && <Sheet title={`${gameTitle(rules)} · ${t("rules")}`} onClose={() => setRules(null)} wide><RulesText game={rules} clause="" /></Sheet>}
      {create && <Create game={create} onClose={() => setCreate(null)} />}
    </div>
  );
}
