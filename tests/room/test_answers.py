"""The kept answers of one client: acks of moves as ranges, everything else as it was sent."""

import msgspec
from hypothesis import given
from hypothesis import strategies as st

from photofinish.room.answers import AckRun, Answer, Answers
from photofinish_protocol.messages import Ack, Refused, Watching
from photofinish_protocol.reasons import Reason
from photofinish_protocol.version import REMEMBERED

LEAPS = (7, 7, 7, 7, 7, 120, 300)
"""By kind of answer, the `seq` per id: the last ones are too large for a step of one byte."""


def answer(request_id: int, kind: int) -> Answer:
    if kind == 0:
        return Refused(id=request_id, reason=Reason.ILLEGAL_MOVE, text="No.")
    if kind == 1:
        return Ack(id=request_id)
    if kind == 2:
        return Ack(id=request_id, got=Watching(room="ABCDE"))
    return Ack(id=request_id, seq=LEAPS[kind] * request_id + kind)


@given(st.lists(st.tuples(st.integers(1, 3), st.integers(0, 6)), max_size=200))
def test_the_last_64_answers_are_repeated_and_older_ids_are_stale(given_: list[tuple[int, int]]) -> None:
    answers, request_id, model = Answers(), 0, {}
    for step, kind in given_:
        request_id += step
        model[request_id] = answer(request_id, kind)
        answers.keep(model[request_id])
    stored = msgspec.msgpack.decode(msgspec.msgpack.encode(answers), type=Answers)

    newest = dict(list(model.items())[-REMEMBERED:])
    for it in (answers, stored):
        assert {n: it.again(n) for n in range(request_id + 2) if it.again(n) is not None} == newest
        assert [n for n in range(request_id + 1) if not it.is_stale(n)] == list(newest) if model else True
        assert not it.is_stale(request_id + 1)


def test_acks_of_moves_take_little_space() -> None:
    answers = Answers()
    for request_id in range(1_000, 1_200):
        answers.keep(Ack(id=request_id, seq=4 * request_id))

    assert len(msgspec.msgpack.encode(answers)) < REMEMBERED + 20


def test_an_answer_that_is_given_again_is_kept_once() -> None:
    answers = Answers()
    for request_id in (1, 2, 3, 2, 1):
        answers.keep(Ack(id=request_id, seq=request_id))

    assert answers.runs == [AckRun(1, 3, bytearray((0, 1, 1)))]
    assert answers.highest == 3


@given(st.lists(st.integers(-1, 2_000), min_size=1, max_size=REMEMBERED))
def test_acks_of_a_record_before_version_3_are_read(seqs: list[int]) -> None:
    before = msgspec.msgpack.encode((99 + len(seqs), {}, [[100, *seqs]]))

    answers = msgspec.msgpack.decode(before, type=Answers)

    found = [answers.again(request_id) for request_id in range(100, 100 + len(seqs))]
    assert [it.seq if isinstance(it, Ack) else -2 for it in found] == [None if it < 0 else it for it in seqs]
    assert not answers.older_runs


@given(st.lists(st.integers(0, 600), min_size=1, max_size=200))
def test_the_acks_of_moves_are_kept_as_all_others(steps: list[int]) -> None:
    quick, general, seq = Answers(), Answers(), 0
    for request_id, step in enumerate(steps, 3):
        seq += step
        quick.keep_ack(Ack(id=request_id, seq=seq))
        general.keep(Ack(id=request_id, seq=seq))

    assert quick == general
