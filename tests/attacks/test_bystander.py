"""While attackers send every kind of bad input, a player at another table still gets answers (DESIGN §7)."""

import asyncio
import json
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from websockets.asyncio.client import connect
from websockets.exceptions import WebSocketException
from websockets.typing import Subprotocol

from photofinish_protocol.version import JSON, MSGPACK
from tests.attacks.test_limits import request
from tests.fuzz.test_decoder import BOMBS, PLAY, filled
from tests.system.conftest import ServerProcess

SECONDS = 2.0
STRANGERS = 3
FEWEST = 5
"""At least this many answers are measured, however busy the machine is."""
HEAVY = (
    *BOMBS.values(),
    filled(PLAY + "[", "1e308", "]}}"),
    json.dumps({"t": "create", "id": 3, "game": "x" * 16_000}),
    json.dumps({"t": "hello", "id": 0, "v": 1, "name": "\u202e" * 2000}),
    b"\xff" * 16_384,
)


async def throw_everything(url: str, until: float) -> int:
    """Send one bad frame per connection, because most of them close it. Returns the number of frames."""
    thrown = 0
    while time.monotonic() < until:
        for frame in HEAVY:
            if time.monotonic() > until:
                break
            codec = JSON if isinstance(frame, str) else MSGPACK
            try:
                async with connect(
                    url, subprotocols=[Subprotocol(codec)], compression=None, proxy=None
                ) as socket:
                    for _ in range(20):
                        await socket.send(frame)
                        thrown += 1
            except (WebSocketException, OSError):
                continue
    return thrown


async def ask_meanwhile(url: str, until: float) -> list[float]:
    """Returns the seconds that each answer took."""
    took: list[float] = []
    async with connect(url, subprotocols=[Subprotocol(JSON)], compression=None, proxy=None) as socket:
        await request(socket, 0, "hello", v=1, name="Ada")
        await request(socket, 1, "create", game="cambio", seats=2)
        n = 2
        while time.monotonic() < until or len(took) < FEWEST:
            before = time.perf_counter()
            assert (await request(socket, n, "ready", ready=bool(n % 2)))["t"] == "ack"  # it is stored
            took.append(time.perf_counter() - before)
            await asyncio.sleep(0.025)  # as fast as one connection may
            n += 1
    return took


async def attack_and_ask(url: str) -> tuple[int, list[float]]:
    until = time.monotonic() + SECONDS
    thrown, took = await asyncio.gather(
        asyncio.gather(*(throw_everything(url, until) for _ in range(STRANGERS))), ask_meanwhile(url, until)
    )
    return sum(thrown), sorted(took)


@pytest.fixture
def server(tmp_path: Path) -> Iterator[ServerProcess]:
    process = ServerProcess(tmp_path)
    yield process.start()
    process.stop()


@pytest.mark.system
async def test_a_player_is_answered_while_attackers_send_bad_input(server: ServerProcess) -> None:
    quiet = sorted(await ask_meanwhile(server.url, 0.0))
    thrown, took = await attack_and_ask(server.url)

    assert thrown > 100
    assert took[len(took) // 2] < max(0.5, 10 * quiet[len(quiet) // 2])
    assert "Traceback" not in server.log
    assert "exception" not in server.log


async def main(url: str) -> None:
    """The figures against a running server: `python -m tests.attacks.test_bystander ws://127.0.0.1:8765`."""
    thrown, took = await attack_and_ask(url)
    figures = f"p50 {took[len(took) // 2] * 1e3:.1f} ms, p99 {took[len(took) * 99 // 100] * 1e3:.1f} ms"
    sys.stdout.write(f"{thrown} frames thrown, {len(took)} answers meanwhile: {figures}\n")


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1]))
