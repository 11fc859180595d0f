"""Runs the script: a server of its own, a table for each situation, the client under test behind a line."""

import asyncio
import contextlib
import json
import os
import random
import shlex
import sys
import tempfile
import time
from collections.abc import AsyncIterator, Callable, Sequence

from websockets.asyncio.client import connect as connect_to
from websockets.typing import Subprotocol

from photofinish.conformance.checks import CHECKS, QUIET, Seen
from photofinish.conformance.line import Line
from photofinish.conformance.report import Result
from photofinish.conformance.situations import Situation
from photofinish_client.bots import RandomPlayer
from photofinish_client.client import Table, connect
from photofinish_client.errors import AskRefused, CutOff
from photofinish_client.player import sit
from photofinish_protocol.version import JSON, VERSION

GAME = "cambio"
LONGEST = 40.0
"""Seconds for one situation."""
AT_ONCE = 4
"""Situations that run side by side."""
GOODBYE = 3.0
"""Seconds that a client has to end by itself when its game is over."""


@contextlib.asynccontextmanager
async def own_server() -> AsyncIterator[str]:
    """A server in a process and a folder of its own; its address."""
    with tempfile.TemporaryDirectory() as folder:
        words = ("-m", "photofinish", "serve", "--port", "0", "--data", folder, "--metrics-port", "0")
        server = await asyncio.create_subprocess_exec(
            sys.executable, *words, stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.DEVNULL,
            env={**os.environ, "PYTHONUNBUFFERED": "1"},
        )  # fmt: skip
        assert server.stdout is not None
        try:
            first = (await server.stdout.readline()).decode()
            yield "ws://127.0.0.1:" + first.split("ws://127.0.0.1:")[1].split()[0]
        finally:
            server.terminate()
            await server.wait()


async def examine(
    situations: Sequence[Situation],
    command: str,
    told: Callable[[str], None],
    url: str = "",
    *,
    longest: float = LONGEST,
) -> list[Result]:
    """Every requirement of every situation. Without a `command` the client connects by itself, when `told` says so."""
    gate = asyncio.Semaphore(AT_ONCE if command else 1)

    async def one(server: str, situation: Situation) -> list[Result]:
        async with gate:
            seen = await _situation(server, situation, command, told, longest)
        return [Result(situation, it, CHECKS[it](seen)) for it in situation.looks_at]

    async with contextlib.AsyncExitStack() as stack:
        server = url or await stack.enter_async_context(own_server())
        found = await asyncio.gather(*(one(server, it) for it in situations))
    return [result for results in found for result in results]


async def _situation(
    url: str, situation: Situation, command: str, told: Callable[[str], None], longest: float
) -> Seen:
    line = Line(url, situation.trouble())
    await line.open()
    seen = Seen(line.frames, line.opened, line.closed)
    client: asyncio.subprocess.Process | None = None
    try:
        async with connect(url, name="Examiner") as host:
            points = 40 if situation.level == "racer" else 10
            options = {"target_points": points, "race_min_ms": 500, "show_seconds": 1, "look_seconds": 20}
            options |= {"turn_seconds": situation.turn_seconds}
            room = await host.create(GAME, seats=4, options=options)
            told(f"{situation.key}: {situation.title}. {situation.do} in room {room} at {line.url}")
            if command:
                client = await _start(command, line.url, room, situation)
            with contextlib.suppress(TimeoutError, AskRefused, CutOff):
                await asyncio.wait_for(_game(host, situation, line, url, seen), longest)
            await _ended(client, seen)
    finally:
        if client is not None and client.returncode is None:
            client.kill()
            await client.wait()
        await line.close()
    _look_at_frames(seen)
    return seen


async def _start(command: str, url: str, room: str, situation: Situation) -> asyncio.subprocess.Process:
    told = {"CONFORMANCE_URL": url, "CONFORMANCE_ROOM": room, "CONFORMANCE_DO": situation.do}
    return await asyncio.create_subprocess_exec(
        *shlex.split(command), env={**os.environ, **told}, stdin=asyncio.subprocess.DEVNULL,
        stdout=asyncio.subprocess.DEVNULL, stderr=asyncio.subprocess.DEVNULL,
    )  # fmt: skip


async def _game(host: Table, situation: Situation, line: Line, url: str, seen: Seen) -> None:
    """From the first guest to the end, or to the moment after which nothing more is to be seen."""
    if situation.do == "watch":
        await host.add_bot(player="random")
        await host.until(lambda room: room.watchers > 0)
    else:
        room = await host.until(lambda it: any(place.ready for place in it.seats[1:]))
        seen.seats = [place.name for place in room.seats]
    await host.ready()
    await host.start()
    chance = random.Random(situation.key)  # noqa: S311 - it plays cards
    playing = asyncio.create_task(sit(host, RandomPlayer(chance, pause=0.1, eager=0.1)))
    try:
        if situation.is_taken_over:
            await _take_over(line, url, seen)
            return
        await playing
        for _ in range(int(10 * GOODBYE)):
            if _is_over(seen):
                break
            await asyncio.sleep(0.1)
    finally:
        playing.cancel()
        await asyncio.gather(playing, return_exceptions=True)


async def _take_over(line: Line, url: str, seen: Seen) -> None:
    """Another window of the same player: it has the client's own token."""
    token = ""
    while not token or not any(it["t"] == "view" for it in seen.of("server")):
        got = [it.get("got") or {} for it in seen.of("server")]
        token = next((it["token"] for it in got if it.get("token")), "")
        await asyncio.sleep(0.05)
    async with connect_to(url, subprotocols=[Subprotocol(JSON)]) as second:
        await second.send(json.dumps({"t": "hello", "id": 0, "v": VERSION, "token": token}))
        await second.recv()
        await line.quiet()
        seen.more["taken_over"] = time.monotonic()
        await asyncio.sleep(QUIET)


async def _ended(client: asyncio.subprocess.Process | None, seen: Seen) -> None:
    if client is not None:
        with contextlib.suppress(TimeoutError):
            seen.exit_code = await asyncio.wait_for(client.wait(), GOODBYE)


def _is_over(seen: Seen) -> bool:
    return any(it["t"] == "view" and it.get("over") for it in seen.of("server"))


def _look_at_frames(seen: Seen) -> None:
    views = [it for it in seen.of("server") if it["t"] == "view"]
    you = views[-1].get("you") if views else None
    rooms = [it for it in seen.of("server") if it["t"] == "room"]
    seen.is_over = _is_over(seen)
    if you is None:
        return
    seen.withheld = any(you in it.get("withheld", ()) for it in rooms)
    seen.autopilot = any(it["seats"][you].get("autopilot") for it in rooms if it["phase"] == "playing")
