"""Objects that every move touches stay small: with thirty attributes, Python 3.11 gives them five times the memory."""

import asyncio
from typing import Any

import pytest
from websockets.asyncio.client import connect
from websockets.asyncio.server import serve

from photofinish.games import all_games
from photofinish.gateway.sockets.connection import Connection
from photofinish.gateway.sockets.flushes import Flushes
from photofinish.gateway.sockets.turns import Turns
from photofinish.room.core import Room
from photofinish.room.play.match import Match
from tests.room.bench import Bench

MOST = 29


def test_an_open_connection_has_few_attributes_outside_of_its_slots() -> None:
    served: list[Connection] = []

    def made(*args: Any, **kwargs: Any) -> Connection:
        connection = Connection(*args, **kwargs)
        connection.turns, connection.moves, connection.flushes = Turns(), Turns(), Flushes()
        served.append(connection)
        return connection

    async def connected(_connection: Any) -> None:
        served[0].opened()

    async def both() -> None:
        async with (
            serve(connected, "127.0.0.1", 0, create_connection=made) as server,  # type: ignore[arg-type]  # it is only called
            connect(f"ws://127.0.0.1:{next(iter(server.sockets)).getsockname()[1]}"),
        ):
            assert len(vars(served[0])) <= MOST

    asyncio.run(both())


@pytest.mark.parametrize("key", ["cambio", "jamaica"])
def test_a_match_and_its_room_have_few_attributes(key: str) -> None:
    bench = Bench(all_games()[key], 2, {})
    bench.start(2)

    assert isinstance(bench.room, Room)
    assert isinstance(bench.room.match, Match)
    assert max(len(vars(bench.room)), len(vars(bench.room.match))) <= MOST
