"""Acts that the rules hide, at an Alaska table: no frame, mark, flag or ledger reveals them to others.

`tests/hunt/hidden.py` looks for the same in every game; here are the cases that were found by hand.
"""

from typing import Any

import pytest

from photofinish.engine import Act, Micros, Rng, Seat
from photofinish.engine.decks.cards import CardId
from photofinish.games.alaska import GAME
from photofinish.games.alaska.state import Snatch
from photofinish.race import Path
from photofinish.room.facts import Measured, SessionId
from photofinish_protocol import messages
from photofinish_protocol.reasons import Reason
from tests.games.alaska.bank import BEAR, cast, caught_by_north
from tests.room.bench import SECOND, Bench
from tests.room.play.test_play import dealt, discard
from tests.room.play.test_race import race_report, slap

MS = 1000
EAST, SOUTH, WEST = ((BEAR[n], cast(6, n + 1), cast(7, n + 1), cast(8, n + 1)) for n in range(3))
LET_GO = {"t": "let_go"}
WORD = "whistle"


def caught(seats: int = 4, **options: Any) -> tuple[Bench, list[SessionId], SessionId]:
    """North has just caught a salmon; the others hold a bear each. The last session watches."""
    bench = Bench(GAME, seats, options, referee=WORD)
    sessions = bench.start(seats)
    watcher = bench.watch()
    bench.lay(caught_by_north(*(EAST, SOUTH, WEST)[: seats - 1], options=options))
    bench.wait(300 * MS)
    bench.forget_frames()
    return bench, sessions, watcher


def snatch(bench: Bench, session: SessionId, card: str) -> Any:
    return bench.play(session, {"t": "snatch", "card": card})


def frames(bench: Bench, session: SessionId) -> tuple[list[Any], int]:
    """The frames to this session since the last call, and its current `seq`."""
    return [*bench.heard[session], *bench.views[session][1:]], bench.view(session).seq


@pytest.mark.parametrize("others", [2, 3])
def test_A32_a_let_go_sends_nobody_else_a_frame(others: int) -> None:
    bench, sessions, watcher = caught(others + 1)
    before = {session: frames(bench, session) for session in (*sessions, watcher)}
    bench.play(sessions[1], LET_GO)
    bench.wait(SECOND)

    assert isinstance(bench.answer(sessions[1], bench._ids[sessions[1]]), messages.Ack)
    for session in (sessions[0], *sessions[2:], watcher):
        assert frames(bench, session) == before[session] == ([], before[session][1])


def test_A32_a_player_who_let_go_gets_no_frame_when_the_next_one_does() -> None:
    bench, sessions, _ = caught()
    bench.do(sessions[1], LET_GO)
    bench.forget_frames()
    bench.do(sessions[2], LET_GO)

    assert frames(bench, sessions[1])[0] == []


def test_A32_a_clock_that_lets_go_for_one_seat_sends_nobody_a_frame() -> None:
    """The clock of a seat with a held snatch is stopped; those of the others expire before it."""
    bench, sessions, _ = caught(bear_ms=500)
    bench.wait(190 * MS)
    assert snatch(bench, sessions[1], cast(6)) is None  # no bear: it will be refused
    bench.forget_frames()
    bench.wait(15 * MS)
    match = bench.room.match
    assert match is not None
    assert match.state.catch is not None

    assert all(not bench.heard[session] for session in (sessions[0], sessions[2]))
    bench.wait(SECOND)
    assert match.state.catch is None
    (kept,) = (view for view in bench.views[sessions[0]][1:] if view.last)
    assert [it.what for it in kept.last] == ["kept"]


