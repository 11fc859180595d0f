"""What all viewers of a state share is computed once."""

from photofinish.engine import Happened, Seat, events_for, once


def test_a_state_is_asked_once_however_often_its_value_is_needed() -> None:
    asked = []

    @once
    def size(state: list[int]) -> int:
        asked.append(state)
        return len(state)

    one, equal = [1, 2], [1, 2]

    assert [size(one), size(one), size([]), size(one), size(equal)] == [2, 2, 0, 2, 2]
    assert len(asked) == 4, "an equal state is another state, and only the last one is kept"


def test_events_for_one_seat_are_sent_only_to_that_seat() -> None:
    all_see, one_sees = Happened("drew", text="a"), Happened("peeked", text="b", only=Seat(1))

    assert events_for((all_see,), None) == (all_see,)
    assert events_for((all_see, one_sees), None) == (all_see,)
    assert events_for((all_see, one_sees), Seat(1)) == (all_see, Happened("peeked", text="b"))
