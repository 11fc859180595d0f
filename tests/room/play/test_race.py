"""Races at a Cambio table: sorted by reaction time, not by network speed; and what each player may know of them."""

from typing import Any

from photofinish.engine import Micros
from photofinish.race.params import Path
from photofinish.room.facts import Cut, Measured, SessionId
from photofinish.room.sending.views import offers_now, view_parts
from photofinish_protocol import messages
from photofinish_protocol.reasons import Reason
from tests.room.bench import SECOND, Bench
from tests.room.play.test_play import dealt, discard

MS = 1000


def slap(bench: Bench, session: SessionId, **more: Any) -> Any:
    """Throw the first card this seat is offered to throw."""
    offer = next(it for it in bench.view(session).offers if it.move == "slap")
    row = offer.choices[0].rows[0]
    return bench.play(session, {"t": "slap", "seat": row[0], "slot": row[1], "mark": row[2]}, **more)


def racing(seats: int = 3) -> tuple[Bench, list[SessionId]]:
    bench, sessions = dealt(seats, race_min_ms=1500)
    discard(bench, sessions[0])
    return bench, sessions


def reported_slaps(bench: Bench, session: SessionId) -> list[int | None]:
    """The slaps in the order in which they were announced."""
    said = [
        it for view in bench.views[session] for it in view.last if "slap" in it.what or "throw" in it.what
    ]
    return [it.seat for it in said]


def test_the_faster_hand_beats_the_shorter_wire() -> None:
    bench, (first, near, far) = racing()
    bench.tell(Measured(near, Path(Micros(10 * MS), Micros(10 * MS), Micros(12 * MS))))
    bench.tell(Measured(far, Path(Micros(200 * MS), Micros(200 * MS), Micros(205 * MS))))
    bench.wait(360 * MS)
    assert slap(bench, near) is None  # held: reaction of 350 ms
    bench.wait(140 * MS)
    slap(bench, far)  # arrives at 500 ms, but the reaction is 300 ms
    bench.wait(SECOND)

    order = reported_slaps(bench, first)
    assert order == [bench.seat(far), bench.seat(near)]


def test_a_held_move_is_pending_and_nobody_else_sees_anything() -> None:
    bench, (first, second, third) = racing()
    bench.wait(300 * MS)
    bench.forget_frames()
    slap(bench, second)

    assert any(isinstance(it, messages.Pending) for it in bench.heard[second])
    assert all(len(bench.views[other]) == 1 for other in (first, third))
    assert not bench.heard[first]
    assert not bench.heard[third]


def test_the_same_id_of_a_held_move_is_pending_again_and_counts_once() -> None:
    bench, (first, second, _) = racing()
    bench.wait(300 * MS)
    slap(bench, second, id=700)
    slap(bench, second, id=700)
    bench.wait(SECOND)

    assert len(reported_slaps(bench, first)) == 1


def test_a_slap_faster_than_any_reaction_is_a_false_start_without_penalty() -> None:
    bench, (_, second, _) = racing()
    bench.wait(90 * MS)
    cards = [sum(slot.filled for slot in row) for row in bench.view(second).view.table]
    refused = slap(bench, second)

    assert refused.reason is Reason.FALSE_START
    bench.wait(SECOND)
    assert [sum(slot.filled for slot in row) for row in bench.view(second).view.table] == cards


def test_a_slap_with_the_nonce_of_another_race_is_refused() -> None:
    bench, (_, second, _) = racing()
    bench.wait(300 * MS)

    assert slap(bench, second, race="0123456789abcdef").reason is Reason.WRONG_NONCE


def test_the_next_draw_waits_for_race_min_ms_and_is_then_sorted_with_the_slaps() -> None:
    bench, (first, second, third) = racing()
    bench.wait(300 * MS)
    assert bench.play(second, {"t": "draw", "from": "main"}) is None
    bench.wait(700 * MS)
    assert bench.view(first).race is not None  # 1,000 ms: still open
    assert slap(bench, third) is None  # a later slap is applied before a held draw
    bench.wait(2500 * MS)

    assert bench.view(first).race is None
    assert reported_slaps(bench, first) == [bench.seat(third)]
    assert bench.view(second).view.drawn is not None


def test_a_slap_after_the_close_is_refused_without_penalty() -> None:
    bench, (_, second, third) = racing()
    nonce = bench.view(third).race.nonce
    bench.wait(300 * MS)
    offer = next(it for it in bench.view(third).offers if it.move == "slap")
    row = offer.choices[0].rows[0]
    bench.play(second, {"t": "draw", "from": "main"})
    bench.wait(3 * SECOND)
    refused = bench.play(third, {"t": "slap", "seat": row[0], "slot": row[1], "mark": row[2]}, race=nonce)

    assert refused.reason is Reason.NO_RACE


