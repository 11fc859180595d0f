/** Why a game is over, in the player's language. The server says it in English; what is not known here stays as it is. */
import { maybe, type Params } from "../i18n";
import { named } from "../net/store";

/** By game: the server's sentence, and which text it is. Groups are the parameters. */
const KNOWN: Record<string, readonly (readonly [RegExp, string])[]> = {
  cambio: [[/^A total has reached (?<n>\d+) points/, "reached"]],
  kodiak: [[/fewest points in all: (?<n>-?\d+)/, "fewest"]],
  alaska: [[/^most salmon: (?<n>\d+)/, "most"]],
  cauldron15: [
    [/^Everybody is over (?<limit>\d+)/, "nobody"],
    [/^Highest total within (?<limit>\d+): (?<n>\d+), in (?<cards>\d+) cards/, "highest"],
    [/lowest total: (?<n>\d+), in (?<cards>\d+) cards/, "lowest"],
  ],
  gravekeepers: [[/^Most ghosts of those still in: (?<n>\d+), with a loss of (?<loss>\d+)/, "most"]],
  hameln_cave: [
    [/^No ghost is left/, "noGhost"],
    [/has reached DEAD/, "dead"],
    [/^Five rounds are over/, "fifth"],
    [/^The cave collapses/, "collapse"],
    [/^The ship has reached the end/, "won"],
  ],
  jamaica: [
    [/^The Ghost Ship has the highest score, (?<n>-?\d+) and shares/, "ghostShares"],
    [/^The Ghost Ship has the highest score, (?<n>-?\d+)/, "ghost"],
    [/^The highest score, (?<n>-?\d+), just as near/, "shared"],
    [/^The highest score, (?<n>-?\d+), and nearest/, "nearest"],
    [/^The highest score, (?<n>-?\d+)/, "highest"],
  ],
  rune_market: [
    [/^most points/, "points"],
    [/^more boats/, "boats"],
    [/^fewer bandits/, "bandits"],
    [/^the highest number card/, "number"],
    [/^scissors/, "throws"],
    [/^still tied/, "still"],
  ],
  reflex: [[/^(?<n>\d+) lights are over/, "lights"]],
};

export function whyText(game: string, why: string): string {
  for (const [pattern, key] of KNOWN[game] ?? []) {
    const found = pattern.exec(why);
    if (found) return maybe(`${game}.why.${key}`, named(why), { ...(found.groups as Params | undefined) });
  }
  return named(why);
}
