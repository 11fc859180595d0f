"""T71: 512 followers of one event while 256 results come in 10 s: `make tournament-rehearsal ARGS=followers`.

The server is a real process; the followers are sockets in this process; the results are stored by another node (here:
a third process), as they are when another node directs. Measured is the time from the commit of a result (Redis `TIME`
is in its entry) to the arrival of its row, for every follower. If there is a browser, one more follower is a real page:
there the time runs until the result is painted. Prints the figures.
"""

import asyncio
import json
import multiprocessing
import os
import statistics
import subprocess
import sys
import tempfile
import time
from functools import partial
from pathlib import Path
from typing import Any

import msgspec
import uvloop

from photofinish.lab.bench.sockets import Socket
from photofinish.store.ports import NodeId
from photofinish.store.redis import RedisStore
from photofinish.tournament.director.loaded_events import LoadedEvents
from photofinish.tournament.log.entries import RoomOutcome
from photofinish.tournament.people import officials, players
from photofinish.tournament.scores import results
from photofinish_client.client import connect
from photofinish_client.keys import PlayerKey
from photofinish_protocol.codec import CODECS
from photofinish_protocol.event_messages import PartName
from photofinish_protocol.messages import EventDo, Follow, Hello
from photofinish_protocol.version import MSGPACK
from tests.system.conftest import ServerProcess
from tests.system.events.test_events import create, toml, until
from tests.tournament.course import key_of
from tests.waiting import until as until_so
from tests.web.browser import why_not

FOLLOWERS = 512
ENTRANTS = 512
SECONDS = 10.0
PARTS: tuple[PartName, ...] = ("info", "round", "tables", "standings")


async def fill(url: str, event: str, host: str, entrants: int) -> None:
    """Entrants who are not there, stored as another node would."""
    store = await RedisStore.open(url)
    loaded = LoadedEvents(store.events(NodeId("filler")))
    for number in range(1, entrants + 1):
        key, name = key_of(number + 1000), f"player {number}"
        await loaded.commit(event, partial(players.enter, key=key, name=name, now=0, rating=-number))
        await loaded.commit(event, partial(players.check_in, key=key))
    secret = (await loaded.read(event)).secret
    await loaded.commit(event, lambda state: officials.start_event(state, host, secret))
    await store.close()


def report(url: str, event: str, seconds: float) -> None:
    """The results of all tables of the round, one after the other, in this many seconds. Runs in its own process."""

    async def run() -> None:
        store = await RedisStore.open(url)
        loaded = LoadedEvents(store.events(NodeId("other")))
        tables = (await loaded.read(event)).state.rounds[0].tables
        began = time.monotonic()
        for at, table in enumerate(tables):
            await asyncio.sleep(max(0.0, began + seconds * at / len(tables) - time.monotonic()))
            (game,) = table.games
            outcome = RoomOutcome(
                (at % 2,), (1, 0) if at % 2 == 0 else (0, 1), (1, 2) if at % 2 == 0 else (2, 1)
            )
            take = partial(results.take, room=game.room, head=f"{at:064x}", outcome=outcome)
            await loaded.commit(event, take)
        await store.close()

    asyncio.run(run())


def cpu_seconds(pid: int) -> float:
    """Processor time of a process so far."""
    fields = Path(f"/proc/{pid}/stat").read_text(encoding="ascii").rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


class Arrivals:
    """When the row of each finished table arrives at each follower, by the wall clock that Redis uses too."""

    def __init__(self) -> None:
        self.waits: dict[str, list[float]] = {}
        self.ended: dict[str, int] = {}
        """When the result of each table was stored, by table number."""
        self._read: dict[bytes, tuple[tuple[str, int, int], ...]] = {}
        self._seen: set[tuple[int, str]] = set()

    def came(self, socket: Socket, frame: bytes) -> None:
        at, start = time.time(), frame[:64]  # with seq and from: all followers get the same frame
        if start not in self._read:
            self._read[start] = ends_in(frame)
        for key, table, ended in self._read[start]:
            self.ended.setdefault(str(table), ended)
            if (id(socket), key) not in self._seen:
                self._seen.add((id(socket), key))
                self.waits.setdefault(key, []).append(at - ended / 1e6)

    def are(self, count: int) -> bool:
        return len(self._seen) >= count


