"""T35 to T37, T45 to T48, §6, §9: points, tie-breaks, duplicate scores, the board, ratings, leagues."""

import msgspec
import pytest

from photofinish.engine import Rng
from photofinish.games import all_games
from photofinish.tournament.event_file import League, read_event
from photofinish.tournament.log.entries import RaceLine
from photofinish.tournament.scores.league import league_table
from photofinish.tournament.scores.points import competition, shared
from photofinish.tournament.scores.ratings import MILLION, Rating, added, rated
from photofinish.tournament.scores.reactions import board, interval_rank, quartile, row_of
from photofinish.tournament.scores.scoring import RoundLine
from photofinish.tournament.scores.slapoff import SeatDeal, deal_scores, race_points, twice_median
from photofinish.tournament.scores.standings import ranked
from photofinish.tournament.scores.tiebreaks import Extra, buchholz_parts, opponents_points, totals, values


def rules(*more: str):
    text = "\n".join(['title = "x"\ngame = "cambio"\nformat = "swiss"', *more])
    return read_event(text.encode(), all_games())


@pytest.mark.parametrize(
    ("seats", "places", "points"),
    [
        (2, (1, 2), (2, 0)),
        (2, (1, 1), (1, 1)),
        (4, (1, 2, 3, 4), (6, 4, 2, 0)),
        (4, (2, 1, 3), (3, 6, 0)),
        (4, (1, 1, 3, 4), (5, 5, 2, 0)),
        (4, (1, 2, 2, 2), (6, 2, 2, 2)),
        (4, (1,), (6,)),
    ],
)
def test_T37_points_are_given_by_place(seats: int, places: tuple[int, ...], points: tuple[int, ...]) -> None:
    assert shared(rules(f"seats = {seats}"), places) == tuple(840 * it for it in points)


def test_T37_every_share_of_a_default_table_is_whole() -> None:
    for seats in range(2, 9):
        for size in range(2, seats + 1):
            for tied in range(1, size + 1):
                places = (1,) * tied + tuple(range(tied + 1, size + 1))
                got = shared(rules(f"seats = {seats}"), places)
                assert sum(got) == sum(shared(rules(f"seats = {seats}"), tuple(range(1, size + 1))))


def test_T37_the_files_own_points_hold_for_their_table_size() -> None:
    own = rules("seats = 3", "points = [[5, 2.5, 0]]")
    assert shared(own, (3, 1, 2)) == (0, 5 * 840, 2100)
    assert shared(own, (1, 2)) == (4 * 840, 0), "no list for two: the default"


def test_T36_equal_places_are_shared_and_counted_among_people() -> None:
    assert competition((2, 4, 4)) == (1, 2, 2)


# §6, the worked example (scenario 8)

ROUNDS = (
    (("A", "D", 2), ("B", "E", 2), ("C", "F", 1)),
    (("A", "B", 1), ("C", "D", 2), ("E", "F", 2)),
    (("A", "E", 2), ("B", "C", 2), ("D", "F", 1)),
)
NUMBER = {name: at for at, name in enumerate("ABCDEF", start=1)}


def example() -> dict[int, list[RoundLine]]:
    lines: dict[int, list[RoundLine]] = {number: [] for number in NUMBER.values()}
    for number, pairs in enumerate(ROUNDS, start=1):
        for a, b, got in pairs:
            for own, other, won in ((a, b, got), (b, a, 2 - got)):
                mates = ((NUMBER[other], won),)
                lines[NUMBER[own]].append(
                    RoundLine(number, NUMBER[own], won * 840, "played", mates, alone=won == 2)
                )
    return lines


def test_S8_the_worked_example_gives_the_printed_standings() -> None:
    lines, extra = example(), Extra()
    points = totals(lines)
    rows = ranked(lines, ("buchholz_cut1", "buchholz", "sonneborn", "head_to_head", "races", "lot"), extra)
    names = {number: name for name, number in NUMBER.items()}
    assert [names[row.number] for row in rows] == ["B", "A", "C", "E", "F", "D"]

    def column(name: str) -> dict[str, int]:
        found = values(name, lines, extra, points)
        return {names[it]: int(found[it] / 840) for it in lines}

    assert {names[it]: got // 840 for it, got in points.items()} == {
        "A": 5,
        "B": 5,
        "C": 3,
        "D": 1,
        "E": 2,
        "F": 2,
    }
    assert column("buchholz") == {"B": 10, "A": 8, "C": 8, "E": 12, "F": 6, "D": 10}
    assert column("buchholz_cut1") == {"B": 8, "A": 7, "C": 7, "E": 10, "F": 5, "D": 8}
    assert column("sonneborn") == {"B": 15, "A": 11, "C": 4, "E": 4, "F": 4, "D": 2}


