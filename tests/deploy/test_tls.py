"""The server's own TLS, a new certificate without a disconnection, and the messages of a server that stops."""

import asyncio
import shutil
import signal
import ssl
import urllib.error
import urllib.request
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, InvalidMessage
from websockets.typing import Subprotocol

from photofinish_protocol.version import JSON
from tests.deploy.certificates import CertificatePair, certificate
from tests.forked import Forked
from tests.store.servers import free_port
from tests.waiting import until, within

pytestmark = pytest.mark.system


@dataclass
class Server:
    process: Forked
    url: str
    admin: str
    log: Path

    def tell(self, sign: signal.Signals) -> None:
        self.process.send_signal(sign)

    async def until_logged(self, words: str, times: int = 1) -> None:
        await until(
            lambda: self.log.read_text(encoding="utf-8").count(words) >= times,
            f"the log says {words!r} {times} times",
        )


def start(folder: Path, *more: str | Path) -> Server:
    log, port = folder / "log", free_port()
    words = ["serve", "--port", "0", "--data", folder / "data", "--metrics-port", str(port), *more]
    with log.open("w", encoding="utf-8") as errors:
        process = Forked(words, stderr=errors)
    assert process.stdout is not None
    first = process.stdout.readline()
    assert "Photofinish is at" in first, log.read_text()
    return Server(process, first.split()[3], f"http://127.0.0.1:{port}", log)


@pytest.fixture
def pair(tmp_path: Path) -> CertificatePair:
    return certificate(tmp_path, "live")


@pytest.fixture
def server(tmp_path: Path, pair: CertificatePair) -> Iterator[Server]:
    running = start(tmp_path, "--tls-cert", pair.cert, "--tls-key", pair.key)
    yield running
    end(running)


def end(running: Server) -> int:
    running.tell(signal.SIGTERM)
    code = running.process.wait(20)
    assert running.process.stdout is not None
    running.process.stdout.close()
    return code


def join(url: str, tls: ssl.SSLContext | None = None) -> connect:
    return connect(url, ssl=tls, subprotocols=[Subprotocol(JSON)], compression=None)


async def greeted(player: ClientConnection) -> bool:
    await player.send('{"t":"hello","id":0,"v":1,"name":"Ada"}')
    return '"welcome"' in await heard(player)


async def heard(player: ClientConnection) -> str:
    """The next message."""
    async with within("the next message of the server"):
        return str(await player.recv())


def take(new: CertificatePair, live: CertificatePair) -> None:
    shutil.copy(new.cert, live.cert)
    shutil.copy(new.key, live.key)


async def test_after_a_sighup_new_players_see_the_new_certificate_and_old_ones_play_on(
    server: Server, pair: CertificatePair, tmp_path: Path
) -> None:
    assert server.url.startswith("wss://")
    before = pair.trusting()
    new = certificate(tmp_path, "new")
    async with join(server.url, before) as old:
        assert await greeted(old)
        take(new, pair)
        server.tell(signal.SIGHUP)
        await server.until_logged("certificate read again")

        async with join(server.url, new.trusting()) as player:
            assert await greeted(player)
        with pytest.raises(ssl.SSLCertVerificationError):
            await join(server.url, before)
        await old.send('{"t":"ping","id":1,"at":7}')
        assert '"pong"' in await heard(old)


async def test_a_certificate_that_does_not_match_its_key_is_not_loaded(
    server: Server, pair: CertificatePair, tmp_path: Path
) -> None:
    before = pair.trusting()
    shutil.copy(certificate(tmp_path, "new").cert, pair.cert)  # the key has not been renewed yet
    server.tell(signal.SIGHUP)
    await server.until_logged("the old one stays")
    pair.cert.write_text("no certificate at all")
    server.tell(signal.SIGHUP)
    await server.until_logged("the old one stays", times=2)

    async with join(server.url, before) as player:
        assert await greeted(player)


async def test_with_a_certificate_unencrypted_connections_are_refused(server: Server) -> None:
    with pytest.raises(InvalidMessage):
        await join(server.url.replace("wss", "ws"))


async def test_a_draining_server_is_unready_opens_no_room_and_lets_the_others_play(tmp_path: Path) -> None:
    running = start(tmp_path, "--drain-seconds", "60")
    async with join(running.url) as player:
        assert await greeted(player)
        assert await asyncio.to_thread(probe, running, "/readyz") == 200
        running.tell(signal.SIGTERM)
        await running.until_logged("draining")

        assert await asyncio.to_thread(probe, running, "/readyz") == 503
        assert await asyncio.to_thread(probe, running, "/healthz") == 200
        await player.send('{"t":"create","id":1,"game":"cambio"}')
        assert '"draining"' in await heard(player)
        await player.send('{"t":"ping","id":2}')
        assert '"pong"' in await heard(player)

        # After a second signal it stops at once, and tells clients when to reconnect.
        assert await asyncio.to_thread(end, running) == 0
        assert '"bye"' in await heard(player)
        with pytest.raises(ConnectionClosed) as gone:
            await heard(player)
        assert gone.value.rcvd is not None
        assert gone.value.rcvd.code == 1012


def probe(running: Server, path: str) -> int:
    try:
        with urllib.request.urlopen(running.admin + path, timeout=5) as reply:
            return int(reply.status)
    except urllib.error.HTTPError as fault:
        fault.close()
        return fault.code
