"""The house bot's estimate: the worth of a total with a given number of tricks left."""

from functools import cache

# How often a taken card has each number, in percent: low numbers under the limit, sevens over it.
_TAKEN = ((0, 20), (1, 20), (2, 14), (3, 10), (4, 6), (5, 6), (6, 6), (7, 18))
_FREE = 30
_FORCED = {2: 22, 3: 15, 4: 12, 5: 10}
"""Of 100 tricks: in how many a seat may take or not, and, by the number of seats, in how many it must take."""

_LEAST = 150
"""The worth of having no cards in front of the seat at the end (B29)."""


@cache
def worth(total: int, tricks: int, limit: int, seats: int) -> int:
    """Chance to win, in thousandths, with this total and this number of tricks left."""
    if total > limit:
        # This seat can win only if it gets a set, or if all others also exceed the limit.
        return max(0, 40 - 6 * (total - limit))
    if tricks == 0:
        return _LEAST + (1000 - _LEAST) * total * total // (limit * limit)
    forced = _FORCED[seats]
    stay = worth(total, tricks - 1, limit, seats)
    value = stay * (100 - _FREE - forced) * 100
    for number, share in _TAKEN:
        with_it = worth(total + number, tricks - 1, limit, seats)
        value += share * (_FREE * max(stay, with_it) + forced * with_it)
    return value // 10_000