def test_buchholz_takes_own_points_for_unplayed_rounds_and_draws_after_a_withdrawal() -> None:
    lines = {
        1: [RoundLine(1, 1, 1680, "played", ((2, 2),)), RoundLine(2, 1, 1680, "bye")],
        2: [RoundLine(1, 2, 0, "played", ((1, 0),)), RoundLine(2, 2, 0, "absent")],
    }
    extra = Extra(left={2: 1}, draw=840)
    opponents = {number: opponents_points(number, lines, extra) for number in lines}
    assert buchholz_parts(1, lines, opponents, totals(lines)) == [840, 3360]
    assert values("wins", lines, extra, totals(lines))[1] == 0, "the line says whether it was alone"


def test_head_to_head_counts_only_if_all_who_are_tied_have_met() -> None:
    def line(own: int, other: int, won: int) -> RoundLine:
        return RoundLine(1, own, 840, "played", ((other, won),))

    met = {1: [line(1, 2, 0)], 2: [line(2, 1, 2)], 3: [RoundLine(1, 3, 0, "absent")]}
    rows = ranked(met, ("head_to_head", "lot"), Extra(lots={1: 1, 2: 2, 3: 3}))
    assert [row.number for row in rows] == [2, 1, 3]
    apart = {1: [line(1, 9, 0)], 2: [line(2, 8, 2)], 3: [RoundLine(1, 3, 0, "absent")], 8: [], 9: []}
    rows = ranked(apart, ("head_to_head", "lot"), Extra(lots={1: 1, 2: 2, 3: 3, 8: 8, 9: 9}))
    assert [row.number for row in rows][:2] == [1, 2]
    assert rows[0].ties[0] == ""


def test_opponents_are_compared_as_exact_fractions() -> None:
    lines = {1: [RoundLine(1, 1, 0, "played", ((2, 1), (3, 1), (4, 1)))]} | {
        number: [RoundLine(1, number, number * 840, "played")] for number in (2, 3, 4)
    }
    assert values("opponents", lines, Extra(), totals(lines))[1] * 3 == (2 + 3 + 4) * 840


# Slap-off


def test_T45_race_points_count_wins_and_dead_heats_and_subtract_wrong_slaps() -> None:
    def line(race: str, verdict: str) -> RaceLine:
        return RaceLine(race, 0, "slap", verdict, 300)  # type: ignore[arg-type]

    assert race_points([line("a", "won"), line("a", "won"), line("b", "heat"), line("c", "beaten")]) == 3
    assert race_points([line("a", "false_start"), line("a", "won"), line("b", "wrong")]) == 0
    assert race_points([line("a", "won"), line("a", "wrong")]) == 1, "a wrong slap of the winner still costs"


def test_T46_S10_matchpoints_are_those_computed_by_hand() -> None:
    seats = [SeatDeal(5, 600_000), SeatDeal(3, 560_000), SeatDeal(3, 620_000)]
    rows = deal_scores(seats)
    assert [row.m for row in rows] == [4, 1, 1]
    assert [row.q for row in rows] == [2, 4, 0]
    assert [row.score for row in rows] == [900, 400, 200]


def test_T46_a_seat_without_a_reaction_is_last_and_equal_seats_share() -> None:
    rows = deal_scores([SeatDeal(0), SeatDeal(0, 10), SeatDeal(0, 10)])
    assert [row.q for row in rows] == [0, 3, 3]
    assert [row.m for row in rows] == [2, 2, 2]
    assert [row.score for row in deal_scores([SeatDeal(2, 500)])] == [0]
    best = deal_scores([SeatDeal(9, 1), *[SeatDeal(0, 2)] * 7])[0]
    assert best.score == 1000


def test_T46_the_doubled_median_is_a_whole_number() -> None:
    assert twice_median([5, 1, 2]) == 4
    assert twice_median([5, 2]) == 7
    assert twice_median([]) is None


def test_T48_S11_the_interval_of_the_median_has_the_printed_ranks() -> None:
    assert interval_rank(10) == 2
    assert interval_rank(20) == 6
    assert interval_rank(5) == 0
    assert interval_rank(6) == 1
    for n in range(1, 200):
        from math import comb

        l = interval_rank(n)
        assert sum(comb(n, i) for i in range(l)) * 40 <= 2**n
        assert sum(comb(n, i) for i in range(l + 1)) * 40 > 2**n


def reaction(score: int, *, counted: bool = True, verdict: str = "won") -> RaceLine:
    return RaceLine("r", 0, "slap", verdict, score, score - 20, score + 10, counted=counted)  # type: ignore[arg-type]


def test_T48_a_row_of_the_board_has_median_interval_quartiles_and_best_ten() -> None:
    row = row_of(7, [reaction(100 * it) for it in range(1, 11)])
    assert (row.n, row.median_us, row.low_us, row.high_us) == (10, 550, 200, 900)
    assert row.best10_us is None, "twenty are needed"
    assert row.iqr_us == quartile(range(100, 1001, 100), 3) - quartile(range(100, 1001, 100), 1)
    assert (quartile([100, 200, 300, 400], 1), quartile([100, 200, 300, 400], 3)) == (175, 325)
    assert row.band_us == 30
    row = row_of(7, [reaction(it) for it in range(1, 21)])
    assert row.best10_us == 5


