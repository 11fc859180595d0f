"""Difficult cases of races, each played completely at a Cambio table with a prepared state."""

from typing import Any

from photofinish.engine import Micros, Seat, replace
from photofinish.games.cambio import GAME
from photofinish.games.cambio.state import CambioOptions, State
from photofinish.games.kodiak import GAME as KODIAK
from photofinish.race.params import Path
from photofinish.race.recompute import recompute
from photofinish.replay import log
from photofinish.room.facts import Cut, Measured, SessionId
from photofinish_protocol import messages
from photofinish_protocol.reasons import Reason
from tests.games.cambio import boards
from tests.games.kodiak.board import CAT, OTHER, board
from tests.room.bench import SECOND, Bench

MS = 1000
HANDS = ("y1_1 y7_1 y3_1", "b7_1 y2_1 y8_1", "y7_2 y9_1 b9_1")


def table(state: State) -> tuple[Bench, list[SessionId]]:
    bench = Bench(GAME, len(state.table), {"race_min_ms": state.options.race_min_ms})
    sessions = bench.start(len(state.table))
    bench.lay(state)
    return bench, sessions


def sevens(**more: Any) -> State:
    """Everybody holds a seven, and a seven has just been discarded by seat 0; seat 1 is next."""
    return boards.racing(*HANDS, discard="y7_3", **more)


def slap(bench: Bench, session: SessionId, seat: int, slot: int, **more: Any) -> Any:
    assert bench.room.match is not None
    mark = bench.room.match.state.table[seat][slot].mark
    return bench.play(session, {"t": "slap", "seat": seat, "slot": slot, "mark": mark}, **more)


def far(bench: Bench, session: SessionId, ms: int) -> None:
    bench.tell(Measured(session, Path(Micros(ms * MS), Micros(ms * MS), Micros(ms * MS + 4 * MS))))


def winner(bench: Bench) -> Seat | None:
    assert bench.room.match is not None
    race = bench.room.match.state.race
    return None if race is None else race.winner


def races(bench: Bench) -> list[log.Raced]:
    entries = [log.read(entry)[2] for entry in bench.entries]
    return [it for it in entries if isinstance(it, log.Raced)]


def test_the_faster_reaction_on_the_slower_network_wins_the_card() -> None:
    bench, (_, near, distant) = table(sevens())
    far(bench, near, 10)
    far(bench, distant, 280)
    bench.wait(340 * MS)
    slap(bench, near, 1, 0)  # reaction of 330 ms
    bench.wait(230 * MS)
    slap(bench, distant, 2, 0)  # reaction of 290 ms, arrives at 570 ms
    bench.wait(SECOND)

    assert winner(bench) == 2
    assert bench.room.match.state.table[1][0].card == "b7_1"
    assert len(bench.room.match.state.table[1]) == 3


def test_a_wrong_throw_before_a_right_one_costs_its_penalty_and_the_right_one_counts() -> None:
    bench, (_, second, _) = table(sevens())
    bench.wait(300 * MS)
    slap(bench, second, 1, 1)
    slap(bench, second, 1, 0)
    bench.wait(SECOND)

    assert winner(bench) == 1
    row = bench.room.match.state.table[1]
    assert row[0].card is None
    assert len(row) == 4  # C20: one penalty card in a new slot


def test_a_dead_heat_is_decided_by_the_committed_coin_and_announced() -> None:
    bench, (host, second, third) = table(sevens())
    bench.wait(300 * MS)
    slap(bench, third, 2, 0)
    bench.wait(MS)  # less than the 2 ms that cannot be told apart
    slap(bench, second, 1, 0)
    bench.wait(SECOND)
    won = winner(bench)
    bench.play(second, {"t": "draw", "from": "main"})
    bench.wait(4 * SECOND)

    (race,) = races(bench)
    coins = dict(race.record.coins)
    assert won == min((1, 2), key=lambda seat: coins[Seat(seat)])
    assert race.record.heats
    said = next(it for it in bench.heard[host] if isinstance(it, messages.RaceReport))
    assert [mark.heat for mark in said.marks if mark.move == "slap"] == [True, True]


def test_a_swap_does_not_overtake_a_slap_that_is_held_for_a_distant_player() -> None:
    hands = ("y1_1 y2_1 y3_1", "swap_2 y4_1 y5_1", "y6_1 y8_1 y9_1")
    bench, (actor, _, distant) = table(boards.board(*hands, main="swap_1"))
    bench.do(actor, {"t": "draw", "from": "main"})
    bench.do(actor, {"t": "discard"})  # the race for the arrows, and the action beside it (C16)
    far(bench, distant, 280)
    state = bench.room.match.state
    one, two = boards.at(state, 1, 0), boards.at(state, 2, 0)
    swap = {
        "t": "swap",
        "a": {"seat": 1, "slot": 0, "mark": one.mark},
        "b": {"seat": 2, "slot": 0, "mark": two.mark},
    }
    bench.wait(450 * MS)
    assert bench.play(actor, swap) is None  # arrives first …
    bench.wait(130 * MS)
    slap(bench, distant, 1, 0)  # … but this player reacted 300 ms after the trigger
    bench.wait(SECOND)

    assert winner(bench) == 2
    refused = next(it for it in bench.heard[actor] if isinstance(it, messages.Refused))
    assert refused.reason is Reason.ILLEGAL_MOVE


