"""T46: deals are compared by seat among tables of one size; a round adds its deals, the standings add the rounds."""

from photofinish.tournament.log.entries import RaceLine
from photofinish.tournament.people import disputes
from photofinish.tournament.scores.scoring import lines_of
from photofinish.tournament.scores.slapoff import round_deals
from photofinish.tournament.scores.standings import standings
from photofinish.tournament.state.model import Played, State
from tests.tournament.course import HOST, Course, toml


def wins(game: Played, *won: int) -> tuple[RaceLine, ...]:
    """By seat: how many races it has won, each after 250 ms and 1 ms more per seat."""
    return tuple(
        RaceLine(f"r{seat}.{n}", seat, "slap", "won", 250_000 + 1_000 * seat, counted=True)
        for seat, count in enumerate(won)
        for n in range(count)
    )


def slapoff(n: int, seats: int, races, deals: int = 1, rounds: int = 1) -> Course:
    text = toml(
        "cambio", "slapoff", f"seats = {seats}", f"rounds = {rounds}", tail=f"[slapoff]\ndeals = {deals}"
    )
    return Course(text, races=races).open(n).start()


def scores(state: State, deal: int = 1) -> dict[int, int]:
    return {number: row.score for number, row in round_deals(state.rounds[0])[deal].items()}


def test_T46_with_one_table_the_seats_of_the_table_are_compared() -> None:
    course = slapoff(3, 3, lambda game, rng: wins(game, 1, 2, 0)).run()
    first, second, third = course.state.rounds[0].tables[0].seats
    # M 2, 4, 0; Q 4, 2, 0 (no reaction is last), with T = 3.
    assert scores(course.state) == {first: 600, second: 900, third: 0}


def test_T46_tables_of_another_size_are_not_compared() -> None:
    """Eleven people: pods of 4, 4 and 3. The third table is alone with its size."""
    course = slapoff(11, 4, lambda game, rng: wins(game, *range(len(game.seats)))).run()
    four, other, three = course.state.rounds[0].tables
    assert [len(it.seats) for it in (four, other, three)] == [4, 4, 3]
    found = scores(course.state)
    # Seat by seat both tables of four did the same: half of everything, 1000·(4·1 + 1) div 10.
    assert {found[it] for it in (*four.seats, *other.seats)} == {500}
    # The seats of the table of three: M 0, 2, 4; Q 0, 4, 2 of 2·2.
    assert [found[it] for it in three.seats] == [0, 600, 900]


def test_T46_a_rounds_score_is_the_sum_of_its_deals_and_standings_add_the_rounds() -> None:
    course = slapoff(
        8, 4, lambda game, rng: wins(game, *(rng.below(3) for _ in game.seats)), deals=3, rounds=2
    )
    course.run()
    total: dict[int, int] = {}
    for it in course.state.rounds:
        for row in round_deals(it).values():
            for number, score in row.items():
                total[number] = total.get(number, 0) + score.score
    assert len(course.state.rounds) == 2
    assert {row.number: row.points for row in standings(course.state)} == {
        number: 840 * score for number, score in total.items()
    }
    assert len(set(total.values())) > 2


def test_T46_T61_a_deal_replayed_at_one_table_is_compared_as_if_it_had_been_the_same() -> None:
    def races(game: Played, rng) -> tuple[RaceLine, ...]:
        return wins(game, *((2, 0) if game.attempt == 2 else (1, 1)))

    course = slapoff(4, 2, races)
    course.run(until=lambda state: state.round is not None and state.round.status == "settling")
    first, second = course.state.rounds[0].tables
    assert set(scores(course.state).values()) == {500}
    key = course.state.numbers[second.seats[0]]
    course.add(disputes.mark(course.state, key, course.now, 1, 2, 1, "", "the light hung"))
    course.add(disputes.rule(course.state, HOST, 1, "replay", "the server stood still"))
    course.run()
    found = scores(course.state)
    # Seat 0: 4 race points against 2, equal medians; seat 1: 0 against 2, and no reaction against one.
    assert [found[it] for it in second.seats] == [900, 0]
    assert [found[it] for it in first.seats] == [100, 1000]
    assert sum(row[0].points for row in lines_of(course.state).values()) == 2000 * 840
