"""A server is told to stop: it is not ready, tells players when to reconnect, releases its rooms, and ends in time."""

import asyncio
import random
import time
import urllib.error
import urllib.request
from collections.abc import Callable
from pathlib import Path

from photofinish_client.client import connect
from tests.chaos.findings import Findings
from tests.chaos.playing_tables import LOOK_AGAIN, PATIENCE
from tests.system.conftest import ServerProcess
from tests.system.raw import Raw

RESTART = 1012


async def drain(
    folder: Path, times: int, _chance: random.Random, on_done: Callable[[], None] = lambda: None
) -> Findings:
    """SIGTERM: 503 from /readyz, then close code 1012 with the time to reconnect, then the exit, within 10 s."""
    findings = Findings("SIGTERM")
    server = ServerProcess(folder, "--drain-seconds", "0.5").start()
    try:
        for _ in range(times):
            async with connect(server.url, name="Ada") as ada, Raw(server.url) as bo:
                room = await ada.create("cambio", seats=3)
                await bo.hello("Bo")
                await bo.request("join", room=room)
                began = time.monotonic()
                ending = asyncio.create_task(asyncio.to_thread(server.stop))
                await _is_not_ready(server.url)
                findings.time("not ready", time.monotonic() - began)
                code = await bo.closed()
                bye = bo.heard[-1]
                if code != RESTART or bye["t"] != "bye" or not bye["retry"] or bye["retry_after_ms"] <= 0:
                    findings.wrongs.append(f"closed with {code} after {bye}")
                if await ending != 0:
                    findings.wrongs.append("it ended with an error")
                findings.time("ended", time.monotonic() - began)
                findings.count("stops")
                await asyncio.to_thread(server.start)
                up = time.monotonic()
                if room not in {it.room for it in (await ada.rooms()).rooms} or ada.seat != 0:
                    findings.wrongs.append("Ada is not back in her seat")
                findings.time("back in the seat after the next start", time.monotonic() - up)
                on_done()
    finally:
        server.stop()
    findings.limit("ended", 1.0, 10.0)
    findings.limit("back in the seat after the next start", 1.0, 3.0)
    return findings


async def _is_not_ready(url: str) -> None:
    until = time.monotonic() + PATIENCE
    while time.monotonic() < until:
        if await asyncio.to_thread(_status, f"http{url.removeprefix('ws')}/readyz") == 503:
            return
        await asyncio.sleep(LOOK_AGAIN)
    raise TimeoutError("it was ready to the end")


def _status(page: str) -> int:
    try:
        with urllib.request.urlopen(page, timeout=5) as answer:
            return int(answer.status)
    except urllib.error.HTTPError as no:
        return no.code
