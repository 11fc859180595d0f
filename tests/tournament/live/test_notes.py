"""T49: notes for the referee, and the strips of the printable report."""

from collections.abc import Callable
from typing import Literal

from photofinish.engine import Rng
from photofinish.tournament.export.report import report
from photofinish.tournament.export.report_strips import MOST, closest
from photofinish.tournament.log.entries import RaceLine
from photofinish.tournament.reports.favours import favours
from photofinish.tournament.reports.live import part_rows
from photofinish.tournament.reports.notes import notes
from photofinish.tournament.state.model import Played
from tests.tournament.course import Course, toml

Verdict = Literal["won", "beaten", "false_start"]
Races = Callable[[Played, Rng], tuple[RaceLine, ...]]


def reaction(race: int, seat: int, score: int, verdict: Verdict = "won") -> RaceLine:
    counted = verdict != "false_start"
    return RaceLine(
        f"race:{race}", seat, "slap", verdict, score, score - 900, score + 700, 0, counted=counted
    )


def ended(races: Races, *more: str) -> Course:
    return Course(toml("cambio", "swiss", "rounds = 1", *more), races=races).open(2).start().run()


def test_T49_five_false_starts_in_a_deal_are_noted_and_four_are_not() -> None:
    def early(count: int) -> Races:
        return lambda game, rng: tuple(reaction(n, 1, 0, "false_start") for n in range(count))

    (note,) = notes(ended(early(5)).state)
    assert (note.what, note.round, note.table, note.game) == ("false_starts", 1, 1, 1)
    assert note.number == ended(early(5)).state.rounds[0].tables[0].games[0].seats[1]
    assert notes(ended(early(4)).state) == ()


def test_T49_twenty_reactions_within_15_ms_are_noted_and_those_of_a_person_are_not() -> None:
    def spread(step: int, count: int) -> Races:
        return lambda game, rng: tuple(reaction(n, 0, 250_000 + step * n) for n in range(count))

    assert [it.what for it in notes(ended(spread(500, 20)).state)] == ["steady"]
    assert notes(ended(spread(500, 19)).state) == ()
    assert notes(ended(spread(5_000, 20)).state) == ()


def test_T49_notes_go_to_officials_and_into_the_report() -> None:
    course = ended(lambda game, rng: tuple(reaction(n, 1, 0, "false_start") for n in range(6)))

    assert part_rows(course.state, "disputes") == {}
    assert part_rows(course.state, "disputes", is_official=True)["note 1"]["what"] == "false_starts"
    assert b"6 false starts in one deal" in report(course.state, "00" * 32)


def test_the_report_draws_the_closest_races_with_a_row_per_hand() -> None:
    def races(game: Played, rng: Rng) -> tuple[RaceLine, ...]:
        pairs = [(n, 300_000 + 1_000 * (20 - n)) for n in range(20)]
        return tuple(
            line for n, later in pairs for line in (reaction(n, 0, 300_000), reaction(n, 1, later, "beaten"))
        )

    course = ended(races)
    found = closest(course.state)
    assert len(found) == MOST
    assert [it.gap_us for it in found[:3]] == [1_000, 2_000, 3_000]
    assert found[0].race == "race:19"
    assert found[0].svg.count("<circle") == 2
    page = report(course.state, "00" * 32)
    assert page.count(b"<svg") == MOST
    assert b"1.0 ms apart" in page


def test_T43_a_sealed_deal_has_no_strips() -> None:
    def races(game: Played, rng: Rng) -> tuple[RaceLine, ...]:
        return (reaction(1, 0, 300_000), reaction(1, 1, 301_000, "beaten"))

    course = (
        Course(toml("cambio", "slapoff", "rounds = 1", tail="[slapoff]\ndeals = 1"), races=races, stuck={2})
        .open(8)
        .start()
    )
    course.run(until=lambda state: state.round is not None and state.round.tables[0].is_over)
    assert closest(course.state) == ()
    course.stuck = set()
    course.run()
    assert len(closest(course.state)) == 2


def lost_to(game: Played, rng: Rng, friends: set[int]) -> tuple[RaceLine, ...]:
    """Forty races: a seat wins by lot; each other is beaten in half of them, a friend of the winner always."""
    lines: list[RaceLine] = []
    for n in range(40):
        winner = rng.below(len(game.seats))
        lines.append(reaction(n, winner, 300_000))
        for seat, number in enumerate(game.seats):
            is_friend = {number, game.seats[winner]} == friends
            if seat != winner and (is_friend or rng.below(2)):
                lines.append(reaction(n, seat, 310_000, "beaten"))
    return tuple(lines)


def test_T49_a_pair_that_loses_races_to_each_other_beyond_3_sigma_is_noted_and_honest_pairs_are_not() -> None:
    def noted(friends: set[int]) -> list[set[int]]:
        course = Course(toml("cambio", "roundrobin", "seats = 4", "rounds = 7"))
        course.races = lambda game, rng: lost_to(game, rng, friends)
        course.open(8, check_in=False).start().run()
        return [{it.a, it.b} for it in favours(course.state)]

    assert {2, 5} in noted({2, 5})
    assert len(noted(set())) <= 1, "of 28 honest pairs; 3 σ is one in 740"


def test_T49_only_officials_see_that_entrants_share_an_address_and_nobody_sees_the_address() -> None:
    course = ended(lambda game, rng: ())
    rows = part_rows(course.state, "disputes", is_official=True, shared_addresses=frozenset({"1 1 1 2"}))

    assert [(it["what"], it["text"], it["table"]) for it in rows.values()] == [
        ("same_house", "same house: player 1 and player 2", 1)
    ]
    assert part_rows(course.state, "disputes", shared_addresses=frozenset({"1 1 1 2"})) == {}, (
        "not for the public"
    )
