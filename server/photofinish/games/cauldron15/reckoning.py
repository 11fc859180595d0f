"""What a total is worth with so many tricks to come: the house player's rule of thumb."""

from functools import cache

# How often a card that is taken shows each number, in hundredths: low ones under the limit, sevens over it.
_TAKEN = ((0, 20), (1, 20), (2, 14), (3, 10), (4, 6), (5, 6), (6, 6), (7, 18))
_FREE = 30
_FORCED = {2: 22, 3: 15, 4: 12, 5: 10}
"""Of a hundred tricks: where the player may take or leave it, and, by seats, where it has to take."""

_LEAST = 150
"""What an empty place before the seat is worth at the end (B29)."""


@cache
def worth(total: int, tricks: int, limit: int, seats: int) -> int:
    """Chance to win, in thousandths, with this total before the seat and so many tricks to come."""
    if total > limit:
        return max(0, 40 - 6 * (total - limit))  # only a set or everybody's misfortune can help
    if tricks == 0:
        return _LEAST + (1000 - _LEAST) * total * total // (limit * limit)
    forced = _FORCED[seats]
    stay = worth(total, tricks - 1, limit, seats)
    value = stay * (100 - _FREE - forced) * 100
    for number, share in _TAKEN:
        with_it = worth(total + number, tricks - 1, limit, seats)
        value += share * (_FREE * max(stay, with_it) + forced * with_it)
    return value // 10_000
