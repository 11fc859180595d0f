"""Clients are cut off, left half-open, or stop reading."""

import asyncio
import contextlib
import random
import socket
import statistics
import time
from collections.abc import AsyncIterator, Callable
from pathlib import Path

from websockets.asyncio.client import ClientConnection

from photofinish_client.client import Table, connect
from tests.chaos import bystander, looplag
from tests.chaos.findings import Findings
from tests.chaos.playing_tables import BRISK, LOOK_AGAIN, PATIENCE, RACY, PlayingTables
from tests.chaos.switchboard import Link, Switchboard
from tests.system.conftest import ServerProcess
from tests.system.raw import Raw

NOTICED = "the others were told that a half-open player is away"
FELT = "the half-open player noticed it too"
STEADY = 1.2
"""Seconds. The first pings of a connection follow each other quickly; this waits until they are over."""
PINGS = 200
AT_ONCE = 5
QUIET, BESIDE = "an answer, with nobody standing still", "an answer, beside readers that stand still"


async def cut_clients(
    folder: Path, times: int, chance: random.Random, on_done: Callable[[], None] = lambda: None
) -> Findings:
    """Promise: 0 broken chains, 0 lost or doubled moves, wherever in a frame the cut falls."""
    findings = Findings("client cut")
    server = ServerProcess(folder).with_numbers().start()
    try:
        async with Switchboard(lambda: [server.port]).open() as board:
            kinds = [RACY, RACY, BRISK, BRISK]
            tables = PlayingTables([board.url], kinds, findings, chance.randrange(1_000), pages=server.url)
            async with tables.playing():
                for turn in range(times):
                    if turn % 25 == 0:
                        await tables.more(1)  # play must continue, however often it is cut
                    await _cut_one(board, chance, findings)
                    on_done()
            await looplag.note(server, findings)
    finally:
        server.stop()
    return findings


async def _cut_one(board: Switchboard, chance: random.Random, findings: Findings) -> None:
    """Cut one connection, at once or somewhere within the next bytes."""
    await asyncio.sleep(chance.uniform(0, 0.03))  # any moment
    until = time.monotonic() + PATIENCE
    while not (fresh := [link for link in board.links if link.cut_after is None]):
        assert time.monotonic() < until, "nobody comes back"
        await asyncio.sleep(LOOK_AGAIN)
    link = chance.choice(sorted(fresh, key=id))
    findings.count("cuts")
    if chance.random() < 0.5:
        findings.count("of these in the middle of a frame")
        link.cut_after = chance.randint(1, 400)
    else:
        link.cut()


async def half_open(
    folder: Path, times: int, chance: random.Random, on_done: Callable[[], None] = lambda: None
) -> Findings:
    """Promise: a half-open connection is noticed within 10 s."""
    findings = Findings("client half-open")
    server = ServerProcess(folder).start()
    try:
        async with Switchboard(lambda: [server.port]).open() as board:
            await asyncio.gather(*(_half_open_one(server, board, findings, on_done) for _ in range(times)))
    finally:
        server.stop()
    findings.limit(NOTICED, 1.0, 10.0)
    findings.limit(FELT, 1.0, 10.0)
    return findings


async def _half_open_one(
    server: ServerProcess, board: Switchboard, findings: Findings, on_done: Callable[[], None]
) -> None:
    """Bo only waits, so the server must notice. Cy is an SDK client, which notices by itself and reconnects."""
    async with (
        connect(server.url, name="Ada") as ada,
        Raw(board.url, ping_interval=None) as bo,
        connect(board.url, name="Cy") as cy,
    ):
        room = await ada.create("cambio", seats=3)
        await bo.hello("Bo")
        await bo.request("join", room=room, seat=1)
        await cy.join(room, seat=2)
        await _until(ada, 1, is_here=True)
        assert cy._socket is not None
        links = [_link_of(it, board) for it in (bo.socket, cy._socket)]
        await asyncio.sleep(STEADY)
        for link in links:
            link.is_open.clear()
        began = time.monotonic()
        server_knows, cy_knows = await asyncio.gather(_until(ada, 1, is_here=False), _is_cut(cy))
        findings.time(NOTICED, server_knows - began)
        findings.time(FELT, cy_knows - began)
        findings.count("connections left half-open", len(links))
        await cy.chat("here again")
        await _until(ada, 2, is_here=True)
        for link in links:
            link.is_open.set()
            link.cut()
        on_done()


def _link_of(client: ClientConnection, board: Switchboard) -> Link:
    """The link of this socket, found by the socket's own port."""
    port = client.local_address[1]
    return next(it for it in board.links if it.down.get_extra_info("peername")[1] == port)


