"""One answer per id: kept for a while, the same one again, and stale after that."""

from photofinish.room.answers import Answers
from photofinish_protocol.messages import Ack, RoomLine, RoomList
from photofinish_protocol.version import REMEMBERED


def test_the_last_answers_are_kept_and_older_ids_are_stale() -> None:
    answers = Answers()
    for ask in range(REMEMBERED + 3):
        answers.keep(Ack(id=ask))

    assert answers.again(2) is None
    assert answers.is_stale(2)
    assert answers.again(3) == Ack(id=3)
    assert not answers.is_stale(REMEMBERED + 3)


def test_long_answers_are_remembered_for_a_shorter_while() -> None:
    line = RoomLine(room="ABCDE", game="cambio", phase="lobby", seats=4, free=3, host="x" * 2_000)
    answers = Answers()
    for ask in range(64):
        answers.keep(Ack(id=ask, got=RoomList(rooms=(line,) * 10, total=10)))

    assert sum(map(len, answers.kept.values())) < 256 * 1024
    assert answers.again(63) == Ack(id=63, got=RoomList(rooms=(line,) * 10, total=10))
    assert answers.is_stale(0)
