"""The kept answers of one client: acks of moves as ranges, everything else as it was sent."""

import msgspec
from hypothesis import given
from hypothesis import strategies as st

from photofinish.room.answers import Answer, Answers
from photofinish_protocol.messages import Ack, Refused, Watching
from photofinish_protocol.reasons import Reason
from photofinish_protocol.version import REMEMBERED


def answer(ask: int, kind: int) -> Answer:
    if kind == 0:
        return Refused(id=ask, reason=Reason.ILLEGAL_MOVE, text="No.")
    if kind == 1:
        return Ack(id=ask)
    if kind == 2:
        return Ack(id=ask, got=Watching(room="ABCDE"))
    return Ack(id=ask, seq=7 * ask + kind)


@given(st.lists(st.tuples(st.integers(1, 3), st.integers(0, 6)), max_size=200))
def test_the_last_64_answers_are_repeated_and_older_ids_are_stale(
    given_: list[tuple[int, int]],
) -> None:
    answers, ask, model = Answers(), 0, {}
    for step, kind in given_:
        ask += step
        model[ask] = answer(ask, kind)
        answers.keep(model[ask])
    stored = msgspec.msgpack.decode(msgspec.msgpack.encode(answers), type=Answers)

    newest = dict(list(model.items())[-REMEMBERED:])
    for it in (answers, stored):
        assert {n: it.again(n) for n in range(ask + 2) if it.again(n) is not None} == newest
        assert [n for n in range(ask + 1) if not it.is_stale(n)] == list(newest) if model else True
        assert not it.is_stale(ask + 1)


def test_acks_of_moves_take_little_space() -> None:
    answers = Answers()
    for ask in range(1_000, 1_200):
        answers.keep(Ack(id=ask, seq=4 * ask))

    assert len(msgspec.msgpack.encode(answers)) < 4 * REMEMBERED


def test_an_answer_that_is_given_again_is_kept_once() -> None:
    answers = Answers()
    for ask in (1, 2, 3, 2, 1):
        answers.keep(Ack(id=ask, seq=ask))

    assert answers.runs == [[1, 1, 2, 3]]
    assert answers.highest == 3
