"""Writes down what this release leaves in Redis: `python -m tests.store.record_release FOLDER`.

Run it with the release before the one that you work on, and commit the file: `test_release_before.py` reads it with
today's code. It holds a room in the lobby, a game in the middle, a node's card and a node message.
"""

import asyncio
import base64
import json
import sys
import tempfile
from pathlib import Path
from typing import Any

import redis

from photofinish.engine import Micros
from photofinish.games import all_games
from photofinish.node.clock import clock
from photofinish.node.directory import Directory
from photofinish.node.relay import Relay
from photofinish.room.facts import Joined, Requested, SessionId
from photofinish.store.embedded.server import EmbeddedRedis
from photofinish.store.mail import RedisMail
from photofinish.store.ports import NodeId
from photofinish.store.redis import RedisStore
from photofinish_protocol import messages
from tests.waiting import until

SESSION = SessionId("recorder-1")


class IgnoringSession:
    """A player that ignores every message."""

    def send(self, message: messages.ServerMessage) -> None: ...

    def show(self, view: messages.View) -> Micros | None:
        return clock()

    def drop(self, code: Any) -> None: ...

    def await_clock(self, at: Micros) -> None: ...


async def table(
    directory: Directory, seats: int, requests: list[messages.ClientMessage], **options: Any
) -> Any:
    actor = await directory.create(messages.Create(id=0, game="cambio", seats=seats, options=options))
    actor.enter(SESSION, IgnoringSession(), Joined(SESSION, 1, "Ada", 0))
    for request in requests:
        actor.post(Requested(SESSION, request, clock()))
    return actor


async def reached(actor: Any, phase: str) -> None:
    await until(lambda: actor.room.record.phase == phase, f"the room is in the phase {phase}", seconds=120)


async def record(file: Path) -> None:
    with tempfile.TemporaryDirectory() as folder:
        embedded = await EmbeddedRedis.start(Path(folder))
        store = await RedisStore.open(embedded.url)
        directory = Directory(
            store, NodeId("recorder"), all_games(), membership=store.membership(NodeId("recorder"), "x")
        )
        await directory.start()
        start: list[messages.ClientMessage] = [
            messages.Bot(id=2), messages.Ready(id=3), messages.Start(id=4),
        ]  # fmt: skip
        rooms = {
            "lobby": await table(directory, 2, []),
            "playing": await table(directory, 2, start, turn_seconds=0),
        }
        await reached(rooms["playing"], "playing")
        mail = RedisMail(embedded.url, NodeId("recorder"))
        relay = Relay(mail, NodeId("recorder"), directory)
        relay.write(NodeId("reader"), node_message(rooms["lobby"].code))
        await asyncio.sleep(1)
        with redis.from_url(embedded.url) as client:
            kept = {key.decode(): value(client, key) for key in client.keys("*")}
        codes = {name: actor.code for name, actor in rooms.items()}
        file.write_text(json.dumps({"rooms": codes, "keys": kept}, indent=1, sort_keys=True) + "\n", "utf-8")  # noqa: ASYNC240 - a script
        await mail.close()
        await directory.stop()
        await store.close()
        await embedded.stop()


def node_message(room: str) -> Any:
    from photofinish.node import relay

    return relay.FactForRoom(room, Joined(SessionId("far-1"), 1, "Bo", None, "recorder"))


def value(client: Any, key: bytes) -> Any:
    """Everything as base64: it comes back byte for byte."""
    kind = client.type(key).decode()
    if kind == "hash":
        return [kind, {plain(k): plain(v) for k, v in client.hgetall(key).items()}]
    if kind == "zset":
        return [kind, {plain(k): score for k, score in client.zrange(key, 0, -1, withscores=True)}]
    if kind == "stream":
        entries = client.xrange(key)
        return [kind, [[at.decode(), {plain(k): plain(v) for k, v in it.items()}] for at, it in entries]]
    return [kind, plain(client.get(key))]


def plain(raw: bytes) -> str:
    return base64.b64encode(raw).decode()


if __name__ == "__main__":
    asyncio.run(record(Path(sys.argv[1])))
