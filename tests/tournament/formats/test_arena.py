"""T34: the arena."""

from collections import Counter

from photofinish.engine import Rng
from photofinish.tournament.pairing.arena import PATIENCE, Waiting, arena_points, pair_arena, waits


def test_T34_after_two_wins_games_count_double_until_one_is_not_won() -> None:
    assert arena_points(["win", "win", "draw"]) == 2 + 2 + 2  # scenario 15
    assert arena_points(["win", "win", "win", "loss", "win"]) == 2 + 2 + 4 + 0 + 2
    assert arena_points(["draw", "win", "loss", "win", "win", "win"]) == 1 + 2 + 0 + 2 + 2 + 4


def test_T34_of_an_odd_number_the_player_who_waited_least_stays_unpaired() -> None:
    field = [Waiting(1, 1, 4), Waiting(2, 2, 0), Waiting(3, 3, 2)]
    ((a, b),) = pair_arena(field, bytes(32))
    assert {a, b} == {1, 3}


def test_T34_nearby_ranks_meet_and_recent_opponents_do_not() -> None:
    field = [Waiting(number, number, 1) for number in (1, 2, 3, 4)]
    assert {frozenset(pair) for pair in pair_arena(field, bytes(32))} == {
        frozenset({1, 2}),
        frozenset({3, 4}),
    }
    field[0] = Waiting(1, 1, 1, (2, 9))
    field[1] = Waiting(2, 2, 1, (1, 8))
    assert not any({1, 2} == set(pair) for pair in pair_arena(field, bytes(32)))


def test_T34_two_players_who_just_met_wait_for_others_before_they_meet_again() -> None:
    pair = [Waiting(1, 1, 0, (2,)), Waiting(2, 2, 0, (1,))]
    assert pair_arena(pair, bytes(32), others=4) == ()
    assert len(pair_arena(pair, bytes(32), others=0)) == 1
    late = [Waiting(it.number, it.rank, PATIENCE, it.opponents) for it in pair]
    assert len(pair_arena(late, bytes(32), others=4)) == 1


def test_T34_S15_nobody_meets_the_same_opponent_twice_in_a_row() -> None:
    """Twenty players, ten minutes in ticks of 5 s, games of 1 to 12 ticks."""
    rng, n = Rng(b"arena", 0), 20
    busy: dict[int, int] = {}
    ticks = dict.fromkeys(range(1, n + 1), 0)
    opponents: dict[int, list[int]] = {number: [] for number in ticks}
    balance: Counter[int] = Counter()
    games = 0
    for tick in range(120):
        free = [number for number in ticks if busy.get(number, 0) <= tick]
        field = [
            Waiting(number, number, ticks[number], tuple(opponents[number]), balance[number])
            for number in free
        ]
        pairs = pair_arena(field, tick.to_bytes(32, "big"), others=n - len(free))
        ticks |= waits({number: ticks[number] for number in free}, pairs)
        assert max(ticks.values()) <= PATIENCE + 1
        for a, b in pairs:
            assert opponents[a][-1:] != [b]
            opponents[a].append(b)
            opponents[b].append(a)
            balance[a] += 1
            balance[b] -= 1
            busy[a] = busy[b] = tick + 1 + rng.below(12)
            games += 1
    assert games > 100
    assert max(map(abs, balance.values())) <= 2
