"""A game at the table: answers, views, clocks, autopilot, reconnection."""

from typing import Any

from photofinish.engine import Rng
from photofinish.engine.offers import sample
from photofinish.games import all_games
from photofinish.room.facts import Cut, SessionId
from photofinish_protocol import messages
from photofinish_protocol.reasons import Close, Reason
from tests.room.bench import SECOND, Bench

CAMBIO = all_games()["cambio"]


def dealt(seats: int = 2, **options: Any) -> tuple[Bench, list[SessionId]]:
    """A table past the first look, with the sessions in turn order."""
    bench = Bench(CAMBIO, seats, options)
    sessions = bench.start(seats)
    for session in sessions:
        assert isinstance(bench.play(session, {"t": "ready"}), messages.Ack)
    turn = bench.view(sessions[0]).view.turn
    return bench, sessions[turn:] + sessions[:turn]


def discard(bench: Bench, session: SessionId) -> None:
    """Draw from the main pile and discard, declining any action: a race opens."""
    bench.do(session, {"t": "draw", "from": "main"})
    bench.do(session, {"t": "discard"})
    while owed := [it for it in bench.view(session).offers if it.move in {"decline", "pick"}]:
        sent = sample(owed, Rng(b"any", bench.now))
        assert sent is not None
        bench.do(session, sent)


