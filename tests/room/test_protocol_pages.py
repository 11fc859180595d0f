"""What the protocol pages say about seats in a running game and about the next game at the same table."""

from photofinish.room.facts import SessionId
from photofinish_protocol import messages
from tests.room.bench import SECOND, Bench
from tests.room.play.test_play import dealt


def test_seq_goes_on_counting_across_a_rematch() -> None:
    bench, sessions = dealt(target_points=1)
    bench.wait(7200 * SECOND)  # expired clocks play it to the end
    last = [bench.view(it) for it in sessions]
    assert all(it.over is not None for it in last)
    host = next(it for it in sessions if it == "s0")
    bench.request(host, messages.Rematch)
    for session in sessions:
        bench.request(session, messages.Ready)
    bench.request(host, messages.Start)

    first = [bench.view(it) for it in sessions]
    assert [it.number for it in first] == [2, 2]
    assert all(new.seq > old.seq for new, old in zip(first, last, strict=True))


def test_a_bot_added_to_and_removed_from_a_running_game_does_not_cost_the_player_the_seat() -> None:
    bench, sessions = dealt(seats=3)
    host = next(it for it in sessions if it == "s0")
    guest = next(it for it in sessions if it == "s1")
    assert bench.request(host, messages.Bot).reason == "already_started"
    bench.request(guest, messages.Leave)

    bench.request(host, messages.Bot)
    assert places(bench, host)[1].kind == "bot"
    bench.request(host, messages.Remove, seat=1)
    assert (places(bench, host)[1].kind, places(bench, host)[1].autopilot) == ("player", True)
    bench.resume(1)
    assert (places(bench, host)[1].kind, places(bench, host)[1].autopilot) == ("player", False)


def places(bench: Bench, session: SessionId) -> tuple[messages.Place, ...]:
    return [it for it in bench.heard[session] if isinstance(it, messages.Room)][-1].seats
