"""T29, T30, T33: round robins and brackets."""

from collections import Counter
from itertools import combinations

import pytest

from photofinish.engine import Rng
from photofinish.tournament.pairing import brackets
from photofinish.tournament.pairing.brackets import (
    Decided,
    bracket_size,
    double,
    final_places,
    resolve,
    seed_order,
    single,
)
from photofinish.tournament.pairing.roundrobin import berger, berger_rounds, exact_pods, exact_rounds


def test_T33_berger_tables_as_printed_by_fide() -> None:
    assert [berger(4, number) for number in (1, 2, 3)] == [
        ((1, 4), (2, 3)),
        ((4, 3), (1, 2)),
        ((2, 4), (3, 1)),
    ]
    assert berger(6, 2) == ((6, 4), (5, 3), (1, 2))
    assert berger(6, 3) == ((2, 6), (3, 1), (4, 5))


@pytest.mark.parametrize("n", [2, 3, 5, 8, 11, 24])
def test_T33_everybody_meets_everybody_once_and_first_seats_are_even(n: int) -> None:
    met: Counter[tuple[int, int]] = Counter()
    out, first = Counter[int](), Counter[int]()
    for number in range(1, berger_rounds(n) + 1):
        pairs = berger(n, number)
        assert sorted(it for pair in pairs for it in pair if it) == list(range(1, n + 1))
        for a, b in pairs:
            if b:
                met[min(a, b), max(a, b)] += 1
                first[a] += 1
                first[b] -= 1
            else:
                out[a] += 1
    assert set(met) == set(combinations(range(1, n + 1), 2))
    assert set(met.values()) == {1}
    assert set(out.values()) <= {1}
    assert len(out) == (n if n % 2 else 0)
    assert max(map(abs, first.values())) <= 1


def test_T33_S7_twenty_players_in_pods_of_four_have_no_repeat_in_five_rounds() -> None:
    assert exact_rounds(20, 4) == 5
    met: Counter[tuple[int, int]] = Counter()
    for number in range(1, 6):
        pods = exact_pods(20, 4, number)
        assert sorted(who for pod in pods for who in pod) == list(range(1, 21))
        for pod in pods:
            met.update(combinations(sorted(pod), 2))
    assert set(met.values()) == {1}


def test_T33_a_round_of_the_exact_scheme_is_the_one_of_its_formula() -> None:
    """Pod j of round r = {(i, (j + i·r) mod m)}, with r from 0; (i, c) is entrant i·m + c + 1."""
    assert exact_pods(9, 3, 1) == ((1, 4, 7), (2, 5, 8), (3, 6, 9))
    assert exact_pods(9, 3, 2) == ((1, 5, 9), (2, 6, 7), (3, 4, 8))
    assert exact_pods(9, 3, 3) == ((1, 6, 8), (2, 4, 9), (3, 5, 7))


@pytest.mark.parametrize(
    ("n", "seats", "rounds"), [(9, 3, 3), (16, 4, 0), (25, 5, 5), (21, 4, 0), (28, 4, 7), (49, 7, 7)]
)
def test_T33_the_exact_scheme_is_used_only_where_it_holds(n: int, seats: int, rounds: int) -> None:
    assert exact_rounds(n, seats) == rounds
    met: Counter[tuple[int, int]] = Counter()
    for number in range(1, rounds + 1):
        for pod in exact_pods(n, seats, number):
            met.update(combinations(sorted(pod), 2))
    assert set(met.values()) <= {1}


def test_T29_seeds_are_placed_in_bracket_order() -> None:
    assert seed_order(8) == (1, 8, 4, 5, 2, 7, 3, 6)
    assert (bracket_size(2), bracket_size(5), bracket_size(512)) == (2, 8, 512)


def run(
    matches: tuple[brackets.BracketMatch, ...], n: int, rng: Rng | None
) -> tuple[dict[int, Decided], list[int]]:
    """Play it out: the better seed wins, or a lot decides. The number of matches per event round."""
    played: dict[int, int] = {}
    sizes: list[int] = []
    while True:
        decided, now = resolve(matches, n, played)
        if not now:
            return decided, sizes
        busy = [seed for it in now for seed in (it.a, it.b)]
        assert len(set(busy)) == len(busy), "nobody is at two tables at once"
        sizes.append(len(now))
        for it in now:
            assert 0 < it.a < it.b
            played[it.index] = it.a if rng is None else rng.pick((it.a, it.b))