def until_turn(bench: Bench, session: SessionId) -> None:
    """Let time pass until this seat can draw."""
    while "draw" not in {offer.move for offer in bench.view(session).offers}:
        bench.wait(SECOND // 20)


def test_the_view_chain_counts_only_what_this_viewer_could_see() -> None:
    bench, (first, second) = dealt()
    before = bench.view(second).seq
    bench.play(first, {"t": "draw", "from": "main"})

    assert bench.view(second).seq == before + 1
    assert [view.seq for view in bench.views[first]] == list(range(1, bench.view(first).seq + 1))


def test_a_refused_move_sends_nobody_a_view() -> None:
    bench, (first, second) = dealt()
    bench.forget_frames()
    refused = bench.play(second, {"t": "draw", "from": "main"})

    assert (refused.reason, refused.clause[:1]) == (Reason.ILLEGAL_MOVE, "C")
    assert all(len(views) == 1 for views in bench.views.values())
    assert not bench.heard[first]


def test_a_repeated_id_gets_the_same_answer_and_is_done_once() -> None:
    bench, (first, _) = dealt()
    one = bench.play(first, {"t": "draw", "from": "main"}, id=900)
    step = bench.room.match.step
    two = bench.play(first, {"t": "draw", "from": "main"}, id=900)

    assert one == two
    assert bench.room.match.step == step


def test_an_answer_survives_a_crash() -> None:
    bench, (first, _) = dealt()
    bench.play(first, {"t": "draw", "from": "main"}, id=900)
    seat = bench.seat(first)
    bench.crash()
    again = bench.resume(seat)

    assert isinstance(bench.play(again, {"t": "draw", "from": "main"}, id=900), messages.Ack)
    assert bench.room.match.step == 3


def test_a_seat_that_does_not_answer_is_played_by_its_clock_and_then_by_autopilot_until_it_moves() -> None:
    bench, (first, second) = dealt(turn_seconds=10, race_min_ms=0)
    seat = bench.seat(first)
    while not bench.room.record.chairs[seat].is_autopilot:
        until_turn(bench, second)  # the first misses its turns …
        discard(bench, second)  # … the second does not
    assert bench.room.record.chairs[seat].missed == 2
    began = bench.now
    until_turn(bench, second)
    assert bench.now - began <= 2 * SECOND

    discard(bench, second)
    bench.do(first, {"t": "draw", "from": "main"})
    assert not bench.room.record.chairs[seat].is_autopilot


def test_after_a_crash_a_clock_continues_with_the_time_it_had_left() -> None:
    bench, (first, second) = dealt(turn_seconds=30)
    bench.wait(20 * SECOND)
    bench.request(second, messages.Chat, text="hello?")
    bench.play(first, {"t": "draw", "from": "main"})
    bench.crash()
    bench.resume(bench.seat(second))
    clocks = [it for it in bench.room.match.clocks.visible() if it[0].seat is not None]

    assert [due - bench.now for _, due, _ in clocks if due] == [10 * SECOND]


def test_the_newest_socket_of_a_seat_wins_and_the_older_is_told() -> None:
    bench, (first, _) = dealt()
    seat = bench.seat(first)
    again = bench.resume(seat)

    assert bench.dropped[first] is Close.TAKEN_OVER
    assert any(isinstance(it, messages.Left) and it.reason == "taken_over" for it in bench.heard[first])
    assert isinstance(bench.play(again, {"t": "draw", "from": "main"}), messages.Ack)


def test_a_token_works_once_but_also_again_if_its_welcome_was_lost() -> None:
    bench, (first, _) = dealt()
    seat = bench.seat(first)
    old = bench.tokens[seat]
    bench.resume(seat, token=old)  # this welcome is lost on the way
    newer = bench.tokens[seat]
    again = bench.resume(seat, token=old)  # so the client reconnects with the old one
    assert again not in bench.dropped

    # The client has sent a message, so it has its new token.
    bench.request(again, messages.Emote, emote="hello")
    late = bench.resume(seat, token=old, as_="thief")
    assert bench.heard[late][-1].reason is Reason.BAD_TOKEN
    assert late in bench.dropped
    assert bench.heard[bench.resume(seat, token=newer, as_="other thief")][-1].reason is Reason.BAD_TOKEN


def test_a_player_who_reconnects_gets_the_missed_events_without_faces() -> None:
    bench, (first, second) = dealt()
    seen = bench.view(second).seq
    seat = bench.seat(second)
    bench.tell(Cut(second))
    bench.play(first, {"t": "draw", "from": "main"})
    bench.play(first, {"t": "discard"})
    again = bench.resume(seat, seq=seen)

    assert [it.what for it in bench.view(again).last][:1] == ["drew"]
    assert len(bench.view(again).last) >= 2
    assert bench.view(again).from_ == 0


def test_autopilot_plays_for_a_player_who_left_and_the_token_gives_the_seat_back() -> None:
    bench, (first, second) = dealt(turn_seconds=10, race_min_ms=0)
    seat = bench.seat(first)
    bench.request(first, messages.Leave)
    bench.wait(2 * SECOND)
    assert bench.view(second).view.turn == bench.seat(second)

    back = bench.resume(seat, as_="back")
    assert bench.view(back).you == seat
    assert not bench.room.record.chairs[seat].is_autopilot


def test_autopilot_plays_for_a_left_seat_even_without_a_turn_clock() -> None:
    bench, (first, second) = dealt(turn_seconds=0, race_min_ms=0)
    bench.request(first, messages.Leave)
    for _ in range(60):
        if bench.view(second).view.turn == bench.seat(second):
            break
        bench.wait(SECOND)

    assert bench.view(second).view.turn == bench.seat(second)


def test_moves_before_the_deal_and_after_the_end_are_refused() -> None:
    bench = Bench(CAMBIO, 2, {"target_points": 1})
    ada = bench.sit(0)
    assert bench.play(ada, {"t": "ready"}).reason is Reason.NOT_STARTED
    bench.sit(1)
    for session in list(bench.room.presence.everybody()):
        bench.request(session, messages.Ready)
    bench.request(ada, messages.Start)
    bench.wait(3600 * SECOND)

    assert bench.view(ada).over is not None
    assert bench.play(ada, {"t": "draw", "from": "main"}).reason is Reason.GAME_OVER
    assert bench.room.record.chairs[bench.view(ada).over.winners[0]].wins == 1


def test_spectators_see_the_public_view_after_the_tables_delay() -> None:
    bench = Bench(CAMBIO, 2, spectator_delay=30)
    sessions = bench.start(2)
    eve = bench.watch()
    assert not bench.views[eve]
    bench.wait(29 * SECOND)
    assert not bench.views[eve]
    bench.wait(2 * SECOND)

    assert bench.view(eve).you is None
    assert bench.view(eve).offers == ()
    assert bench.view(eve).seq < bench.room._broadcast._viewer_state(None).seq + 1
    assert bench.view(sessions[0]).you == 0


def test_the_end_reveals_the_seed_of_the_commitment() -> None:
    from photofinish.engine.rng import commitment

    bench = Bench(CAMBIO, 2, {"target_points": 1})
    ada, bo = bench.sit(0), bench.sit(1)
    bench.request(ada, messages.Ready, nonce="aa01")
    bench.request(bo, messages.Ready, nonce="bb02")
    bench.request(ada, messages.Start)
    promised = bench.views[ada][0].commitment
    assert bench.views[ada][0].over is None
    bench.wait(3600 * SECOND)
    over = bench.view(ada).over
    assert over is not None

    assert commitment(bytes.fromhex(over.seed)) == promised
    assert over.nonces == ("aa01", "bb02")
