"""T5, T49: what stays in Redis of a player who has proved a key."""

import asyncio
import re

import pytest

from photofinish.store.ports import NodeId
from photofinish.store.redis import RedisStore
from photofinish_client.bots import RandomPlayer
from photofinish_client.client import connect
from photofinish_client.events.player import play_event
from photofinish_client.keys import PlayerKey
from photofinish_protocol.messages import EventDo
from tests.system.conftest import ServerProcess
from tests.system.events.test_event_nodes import ARENA
from tests.system.events.test_events import create, until

pytestmark = pytest.mark.system

FILE = ARENA.replace('"arena"', '"swiss"\nrounds = 1').replace(
    "arena_minutes = 5\ntick_seconds = 1", "break_seconds = 0\ndispute_seconds = 30"
)
READ = {"string": ("GET", ()), "hash": ("HGETALL", ()), "list": ("LRANGE", ("0", "-1"))} | {
    "set": ("SMEMBERS", ()),
    "zset": ("ZRANGE", ("0", "-1")),
    "stream": ("XRANGE", ("-", "+")),
}


async def stored(server: ServerProcess) -> dict[str, bytes]:
    """Everything in Redis, by key."""
    store = await RedisStore.open(server.redis_url)
    redis = store.events(NodeId("test"))._client
    found = {}
    for name in await redis.execute("KEYS", "*", key="x"):
        key = name.decode()
        kind = (await redis.execute("TYPE", key, key=key)).decode()
        command, more = READ.get(kind, ("", ()))
        if command:  # else it has expired in between
            found[key] = repr(await redis.execute(command, key, *more, key=key)).encode()
    await store.close()
    return found


async def test_T5_of_a_player_the_server_keeps_key_name_rating_and_race_numbers_and_no_address(
    server: ServerProcess,
) -> None:
    ada, bo = PlayerKey.new(), PlayerKey.new()
    async with connect(server.url, name="Host", key=PlayerKey.new()) as host:
        event = await create(host, FILE)
        await host.request(EventDo(id=0, event=event, do="open"))
        players = [
            asyncio.create_task(play_event(server.url, event, key, name, RandomPlayer()))
            for key, name in ((ada, "Ada"), (bo, "Bo"))
        ]
        await until(server, event, lambda it: it["entrants"] == 2)
        await host.request(EventDo(id=0, event=event, do="start"))
        await until(server, event, lambda it: it["state"] == "finished")
        for it in players:
            it.cancel()
        await asyncio.gather(*players, return_exceptions=True)
        found = await stored(server)
    own = {
        re.sub(r"\{(?:(event|player) )?[A-Za-z0-9]{6,}\}", r"\1", key).removeprefix("photofinish:")
        for key, value in found.items()
        if ada.public in key or ada.public.encode() in value
    }
    assert own <= {"event:log", ":room", "player:standing", "{index}:here", ":reflex"}, own
    assert {"event:log", ":reflex"} <= own
    assert [key for key, value in found.items() if b"127.0.0.1" in value] == []
    # A random player may have pressed in no race: then nothing is kept of its races.
    for standing in (value for key, value in found.items() if f"player {ada.public}" in key):
        assert b"Ada" not in standing, "numbers of the races, and no name"
    (ratings,) = (value for key, value in found.items() if key.endswith("{ratings}:reflex"))
    assert b"Ada" not in ratings
