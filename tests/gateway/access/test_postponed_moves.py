"""Moves that come when a turn of the event loop has had its share: they wait for a later turn, and keep their order."""

import asyncio
import contextlib
from collections.abc import AsyncIterator
from typing import Any

import pytest

from photofinish import app
from photofinish.config import Settings
from photofinish.engine import Micros
from photofinish.gateway import server as gateway_server
from photofinish.gateway.sessions.session import Session
from photofinish.gateway.sockets.connection import Connection
from photofinish.lab.bench.counter import COUNTER
from photofinish.lab.bench.sockets import Socket
from photofinish.lab.bench.tables.counter import CounterTable
from photofinish.node.clock import clock
from photofinish_protocol import messages
from photofinish_protocol.codec import CODECS
from photofinish_protocol.version import MSGPACK
from tests.waiting import until

CODEC = CODECS[MSGPACK]
TABLES, SEATS = 4, 2
MANY_TURNS = 300
"""Turns of the event loop for which the share of moves is taken by others."""


class Counts:
    postponed = by_library = 0

    def __init__(self) -> None:
        self.arrived: list[Micros] = []
        self.handled: list[int] = []
        """The ids of the messages, in the order in which the sessions took them."""


@pytest.fixture
def counts(monkeypatch: pytest.MonkeyPatch) -> Counts:
    """One move per turn of the loop. Counts how moves are handled."""
    found = Counts()
    postpone, frame, play_now = Connection._postpone, Session.frame, Session.play_now

    def postponed(self: Connection, data: bytes, stamp: Micros) -> None:
        found.postponed += 1
        postpone(self, data, stamp)

    async def by_library(self: Session, data: bytes | str, arrived: Micros) -> None:
        message = CODEC.decode_request(data)
        found.by_library += isinstance(message, messages.Play)
        found.handled.append(message.id)
        await frame(self, data, arrived)

    def at_once(self: Session, data: bytes, arrived: Micros) -> bool:
        is_done = play_now(self, data, arrived)
        if is_done:
            found.arrived.append(arrived)
            found.handled.append(CODEC.decode_request(data).id)
        return is_done

    monkeypatch.setattr(gateway_server, "MOVES_PER_ITERATION", 1)
    monkeypatch.setattr(Connection, "_postpone", postponed)
    monkeypatch.setattr(Session, "frame", by_library)
    monkeypatch.setattr(Session, "play_now", at_once)
    return found


@contextlib.asynccontextmanager
async def playing(redis_url: str, tables: list[CounterTable]) -> AsyncIterator[app.App]:
    settings = Settings(port=0, metrics_port=0, redis=redis_url)
    async with app.running(settings, {COUNTER.key: COUNTER}) as it:
        for number, table in enumerate(tables):
            await table.open([it.url], number)
        sessions = it.gateway.sessions.values()
        await until(lambda: not any(one.is_busy for one in sessions), "all requests of the start are handled")
        yield it
        for table in tables:
            table.close()


def occupy(it: app.App) -> None:
    """Others take the share of the next turns."""
    for _ in range(MANY_TURNS):
        it.gateway._playing.call(lambda: None)


async def is_read(counts: Counts) -> None:
    """Wait for the postponed move, turn by turn: it must not be its turn yet."""
    for _ in range(MANY_TURNS // 2):
        if counts.postponed:
            return
        await asyncio.sleep(0)
    raise AssertionError("the move was not read")


async def test_moves_beyond_the_share_of_a_turn_are_handled_later_without_the_library(
    redis_url: str, counts: Counts
) -> None:
    tables = [CounterTable(SEATS) for _ in range(TABLES)]
    async with playing(redis_url, tables) as it:
        occupy(it)
        for table in tables:
            table.begin()
        await until(lambda: all(table.done == 1 for table in tables), "every move has its ack and its views")

    assert counts.postponed == TABLES
    assert counts.by_library == 0


async def test_a_postponed_move_keeps_the_time_at_which_it_arrived(redis_url: str, counts: Counts) -> None:
    table = CounterTable(SEATS)
    async with playing(redis_url, [table]) as it:
        occupy(it)
        counts.arrived.clear()
        table.begin()
        await is_read(counts)
        read = clock()
        assert not counts.arrived, "it was handled before its turn"
        await until(lambda: table.done == 1, "the move is handled")

    assert counts.arrived[0] <= read


async def test_what_follows_a_postponed_move_is_handled_after_it(redis_url: str, counts: Counts) -> None:
    table = CounterTable(SEATS)
    answered: list[int] = []

    def hear(_socket: Socket, frame: bytes) -> None:
        message = CODEC.decode_message(frame)
        if isinstance(message, messages.Ack):
            answered.append(message.id)

    async with playing(redis_url, [table]) as it:
        one = table.sockets[0]
        one.on_frame = hear
        counts.handled.clear()
        occupy(it)
        one.send(CODEC.encode(messages.Play(id=100, move={"t": "add"})))
        await is_read(counts)
        for number in (101, 102):
            one.send(CODEC.encode(messages.Ping(id=number, at=1)))
            await asyncio.sleep(0)
        await until(lambda: len(answered) == 3, "all three are answered")
        one.send(CODEC.encode(messages.Ping(id=103, at=1)))
        await until(lambda: len(answered) == 4, "the connection is still read")

    assert counts.handled == [100, 101, 102, 103]


async def test_a_postponed_move_counts_even_if_its_connection_ends_before_its_turn(
    redis_url: str, counts: Counts
) -> None:
    table = CounterTable(SEATS)
    async with playing(redis_url, [table]) as it:
        actor: Any = next(iter(it.gateway.sessions.values()))._actor
        occupy(it)
        table.begin()
        await is_read(counts)
        table.sockets[0].close()

        await until(lambda: actor.room.match.step == 1, "the move is carried out")
