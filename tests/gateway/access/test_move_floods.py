"""Floods of moves, each in a read of its own.

They are handled in the callback that reads them, without the library, and the connection does not count them. The
session's limit must hold for them, alone and mixed with other messages.
"""

import asyncio
import time
from collections.abc import Callable

import pytest

from photofinish import app
from photofinish.config import Settings
from photofinish.engine import Micros
from photofinish.gateway.access.limits import MAX_REFUSALS
from photofinish.gateway.sessions.session import Session
from photofinish.lab.bench.counter import COUNTER
from photofinish.lab.bench.sockets import Socket
from photofinish.lab.bench.tables.counter import CounterTable
from photofinish_protocol import messages
from photofinish_protocol.codec import CODECS
from photofinish_protocol.reasons import Close, Reason
from photofinish_protocol.version import BURST, MSGPACK, RATE
from tests.waiting import until

CODEC = CODECS[MSGPACK]
MANY = 3_000
FIRST = 1_000
"""The first id of the flood: greater than those of the table."""
TURNS = 2
"""Turns of the event loop between two frames: the server, on the same loop, reads each alone."""


def move(number: int) -> messages.ClientMessage:
    return messages.Play(id=FIRST + number, move={"t": "add"})


def same_move(_number: int) -> messages.ClientMessage:
    return messages.Play(id=FIRST, move={"t": "add"})


def move_or_ping(number: int) -> messages.ClientMessage:
    return messages.Ping(id=FIRST + number, at=1) if number % 2 else move(number)


@pytest.mark.parametrize("message", [move, same_move, move_or_ping])
async def test_a_flood_of_moves_in_reads_of_their_own_is_limited_and_closed(
    redis_url: str, monkeypatch: pytest.MonkeyPatch, message: Callable[[int], messages.ClientMessage]
) -> None:
    at_once = 0
    honest = Session.play_now

    def play_now(self: Session, frame: bytes, arrived: Micros) -> bool:
        nonlocal at_once
        is_done = honest(self, frame, arrived)
        at_once += is_done
        return is_done

    monkeypatch.setattr(Session, "play_now", play_now)
    answers: list[Reason | None] = []

    def hear(_socket: Socket, frame: bytes) -> None:
        match CODEC.decode_message(frame):
            case messages.Ack() | messages.Pending():
                answers.append(None)
            case messages.Refused(reason=reason):
                answers.append(reason)

    async with app.running(
        Settings(port=0, metrics_port=0, redis=redis_url), {COUNTER.key: COUNTER}
    ) as server:
        table = CounterTable(2)
        await table.open([server.url], 0)
        one = table.sockets[0]
        one.on_frame = hear
        began = time.perf_counter()
        for number in range(MANY):
            if one.why:
                break
            one.send(CODEC.encode(message(number)))
            for _ in range(TURNS):
                await asyncio.sleep(0)
        await until(lambda: bool(one.why), "the flood is cut off")
        took = time.perf_counter() - began
        why = one.why
        table.close()

    too_fast = answers.count(Reason.TOO_FAST)
    assert at_once > BURST / 4, "the moves went another way"
    assert str(int(Close.TOO_FAST).to_bytes(2))[2:-1] in why
    assert len(answers) - too_fast <= BURST + RATE * took + 1
    assert 0 < too_fast <= MAX_REFUSALS * (took + 1)