def test_T29_S6_thirteen_entrants_give_three_byes_to_seeds_1_to_3() -> None:
    matches = single(13, third_place=True)
    decided, _ = resolve(matches, 13, {})
    byes = {it.winner for index, it in decided.items() if matches[index].stage == 1}
    assert byes == {1, 2, 3}
    decided, sizes = run(matches, 13, None)
    assert sizes == [5, 4, 2, 2]
    places = final_places(matches, 13, decided)
    assert [places[seed] for seed in range(1, 14)] == [1, 2, 3, 4, 5, 5, 5, 5, 9, 9, 9, 9, 9]


def test_T29_S2_512_entrants_take_nine_rounds_and_512_pairings() -> None:
    matches = single(512, third_place=True)
    assert len(matches) == 512
    order = seed_order(512)
    assert (order.index(1) < 256) != (order.index(2) < 256), "seeds 1 and 2 are in opposite halves"
    decided, sizes = run(matches, 512, Rng(b"cup", 1))
    assert len(sizes) == 9
    assert sum(sizes) == 512
    assert len(decided) == 512


def test_T29_without_a_third_place_match_both_semi_finalists_are_third() -> None:
    matches = single(4, third_place=False)
    decided, _ = run(matches, 4, None)
    assert final_places(matches, 4, decided) == {1: 1, 2: 2, 3: 3, 4: 3}


@pytest.mark.parametrize("n", [2, 3, 4, 6, 8, 13, 16, 31, 64])
def test_T30_S6_the_winner_has_at_most_one_loss_and_everybody_else_two(n: int) -> None:
    for event in range(8):
        matches = double(n)
        decided, _ = run(matches, n, Rng(b"double", n * 10 + event))
        losses = Counter(it.loser for it in decided.values() if it.loser)
        places = final_places(matches, n, decided)
        (champion,) = [seed for seed, place in places.items() if place == 1]
        assert losses[champion] <= 1
        had_reset = any(matches[index].name == "R" for index in decided)
        for seed in range(1, n + 1):
            if seed != champion:
                assert losses[seed] == 2, (n, event, seed, had_reset)
        assert had_reset == (losses[champion] == 1 and _upper_lost_final(matches, decided))
        assert sorted(places.values())[:2] == [1, 2]
        assert len(places) == n


def _upper_lost_final(matches: tuple[brackets.BracketMatch, ...], decided: dict[int, Decided]) -> bool:
    final = next(index for index, it in enumerate(matches) if it.name == "F")
    return decided[final].loser == decided[matches[final].a.of].winner


def test_T30_no_rematch_before_the_last_four_losers_rounds() -> None:
    for n in (16, 32, 64):
        for event in range(10):
            matches = double(n)
            decided, _ = run(matches, n, Rng(b"rematch", n + event))
            last = max(int(it.name[1:].split(".")[0]) for it in matches if it.name.startswith("L"))
            met: set[frozenset[int]] = set()
            for index in sorted(decided, key=lambda it: matches[it].stage):
                it, name = decided[index], matches[index].name
                pair = frozenset({it.winner, it.loser})
                if name.startswith("L") and int(name[1:].split(".")[0]) <= last - 4:
                    assert pair not in met
                met.add(pair)


def test_T30_if_the_grand_final_goes_to_the_losers_side_one_more_decides() -> None:
    matches = double(2)
    assert [it.name for it in matches] == ["W1.1", "F", "R"]
    decided, now = resolve(matches, 2, {0: 1, 1: 1})
    assert now == ()
    assert final_places(matches, 2, decided) == {1: 1, 2: 2}
    decided, now = resolve(matches, 2, {0: 1, 1: 2})
    assert [it.name for it in now] == ["R"]
    decided, now = resolve(matches, 2, {0: 1, 1: 2, 2: 2})
    assert now == ()
    assert final_places(matches, 2, decided) == {2: 1, 1: 2}
