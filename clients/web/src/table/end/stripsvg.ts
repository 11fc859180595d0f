/** A strip as a picture of its own, to keep or to send. */
import { milliseconds } from "../../i18n/index";
import { SEATS } from "../../kit/seats";
import { nameOf } from "../../net/store";
import type { RaceReport } from "../../net/wire";
import { headline } from "./Strip";

const escape = (text: string): string => text.replace(/[&<>"']/g, (it) => `&#${it.charCodeAt(0)};`);

export function stripSvg(race: RaceReport): string {
  const high = Math.max(...race.marks.map((mark) => Math.max(mark.hi, mark.score))) * 1.15;
  const x = (us: number): number => 40 + (620 * us) / high;
  const lanes = race.marks.map((mark, n) => {
    const y = 90 + n * 54;
    const look = SEATS[mark.seat % 8] ?? SEATS[0];
    const cross = mark.verdict === "refused" || mark.verdict === "void";
    return (
      `<text x="40" y="${y}" font-size="15" font-weight="600" fill="#f3eee2">${escape(nameOf(mark.seat))}</text>` +
      `<text x="660" y="${y}" font-size="15" text-anchor="end" fill="#f3eee2">${escape(milliseconds(mark.score))}</text>` +
      `<rect x="${x(mark.lo)}" y="${y + 14}" width="${Math.max(3, x(mark.hi) - x(mark.lo))}" height="12" rx="3" fill="${look.colour}" opacity=".45"/>` +
      `<g transform="translate(${x(mark.score) - 12} ${y + 8}) scale(.6)"><path d="${look.d}" fill="${look.colour}" stroke="#fff" stroke-width="3"/>${cross ? '<path d="M4 4L36 36M36 4L4 36" stroke="#ff9c8c" stroke-width="6"/>' : ""}</g>`
    );
  });
  const first = race.marks.find((mark) => mark.verdict === "done");
  const height = 110 + race.marks.length * 54;
  const finish = first ? `<path d="M${x(first.score)} 66V${height - 20}" stroke="#ffc24b" stroke-width="2"/>` : "";
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" width="700" height="${height}" viewBox="0 0 700 ${height}" font-family="Inter, Arial, sans-serif">` +
    `<rect width="700" height="${height}" rx="14" fill="#182b2e"/><text x="40" y="44" font-size="22" font-weight="700" fill="#f3eee2">${escape(headline(race))}</text>` +
    `<path d="M40 62V${height - 20}" stroke="#ff7a57" stroke-width="3"/>${finish}${lanes.join("")}</svg>`
  );
}
