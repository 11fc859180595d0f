"""Bursts of every kind of frame from many connections: no turn of the event loop is long, and other clients get
answers.

Real sockets. Costs are processor time of the server's thread (`timed_server`), so a busy machine changes them little.
An answer costs what the server works between the request and the answer.
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
    open_socket,
    p99,
    storm,
    text,
    until_closed,
    until_upgraded,
)
from tests.attacks.timed_server import TimedServer, allowed, timed_server
from tests.waiting import within

LONGEST_TURN = 5.0
"""Milliseconds of processor time, on a machine of usual speed. Without the limits these bursts took seconds."""


@pytest.fixture(scope="module")
def timed(session_redis: EmbeddedRedis) -> Iterator[TimedServer]:
    with timed_server(session_redis.url, no_limits=True) as server:
        yield server


@pytest.mark.parametrize("kind", BURSTS)
async def test_no_burst_makes_a_long_turn_or_delays_the_answers_of_others(
    timed: TimedServer, kind: str
) -> None:
    longest = waited = float("inf")
    for _ in range(6):  # a cost that the server causes is in all of them; one of the machine is not
        timed.forget()
        answers = await storm(timed.port, filled(BURSTS[kind]))
        waited = min(waited, p99(timed.work(it.asked, it.made) for it in answers))
        longest = min(longest, timed.longest)
        slower = allowed(1.0)
        if longest < slower * LONGEST_TURN and waited < slower * BYSTANDER:
            break

    assert longest < slower * LONGEST_TURN
    assert waited < slower * BYSTANDER, "a bystander waits for the strangers"


async def test_frames_that_come_with_the_handshake_are_counted_too(timed: TimedServer) -> None:
    """The library would parse the bytes after the HTTP request in the same read, and answer every ping of them."""
    one = await asyncio.to_thread(open_socket, timed.port, frame(Opcode.PING) * (BURST // 6))
    heard = await asyncio.to_thread(until_closed, one)

    # b"\x8a\0" is an empty pong.
    assert 0 < heard.count(b"\x8a\0") <= MESSAGES
    assert int(Close.TOO_FAST).to_bytes(2, "big") in heard


async def test_a_client_that_floods_is_not_read_further_and_is_cut_off_soon(timed: TimedServer) -> None:
    """20 MB of pings: the server reads only what its buffers hold. The rest cannot be sent."""
    one = await asyncio.to_thread(open_socket, timed.port)
    await asyncio.to_thread(until_upgraded, one)
    timed.forget()
    with pytest.raises(OSError, match=r"reset|Broken pipe"):
        await asyncio.to_thread(one.sendall, frame(Opcode.PING) * (20 * 1024 * 1024 // 6))
    await asyncio.to_thread(until_closed, one)

    assert timed.total < 100


async def test_a_message_sent_with_the_handshake_is_answered_after_it(timed: TimedServer) -> None:
    hello = text(t="hello", id=0, v=1, name="Ada")
    one = await asyncio.to_thread(open_socket, timed.port, hello + text(t="ping", id=1, at=7))
    heard = b""
    async with within(lambda: f"the pong; so far {heard[-500:]!r}"):
        while b'"pong"' not in heard:
            heard += await asyncio.to_thread(one.recv, 4096)
    one.close()

    assert heard.index(b"101 Switching") < heard.index(b'"welcome"') < heard.index(b'"pong"')
