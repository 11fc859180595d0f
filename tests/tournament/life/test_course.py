"""Whole events in the pure core (§3, §14): every format from the first entry to the last."""

from collections import Counter

import pytest

from photofinish.tournament.log import chain
from photofinish.tournament.log import entries as log
from photofinish.tournament.people import disputes, players
from photofinish.tournament.scores.scoring import lines_of
from photofinish.tournament.scores.standings import standings
from photofinish.tournament.state.fold import fold
from tests.tournament.course import HOST, Course, better_number, toml


def finished(course: Course) -> Course:
    course.run()
    assert course.state.status == "finished"
    entries, head = chain.read(course.lines)
    assert head == course.head
    assert fold(entries) == course.state, "the state is a fold of the log (T18)"
    return course


@pytest.mark.parametrize("n", [2, 3, 8, 9])
def test_T28_a_swiss_event_runs_from_the_first_entry_to_the_last(n: int) -> None:
    course = finished(Course(toml()).open(n).start())
    rounds = len(course.state.rounds)
    assert rounds == min(max(1, (n - 1).bit_length()), n - 1)
    rows = standings(course.state)
    assert [row.rank for row in rows] == list(range(1, n + 1))
    total = sum(row.points for row in rows)
    assert total == rounds * ((n + 1) // 2) * 1680, "two points per table and bye"
    met = Counter(
        tuple(sorted(table.seats)) for it in course.state.rounds for table in it.tables if not table.bye
    )
    assert max(met.values()) == 1


def test_T28_each_round_seats_every_entrant_in_exactly_one_pod() -> None:
    course = finished(Course(toml("cambio", "swiss", "seats = 4", "rounds = 3")).open(18).start())
    assert [len(it.tables) for it in course.state.rounds] == [5, 5, 5]
    for it in course.state.rounds:
        assert sorted(number for table in it.tables for number in table.seats) == list(range(1, 19))
    assert [row.rank for row in standings(course.state)] == list(range(1, 19))


def test_T51_in_a_whole_event_everybody_sits_first_about_as_often_as_second() -> None:
    course = finished(Course(toml("cambio", "swiss", "rounds = 9")).open(20).start())
    balance: Counter[int] = Counter()
    for it in course.state.rounds:
        for table in it.tables:
            balance[table.seats[0]] += 1
            balance[table.seats[1]] -= 1
    assert all(abs(balance[number]) == 1 for number in range(1, 21)), "nine rounds: five and four"


@pytest.mark.parametrize(("n", "rounds"), [(4, 3), (5, 5)])
def test_T33_a_round_robin_lets_everybody_meet(n: int, rounds: int) -> None:
    course = finished(Course(toml("cambio", "roundrobin")).open(n).start())
    assert len(course.state.rounds) == rounds
    met = {frozenset(table.seats) for it in course.state.rounds for table in it.tables if not table.bye}
    assert len(met) == n * (n - 1) // 2


def test_T33_S7_round_robin_of_pods_by_the_exact_scheme() -> None:
    course = finished(Course(toml("cambio", "roundrobin", "seats = 4", "rounds = 5")).open(20).start())
    met: Counter[tuple[int, int]] = Counter()
    for line in (line for row in lines_of(course.state).values() for line in row):
        met.update((line.number, other) for other, _ in line.mates)
    assert set(met.values()) == {1}


def test_T33_pods_of_a_round_robin_beyond_the_scheme_are_those_of_T54_without_points() -> None:
    """The exact scheme does not exist for 16 players in pods of four. Results do not influence the pairings."""
    courses = [
        Course(toml("cambio", "roundrobin", "seats = 4", "rounds = 3"), decide=decide)
        for decide in (
            better_number,
            lambda table, game, rng: tuple(reversed(better_number(table, game, rng))),
        )
    ]
    pods = [
        [{frozenset(table.seats) for table in it.tables} for it in course.open(16).start().run().state.rounds]
        for course in courses
    ]
    assert pods[0] == pods[1]
    assert standings(courses[0].state) != standings(courses[1].state)


@pytest.mark.parametrize("n", [2, 3, 8, 13])
def test_T29_single_elimination_ends_with_the_best_first(n: int) -> None:
    course = finished(
        Course(toml("cambio", "single", "best_of = [3, 1]"), decide=better_number).open(n).start()
    )
    rows = standings(course.state)
    assert [row.number for row in rows[:2]] == [1, 2]
    assert rows[0].rank == 1
    final = course.state.rounds[-1].tables[0]
    assert len(final.games) == 2, "best of three, two to nil"
    first, second = final.games
    assert first.seats == (2, 1), "the better seed sits second in game 1 (T31)"
    assert second.seats == (1, 2), "and the first seat changes with every game"


@pytest.mark.parametrize("n", [2, 5, 8, 13])
def test_T30_double_elimination_comes_to_an_end(n: int) -> None:
    for seed in range(4):
        course = finished(Course(toml("cambio", "double"), seed=seed).open(n).start())
        losses: Counter[int] = Counter()
        for it in course.state.rounds:
            for table in it.tables:
                if not table.bye:
                    losses.update(number for number in table.seats if number != table.winner)
        rows = standings(course.state)
        assert losses[rows[0].number] <= 1
        assert all(losses[row.number] == 2 for row in rows[1:])


def test_T32_a_drawn_final_goes_on_for_three_games_and_then_by_seed() -> None:
    course = Course(toml("cambio", "single"), decide=lambda table, game, rng: (1,) * len(game.seats))
    finished(course.open(2).start())
    (table,) = course.state.rounds[0].tables
    assert len(table.games) == 4
    assert (table.winner, table.step) == (1, "seed")
    (decided,) = course.of(log.PairingDecided)
    assert isinstance(decided, log.PairingDecided)
    assert decided.step == "seed", "the log names the step"


def test_T32_races_decide_before_the_seed() -> None:
    def races(game, rng):
        return tuple(
            log.RaceLine("r", seat, "slap", "won", 300) for seat, who in enumerate(game.seats) if who == 2
        )

    course = Course(
        toml("cambio", "single"), decide=lambda table, game, rng: (1,) * len(game.seats), races=races
    )
    finished(course.open(2).start())
    (table,) = course.state.rounds[0].tables
    assert (table.winner, table.step) == (2, "races")


def test_T25_when_the_round_is_over_no_new_game_starts() -> None:
    course = Course(toml("cambio", "swiss", "best_of = 5", clock="round_minutes = 1"), lasts=lambda rng: 40)
    course.decide = lambda table, game, rng: tuple(1 if who == 1 else 2 for who in game.seats)
    finished(course.open(2).start())
    (table,) = course.state.rounds[0].tables
    assert 1 <= len(table.games) < 3
    assert (table.winner, table.step) == (1, "time")


def test_T28_the_best_of_a_swiss_event_go_on_to_a_cut() -> None:
    course = finished(
        Course(toml("cambio", "swiss", "rounds = 3", "cut = 4"), decide=better_number).open(10).start()
    )
    assert [it.phase for it in course.state.rounds] == ["main"] * 3 + ["cut"] * 2
    rows = standings(course.state)
    assert rows[0].number == 1
    assert sorted(row.rank for row in rows) == list(range(1, 11))
    in_cut = {number for it in course.state.rounds[3:] for table in it.tables for number in table.seats}
    assert {row.number for row in rows[:4]} == in_cut


def test_T28_pods_are_cut_to_one_final_table() -> None:
    course = Course(toml("cambio", "swiss", "seats = 4", "rounds = 2", "cut = 4"), decide=better_number)
    finished(course.open(12).start())
    assert [len(it.tables) for it in course.state.rounds] == [3, 3, 1]
    last = course.state.rounds[-1].tables[0]
    rows = standings(course.state)
    assert {row.number for row in rows[:4]} == set(last.seats)
    assert [row.number for row in rows[:4]] == sorted(last.seats)


def test_T38_S20_partners_change_and_score_alike() -> None:
    course = finished(Course(toml("hameln_cave", "roundrobin")).open(8).start())
    lines = lines_of(course.state)
    assert len(course.state.rounds) == 7
    for number, row in lines.items():
        partners = [other for line in row for other, _ in line.mates]
        assert sorted(partners) == [it for it in range(1, 9) if it != number]
        for line in row:
            ((mate, _),) = line.mates
            assert lines[mate][line.round - 1].points == line.points
    commitments = {
        game.commitment for it in course.state.rounds[0].tables for table in [it] for game in table.games
    }
    assert len(commitments) == 1, "all tables of a round play the same deal"
    assert len(course.of(log.SeedRevealed)) == 7


def test_T38_fixed_pairs_play_one_deal_per_round() -> None:
    course = finished(Course(toml("hameln_cave", "swiss", "teams = 2", "rounds = 3")).open(6).start())
    for it in course.state.rounds:
        teams = [{course.state.entrant(number).team for number in table.seats} for table in it.tables]
        assert all(len(team) == 1 for team in teams)
        assert len(teams) == 3


def test_T39_a_bot_replaces_a_bye_and_its_opponent_scores_as_with_a_bye() -> None:
    course = finished(Course(toml("cambio", "swiss", 'fill = "bots"', "rounds = 2")).open(5).start())
    for it in course.state.rounds:
        (filled,) = [table for table in it.tables if 0 in table.seats]
        assert not filled.bye
        assert len(filled.games) == 1
        (number,) = filled.people
        line = lines_of(course.state)[number][it.number - 1]
        assert (line.how, line.points) == ("bye", 1680)
    assert 0 not in {row.number for row in standings(course.state)}


def test_T39_bots_fill_short_pods_and_places_are_taken_among_the_people() -> None:
    course = Course(toml("cambio", "swiss", "seats = 4", 'fill = "bots"', "rounds = 1"))
    course.decide = lambda table, game, rng: tuple(
        2 + sorted(it for it in game.seats if it).index(who) if who else 1 for who in game.seats
    )
    finished(course.open(7).start())
    short = next(table for table in course.state.rounds[0].tables if 0 in table.seats)
    assert len(short.seats) == 4
    lines = lines_of(course.state)
    assert [lines[number][0].points for number in sorted(short.people)] == [6 * 840, 3 * 840, 0]


def test_T34_an_arena_runs_its_time_and_counts_double_after_two_wins() -> None:
    course = Course(
        toml("cambio", "arena", clock="arena_minutes = 10\nbreak_seconds = 0"),
        decide=better_number,
        lasts=lambda rng: 10 + rng.below(60),
    )
    finished(course.open(20).start())
    games = [table for table in course.state.rounds[0].tables if table.status == "done"]
    assert len(games) > 60
    last: dict[int, int] = {}
    again = 0
    for table in course.state.rounds[0].tables:
        a, b = table.seats
        again += last.get(a) == b or last.get(b) == a
        last |= {a: b, b: a}
    assert again <= 3, "only two who alone have waited for three ticks"
    (row,) = [row for row in standings(course.state) if row.number == 1]
    won = sum(table.winner == 1 for table in games)
    assert row.points == (2 * won + 2 * max(0, won - 2)) * 840, "entrant 1 wins always"
    assert any(table.status == "void" for table in course.state.rounds[0].tables)


def test_T34_who_rests_is_not_paired_until_the_rest_is_over() -> None:
    text = toml("cambio", "arena", clock="arena_minutes = 10\nbreak_seconds = 0")
    course = Course(text, lasts=lambda rng: 10 + rng.below(20)).open(6).start()

    def tables() -> list[int]:
        return [number for table in course.state.rounds[0].tables for number in table.seats]

    key = course.state.numbers[3]
    course.add(players.rest(course.state, key, on=True))
    for _ in range(40):
        course.step()
    assert 3 not in tables()
    assert len(tables()) > 20
    course.add(players.rest(course.state, key, on=False))
    for _ in range(10):
        course.step()
    assert 3 in tables()


def test_T43_S9_all_tables_of_a_deal_have_one_commitment_and_wait_for_the_slowest() -> None:
    course = Course(
        toml("cambio", "slapoff", "rounds = 3", tail="[slapoff]\ndeals = 4"),
        lasts=lambda rng: 10 + rng.below(60),
    )
    course.races = lambda game, rng: tuple(
        log.RaceLine(
            f"race {n}",
            seat,
            "slap",
            "won" if seat == rng.below(4) else "beaten",
            250_000 + rng.below(90_000),
            counted=True,
        )
        for n in range(3)
        for seat in range(4)
    )
    finished(course.open(32).start())
    from photofinish.tournament.scores.slapoff import round_deals, totals

    for it in course.state.rounds:
        for deal in range(1, 5):
            games = [game for table in it.tables for game in table.games if game.game == deal]
            assert len(games) == 8
            assert len({game.commitment for game in games}) == 1
        assert totals(round_deals(it)) == dict.fromkeys(range(1, 5), 4 * 8 * 7)
        called = [entry for entry in course.of(log.TableCalled) if entry.round == it.number]
        results = {entry.room: entry.at for entry in course.of(log.GameResult)}
        for entry in called:
            if entry.game > 1:
                before = [results[other.room] for other in called if other.game == entry.game - 1]
                assert len(before) == 8
                assert max(before) <= entry.at, "the deal waits for the slowest table"
    assert len({entry.seed for entry in course.of(log.SeedRevealed)}) == 12


def test_S1_64_in_six_rounds_of_swiss_play_192_games_without_a_repeat() -> None:
    """With bots, a real server and kills it is a rehearsal: `make tournament-rehearsal`."""
    course = finished(Course(toml("cambio", "swiss", "rounds = 6")).open(64).start())
    tables = [frozenset(table.seats) for it in course.state.rounds for table in it.tables]
    assert len(tables) == len(set(tables)) == 192
    assert len(course.of(log.GameResult)) == 192


def test_T31_a_drawn_game_is_half_for_both() -> None:
    def decide(table, game, rng):
        return (1, 1) if game.game < 3 else better_number(table, game, rng)

    course = finished(Course(toml("cambio", "swiss", "best_of = 3"), decide=decide).open(2).start())
    (table,) = course.state.rounds[0].tables
    assert len(table.games) == 3
    assert (table.winner, table.step) == (1, "")
    assert [game.seats[0] for game in table.games] in ([1, 2, 1], [2, 1, 2]), "the first seat changes"
    drawn = Course(toml("cambio", "swiss", "best_of = 3"), decide=lambda table, game, rng: (1, 1))
    (table,) = finished(drawn.open(2).start()).state.rounds[0].tables
    assert (len(table.games), table.winner) == (3, 0)
    assert {row[0].points for row in lines_of(drawn.state).values()} == {840}


def test_T32_fewer_false_starts_decide_after_the_races() -> None:
    def races(game, rng):
        return tuple(
            log.RaceLine("r", seat, "slap", "false_start" if who == 1 else "beaten", 300)
            for seat, who in enumerate(game.seats)
        )

    course = Course(toml("cambio", "single"), decide=lambda table, game, rng: (1, 1), races=races)
    (table,) = finished(course.open(2).start()).state.rounds[0].tables
    assert (table.winner, table.step) == (2, "false starts")


def test_T25_a_tie_when_the_time_is_over_is_a_draw_or_is_decided_by_T32() -> None:
    for kind, winner, step in (("swiss", 0, ""), ("single", 1, "seed")):
        course = Course(
            toml("cambio", kind, "best_of = 5", clock="round_minutes = 1"),
            decide=lambda table, game, rng: (1, 1),
            lasts=lambda rng: 40,
        )
        (table,) = finished(course.open(2).start()).state.rounds[0].tables
        assert len(table.games) < 5
        assert (table.winner, table.step) == (winner, step)


def test_T43_without_a_barrier_a_fast_table_continues() -> None:
    text = toml("cambio", "slapoff", "rounds = 1", tail="[slapoff]\ndeals = 2\nbarrier = {}")
    for barrier, games in (("true", 1), ("false", 2)):
        course = Course(text.replace("{}", barrier), stuck={1}).open(8).start()
        course.run(until=lambda state: state.round is not None and state.round.status == "playing")
        for _ in range(30):
            course.step()
        assert len(course.state.rounds[0].tables[1].games) == games


def _dealt(course: Course) -> dict[tuple[int, int], int]:
    """When each table was dealt, by deal and table."""
    called = {it.room: (it.game, it.table) for it in course.of(log.TableCalled)}
    return {called[it.room]: it.at for it in course.of(log.TableDealt)}


@pytest.mark.parametrize(
    ("game", "more", "tail"),
    [("cambio", "seats = 4", "[slapoff]\ndeals = 2"), ("hameln_cave", "", "")],
    ids=["slap-off", "team game"],
)
def test_T43_all_tables_of_a_deal_start_on_one_order(game: str, more: str, tail: str) -> None:
    """Before, a complete table began at once, up to `no_show_seconds` before the others."""
    kind = "slapoff" if tail else "swiss"
    course = Course(toml(game, kind, "rounds = 1", more, tail=tail), lasts=lambda rng: 10 + rng.below(60))
    course.open(8 if tail else 6).start()
    course.absent = {8 if tail else 6}
    for _ in range(20):
        course.step(10)
        if course.of(log.TableCalled) and not course.of(log.NoShow):
            assert not course.of(log.TableDealt), "the other tables wait for the one that is not complete"
    course.run()
    dealt = _dealt(course)
    (missing,) = course.of(log.NoShow)
    for deal in {deal for deal, _ in dealt}:
        times = [at for (own, _), at in dealt.items() if own == deal]
        assert len(times) == 2
        assert max(times) - min(times) <= 2_000_000
    assert min(dealt.values()) == missing.at


@pytest.mark.parametrize("barrier", ["true", "false"])
def test_T43_without_a_barrier_a_later_deal_waits_for_no_other_table(barrier: str) -> None:
    text = toml("cambio", "slapoff", "rounds = 1", tail=f"[slapoff]\ndeals = 2\nbarrier = {barrier}")
    course = Course(text).open(8).start()
    course.run(
        until=lambda state: bool(state.round and all(it.now and it.now.dealt for it in state.round.tables))
    )
    dealt = _dealt(course)
    assert dealt[1, 1] == dealt[1, 2]
    course.absent = {course.state.rounds[0].tables[0].seats[0]}
    for _ in range(12):  # deal 1 ends after 30 s; the no-show clock of deal 2 runs for 180
        course.step()
    assert not course.of(log.NoShow)
    assert ((2, 2) in _dealt(course)) == (barrier == "false")


def test_T43_T61_a_replay_waits_for_no_other_table() -> None:
    course = Course(toml("cambio", "slapoff", "rounds = 1"), stuck={2}).open(8).start()
    for _ in range(20):
        course.step()
    first, second = course.state.rounds[0].tables
    assert first.now is None, "it waits at the barrier"
    key = course.state.numbers[second.seats[0]]
    course.add(disputes.mark(course.state, key, course.now, 1, 2, 1, "", "the light hung"))
    course.add(disputes.rule(course.state, HOST, 1, "replay", "the server stood still"))
    course.settle()
    again = course.state.rounds[0].tables[1].games[-1]
    assert (again.attempt, again.dealt) == (2, True)
