"""T50 to T52, level by level: the digits of a pair, their weights, first seats, the order of the tables."""

from operator import mul

import pytest

from photofinish.engine import Rng
from photofinish.tournament.pairing.swiss import Contender, candidates, level_weights, ordered, pair_swiss

KEY = bytes(range(32))
POINT = 840
FIELD = (
    Contender(1, 4 * POINT, {2: 1}, floated=-1, balance=2),
    Contender(2, 4 * POINT, {1: 1}, balance=-1),
    Contender(3, 2 * POINT, floated=1),
    Contender(4, 2 * POINT),
    Contender(5, 0, byes=1, balance=-2),
)
BY_HAND = {
    (1, 2): (1, 0, 0, 0, 0, 0),
    (1, 3): (0, 0, 16, 2, 0, 4),
    (1, 4): (0, 0, 16, 1, 0, 9),
    (1, 5): (0, 0, 64, 1, 0, 16),
    (2, 3): (0, 0, 16, 1, 0, 1),
    (2, 4): (0, 0, 16, 0, 0, 4),
    (2, 5): (0, 0, 64, 0, 4, 9),
    (3, 4): (0, 0, 0, 0, 0, 0),
    (3, 5): (0, 0, 16, 0, 0, 4),
    (4, 5): (0, 0, 16, 0, 0, 1),
    (1, 0): (0, 0, 64, 0, 0, 0),
    (2, 0): (0, 0, 64, 0, 0, 0),
    (3, 0): (0, 0, 16, 0, 0, 0),
    (4, 0): (0, 0, 16, 0, 0, 0),
    (5, 0): (0, 1, 0, 0, 0, 0),
}
"""Levels 1 to 6 from the table of T51. Seat: 5 has sat second twice, 2 once; one of them would be second again."""


def test_T51_the_digits_of_each_pair_are_those_computed_by_hand() -> None:
    found = list(candidates(ordered(FIELD), KEY, 32))
    numbers = [1, 2, 3, 4, 5, 0]
    assert [(numbers[it.p], numbers[it.q]) for it in found] == list(BY_HAND), "in order (p, q), then byes"
    assert [it.digits[:6] for it in found] == list(BY_HAND.values())
    stream = Rng(KEY, 0)
    assert [it.digits[6] for it in found] == [stream.below(1 << 32) for _ in found], "level 7: K(r), step 0"


@pytest.mark.parametrize(
    ("one", "other", "digit"),
    [(0, 0, 0), (1, 1, 4), (2, 2, 8), (3, 3, 8), (-1, -1, 4), (-2, 2, 0), (-3, 3, 4), (0, 3, 4)],
)
def test_T51_the_digit_of_seats_grows_with_the_worse_balance_up_to_8(
    one: int, other: int, digit: int
) -> None:
    pair = [Contender(1, 0, balance=one), Contender(2, 0, balance=other)]
    (found,) = candidates(pair, KEY, 32)
    assert found.digits[4] == digit


def test_T51_each_level_outweighs_everything_below_it() -> None:
    found = list(candidates(ordered(FIELD), KEY, 32))
    weights = level_weights(len(FIELD), found)
    assert weights[6] == 1
    for level in range(6):
        greatest = max(it.digits[level + 1] for it in found)
        assert weights[level] == (3 * greatest + 1) * weights[level + 1]
    for level in range(6):
        below = [sum(map(mul, it.digits[level + 1 :], weights[level + 1 :])) for it in found]
        assert 3 * max(below) < weights[level], "three pairs together"


def test_T50_only_pairs_within_32_places_are_candidates_in_a_large_field() -> None:
    """Two score groups of 100: within a group the distance is from the other half, across groups by place."""
    field = [Contender(number, POINT if number <= 100 else 0) for number in range(1, 201)]
    found = {(it.p, it.q) for it in candidates(ordered(field), KEY, 32)}
    wanted = set()
    for p in range(200):
        for q in range(p + 1, 200):
            same = (p < 100) == (q < 100)
            if (abs(q - p - 50) if same else q - p) <= 32:
                wanted.add((p, q))
    assert found == wanted


def test_T50_if_everybody_near_has_met_the_window_grows_until_all_pairs_are_candidates() -> None:
    """34 players: entrant 1 has met all others, so one repeat is needed, and no more."""
    everybody = dict.fromkeys(range(2, 35), 1)
    field = [Contender(1, 0, everybody), *(Contender(number, 0, {1: 1}) for number in range(2, 35))]
    duels = pair_swiss(field, KEY)
    assert sum(it.digits[0] for it in duels) == 1
    anew = {(it.p, it.q): it.digits for it in candidates(ordered(field), KEY, 64)}
    for it in duels:
        pair = sorted((it.first - 1, it.second - 1))
        assert it.digits == anew[pair[0], pair[1]], "the stream begins anew with the window"


def test_T51_the_lower_balance_sits_first_and_else_an_even_word_decides_for_the_higher_place() -> None:
    seen = set()
    for balance in (-1, 0, 1):
        for byte in range(8):
            pair = [Contender(1, 0, balance=balance), Contender(2, 0)]
            (duel,) = pair_swiss(pair, bytes([byte] * 32))
            word = duel.digits[6]
            first = 1 if balance < 0 else 2 if balance > 0 else 1 if word % 2 == 0 else 2
            assert (duel.first, duel.second) == (first, 3 - first)
            seen.add((balance, word % 2))
    assert len(seen) == 6, "even and odd words for each balance"


def test_T52_tables_are_numbered_by_the_higher_points_then_the_lower_then_the_entrant() -> None:
    """The first two have met all but the last ones: 6 meets 0 twice, once 4 meets 2, and 2 meets 2 twice."""
    points = {1: 2, 2: 6, 3: 2, 4: 0, 5: 6, 6: 2, 7: 4, 8: 2, 9: 0, 10: 2}
    met = {2: (1, 3, 5, 6, 7, 8, 10), 5: (1, 2, 3, 6, 7, 8, 10)}
    field = [
        Contender(number, it * POINT, {other: 1 for other, own in met.items() if number in own})
        for number, it in points.items()
        if number not in met
    ] + [Contender(number, points[number] * POINT, dict.fromkeys(own, 1)) for number, own in met.items()]
    rows = [(it.first, it.second) for it in pair_swiss(field, KEY)]
    pairs = [sorted((points[a], points[b]), reverse=True) for a, b in rows]
    assert pairs == [[6, 0], [6, 0], [4, 2], [2, 2], [2, 2]]
    lowest = [min(row) for row in rows]
    assert lowest[0] < lowest[1]
    assert lowest[3] < lowest[4]