def test_a_race_does_not_wait_for_a_disconnected_seat() -> None:
    bench, (first, second, third) = racing()
    bench.tell(Measured(third, Path(Micros(300 * MS), Micros(300 * MS), Micros(320 * MS))))
    bench.wait(250 * MS)
    slap(bench, second)
    bench.tell(Cut(third))
    bench.wait(60 * MS)

    assert reported_slaps(bench, first) == [bench.seat(second)]


def test_after_a_crash_the_race_opens_again_for_all_at_once() -> None:
    bench, sessions = racing()
    old = bench.view(sessions[0]).race
    seats = [bench.seat(session) for session in sessions]
    bench.wait(300 * MS)
    slap(bench, sessions[1], id=800)  # held, never acknowledged
    bench.crash()
    back = [bench.resume(seats[0]), bench.resume(seats[1])]
    assert all(bench.view(session).race is None for session in back)
    assert all(bench.view(session).offers == () for session in back)
    refused = bench.play(
        back[1], {"t": "slap", "seat": seats[0], "slot": 0, "mark": 0}, id=800, race=old.nonce
    )
    assert refused.reason is Reason.RACE_REOPENED
    assert refused.retry

    third = bench.resume(seats[2])  # the last of those who were there
    fresh = [bench.view(session).race for session in (*back, third)]
    assert len({race.nonce for race in fresh if race}) == 1
    assert fresh[0] is not None
    assert fresh[0].nonce != old.nonce


def test_a_race_waits_at_most_three_seconds_for_players_who_do_not_reconnect() -> None:
    bench, sessions = racing()
    seat = bench.seat(sessions[0])
    bench.crash()
    back = bench.resume(seat)
    bench.wait(2900 * MS)
    assert bench.view(back).race is None
    bench.wait(200 * MS)

    assert bench.view(back).race is not None


def test_a_race_message_has_public_claims_and_ones_own_and_all_for_a_referee() -> None:
    bench = Bench(dealt()[0].game, 3, {"race_min_ms": 500}, referee="whistle")
    sessions = bench.start(3)
    for session in sessions:
        bench.play(session, {"t": "ready"})
    referee = bench.watch("Ref", referee="whistle")
    turn = bench.view(sessions[0]).view.turn
    order = sessions[turn:] + sessions[:turn]
    discard(bench, order[0])
    bench.wait(300 * MS)
    slap(bench, order[2])
    # The rules refuse this move, and nobody else may learn of it.
    early = bench.request(order[1], messages.Play, move={"t": "ready"})
    bench.wait(700 * MS)
    bench.play(order[1], {"t": "draw", "from": "main"})
    bench.wait(3 * SECOND)

    assert early is None or early.reason is Reason.ILLEGAL_MOVE
    said = {session: race_report(bench, session) for session in (*order, referee)}
    assert {mark.move for mark in said[order[0]].marks} >= {"slap"}
    assert "ready" not in {mark.move for mark in said[order[2]].marks}
    assert "ready" in {mark.move for mark in said[order[1]].marks}
    assert "ready" in {mark.move for mark in said[referee].marks}
    assert said[referee].record is not None
    assert said[order[1]].record is None
    assert all(len(said[it].ledger) == 1 for it in order)  # the host's too
    assert len(said[referee].ledger) == 3


def race_report(bench: Bench, session: SessionId) -> messages.RaceReport:
    return next(it for it in bench.heard[session] if isinstance(it, messages.RaceReport))


def test_a_wrong_referee_password_gives_no_access() -> None:
    bench = Bench(dealt()[0].game, 2, referee="whistle")
    bench.sit(0)
    eve = bench.watch(referee="flute")

    assert bench.heard[eve][-1].reason is Reason.BAD_TOKEN


def test_an_ack_names_the_first_view_that_contains_the_move() -> None:
    bench, (_, second, _) = racing()
    bench.wait(300 * MS)
    slap(bench, second, id=700)
    bench.wait(SECOND)
    (ack,) = [it for it in bench.heard[second] if isinstance(it, messages.Ack) and it.id == 700]
    telling = [view.seq for view in bench.views[second] if any("slap" in it.what for it in view.last)]

    assert ack.seq == min(telling)


def test_a_held_move_is_not_offered_again_until_it_is_released() -> None:
    bench, (_, second, third) = racing()
    bench.wait(300 * MS)
    offered = next(it for it in bench.view(second).offers if it.move == "slap")
    held = slap(bench, second)
    assert held is None
    match = bench.room.match
    assert match is not None
    state = match.held_moves(bench.seat(second))
    parts, _ = view_parts(match, bench.seat(second), None)
    again = [it for it in offers_now(match, bench.seat(second), parts) if it.move == "slap"]
    other, _ = view_parts(match, bench.seat(third), None)

    assert len(state) == 1
    rows = [row for it in again for row in it.choices[0].rows]
    assert len(rows) == len(offered.choices[0].rows) - 1
    assert any(it.move == "slap" for it in offers_now(match, bench.seat(third), other))