async def _until(table: Table, seat: int, *, is_here: bool) -> float:
    """Wait until that seat is connected, or disconnected. Returns the time."""
    until = time.monotonic() + PATIENCE
    while table.room is None or table.room.seats[seat].connected is not is_here:
        assert time.monotonic() < until, f"is seat {seat} here? never {is_here}"
        await asyncio.sleep(LOOK_AGAIN)
    return time.monotonic()


async def _is_cut(table: Table) -> float:
    """Wait until this client has given up its socket. Returns the time."""
    until, before = time.monotonic() + PATIENCE, table._socket
    while table._socket is before:
        assert time.monotonic() < until, "the client never noticed"
        await asyncio.sleep(LOOK_AGAIN)
    return time.monotonic()


async def stand_still(
    folder: Path,
    times: int,
    chance: random.Random,
    on_done: Callable[[], None] = lambda: None,
    *,
    most_more: float = 0.0,
) -> Findings:
    """Clients that send requests and never read, several at once per round. Promise: at most 1 MiB each, closed
    within 10 s.

    `most_more`: the share by which the p99 of others' answers may exceed that of the rounds between them; 0 for no
    limit.
    """
    findings = Findings("client that stops reading")
    server = ServerProcess(folder).with_numbers().start()
    p99s: dict[str, list[float]] = {QUIET: [], BESIDE: []}
    grew: dict[str, int] = {}
    try:
        tables = PlayingTables([server.url], [BRISK], findings, chance.randrange(1_000))
        async with tables.playing():
            for _ in range(-(-times // AT_ONCE)):
                for what, readers in ((QUIET, 0), (BESIDE, AT_ONCE)):
                    took, grew[what] = await _round(server, readers, findings)
                    findings.time(what, *took)
                    p99s[what].append(sorted(took)[len(took) * 99 // 100])
                # The games beside them leave rooms too: on a fast machine 10 MiB per round.
                held = max(0, grew[BESIDE] - grew[QUIET]) // AT_ONCE
                findings.most("KiB held for each, at most", held // 1024)
                if held > 1 << 20:
                    findings.wrongs.append(f"{held // 1024} KiB are held for each")
                findings.count("readers that stood still", AT_ONCE)
                for _ in range(AT_ONCE):
                    on_done()
        await looplag.note(server, findings)
    finally:
        server.stop()
    findings.limit("let go after", 1.0, 10.0)
    quiet, beside = (statistics.median(p99s[what]) for what in (QUIET, BESIDE))
    findings.count(
        "per cent that others' p99 was later, medians of the rounds", round(100 * (beside / quiet - 1))
    )
    if most_more and beside > quiet * (1 + most_more):
        findings.wrongs.append(f"others' p99 was {beside * 1e3:.1f} ms beside {quiet * 1e3:.1f} ms without")
    return findings


async def _round(server: ServerProcess, readers: int, findings: Findings) -> tuple[list[float], int]:
    """The answer times of an uninvolved client while this number of clients do not read, and by how many bytes the
    server grew.
    """
    asking: list[asyncio.Task[float]] = []
    before = peak = _memory(server.pid)
    async with contextlib.AsyncExitStack() as stack:
        for _ in range(readers):
            reader = await stack.enter_async_context(_still(server.port))
            asking.append(asyncio.create_task(_ask_on(reader)))
        watching = asyncio.create_task(bystander.answers(server.url, PINGS))
        while not (watching.done() and all(it.done() for it in asking)):
            peak = max(peak, _memory(server.pid))
            await asyncio.sleep(LOOK_AGAIN)
        findings.time("let go after", *(it.result() for it in asking))
    return watching.result(), peak - before


@contextlib.asynccontextmanager
async def _still(port: int) -> AsyncIterator[Raw]:
    """A connection with the smallest socket buffers that the kernel allows."""
    narrow = socket.socket()
    narrow.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    narrow.setblocking(False)
    await asyncio.get_running_loop().sock_connect(narrow, ("127.0.0.1", port))
    reader = Raw(f"ws://127.0.0.1:{port}", sock=narrow, max_queue=1, ping_interval=None)
    async with reader:
        await reader.hello("Rip")
        yield reader


async def _ask_on(reader: Raw) -> float:
    """Request long answers and read none, until the server closes. Returns the seconds since the first request."""
    began = time.monotonic()
    while time.monotonic() - began < PATIENCE:
        reader.next_id += 1
        with contextlib.suppress(Exception):
            await asyncio.wait_for(reader.send({"t": "games", "id": reader.next_id}), 1.0)
        await asyncio.sleep(0.022)
        if reader.socket.transport.is_closing():
            return time.monotonic() - began
    raise TimeoutError("the server never let go of a reader that stands still")


def _memory(pid: int) -> int:
    """The resident memory of the process in bytes."""
    return int(Path(f"/proc/{pid}/statm").read_text(encoding="ascii").split()[1]) * 4096
