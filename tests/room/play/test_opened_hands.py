"""T4: a referee to whom the hands of a table are opened sees what one seat sees, and cannot move."""

from photofinish.room.effects import Show
from photofinish.room.facts import Directed, Looked, Requested, SessionId
from photofinish_protocol import messages
from photofinish_protocol.reasons import Reason
from tests.room.seats.test_event_room import ADA, BO, EventRoomBench, reason, two

REFEREE, CLEO = SessionId("referee"), SessionId("cleo")


def playing(delay: int = 0) -> EventRoomBench:
    bench = two()
    bench.room.record.spectator_delay = delay
    for session, key in (("s1", ADA), ("s2", BO)):
        bench.join(session, key)
        bench.request(session, messages.Ready(id=2))
    bench.take(Directed("E1", (0, 1)))
    return bench


def shown(bench: EventRoomBench, fact: object) -> dict[str, messages.View]:
    """The newest view of each session after this fact."""
    bench.room.take(fact, bench.now)  # type: ignore[arg-type]  # any fact
    bench.room.wake(bench.now)
    return {it.to: it.view for it in bench.room.drain(bench.now).effects if isinstance(it, Show)}


def test_T4_the_referee_sees_the_hand_of_the_seat_at_once_and_a_spectator_does_not() -> None:
    bench = playing(delay=60)
    view = shown(bench, Looked(REFEREE, 1, "Rae", is_official=True, seat=1))[REFEREE]
    public = shown(bench, Looked(CLEO, 1, "Cleo"))

    assert view.you == 1
    assert [slot.face is not None for slot in view.view.table[1]] == [False, False, True, True], (
        "C3: its own two"
    )
    assert all(slot.face is None for slot in view.view.table[0]), "one seat, not the whole table"
    assert view.offers == (), "a referee does not move"
    assert CLEO not in public, "spectators wait for the table's delay"


def test_T4_the_referee_gets_each_change_of_that_seats_view() -> None:
    bench = playing()
    first = shown(bench, Looked(REFEREE, 1, "Rae", is_official=True, seat=1))[REFEREE]
    done = messages.Play(id=3, move={"t": "ready"})
    both = shown(bench, Requested(SessionId("s2"), done, bench.now))

    assert both[REFEREE].seq == both[SessionId("s2")].seq > first.seq
    assert both[REFEREE].view == both[SessionId("s2")].view
    assert both[REFEREE].offers == ()


def test_T60_an_official_watches_as_referee_without_a_password_and_sees_no_hands() -> None:
    bench = playing()
    view = shown(bench, Looked(REFEREE, 1, "Rae", is_official=True))[REFEREE]

    assert bench.room.presence.watchers[REFEREE].is_referee
    assert view.you is None
    assert all(slot.face is None for row in view.view.table for slot in row)


def test_T4_a_seat_that_does_not_exist_is_refused() -> None:
    bench = playing()

    assert reason(bench.take(Looked(REFEREE, 1, "Rae", is_official=True, seat=2))[0]) is Reason.NO_SUCH_SEAT
    assert REFEREE not in bench.room.presence.watchers
