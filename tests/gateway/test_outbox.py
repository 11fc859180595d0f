"""The send queue of one socket: order, the newest view, and closing a client that does not read."""

import json
from typing import Any

import msgspec
import pytest

from photofinish.gateway.sockets import outbox as module
from photofinish.gateway.sockets.outbox import FULL, MAX_BYTES, MAX_WAITING, Outbox
from photofinish_protocol.codec import CODECS
from photofinish_protocol.messages import Said, View
from photofinish_protocol.publish.examples import EXAMPLES
from photofinish_protocol.reasons import Close
from photofinish_protocol.version import JSON
from tests.gateway.sockets import Wire
from tests.waiting import until

VIEW = next(it.message for it in EXAMPLES if isinstance(it.message, View))


def view(seq: int, from_: int | None = None) -> View:
    """A view as a room makes it: its `from` assumes that the view before it was written."""
    guess = seq - 1 if from_ is None else from_
    return msgspec.structs.replace(VIEW, seq=seq, from_=guess, last=VIEW.last[:1] * 2)


def said(text: str) -> Said:
    return Said(seat=0, name="Ada", text=text)


def read(wire: Wire) -> list[dict[str, Any]]:
    return [json.loads(frame) for frame in wire.frames]


@pytest.mark.parametrize("from_", [None, 0, 3], ids=["the room's", "none", "a wrong one"])
def test_each_view_names_the_one_written_before_it(from_: int | None) -> None:
    wire = Wire()
    outbox = Outbox(wire, CODECS[JSON])
    for seq in (3, 4, 9):
        assert outbox.show(view(seq, from_)) == 0
    outbox.forget()
    outbox.show(view(2, from_))

    assert [(it["from"], it["seq"]) for it in read(wire)] == [(0, 3), (3, 4), (4, 9), (0, 2)]


async def test_for_a_slow_reader_only_the_newest_view_waits_with_the_events_of_all() -> None:
    wire = Wire()
    outbox = Outbox(wire, CODECS[JSON])
    outbox.show(view(1))
    wire.fill = FULL + 1
    assert outbox.show(view(2)) is None
    assert outbox.show(view(3)) is None
    assert len(wire.frames) == 1
    wire.fill = 0
    await until(lambda: len(wire.frames) == 2, "the waiting view is written")

    last = read(wire)[-1]
    assert (last["from"], last["seq"]) == (1, 3)
    assert len(last["last"]) == len(view(2).last) + len(view(3).last)


async def test_messages_that_had_to_wait_keep_their_order_and_come_before_the_view() -> None:
    wire = Wire(FULL + 1)
    outbox = Outbox(wire, CODECS[JSON])
    outbox.send(said("one"))
    outbox.show(view(1))
    wire.fill = 0
    outbox.send(said("two"))  # there is space again, but the first message still waits
    assert wire.frames == []
    await until(lambda: len(wire.frames) == 3, "all of them are written")

    assert [it.get("text", it["t"]) for it in read(wire)] == ["one", "two", "view"]


async def test_a_reader_that_has_stopped_is_closed_after_a_few_long_messages() -> None:
    wire = Wire(1 << 20)
    outbox = Outbox(wire, CODECS[JSON])
    long = said("x" * 10_000)
    sent = 0
    while wire.closed is None and sent <= MAX_BYTES // 10_000 + 1:
        outbox.send(long)
        sent += 1

    assert wire.closed is Close.TOO_SLOW
    assert sent <= MAX_BYTES // 10_000 + 1


async def test_a_reader_that_has_stopped_is_closed_after_many_short_messages() -> None:
    wire = Wire(1 << 20)
    outbox = Outbox(wire, CODECS[JSON])
    for _ in range(MAX_WAITING):
        outbox.send(said("x"))
    assert wire.closed is None
    outbox.send(said("x"))

    assert wire.closed is Close.TOO_SLOW
    assert wire.frames == []


async def test_a_reader_that_has_stopped_for_too_long_is_closed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "STALL_SECONDS", 0.2)
    wire = Wire(FULL + 1)
    outbox = Outbox(wire, CODECS[JSON])
    outbox.show(view(1))
    await until(lambda: wire.closed is not None, "the reader is given up")

    assert wire.closed is Close.TOO_SLOW
    assert outbox.is_closed


def test_nothing_is_written_after_the_end() -> None:
    wire = Wire()
    outbox = Outbox(wire, CODECS[JSON])
    outbox.give_up(Close.RESTART)
    outbox.send(said("late"))
    outbox.send_frame(b"late")

    assert outbox.show(view(1)) is None
    assert (wire.frames, wire.closed) == ([], Close.RESTART)
