"""Runs the script: a server, a table for each situation, the client under test behind a line."""

import asyncio
import contextlib
import os
import shlex
import tempfile
from collections.abc import Callable, Sequence
from contextlib import AsyncExitStack
from pathlib import Path

from photofinish.conformance.checks import CHECKS
from photofinish.conformance.examiner import Examiner, is_over
from photofinish.conformance.line import Line
from photofinish.conformance.report import Result
from photofinish.conformance.seen import Seen
from photofinish.conformance.servers import Server
from photofinish.conformance.situations import Situation
from photofinish.conformance.stage import Stage, stage_of
from photofinish_client.errors import AskRefused, CutOff

LONGEST = 40.0
"""Seconds for one situation."""
WITH_ITS_OWN = 30.0
"""More seconds for one with servers of its own."""
AT_ONCE = 4
"""Situations that run side by side, if the caller does not say."""
GOODBYE = 3.0
"""Seconds that a client has to end by itself when its game is over."""


async def examine(
    situations: Sequence[Situation],
    command: str,
    told: Callable[[str], None],
    url: str = "",
    *,
    longest: float = LONGEST,
    at_once: int = AT_ONCE,
) -> list[Result]:
    """Every requirement of every situation. Without a `command` the client connects by itself, when `told` says so."""
    gate = asyncio.Semaphore(at_once if command else 1)

    async def one(server: str, situation: Situation) -> list[Result]:
        async with gate:
            seen = await _situation(server, situation, command, told, longest)
        return [Result(situation, it, CHECKS[it](seen)) for it in situation.looks_at]

    async with AsyncExitStack() as stack:
        server = url
        if not url:
            own = Server(Path(stack.enter_context(tempfile.TemporaryDirectory())))
            stack.push_async_callback(own.stop)
            server = (await own.start()).url
        found = await asyncio.gather(*(one(server, it) for it in situations))
    return [result for results in found for result in results]


async def _situation(
    url: str, situation: Situation, command: str, told: Callable[[str], None], longest: float
) -> Seen:
    line = Line(situation.trouble())
    seen = Seen(line, games=situation.games)
    seen.wanted = f"photofinish.v1+{situation.codec}" if situation.codec else ""
    client: asyncio.subprocess.Process | None = None
    async with AsyncExitStack() as stack:
        stack.push_async_callback(line.close)
        stage = await stage_of(stack, situation, line, url)
        seen.url = stage.door
        examiner = Examiner(situation, seen, stage, await stage.host(stack, situation))
        told(f"{situation.key}: {situation.title}. {_asked(situation)} in room {stage.room} at {stage.door}")
        try:
            if command:
                client = await _start(command, stage, situation)
            most = longest + (WITH_ITS_OWN if stage.is_own else 0)
            with contextlib.suppress(TimeoutError, AskRefused, CutOff):
                await asyncio.wait_for(examiner.run(), most)
            if client is not None:
                with contextlib.suppress(TimeoutError):
                    await asyncio.wait_for(client.wait(), GOODBYE)
        finally:
            if client is not None and client.returncode is None:
                client.kill()
                await client.wait()
    _look_at_frames(seen)
    return seen


def _asked(situation: Situation) -> str:
    said = [situation.do, f"{situation.games} games" if situation.games > 1 else "", situation.codec]
    return ", ".join(it for it in (*said, f"say {situation.say!r}" if situation.say else "") if it)


async def _start(command: str, stage: Stage, situation: Situation) -> asyncio.subprocess.Process:
    told = {
        "CONFORMANCE_URL": stage.door, "CONFORMANCE_ROOM": stage.room, "CONFORMANCE_DO": situation.do,
        "CONFORMANCE_CODEC": situation.codec, "CONFORMANCE_GAMES": str(situation.games),
        "CONFORMANCE_SAY": situation.say,
    }  # fmt: skip
    return await asyncio.create_subprocess_exec(
        *shlex.split(command), env={**os.environ, **told}, stdin=asyncio.subprocess.DEVNULL,
        stdout=asyncio.subprocess.DEVNULL, stderr=asyncio.subprocess.DEVNULL,
    )  # fmt: skip


def _look_at_frames(seen: Seen) -> None:
    views = [it for it in seen.of("server") if it["t"] == "view"]
    you = views[-1].get("you") if views else None
    rooms = [it for it in seen.of("server") if it["t"] == "room"]
    seen.is_over = is_over(seen, seen.games)
    if you is None:
        return
    seen.withheld = any(you in it.get("withheld", ()) for it in rooms)
    seen.autopilot = any(it["seats"][you].get("autopilot") for it in rooms if it["phase"] == "playing")