def test_a_race_with_no_next_turn_closes_by_its_clock_in_order_with_the_slaps() -> None:
    options = CambioOptions(race_min_ms=700, show_seconds=1)
    state = replace(sevens(turn=None, options=options), caller=Seat(0))
    bench, (_, second, _) = table(state)
    bench.wait(690 * MS)
    slap(bench, second, 1, 0)  # just before the close
    bench.wait(400 * MS)

    assert winner(bench) == 1  # C22: the time to answer it starts again
    bench.wait(SECOND)
    assert races(bench)
    assert recompute(races(bench)[0].record).is_sound


def test_a_turn_clock_that_an_earlier_claim_stops_does_not_expire_but_continues_afterwards() -> None:
    """Kodiak: the clock is due, but a scurry over a slow line was earlier, and its action precedes the next
    draw (K8).
    """
    cards = {CAT: ["peek_mine_1", "y2_1", "y3_1"], OTHER: ["peek_mine_2", "y8_1", "y9_1"]}
    laid = board(rows=cards, main=["y10_1"], turn_seconds=10)
    laid.discard(0)
    laid.own(CAT, "peek_mine", 1)
    bench = Bench(KODIAK, 3, {"turn_seconds": 10})
    _, _, distant = bench.start(3)
    bench.lay(laid.state)
    far(bench, distant, 280)
    # The mouse's time to draw is over, but the clock waits for the distant seat.
    bench.wait(10 * SECOND + 100 * MS)
    assert bench.room.match is not None
    before = bench.room.match.state
    bench.play(distant, {"t": "scurry", "slot": 0, "mark": laid.mark(OTHER, 0)})  # 180 ms before the clock
    bench.wait(SECOND)

    state = bench.room.match.state
    assert (state.turns, state.phase) == (before.turns, "draw")
    assert [it.seat for it in state.owed] == [OTHER]
    bench.do(distant, {"t": "peek_mine", "slot": 1, "mark": laid.mark(OTHER, 1)})
    bench.wait(SECOND)
    assert bench.room.match.state.turns > before.turns  # the clock, at once


def test_a_player_who_reconnects_in_a_race_gets_no_compensation_and_no_wait() -> None:
    bench, (_, second, third) = table(sevens())
    far(bench, third, 300)
    bench.wait(100 * MS)
    bench.tell(Cut(third))
    again = bench.resume(2)
    far(bench, again, 300)
    bench.wait(250 * MS)
    slap(bench, again, 2, 0, race=bench.view(second).race.nonce)
    bench.wait(20 * MS)
    slap(bench, second, 1, 0)
    bench.wait(SECOND)
    bench.play(second, {"t": "draw", "from": "main"})
    bench.wait(4 * SECOND)

    (race,) = races(bench)
    away = next(it for it in race.record.moves if it.seat == 2)
    assert away.away
    assert away.base == 0


def test_a_race_waits_for_a_silent_seat_only_until_its_watermark() -> None:
    bench, (_, second, third) = table(sevens())
    far(bench, third, 200)
    bench.wait(300 * MS)
    slap(bench, second, 1, 0)
    bench.wait(190 * MS)
    assert winner(bench) is None  # the third seat could still have a lower score
    bench.wait(60 * MS)

    assert winner(bench) == 1


def test_a_seat_whose_buffer_is_full_counts_as_away() -> None:
    bench = Bench(GAME, 3)
    sessions = bench.start(3)
    bench.stalled.add(sessions[2])
    bench.lay(sevens())
    far(bench, sessions[2], 300)
    bench.wait(300 * MS)
    slap(bench, sessions[1], 1, 0)
    bench.wait(80 * MS)

    assert winner(bench) == 1


def test_a_correct_throw_restarts_the_time_before_the_next_draw() -> None:
    bench, (_, second, third) = table(sevens(options=CambioOptions(race_min_ms=1000)))
    bench.wait(300 * MS)
    bench.play(second, {"t": "draw", "from": "main"})
    bench.wait(600 * MS)
    slap(bench, third, 2, 0)
    bench.wait(900 * MS)
    assert bench.view(second).race is not None  # 1,800 ms after the opening, but 900 after the throw
    bench.wait(400 * MS)

    assert bench.view(second).race is None


def test_every_verdict_can_be_recomputed_from_the_log() -> None:
    bench, (first, second, third) = table(sevens())
    bench.wait(90 * MS)
    slap(bench, first, 0, 1)  # a false start
    bench.wait(200 * MS)
    for session, seat in ((second, 1), (third, 2)):
        slap(bench, session, seat, 0)
        bench.wait(3 * MS)
    bench.wait(SECOND)
    bench.play(second, {"t": "draw", "from": "main"})
    bench.wait(4 * SECOND)

    (race,) = races(bench)
    assert recompute(race.record, None, log.coin_key(bench.room.record.seed)).mismatches == ()
    assert len(race.record.void) == 1