def test_T47_a_reaction_after_a_false_start_is_not_on_the_board() -> None:
    lines = [reaction(90, counted=False, verdict="false_start"), reaction(350, counted=False)]
    row = row_of(1, lines)
    assert (row.n, row.median_us, row.false_starts) == (0, None, 1)


def test_T48_ranked_by_median_with_ten_and_overlaps_marked() -> None:
    rows = board(
        {
            1: [reaction(300 + it) for it in range(10)],
            2: [reaction(305 + it) for it in range(10)],
            3: [reaction(900 + it) for it in range(10)],
            4: [reaction(1) for it in range(9)],
        }
    )
    assert [(row.number, row.rank, row.not_told_apart) for row in rows] == [
        (1, 1, False),
        (2, 2, True),
        (3, 3, False),
        (4, 0, False),
    ]


# Ratings


def test_T64_ratings_equal_the_golden_numbers() -> None:
    new = Rating()
    assert (new.mu, new.sigma, new.shown, new.text) == (25_000_000, 8_333_333, (1500, 1000), "1500 ± 1000?")
    first, second = rated([new, new], (1, 2))
    assert first.mu - 25 * MILLION == 25 * MILLION - second.mu
    assert (first.mu, first.sigma) == (27_635_389, 8_065_901)
    table = rated([new] * 4, (1, 2, 3, 4))
    assert [it.mu for it in table] == sorted((it.mu for it in table), reverse=True)


def test_T64_the_order_of_the_seats_does_not_matter() -> None:
    rng = Rng(b"ratings", 0)
    for _ in range(20):
        before = [
            Rating(20_000_000 + rng.below(9_000_000), 5_000_000 + rng.below(3_000_000)) for _ in range(6)
        ]
        places = (1, 2, 2, 4, 5, 6)
        made = rated(before, places)
        turn = rng.shuffled(range(6))
        again = rated([before[it] for it in turn], [places[it] for it in turn])
        for at, it in enumerate(turn):
            assert abs(again[at].mu - made[it].mu) <= 2
            assert abs(again[at].sigma - made[it].sigma) <= 2


def test_T66_two_events_that_run_at_the_same_time_both_change_the_rating() -> None:
    old = Rating(25_000_000, 8_000_000, 3)
    up = Rating(26_000_000, 7_600_000)
    assert added(old, Rating(25_000_000, 8_000_000), up, 2) == Rating(26_000_000, 7_600_000, 5)
    elsewhere = Rating(24_000_000, 7_000_000, 4)
    assert added(elsewhere, Rating(25_000_000, 8_000_000), up, 2) == Rating(25_000_000, 6_650_000, 6)


def test_T66_ratings_are_shown_in_tens_and_are_provisional_at_first() -> None:
    assert Rating(26_000_000, 2_000_000, 10).text == "1560 ± 240"
    assert Rating(26_000_000, 2_000_000, 9).is_provisional
    assert Rating(26_000_000, 5_000_001, 50).is_provisional
    assert Rating(26_000_000, 2_000_000).ordinal == 20_000_000


# League


def test_T35_equal_points_of_a_league_are_separated_by_wins_best_rank_later_rank_and_lot() -> None:
    def order(ranks: list[dict[str, int]], points: tuple[int, ...], lots: dict[str, int]) -> list[str]:
        return [row.key for row in league_table(League(("E1", "E2", "E3"), 2, points), ranks, lots)]

    flat = (4, 4, 4, 0)
    assert order([{"a": 1}, {"a": 1, "b": 3}, {"b": 1}], flat, {}) == ["a", "b"], "two events won, not one"
    assert order([{"a": 2}, {"a": 3, "b": 3}, {"b": 3}], flat, {}) == ["a", "b"], "the better best rank"
    assert order([{"a": 2, "b": 3}, {"a": 3, "b": 2}], flat, {}) == ["b", "a"], "the later event's rank"
    assert order([{"a": 2, "b": 2}, {}], flat, {"a": 9, "b": 1}) == ["b", "a"], "the lot"
    assert order([{"a": 2, "b": 3}, {"b": 3}], flat, {}) == ["b", "a"], "points come before all of it"


def test_T35_a_league_adds_the_best_results_and_breaks_ties_by_wins() -> None:
    league = League(("E1", "E2", "E3"), 2, (10, 6, 3))
    ranks = [{"a": 1, "b": 2, "c": 3}, {"b": 1, "a": 3, "c": 2}, {"c": 1, "a": 2, "d": 4}]
    rows = league_table(league, ranks, {})
    # a: 10, 3, 6 → 16; b: 6, 10 → 16; c: 3, 6, 10 → 16. One win each, best rank 1 each; c won the latest event.
    assert [(row.key, row.points) for row in rows] == [("c", 16), ("a", 16), ("b", 16), ("d", 0)]
    assert [row.rank for row in rows] == [1, 2, 3, 4]
    assert rows[1].counted == (10, 6)
    assert msgspec.structs.asdict(rows[3])["best_rank"] == 4
