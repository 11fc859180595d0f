/** The rules of a game, opened at a clause. */
import type { JSX } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { language, t } from "../i18n";
import { Icon } from "../kit/icons";
import { gameTitle } from "../kit/titles";

const TEXTS = import.meta.glob<string>("../../../../server/photofinish/games/*/RULES.md", { query: "?raw", import: "default" });
/** Translations: clause by clause, without the messages of the protocol. If they differ, the English text counts. */
const TRANSLATED = import.meta.glob<string>("../rules/*/*.md", { query: "?raw", import: "default" });
const textOf = (game: string, tongue: string): (() => Promise<string>) | undefined => TRANSLATED[`../rules/${tongue}/${game}.md`] ?? Object.entries(TEXTS).find(([path]) => path.includes(`/${game}/`))?.[1];

function inline(text: string): (JSX.Element | string)[] {
  return text.split(/(\*\*[^*]+\*\*|`[^`]+`|\*[^*]+\*|\[[^\]]+\]\([^)]*\))/g).map((part, n) => {
    if (part.startsWith("**")) return <b key={n}>{part.slice(2, -2)}</b>;
    if (part.startsWith("`")) return <code key={n}>{part.slice(1, -1)}</code>;
    if (part.startsWith("*") && part.length > 2) return <i key={n}>{part.slice(1, -1)}</i>;
    const link = /^\[([^\]]+)\]\(/.exec(part);
    return link?.[1] ?? part;
  });
}

function Block({ text, clause }: { text: string; clause: string }): JSX.Element | null {
  const line = text.trim();
  if (!line) return null;
  if (line.startsWith("# ")) return null;
  if (line.startsWith("## ")) return <h3>{inline(line.slice(3))}</h3>;
  const item = /^- (?:\*\*)?([A-Z]\d+[a-z]?)\.?(?:\*\*)?\.?\s+(.*)$/s.exec(line);
  if (item) {
    const [, id = "", rest = ""] = item;
    return (
      <p id={id} class={`clauseline ${id === clause ? "here" : ""}`} tabIndex={-1}>
        <b class="clauseid">{id}</b> <span>{inline(rest)}</span>
      </p>
    );
  }
  if (line.startsWith("|")) {
    const rows = line.split("\n").filter((row) => !/^\|[\s|:-]+\|$/.test(row)).map((row) => row.split("|").slice(1, -1));
    return (
      <div class="tablewrap" tabIndex={0} role="group"><table class="plain"><tbody>{rows.map((row, n) => <tr key={n}>{row.map((cell, i) => <td key={i}>{inline(cell.trim())}</td>)}</tr>)}</tbody></table></div>
    );
  }
  return <p>{inline(line.replace(/^- /, "• "))}</p>;
}

/** Paragraphs: each list item is one, a whole table is one. */
const blocks = (text: string): string[] =>
  text.split(/\n(?=- |#|\n)|\n\n|(?<=^#[^\n]*)\n/m).flatMap((part) => (/^\s*\|/m.test(part) && !part.trim().startsWith("|") ? part.split(/\n(?=\|)(?<!\|\n)/) : [part]));

export function RulesText({ game, clause }: { game: string; clause: string }): JSX.Element {
  const [text, setText] = useState<string | null>(null);
  const [original, setOriginal] = useState(false);
  const translated = `../rules/${language.value}/${game}.md` in TRANSLATED;
  const tongue = original || !translated ? "en" : language.value;
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    let here = true;
    textOf(game, tongue)?.().then((it) => here && setText(it), () => here && setText(""));
    return () => void (here = false);
  }, [game, tongue]);
  useEffect(() => {
    if (!text || !clause) return;
    const at = box.current?.querySelector<HTMLElement>(`#${CSS.escape(clause.split(/[^A-Za-z0-9]/)[0] ?? "")}`);
    at?.scrollIntoView({ block: "center" });
    at?.focus({ preventScroll: true });
  }, [text, clause]);
  if (text === null) return <p class="small">{textOf(game, tongue) ? t("loading") : t("noRules")}</p>;
  return (
    <div class="rulestext" ref={box} lang={tongue}>
      {translated && <p class="small rulesnote" lang={language.value}>{t("rulesNote")} <button class="chipbtn" onClick={() => setOriginal(!original)}>{original ? t("rulesTranslated") : t("rulesOriginal")}</button></p>}
      {blocks(text).map((block, n) => (
        <Block key={n} text={block} clause={clause.split(/[^A-Za-z0-9]/)[0] ?? ""} />
      ))}
    </div>
  );
}

export function RulesPage({ game, clause }: { game: string; clause: string }): JSX.Element {
  return (
    <main class="page reading">
      <header class="row">
        <a class="iconbtn" href="/" aria-label={t("toLobby")}><Icon name="back" /></a>
        <h1>{gameTitle(game)}</h1>
      </header>
      <RulesText game={game} clause={clause} />
    </main>
  );
}