@pytest.mark.parametrize("gap", [0, 1, 2])
def test_A31_a_dead_heat_is_reported_only_to_its_loser(gap: int) -> None:
    """Snatches within 2 ms: the winner is public, and nobody but the loser learns that there was another."""
    bench, sessions, watcher = caught()
    referee = bench.watch("Ref", referee=WORD)
    snatch(bench, sessions[1], BEAR[0])
    bench.wait(gap * MS)
    snatch(bench, sessions[2], BEAR[1])
    bench.wait(SECOND)
    said = {it: race_report(bench, it) for it in (*sessions, watcher, referee)}
    winner = said[watcher].marks[0].seat
    loser = 3 - winner

    assert [mark.seat for mark in said[watcher].marks] == [winner]
    for outside in (sessions[0], sessions[3], sessions[winner], watcher):
        assert [(mark.seat, mark.heat, mark.late) for mark in said[outside].marks] == [(winner, False, False)]
    assert {(mark.seat, mark.heat) for mark in said[sessions[loser]].marks} == {(winner, True), (loser, True)}
    assert {(mark.seat, mark.heat) for mark in said[referee].marks} == {(winner, True), (loser, True)}


def test_A31_a_lost_snatch_does_not_make_the_race_message_longer() -> None:
    bench, sessions, watcher = caught()
    snatch(bench, sessions[1], BEAR[0])
    alone = bench.copy()
    bench.wait(5 * MS)
    snatch(bench, sessions[2], BEAR[1])
    bench.wait(SECOND)
    alone.wait(SECOND)

    lost = bench.answer(sessions[2], bench._ids[sessions[2]])
    assert lost.reason in (Reason.NO_RACE, Reason.ILLEGAL_MOVE)
    for session in (sessions[0], sessions[1], sessions[3], watcher):
        assert race_report(bench, session) == race_report(alone, session)
        assert [view.seq for view in bench.views[session]] == [view.seq for view in alone.views[session]]


def test_A32_a_snatch_is_not_marked_late_because_of_an_earlier_let_go() -> None:
    bench, sessions, watcher = caught()
    referee = bench.watch("Ref", referee=WORD)
    bench.wait(50 * MS)
    bench.play(sessions[1], LET_GO)
    bench.wait(40 * MS)
    assert isinstance(bench.answer(sessions[1], bench._ids[sessions[1]]), messages.Ack)
    late_line = Path(Micros(20 * MS), Micros(21 * MS), Micros(25 * MS), acked=Micros(90 * MS))
    bench.tell(Measured(sessions[2], late_line))
    bench.play(sessions[2], {"t": "snatch", "card": BEAR[1]}, react_us=280 * MS)
    bench.wait(SECOND)

    (late,) = (mark for mark in race_report(bench, referee).marks if mark.move == "snatch")
    assert late.late
    for session in (sessions[0], *sessions[2:], watcher):
        (mark,) = race_report(bench, session).marks
        assert not mark.late
    assert race_report(bench, sessions[1]).marks[-1].late  # it may know its own let-go


def test_while_the_game_runs_a_ledger_goes_to_its_own_seat_and_to_a_referee() -> None:
    """The host plays: another seat's `given_us` grows when that seat acts in secret or is refused."""
    bench, sessions, watcher = caught()
    referee = bench.watch("Ref", referee=WORD)
    bench.play(sessions[2], LET_GO)
    snatch(bench, sessions[1], BEAR[0])
    bench.wait(SECOND)

    assert bench.room.record.host == bench.room.record.chairs[0].key
    for seat, session in enumerate(sessions):
        own = [seat] if seat else []  # north caught the salmon and was in no race yet
        assert [line.seat for line in race_report(bench, session).ledger] == own
    assert race_report(bench, watcher).ledger == ()
    assert [line.seat for line in race_report(bench, referee).ledger] == [1, 2, 3]


def test_a_host_gets_no_message_about_a_race_that_it_must_not_know_of() -> None:
    bench, sessions, _ = caught(bear_ms=500)
    bench.play(sessions[2], LET_GO)
    bench.wait(2 * SECOND)

    assert not [it for it in bench.heard[sessions[0]] if isinstance(it, messages.RaceReport)]
    assert race_report(bench, sessions[2]).marks[0].move == "let_go"


