"""T34: every tick the arena pairs the entrants that wait.

If only two wait and they have just met, they wait up to `PATIENCE` ticks for a third before they meet again. Without
this, a pair that finishes first would meet twice in a row while other games are about to end.
"""

from collections.abc import Mapping, Sequence

import msgspec

from photofinish.tournament.course.chance import RandomWords
from photofinish.tournament.pairing.matching import Edge, least_cost

LATELY = 5
PATIENCE = 3


class Waiting(msgspec.Struct, frozen=True):
    number: int
    rank: int
    ticks: int
    """How many ticks it has waited."""
    opponents: tuple[int, ...] = ()
    """All opponents so far, the last one last."""
    balance: int = 0


def pair_arena(waiting: Sequence[Waiting], key: bytes, *, others: int = 0) -> tuple[tuple[int, int], ...]:
    """The pairs of this tick, first seat first. `others` is how many more are in a game and may come free."""
    field = sorted(waiting, key=lambda it: it.number)
    if len(field) == 2 and _just_met(*field):
        if others and min(it.ticks for it in field) < PATIENCE:
            return ()
        return (_seats(field[0], field[1], 0),)
    if len(field) % 2:
        least = min(field, key=lambda it: (it.ticks, -it.rank, -it.number))
        field.remove(least)
    words, rows = RandomWords(key), []
    for at, p in enumerate(field):
        for index in range(at + 1, len(field)):
            q = field[index]
            word = words.next()
            if _just_met(p, q):
                continue
            lately = p.opponents[-LATELY:].count(q.number) + q.opponents[-LATELY:].count(p.number)
            rows.append((at, index, (lately, abs(p.rank - q.rank), p.ticks**2 + q.ticks**2, word)))
    if not rows:
        return ()
    longest = max(row[2][2] for row in rows)
    digits = [(a, b, (lately, apart, longest - waited, word)) for a, b, (lately, apart, waited, word) in rows]
    weights = [1]
    for level in (3, 2, 1):
        greatest = max(row[2][level] for row in digits)
        weights.insert(0, (len(field) // 2 * greatest + 1) * weights[0])
    edges: list[Edge] = [
        (a, b, sum(x * y for x, y in zip(row, weights, strict=True))) for a, b, row in digits
    ]
    by_pair = {(a, b): row[-1] for a, b, row in digits}
    pairs = least_cost(len(field), edges)
    return tuple(_seats(field[a], field[b], by_pair[a, b]) for a, b in pairs)


def arena_points(results: Sequence[str]) -> int:
    """Win 2, draw 1, loss 0; after two wins in a row games count double until one is not won."""
    total = running = 0
    for it in results:
        worth = {"win": 2, "draw": 1, "loss": 0}[it]
        total += worth * 2 if running >= 2 else worth
        running = running + 1 if it == "win" else 0
    return total


def _just_met(p: Waiting, q: Waiting) -> bool:
    return p.opponents[-1:] == (q.number,) or q.opponents[-1:] == (p.number,)


def _seats(p: Waiting, q: Waiting, word: int) -> tuple[int, int]:
    if p.balance != q.balance:
        return (p.number, q.number) if p.balance < q.balance else (q.number, p.number)
    return (p.number, q.number) if word % 2 == 0 else (q.number, p.number)


def waits(ticks: Mapping[int, int], paired: Sequence[tuple[int, int]]) -> dict[int, int]:
    """The waiting ticks after this tick: those paired start from 0."""
    playing = {number for pair in paired for number in pair}
    return {number: 0 if number in playing else held + 1 for number, held in ticks.items()}
