"""The clocks of a room: wound again at every step, which nobody may notice."""

from photofinish.engine import Micros, Millis, Seat, Timer
from photofinish.room.play.clocks import HASTE, Clocks

SECOND = 1_000_000
TURN = Timer("turn:1", Millis(10_000), seat=Seat(0))


def faces(clocks: Clocks) -> list[tuple[int | None, int]]:
    return [(due, left) for _, due, left in clocks.faces()]


def wound(clocks: Clocks, at: int, *, is_hasty: bool = False) -> Clocks:
    clocks.set([TURN], Micros(at), lambda _: is_hasty)
    return clocks


def test_a_clock_wound_again_is_due_when_it_was() -> None:
    clocks = wound(Clocks(), 0)
    before = clocks.running()
    wound(clocks, 3 * SECOND)

    assert clocks.running() == before == [(10 * SECOND, TURN)]


def test_a_clock_that_is_due_and_waits_for_a_race_is_not_put_off_when_it_is_wound_again() -> None:
    """Else everybody would be sent a view in which nothing else is new."""
    clocks = wound(Clocks(), 0)
    wound(clocks, 10 * SECOND + 1)
    wound(clocks, 11 * SECOND, is_hasty=True)

    assert clocks.running() == [(10 * SECOND, TURN)]


def test_a_seat_on_autopilot_is_not_waited_for() -> None:
    assert wound(wound(Clocks(), 0), SECOND, is_hasty=True).running() == [(SECOND + HASTE, TURN)]


def test_a_clock_that_stands_shows_what_is_left_and_goes_on_from_there() -> None:
    clocks = wound(Clocks(), 0)
    clocks.stop(Micros(4 * SECOND))
    assert faces(wound(clocks, 5 * SECOND)) == [(None, 6 * SECOND)]
    clocks.go(Micros(7 * SECOND))

    assert clocks.running() == [(13 * SECOND, TURN)]


def test_what_was_left_when_the_room_was_stored_is_left_when_it_is_adopted() -> None:
    clocks = wound(Clocks(), 0)

    assert wound(Clocks(clocks.left(Micros(4 * SECOND))), 0).running() == [(6 * SECOND, TURN)]