def ends_in(frame: bytes) -> tuple[tuple[str, int, int], ...]:
    """Tables with a result in this frame: key, number, and when it was stored."""
    message = msgspec.msgpack.decode(frame)
    rows = message["parts"].get("tables", {"rows": {}})["rows"] if message["t"] == "event" else {}
    return tuple(
        (key, row["table"], row["games"][-1]["ended_at"])
        for key, row in rows.items()
        if row["games"][-1]["ended_at"]
    )


async def follower(url: str, event: str, arrivals: Arrivals) -> Socket:
    socket = await Socket.connect(url, arrivals.came, MSGPACK)
    for request in (Hello(id=0, v=1, name="Page"), Follow(id=1, event=event, parts=PARTS)):
        socket.send(CODECS[MSGPACK].encode(request))
    return socket


class PageFollower:
    """A page of the event in a real browser, in a process of its own."""

    def __init__(self, url: str) -> None:
        words = [sys.executable, "-m", "tests.tournament.page_follower", url]
        self._child = subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        assert self._child.stdout is not None
        assert self._child.stdout.readline() == "ready\n"

    def painted(self) -> dict[str, int]:
        """When the result of each table was painted, in µs. Ends the browser."""
        out, _ = self._child.communicate("\n", timeout=60)
        times: dict[str, int] = json.loads(out)
        return times


async def measure(
    folder: Path,
    followers: int = FOLLOWERS,
    seconds: float = SECONDS,
    entrants: int = ENTRANTS,
    *,
    has_page: bool = False,
) -> dict[str, Any]:
    server = ServerProcess(folder, "--no-limits").start()
    key = PlayerKey.new()
    try:
        async with connect(server.url, name="Host", key=key) as host:
            event = await create(host, toml(rounds=9, patience=3600))
            await host.request(EventDo(id=0, event=event, do="open"))
            await fill(server.redis_url, event, key.public, entrants)
            await until(server, event, lambda it: it["round_state"] == "playing")
            arrivals = Arrivals()
            sockets = [await follower(server.url, event, arrivals) for _ in range(followers)]
            try:
                # The three frames: welcome, ack, whole.
                await until_so(lambda: all(it.frames >= 3 for it in sockets), "all follow", seconds=60)
                page = None
                if has_page:
                    address = server.url.replace("ws://", "http://") + f"/events/{event}"
                    page = await asyncio.to_thread(PageFollower, address)
                before, began = cpu_seconds(server.pid), time.monotonic()
                had = [it.frames for it in sockets]
                writer = multiprocessing.get_context("spawn").Process(
                    target=report, args=(server.redis_url, event, seconds)
                )
                writer.start()
                await until_so(
                    lambda: arrivals.are(followers * entrants // 2),
                    "every row is everywhere",
                    seconds=seconds * 6 + 30,
                )
                passed, used = time.monotonic() - began, cpu_seconds(server.pid) - before
                await asyncio.to_thread(writer.join)
                painted = {} if page is None else await asyncio.to_thread(page.painted)
            finally:
                for socket in sockets:
                    socket.close()
    finally:
        server.stop()
    waits = sorted(it for row in arrivals.waits.values() for it in row)
    on_page = sorted((at - arrivals.ended[table]) / 1000 for table, at in painted.items() if at)
    return {
        "followers": followers,
        "results": len(arrivals.waits),
        "rows_arrived": len(waits),
        "p50_ms": round(1000 * statistics.median(waits)),
        "p95_ms": round(1000 * waits[int(0.95 * len(waits))]),
        "max_ms": round(1000 * waits[-1]),
        **(
            {"painted": len(on_page), "painted_p95_ms": round(on_page[int(0.95 * len(on_page))])}
            if on_page
            else {}
        ),
        "server_core_percent": round(100 * used / passed),
        "messages_per_second": round(
            max(it.frames - frames for it, frames in zip(sockets, had, strict=True)) / passed, 1
        ),
    }


def main() -> dict[str, Any]:
    with tempfile.TemporaryDirectory() as folder:
        made = uvloop.run(measure(Path(folder), has_page=not why_not()))
    sys.stdout.write(json.dumps(made, indent=1) + "\n")
    return made
