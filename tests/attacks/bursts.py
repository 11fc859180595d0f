"""Bursts of every kind of frame, clients that send them, and an uninvolved client that measures its answers.

`python -m tests.attacks.bursts` prints the times of a server in a process of its own, and fails above the limit.
"""

import asyncio
import contextlib
import json
import socket
import sys
import tempfile
import time
from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

from websockets.asyncio.client import connect
from websockets.frames import Frame, Opcode
from websockets.typing import Subprotocol

from photofinish_protocol.version import JSON
from tests.attacks.test_limits import request
from tests.fuzz.test_decoder import BOMBS
from tests.system.conftest import ServerProcess

CONNECTIONS = 20
BURST = 256 * 1024
"""Bytes that one connection sends at once: as much as one read of the event loop takes."""
BYSTANDER = 20.0
"""Milliseconds: the limit for the 99th percentile of an uninvolved client's answers."""


def frame(opcode: Opcode, data: bytes = b"", *, fin: bool = True) -> bytes:
    return Frame(opcode, data, fin=fin).serialize(mask=True)


def text(**message: object) -> bytes:
    return frame(Opcode.TEXT, json.dumps(message).encode())


BURSTS = {
    "empty pings": frame(Opcode.PING),
    "full pings": frame(Opcode.PING, b"x" * 125),
    "empty pongs": frame(Opcode.PONG),
    "empty texts": frame(Opcode.TEXT),
    "binary on the text protocol": frame(Opcode.BINARY, b"\x80"),
    "empty pieces": frame(Opcode.TEXT, fin=False) + frame(Opcode.CONT, fin=False) * 20_000,
    "messages in pieces": frame(Opcode.TEXT, b"{", fin=False) + frame(Opcode.CONT, fin=False) * 60 + frame(Opcode.CONT),
    "pings between pieces": frame(Opcode.TEXT, fin=False) + frame(Opcode.PING) * 20_000,
    "closes": frame(Opcode.CLOSE),
    "an unknown kind of frame": b"\x83\x80\0\0\0\0",
    "unmasked texts": b"\x81\x00",
    "frames that are too big": frame(Opcode.TEXT, b"x" * 17_000),
    "garbage": b"\xff",
    "requests without a hello": text(t="ping", id=1, at=1),
    "hellos": text(t="hello", id=0, v=1, name="Eve"),
    "requests for the list of games": text(t="hello", id=0, v=1, name="Eve") + text(t="games", id=1) * 4000,
    "requests for the list of rooms": text(t="hello", id=0, v=1, name="Eve") + text(t="rooms", id=1) * 4000,
    "unknown requests": text(t="hello", id=0, v=1, name="Eve") + text(t="dance", id=1) * 4000,
    **{f"bomb: {name}": frame(Opcode.TEXT, bomb.encode()) for name, bomb in BOMBS.items() if isinstance(bomb, str)},
}  # fmt: skip


def open_socket(port: int, behind: bytes = b"") -> socket.socket:
    """Open a websocket by hand. The bytes `behind` are sent together with the handshake, before its answer."""
    one = socket.create_connection(("127.0.0.1", port), timeout=20)
    one.sendall(
        b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
        b"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n"
        b"Sec-WebSocket-Protocol: photofinish.v1+json\r\n\r\n" + behind
    )
    return one


def until_upgraded(one: socket.socket) -> None:
    heard = b""
    while b"\r\n\r\n" not in heard:
        more = one.recv(4096)
        assert more, "closed during the handshake"
        heard += more


def throw(one: socket.socket, burst: bytes) -> None:
    """Send all of it, or as much as the server reads before it closes."""
    with contextlib.suppress(OSError):
        one.sendall(burst)


def until_closed(one: socket.socket) -> bytes:
    """All that the server sends before it closes the connection."""
    heard = b""
    with one, contextlib.suppress(OSError):
        while more := one.recv(65536):
            heard += more
    return heard


def filled(one: bytes) -> bytes:
    """A burst of these frames."""
    return one * max(1, BURST // len(one))


class Answer(NamedTuple):
    """When it was asked for, made by the server and read: seconds of a clock that all processes share."""

    asked: float
    made: float
    read: float


async def bystander(port: int, until: asyncio.Event) -> list[Answer]:
    """The answers that an uninvolved client gets, about 45 per second."""
    answers: list[Answer] = []
    async with connect(
        f"ws://127.0.0.1:{port}", subprotocols=[Subprotocol(JSON)], compression=None, proxy=None
    ) as one:
        await request(one, 0, "hello", v=1, name="Ada")
        while not answers or not until.is_set():
            asked = time.perf_counter()
            pong = await request(one, len(answers) + 1, "ping", at=1)
            answers.append(Answer(asked, pong["got"]["now"] / 1e6, time.perf_counter()))
            await asyncio.sleep(0.021)
    return answers


def p99(took: Iterable[float]) -> float:
    """The 99th percentile; of fewer than a hundred the longest."""
    inorder = sorted(took)
    return inorder[len(inorder) * 99 // 100]


async def storm(port: int, burst: bytes) -> list[Answer]:
    """A burst from every connection at once. Returns the answers that an uninvolved client got meanwhile."""
    sockets = [open_socket(port) for _ in range(CONNECTIONS)]
    for one in sockets:
        until_upgraded(one)
    over = asyncio.Event()
    waiting = asyncio.create_task(bystander(port, over))
    await asyncio.sleep(0.1)
    await asyncio.gather(*(asyncio.to_thread(throw, one, burst) for one in sockets))
    await asyncio.gather(*(asyncio.to_thread(until_closed, one) for one in sockets))
    over.set()
    return await waiting


async def main(folder: Path) -> bool:
    """Print the p99 of ten bursts of each kind. Needs an idle machine."""
    server = ServerProcess(folder, "--no-limits").start()
    worst = 0.0
    try:
        for kind, one in BURSTS.items():
            took = [it.read - it.asked for _ in range(10) for it in await storm(server.port, filled(one))]
            worst = max(worst, p99(took))
            sys.stdout.write(f"{kind}: {len(took)} answers, p99 {p99(took) * 1e3:.1f} ms\n")
    finally:
        server.stop()
    sys.stdout.write(f"the longest p99: {worst * 1e3:.1f} ms (limit: {BYSTANDER:.0f} ms)\n")
    return worst * 1e3 <= BYSTANDER


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as name:
        sys.exit(not asyncio.run(main(Path(name))))