def test_after_the_game_everybody_gets_every_ledger() -> None:
    bench, sessions = dealt(3, target_points=1, race_min_ms=500)
    watcher = bench.watch()
    discard(bench, sessions[0])
    bench.wait(300 * MS)
    slap(bench, sessions[1])
    bench.wait(3 * SECOND)
    assert bench.view(sessions[1]).over is None
    for _ in range(400):
        if bench.view(sessions[0]).over is not None:
            break
        caller = [it for it in sessions if any(offer.move == "call" for offer in bench.view(it).offers)]
        if caller:
            bench.play(caller[0], {"t": "call"})
        bench.wait(5 * SECOND)  # the rest is played by expired clocks
    for session in (*sessions, watcher):
        over = bench.view(session).over
        assert over is not None
        assert [line.seat for line in over.ledger] == [0, 1, 2]
        assert any(line.given_us > 0 for line in over.ledger)


# Autopilot and missed clocks are public, so a hidden act must not touch them.


def test_A32_letting_go_does_not_end_the_autopilot_of_the_seat() -> None:
    bench, sessions, watcher = caught()
    match = bench.room.match
    assert match is not None
    match.set_autopilot(Seat(1), True, bench.now)
    bench.room.wake(bench.now)
    bench.settle()
    assert bench.room.record.chairs[1].is_autopilot
    bench.forget_frames()
    bench.do(sessions[1], LET_GO)

    assert all(frames(bench, it)[0] == [] for it in (sessions[0], sessions[2], watcher))
    assert bench.room.record.chairs[1].is_autopilot
    snatch(bench, sessions[2], BEAR[1])
    bench.wait(SECOND)
    assert not bench.room.record.chairs[2].is_autopilot


def test_a_public_move_ends_the_autopilot_of_its_seat() -> None:
    bench, sessions, _ = caught()
    match = bench.room.match
    assert match is not None
    match.set_autopilot(Seat(1), True, bench.now)
    snatch(bench, sessions[1], BEAR[0])
    bench.wait(SECOND)

    assert not bench.room.record.chairs[1].is_autopilot


def test_A32_a_let_go_does_not_cancel_a_missed_turn() -> None:
    """Otherwise, if autopilot did not start after the second missed turn, everybody would know that the seat let go."""
    bench, sessions, _ = caught()
    match = bench.room.match
    assert match is not None
    match.seats[Seat(1)].missed = 1
    bench.do(sessions[1], LET_GO)

    assert match.seats[Seat(1)].missed == 1


def test_A32_the_clock_of_the_race_runs_its_full_time_for_a_seat_on_autopilot() -> None:
    bench, _sessions, _ = caught(2, bear_ms=4000)
    match = bench.room.match
    assert match is not None
    match.set_autopilot(Seat(1), True, bench.now)
    bench.wait(3 * SECOND)
    assert match.state.catch is not None
    bench.wait(SECOND)

    assert match.state.catch is None


def test_a_step_without_events_does_not_remove_the_events_of_the_step_before() -> None:
    """Two steps in one batch are shown in one view, which has the events of both."""
    bench, sessions, _ = caught()
    match = bench.room.match
    assert match is not None
    snatched = GAME.apply(match.state, Act(Seat(1), Snatch(CardId(BEAR[0]))), Rng(b"", 1))
    match.steps_unseen += [snatched, match.state]
    match.step += 2
    match.changes += 1
    bench.room.wake(bench.now)
    bench.settle()

    assert [it.what for it in bench.view(sessions[0]).last][:1] == ["snatched"]


# A view made while a move is held does not offer that move. This must not reveal when others act in secret.


def test_A32_a_let_go_sends_no_view_to_a_seat_whose_own_move_is_held() -> None:
    bench, sessions, _ = caught()
    alone = bench.copy()
    for world in (bench, alone):
        if world is bench:
            world.play(sessions[1], LET_GO)
        world.wait(5 * MS)
        world.play(sessions[2], LET_GO)  # held while the first is released
        world.wait(SECOND)

    assert isinstance(bench.answer(sessions[1], bench._ids[sessions[1]]), messages.Ack)
    seqs, seqs_alone = ([view.seq for view in it.views[sessions[2]]] for it in (bench, alone))
    assert seqs == seqs_alone
