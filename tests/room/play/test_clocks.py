"""The clocks of a room are set again at every step, which must change no view."""

from photofinish.engine import Micros, Millis, Seat, Timer
from photofinish.room.play.clocks import HASTE, Clocks

SECOND = 1_000_000
TURN = Timer("turn:1", Millis(10_000), seat=Seat(0))


def visible(clocks: Clocks) -> list[tuple[int | None, int]]:
    return [(due, left) for _, due, left in clocks.visible()]


def wound(clocks: Clocks, at: int, *, is_hasty: bool = False) -> Clocks:
    clocks.set([TURN], Micros(at), lambda _: is_hasty)
    return clocks


def test_a_clock_that_is_set_again_keeps_its_due_time() -> None:
    clocks = wound(Clocks(), 0)
    before = clocks.running()
    wound(clocks, 3 * SECOND)

    assert clocks.running() == before == [(10 * SECOND, TURN)]


def test_a_due_clock_that_waits_for_a_race_keeps_its_due_time_when_it_is_set_again() -> None:
    """Otherwise everybody would get a view without any other change."""
    clocks = wound(Clocks(), 0)
    wound(clocks, 10 * SECOND + 1)
    wound(clocks, 11 * SECOND, is_hasty=True)

    assert clocks.running() == [(10 * SECOND, TURN)]


def test_a_seat_on_autopilot_is_not_waited_for() -> None:
    assert wound(wound(Clocks(), 0), SECOND, is_hasty=True).running() == [(SECOND + HASTE, TURN)]


def test_a_stopped_clock_shows_the_time_left_and_continues_from_there() -> None:
    clocks = wound(Clocks(), 0)
    clocks.stop(Micros(4 * SECOND))
    assert visible(wound(clocks, 5 * SECOND)) == [(None, 6 * SECOND)]
    clocks.go(Micros(7 * SECOND))

    assert clocks.running() == [(13 * SECOND, TURN)]


def test_an_adopted_room_has_the_clock_times_that_were_stored() -> None:
    clocks = wound(Clocks(), 0)

    assert wound(Clocks(clocks.left(Micros(4 * SECOND))), 0).running() == [(6 * SECOND, TURN)]
