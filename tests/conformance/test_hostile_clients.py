"""A client under test that misbehaves outside the protocol too: it cannot fill the disk or the memory, or live on."""

import asyncio
import contextlib
import os
import shlex
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest
from websockets.asyncio.client import connect
from websockets.asyncio.server import ServerConnection, serve
from websockets.exceptions import ConnectionClosed, WebSocketException
from websockets.typing import Subprotocol

from photofinish.conformance import line as client_line
from photofinish.conformance.client_process import LONGEST_LINE, start_client
from photofinish.conformance.line import LONGEST_MESSAGE, ClientLine
from photofinish.conformance.run import examine
from photofinish.conformance.situations import SITUATIONS
from photofinish.conformance.troubles import NoTrouble
from photofinish_protocol.version import JSON, SUBPROTOCOLS
from tests.system.conftest import ServerProcess
from tests.waiting import until, within

WATCH = next(it for it in SITUATIONS if it.key == "watch")
MEGABYTES = 32


@pytest.fixture(scope="module")
def shared_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerProcess]:
    process = ServerProcess(tmp_path_factory.mktemp("server"))
    yield process.start()
    process.stop()


def shell(script: str) -> str:
    return f"sh -c {shlex.quote(script)}"


def is_alive(pid: int) -> bool:
    """A process that has ended and waits for its parent is not alive."""
    try:
        return Path(f"/proc/{pid}/stat").read_text(encoding="ascii").rpartition(")")[2].split()[0] != "Z"
    except FileNotFoundError:
        return False


async def last_words(command: str, url: str, longest: float) -> str:
    async with within(f"the examination of {command}"):
        found = await examine([WATCH], command, lambda _: None, url, longest=longest)
    return next(it.verdict.what for it in found if it.verdict.what)


async def test_the_output_of_a_client_fills_no_disk_and_its_last_bytes_are_reported(
    shared_server: ServerProcess,
) -> None:
    """A file of the client may have 1 MB. Before, its standard error was a file."""
    script = f"ulimit -f 2000; head -c {MEGABYTES}000000 /dev/zero >&2; echo the end >&2; exit 3"

    said = await last_words(shell(script), shared_server.url, 20)

    assert "the client ended with code 3" in said
    assert said.endswith("the end)")


async def test_a_client_that_never_stops_writing_is_ended(shared_server: ServerProcess) -> None:
    said = await last_words(shell("exec yes [/x] >&2"), shared_server.url, 2)

    assert "it wrote: [/x]" in said
    assert len(said) < 1_000


@pytest.mark.parametrize("end", ["exit 1", "exit 0", "exec sleep 300"])
async def test_what_a_client_has_started_ends_with_it(
    end: str, shared_server: ServerProcess, tmp_path: Path
) -> None:
    pids = tmp_path / "pids"
    script = f"for n in 1 2 3; do sleep 300 & echo $! >> {pids}; done; {end}"

    await last_words(shell(script), shared_server.url, 2)

    started = [int(it) for it in pids.read_text(encoding="ascii").split()]
    assert len(started) == 3
    await until(lambda: not any(map(is_alive, started)), "all that the client has started has ended")


async def test_a_process_that_leaves_the_group_and_keeps_the_pipe_does_not_hold_us_up(tmp_path: Path) -> None:
    pid = tmp_path / "pid"
    client = await start_client(shell(f"setsid sleep 300 & echo $! > {pid}; echo gone >&2"), {})
    try:
        async with within("the client's end", 20):
            await client.wait(10)
            code, said = await client.end()
        assert (code, said) == (0, b"gone\n")
        assert len(said) <= LONGEST_LINE
    finally:
        with contextlib.suppress(ProcessLookupError):
            os.kill(int(pid.read_text(encoding="ascii")), 9)


@pytest.fixture
async def echo() -> AsyncIterator[str]:
    async def answer(connection: ServerConnection) -> None:
        with contextlib.suppress(ConnectionClosed):
            async for message in connection:
                await connection.send(message)

    protocols = [Subprotocol(it) for it in SUBPROTOCOLS]
    async with serve(answer, "127.0.0.1", 0, subprotocols=protocols, max_size=None) as server:
        yield f"ws://127.0.0.1:{next(iter(server.sockets)).getsockname()[1]}"


async def test_a_huge_message_of_a_client_is_not_kept(echo: str) -> None:
    line = ClientLine(NoTrouble())
    try:
        async with connect(await line.open(echo), subprotocols=[Subprotocol(JSON)]) as client:
            with contextlib.suppress(ConnectionClosed):
                await client.send(b"x" * (LONGEST_MESSAGE + 1))
            async with within("the end of the connection"):
                await client.wait_closed()
        assert client.close_code == 1009
        assert line.frames == []
    finally:
        await line.close()


async def test_the_record_of_a_client_that_floods_or_reconnects_without_end_is_bounded(
    echo: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(client_line, "MOST_FRAMES", 100)
    line = ClientLine(NoTrouble())
    try:
        url = await line.open(echo)
        for _ in range(20):
            with contextlib.suppress(WebSocketException, OSError):
                async with connect(url, subprotocols=[Subprotocol(JSON)]) as client:
                    for _ in range(20):
                        await client.send('{"t":"ping"}')
        async with within("all connections are closed"):
            await line.quiet()
        await asyncio.sleep(0)
        assert 100 <= len(line.frames) + len(line.opened) <= 101
    finally:
        await line.close()
