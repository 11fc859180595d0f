"""Pings while no race can open: rare, but a dead peer is noticed within ten seconds."""

import asyncio
import time

import pytest
import uvloop

from photofinish import app
from photofinish.config import Settings
from photofinish.gateway.sockets.connection import Connection
from photofinish.gateway.sockets.heartbeat import IDLE_EVERY, SOON
from photofinish.lab.bench.sockets import BINARY, PONG, Socket
from photofinish_protocol import messages
from photofinish_protocol.codec import CODECS
from photofinish_protocol.version import MSGPACK, VERSION
from tests.priority import ahead_of_others
from tests.waiting import until

HELLO = CODECS[MSGPACK].encode(messages.Hello(id=1, v=VERSION, name="Ada"))
LONGEST = 10.0


class DyingPeer(Socket):
    """Answers its first pings, and none from then on."""

    pongs = 6

    def send(self, payload: bytes, opcode: int = BINARY) -> None:
        self.pongs -= opcode == PONG
        if opcode != PONG or self.pongs >= 0:
            super().send(payload, opcode)
            self.answered_at = time.perf_counter()


async def test_a_peer_that_answers_no_ping_is_cut_within_ten_seconds_and_one_that_does_stays(
    redis_url: str,
) -> None:
    with ahead_of_others():
        async with app.running(Settings(port=0, metrics_port=0, redis=redis_url)) as server:
            dead = await DyingPeer.connect(server.url, lambda _socket, _frame: None, MSGPACK)
            alive = await Socket.connect(server.url, lambda _socket, _frame: None, MSGPACK)
            for socket in (dead, alive):
                socket.send(HELLO)
            await until(lambda: bool(dead.why), "the dead peer is cut", seconds=30)
            took = time.perf_counter() - dead.answered_at  # type: ignore[attr-defined]  # only the dead peer has it
            before = alive.why
            alive.close()

    assert took < LONGEST
    assert before == ""


def test_a_server_that_was_stopped_for_a_while_reads_the_pongs_before_it_counts_a_peer_as_dead(
    redis_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """On uvloop, as in production: it runs the timers that are due before it reads."""
    stops: list[float] = []
    honest = Connection.send_ping

    def send_ping(self: Connection) -> bool:
        is_sent = honest(self)
        if stops:  # the next callback: the ping is written, its pong is not read
            self.loop.call_soon(time.sleep, stops.pop())
        return is_sent

    monkeypatch.setattr(Connection, "send_ping", send_ping)

    async def stand_still() -> str:
        async with app.running(Settings(port=0, metrics_port=0, redis=redis_url)) as server:
            alive = await Socket.connect(server.url, lambda _socket, _frame: None, MSGPACK)
            alive.send(HELLO)
            await asyncio.sleep(IDLE_EVERY / 2)  # past the first pings, which are frequent
            stops.append(IDLE_EVERY + 1)
            await until(lambda: not stops, "the process stands still after a ping")
            await asyncio.sleep(5 * SOON)
            why = alive.why
            alive.close()
            return why

    with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        assert runner.run(stand_still()) == ""
