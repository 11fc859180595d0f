"""T29, T30: single and double elimination as a list of matches. Who plays in a match follows from earlier ones."""

from collections.abc import Mapping, Sequence
from typing import Literal, TypeAlias

import msgspec

Side: TypeAlias = Literal["seed", "winner", "loser"]


class Source(msgspec.Struct, frozen=True):
    """Where an opponent comes from: a seed, or the winner or loser of an earlier match."""

    side: Side
    of: int
    """The seed, or the index of the match."""


class BracketMatch(msgspec.Struct, frozen=True):
    name: str
    """`W2.1`: winners' round 2, match 1. `L…`, `F` (grand final), `R` (reset), `T` (third place)."""
    stage: int
    """The event round in which it can be played, from 1."""
    a: Source
    b: Source


class Decided(msgspec.Struct, frozen=True):
    """0 is nobody: a bye has no loser, an empty match no winner."""

    winner: int
    loser: int


class Open(msgspec.Struct, frozen=True):
    """A match to be played now, by seed; the better seed is `a`."""

    index: int
    name: str
    a: int
    b: int


def seed_order(size: int) -> tuple[int, ...]:
    """T29: `order(1) = [1]`, `order(2m)` = each x of `order(m)` followed by `2m + 1 − x`."""
    order = [1]
    while len(order) < size:
        twice = 2 * len(order)
        order = [it for x in order for it in (x, twice + 1 - x)]
    return tuple(order)


def bracket_size(n: int) -> int:
    """The least power of two that holds the field."""
    return 1 << max(1, (n - 1).bit_length())


def single(n: int, *, third_place: bool) -> tuple[BracketMatch, ...]:
    matches: list[BracketMatch] = []
    rounds = _winners(matches, n)
    if third_place and len(rounds) > 1:
        semi = rounds[-2]
        matches.append(BracketMatch("T", len(rounds), Source("loser", semi[0]), Source("loser", semi[1])))
    return tuple(matches)


def double(n: int) -> tuple[BracketMatch, ...]:
    """The reset is the last match; it is played only if the grand final goes to the losers' side."""
    matches: list[BracketMatch] = []
    rounds = _winners(matches, n)
    alive = [Source("loser", it) for it in rounds[0]]
    level = 0
    for k in range(1, len(rounds)):
        level += 1
        alive = _play(matches, f"L{level}", list(zip(alive[::2], alive[1::2], strict=True)))
        level += 1
        fallen = crossed([Source("loser", it) for it in rounds[k]], k)
        alive = _play(matches, f"L{level}", list(zip(alive, fallen, strict=True)))
    (upper,), (lower,) = rounds[-1], alive
    final = _play(matches, "F", [(Source("winner", upper), lower)])[0].of
    _play(matches, "R", [(Source("winner", final), Source("loser", final))])
    return tuple(matches)


def crossed(fallen: Sequence[Source], k: int) -> list[Source]:
    """T30: for k = 1, 2, 3, 4, 1 …: reversed, each half reversed, halves exchanged, as they are."""
    half = len(fallen) // 2
    left, right = list(fallen[:half]), list(fallen[half:])
    match (k - 1) % 4:
        case 0:
            return list(reversed(fallen))
        case 1:
            return [*reversed(left), *reversed(right)]
        case 2:
            return [*right, *left]
        case _:
            return list(fallen)


def resolve(
    matches: Sequence[BracketMatch], n: int, played: Mapping[int, int]
) -> tuple[dict[int, Decided], tuple[Open, ...]]:
    """What is decided, byes included, and what can be played now. `played`: the winner's seed by match."""
    decided: dict[int, Decided] = {}
    now: list[Open] = []
    for index, match in enumerate(matches):
        if match.name == "R" and not _needs_reset(matches, decided, index):
            continue
        sides = [_who(source, n, decided) for source in (match.a, match.b)]
        if None in sides:
            continue
        a, b = sorted((it for it in sides if it), reverse=False) + [0] * sides.count(0)
        if not b:
            decided[index] = Decided(a, 0)
        elif index in played:
            winner = played[index]
            decided[index] = Decided(winner, b if winner == a else a)
        else:
            now.append(Open(index, match.name, a, b))
    return decided, tuple(now)


def stages(matches: Sequence[BracketMatch]) -> int:
    return max(match.stage for match in matches)


def final_places(matches: Sequence[BracketMatch], n: int, decided: Mapping[int, Decided]) -> dict[int, int]:
    """Places by seed, competition style: entrants that left in the same stage and bracket share one."""
    out: dict[int, tuple[int, ...]] = {}
    is_double = any(match.name == "F" for match in matches)
    for index, match in enumerate(matches):
        if index not in decided or (is_double and match.name.startswith("W")):
            continue  # in a double elimination nobody is out after one loss
        it = decided[index]
        if match.name == "F" and _needs_reset(matches, decided, index + 1):
            continue
        is_final = match.name in {"F", "R"} or match is _last_winners(matches)
        if is_final or match.name == "T":
            out[it.winner] = (match.stage, 3 if is_final else 1)
        out[it.loser] = (match.stage, 2 if is_final else 0)
    out.pop(0, None)
    still_in = {seed: (1 << 30,) for seed in range(1, n + 1) if seed not in out}
    worth = out | still_in
    return {seed: 1 + sum(other > own for other in worth.values()) for seed, own in worth.items()}


def _last_winners(matches: Sequence[BracketMatch]) -> BracketMatch | None:
    """The final of a single bracket; in a double one the grand final decides."""
    if any(it.name == "F" for it in matches):
        return None
    return next(it for it in reversed(matches) if it.name.startswith("W"))


def _winners(matches: list[BracketMatch], n: int) -> list[list[int]]:
    """The winners' bracket; the indices of its matches by round."""
    alive = [Source("seed", seed) for seed in seed_order(bracket_size(n))]
    rounds: list[list[int]] = []
    while len(alive) > 1:
        alive = _play(matches, f"W{len(rounds) + 1}", list(zip(alive[::2], alive[1::2], strict=True)))
        rounds.append([it.of for it in alive])
    return rounds


def _play(matches: list[BracketMatch], name: str, pairs: list[tuple[Source, Source]]) -> list[Source]:
    winners = []
    for number, (a, b) in enumerate(pairs, start=1):
        stage = 1 + max((matches[it.of].stage for it in (a, b) if it.side != "seed"), default=0)
        label = name if name in {"F", "R"} else f"{name}.{number}"
        matches.append(BracketMatch(label, stage, a, b))
        winners.append(Source("winner", len(matches) - 1))
    return winners


def _who(source: Source, n: int, decided: Mapping[int, Decided]) -> int | None:
    """The seed from this source: 0 for nobody, None while it is not known."""
    if source.side == "seed":
        return source.of if source.of <= n else 0
    if source.of not in decided:
        return None
    it = decided[source.of]
    return it.winner if source.side == "winner" else it.loser


def _needs_reset(matches: Sequence[BracketMatch], decided: Mapping[int, Decided], index: int) -> bool:
    final = index - 1
    if final not in decided:
        return False
    upper = decided[matches[final].a.of].winner
    return decided[final].loser == upper
