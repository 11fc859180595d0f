"""T50, T51: a Swiss round for two seats is one minimum-cost complete matching.

The cost of a pair is a number whose digits are levels 1 to 7. A float (level 4) is a pair with different points;
within a score group nobody floats, and the digit is 0.
"""

from collections.abc import Iterator, Mapping, Sequence
from operator import mul

import msgspec

from photofinish.tournament.course.chance import RandomWords
from photofinish.tournament.event_file.model import UNIT
from photofinish.tournament.pairing.matching import Edge, least_cost

HALF = UNIT // 2
FIRST_WINDOW = 32
LEVELS = 7


class Contender(msgspec.Struct, frozen=True):
    """What a round's pairing needs to know about one entrant."""

    number: int
    points: int
    """In 1/840."""
    met: Mapping[int, int] = {}
    """How often it has met whom, by entrant number."""
    byes: int = 0
    """Byes and forfeit wins so far (level 2)."""
    floated: int = 0
    """Last round: −1 down, 1 up, 0 not."""
    balance: int = 0
    """Times first minus times second."""

    @property
    def halves(self) -> int:
        return self.points // HALF


class Duel(msgspec.Struct, frozen=True):
    """A pair at its table, first seat first. `second` is 0 for a bye."""

    first: int
    second: int
    digits: tuple[int, ...]
    """T51, levels 1 to 7."""


class _Candidate(msgspec.Struct, frozen=True):
    p: int
    q: int
    """Indices in T50's order; q = n is the bye."""
    digits: tuple[int, ...]


def ordered(field: Sequence[Contender]) -> list[Contender]:
    """T50: points down, then entrant number."""
    return sorted(field, key=lambda it: (-it.points, it.number))


def pair_swiss(field: Sequence[Contender], key: bytes) -> tuple[Duel, ...]:
    """The round's tables in their order (T52), the bye last. `key` is K(r)."""
    order = ordered(field)
    n = len(order)
    if n < 2:
        return tuple(Duel(it.number, 0, (0,) * LEVELS) for it in order)
    window = FIRST_WINDOW
    while True:
        found = list(candidates(order, key, window))
        weights = level_weights(n, found)
        edges: list[Edge] = [(it.p, it.q, sum(map(mul, it.digits, weights))) for it in found]
        pairs = least_cost(n + n % 2, edges)
        if 2 * len(pairs) == n + n % 2:
            break
        assert window < n, "all pairs together allow a complete matching"
        window *= 2
    by_pair = {(it.p, it.q): it for it in found}
    return tables(order, [by_pair[pair] for pair in pairs])


def candidates(order: Sequence[Contender], key: bytes, window: int) -> Iterator[_Candidate]:
    """T50: pairs within the window that have not met, or all pairs once the window spans the field; then byes.

    Each takes the next word of K(r) for level 7, in order (p, q).
    """
    n, words, everybody = len(order), RandomWords(key), window >= len(order)
    place, size = _groups(order)
    for p in range(n - 1):
        high = order[p]
        for q in range(p + 1, n) if everybody else _near(p, n, window, place, size):
            low = order[q]
            met = high.met.get(low.number, 0)
            if met and not everybody:
                continue
            same = high.points == low.points
            dist = abs(place[q] - place[p] - size[p] // 2) if same else q - p
            yield _Candidate(p, q, (met, 0, *_levels(high, low, dist), words.next()))
    if n % 2:
        lowest = order[-1].halves
        for p, it in enumerate(order):
            yield _Candidate(p, n, (0, it.byes, (it.halves - lowest) ** 2, 0, 0, 0, words.next()))


def _groups(order: Sequence[Contender]) -> tuple[list[int], list[int]]:
    """T50, by index: k, the place within the score group from 0, and g, the group's size."""
    place: list[int] = []
    for index, it in enumerate(order):
        place.append(place[-1] + 1 if index and order[index - 1].points == it.points else 0)
    size = [0] * len(order)
    for index in range(len(order) - 1, -1, -1):
        is_last = index + 1 == len(order) or place[index + 1] == 0
        size[index] = place[index] + 1 if is_last else size[index + 1]
    return place, size


def _near(p: int, n: int, window: int, place: Sequence[int], size: Sequence[int]) -> Iterator[int]:
    """The indices after p with dist ≤ window, in order."""
    group_end = p - place[p] + size[p]
    middle = p + size[p] // 2
    yield from range(max(p + 1, middle - window), min(group_end, middle + window + 1))
    yield from range(group_end, min(n, p + window + 1))


def _levels(high: Contender, low: Contender, dist: int) -> tuple[int, int, int, int]:
    """Levels 3 to 6."""
    d = high.halves - low.halves
    floats = (high.floated < 0) + (low.floated > 0) if high.points != low.points else 0
    first, second = sorted((high.balance, low.balance))
    seat = max(abs(first + 1), abs(second - 1)) ** 2
    return d * d, floats, min(8, seat) if seat > 1 else 0, dist * dist


def level_weights(n: int, found: Sequence[_Candidate]) -> tuple[int, ...]:
    """T51: level 7 weighs 1; each level above outweighs everything below it."""
    weights = [1]
    for level in range(LEVELS - 1, 0, -1):
        greatest = max((it.digits[level] for it in found), default=0)
        weights.append(((n + 1) // 2 * greatest + 1) * weights[-1])
    return tuple(reversed(weights))


def tables(order: Sequence[Contender], chosen: Sequence[_Candidate]) -> tuple[Duel, ...]:
    """First seats by T51; tables by the higher points, then the lower, then entrant number (T52)."""
    made: list[tuple[tuple[int, ...], Duel]] = []
    for it in chosen:
        high = order[it.p]
        if it.q == len(order):
            made.append(((1,), Duel(high.number, 0, it.digits)))
            continue
        low = order[it.q]
        if high.balance != low.balance:
            first = high if high.balance < low.balance else low
        else:
            first = high if it.digits[-1] % 2 == 0 else low
        second = low if first is high else high
        place = (0, -high.points, -low.points, min(high.number, low.number))
        made.append((place, Duel(first.number, second.number, it.digits)))
    return tuple(duel for _, duel in sorted(made, key=lambda it: it[0]))
