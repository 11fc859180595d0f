"""Bursts of every kind of frame from many connections: no turn of the event loop is long, and other clients get
answers.

Real sockets. Costs are processor time of the server's thread (`timed_house`), so a busy machine changes them little. An
answer costs what the server works between the question and the answer.
"""

import asyncio
from collections.abc import Iterator

import pytest
from websockets.frames import Opcode

from photofinish.store.embedded.server import EmbeddedRedis
from photofinish_protocol.reasons import Close
from photofinish_protocol.version import BURST as MESSAGES
from tests.attacks.bursts import (
    BURST,
    BURSTS,
    BYSTANDER,
    filled,
    frame,
    knock,
    p99,
    storm,
    text,
    until_closed,
    until_upgraded,
)
from tests.attacks.timed_house import TimedHouse, allowed, timed_house

LONGEST_TURN = 5.0
"""Milliseconds of processor time, on a machine of usual speed. Without the limits these bursts took seconds."""


@pytest.fixture(scope="module")
def at_home(session_redis: EmbeddedRedis) -> Iterator[TimedHouse]:
    with timed_house(session_redis.url, no_limits=True) as house:
        yield house


@pytest.mark.parametrize("kind", BURSTS)
async def test_no_burst_makes_a_long_turn_or_delays_the_answers_of_others(
    at_home: TimedHouse, kind: str
) -> None:
    longest = waited = float("inf")
    for _ in range(6):  # a cost that the server causes is in all of them; one of the machine is not
        at_home.forget()
        answers = await storm(at_home.port, filled(BURSTS[kind]))
        waited = min(waited, p99(at_home.work(it.asked, it.made) for it in answers))
        longest = min(longest, at_home.longest)
        if longest < LONGEST_TURN and waited < BYSTANDER:
            break

    assert longest < allowed(LONGEST_TURN)
    assert waited < allowed(BYSTANDER), "a bystander waits for the strangers"


async def test_frames_that_come_with_the_handshake_are_counted_too(at_home: TimedHouse) -> None:
    """The library would parse the bytes after the HTTP request in the same read, and answer every ping of them."""
    one = await asyncio.to_thread(knock, at_home.port, frame(Opcode.PING) * (BURST // 6))
    heard = await asyncio.to_thread(until_closed, one)

    # b"\x8a\0" is an empty pong.
    assert 0 < heard.count(b"\x8a\0") <= MESSAGES
    assert int(Close.TOO_FAST).to_bytes(2, "big") in heard


async def test_a_client_that_floods_is_not_read_further_and_is_cut_off_soon(at_home: TimedHouse) -> None:
    """20 MB of pings: the server reads only what its buffers hold. The rest cannot be sent."""
    one = await asyncio.to_thread(knock, at_home.port)
    await asyncio.to_thread(until_upgraded, one)
    at_home.forget()
    with pytest.raises(OSError, match=r"reset|Broken pipe"):
        await asyncio.to_thread(one.sendall, frame(Opcode.PING) * (20 * 1024 * 1024 // 6))
    await asyncio.to_thread(until_closed, one)

    assert at_home.total < 100


async def test_a_message_sent_with_the_handshake_is_answered_after_it(at_home: TimedHouse) -> None:
    hello = text(t="hello", id=0, v=1, name="Ada")
    one = await asyncio.to_thread(knock, at_home.port, hello + text(t="ping", id=1, at=7))
    heard = b""
    async with asyncio.timeout(10):
        while b'"pong"' not in heard:
            heard += await asyncio.to_thread(one.recv, 4096)
    one.close()

    assert heard.index(b"101 Switching") < heard.index(b'"welcome"') < heard.index(b'"pong"')
