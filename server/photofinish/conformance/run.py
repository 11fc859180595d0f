"""Runs all situations: a server, a table per situation, and the client under test behind a line."""

import asyncio
import contextlib
import tempfile
from collections.abc import Callable, Coroutine, Sequence
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Any

from photofinish.conformance.checks.registry import CHECKS
from photofinish.conformance.client_process import ClientProcess, start_client
from photofinish.conformance.examiner import LOOK_AGAIN, Examiner, is_over
from photofinish.conformance.line import ClientLine
from photofinish.conformance.report import RequirementResult, merged, unseen
from photofinish.conformance.seen import CheckVerdict, Seen
from photofinish.conformance.servers import Server, ServerOf
from photofinish.conformance.situations import Situation
from photofinish.conformance.stage import Stage, stage_of
from photofinish_client.errors import CutOff, RequestRefused

LONGEST = 40.0
"""Seconds for one situation."""
WITH_ITS_OWN = 30.0
"""Additional seconds for a situation with servers of its own."""
ROUNDS = 4
"""The most runs of a situation while one of its requirements was not observed."""
AT_ONCE = 4
"""Situations that run side by side, if the caller does not say."""
GOODBYE = 3.0
"""Seconds that a client has to end by itself when its game is over."""


async def examine(
    situations: Sequence[Situation],
    command: str,
    announce: Callable[[str], None],
    url: str = "",
    *,
    longest: float = LONGEST,
    at_once: int = AT_ONCE,
    rounds: int = 1,
    server_of: ServerOf = Server,
) -> list[RequirementResult]:
    """The results of every requirement in every situation.

    Without a `command` the client is started by somebody else: `announce` prints the address to connect to. If the
    cards gave no occasion to observe a requirement, its situations are run again, `rounds` times in all. A situation
    in which something failed is not run again.
    """
    gate = asyncio.Semaphore(at_once if command else 1)

    async def one(server: str, situation: Situation) -> list[RequirementResult]:
        async with gate:
            seen = await _situation(server, situation, command, announce, longest, server_of)
        return [
            RequirementResult(situation, it, _with_last_words(CHECKS[it](seen), seen))
            for it in situation.looks_at
        ]

    async with AsyncExitStack() as stack:
        server = url
        if not url:
            own = server_of(Path(stack.enter_context(tempfile.TemporaryDirectory())))
            stack.push_async_callback(own.stop)
            server = (await own.start()).url
        results: list[RequirementResult] = []
        left = list(situations)
        for number in range(rounds):
            if number and left:
                announce(f"Again, for what was not seen: {', '.join(it.key for it in left)}")
            found = await asyncio.gather(*(one(server, it) for it in left))
            results = merged([*results, *(result for results in found for result in results)])
            never, failed = unseen(results), {it.situation.key for it in results if it.state == "failed"}
            left = [it for it in situations if never & set(it.looks_at) and it.key not in failed]
    return results


async def _situation(
    url: str,
    situation: Situation,
    command: str,
    announce: Callable[[str], None],
    longest: float,
    server_of: ServerOf,
) -> Seen:
    line = ClientLine(situation.trouble())
    seen = Seen(line, games=situation.games)
    seen.wanted = f"photofinish.v1+{situation.codec}" if situation.codec else ""
    client: ClientProcess | None = None
    async with AsyncExitStack() as stack:
        stack.push_async_callback(line.close)
        stage = await stage_of(stack, situation, line, url, server_of)
        seen.url = stage.client_url
        examiner = Examiner(situation, seen, stage, await stage.host(stack, situation))
        announce(
            f"{situation.key}: {situation.title}. {_asked(situation)} in room {stage.room} at {stage.client_url}"
        )
        try:
            if command:
                client = await _start(command, stage, situation)
            most = longest + (WITH_ITS_OWN if stage.is_own else 0)
            with contextlib.suppress(TimeoutError, RequestRefused, CutOff):
                await asyncio.wait_for(_while_it_runs(client, line, examiner.run()), most)
            if client is not None:
                await client.wait(GOODBYE)
        finally:
            if client is not None:
                seen.last_words = _last_words(*await client.end(), has_come=bool(line.urls))
    _look_at_frames(seen)
    return seen


async def _while_it_runs(
    client: ClientProcess | None, line: ClientLine, exam: Coroutine[Any, Any, None]
) -> None:
    """Run the exam to its end, or until shortly after the client's process has ended.

    A client that ended well counts as ended only if it never connected: it may have started another process.
    """
    examining = asyncio.create_task(exam)

    def has_ended() -> bool:
        return client is not None and (bool(client.returncode) or (client.returncode == 0 and not line.urls))

    try:
        while client is not None and not has_ended():
            done, _ = await asyncio.wait([examining], timeout=LOOK_AGAIN)
            if done:
                break
        await (examining if not has_ended() else asyncio.wait([examining], timeout=GOODBYE))
    finally:
        examining.cancel()
        await asyncio.gather(examining, return_exceptions=True)


def _asked(situation: Situation) -> str:
    said = [situation.do, f"{situation.games} games" if situation.games > 1 else "", situation.codec]
    return ", ".join(it for it in (*said, f"say {situation.say!r}" if situation.say else "") if it)


def _last_words(code: int | None, errors: bytes, *, has_come: bool) -> str:
    """If the client failed: how it ended, and the last line that it wrote to its standard error."""
    lines = errors.decode(errors="replace").strip().splitlines()
    ended = f"the client ended with code {code}" if code else ""
    if code == 0 and not has_come:
        ended = "the client ended with code 0 and never connected"
    return "; ".join(it for it in (ended, f"it wrote: {lines[-1]}" if lines else "") if it)


def _with_last_words(verdict: CheckVerdict, seen: Seen) -> CheckVerdict:
    if not verdict.what or not seen.last_words:
        return verdict
    return verdict._replace(what=f"{verdict.what} ({seen.last_words})")


async def _start(command: str, stage: Stage, situation: Situation) -> ClientProcess:
    variables = {
        "CONFORMANCE_URL": stage.client_url, "CONFORMANCE_ROOM": stage.room, "CONFORMANCE_DO": situation.do,
        "CONFORMANCE_CODEC": situation.codec, "CONFORMANCE_GAMES": str(situation.games),
        "CONFORMANCE_SAY": situation.say,
    }  # fmt: skip
    return await start_client(command, variables)


def _look_at_frames(seen: Seen) -> None:
    views = [it for it in seen.of("server") if it["t"] == "view"]
    you = views[-1].get("you") if views else None
    rooms = [it for it in seen.of("server") if it["t"] == "room"]
    seen.is_over = is_over(seen, seen.games)
    if you is None:
        return
    seen.withheld = any(you in it.get("withheld", ()) for it in rooms)
    seen.autopilot = any(it["seats"][you].get("autopilot") for it in rooms if it["phase"] == "playing")
