"""A real nginx with our nginx.conf in front of a real server: what it forwards, and what it does not."""

import asyncio
import urllib.error
import urllib.request
from dataclasses import dataclass
from pathlib import Path

from websockets.asyncio.client import connect
from websockets.typing import Subprotocol

from photofinish import app
from photofinish.config import Settings
from photofinish.gateway.access.proxy import HEADER
from photofinish.node.clock import clock
from photofinish_protocol.version import JSON
from tests.deploy.certificates import CertificatePair, certificate
from tests.deploy.tools import TOP
from tests.store.servers import free_port
from tests.waiting import until, within

FORGED = 300_000
"""The false round trip in µs that a cheating client claims."""


@dataclass(frozen=True)
class NginxConfig:
    """Our nginx.conf with the ports, folders and certificate of this test."""

    file: Path
    plain: int
    tls: int


def nginx_config(folder: Path, pair: CertificatePair, nodes: tuple[int, int]) -> NginxConfig:
    plain, tls = free_port(), free_port()
    text = (TOP / "deploy" / "nginx.conf").read_text(encoding="utf-8")
    for ours, theirs in {
        "node1:8765": f"127.0.0.1:{nodes[0]}",
        "node2:8765": f"127.0.0.1:{nodes[1]}",
        "listen 8080": f"listen 127.0.0.1:{plain}",
        "listen 8443": f"listen 127.0.0.1:{tls}",
        "/etc/nginx/tls/tls.crt": str(pair.cert),
        "/etc/nginx/tls/tls.key": str(pair.key),
        "/tmp/nginx": f"{folder}/nginx",
        "worker_processes auto": "worker_processes 1",
    }.items():
        assert ours in text, ours
        text = text.replace(ours, theirs)
    file = folder / "nginx.conf"
    file.write_text(text, encoding="utf-8")
    return NginxConfig(file, plain, tls)


async def behind_nginx(nginx: str, folder: Path) -> None:
    """A node on its embedded Redis, nginx in front, and a player that sends a false round trip."""
    pair = certificate(folder, "proxy")
    settings = Settings(port=0, metrics_port=0, data=folder / "data", trust_proxy=("127.0.0.1",))
    async with app.running(settings) as one:
        port = one.gateway.ports[0]
        conf = nginx_config(folder, pair, nodes=(port, port))
        proxy = await asyncio.create_subprocess_exec(
            nginx, "-p", folder, "-c", conf.file, "-g", "daemon off;"
        )
        try:
            await _up(conf.tls)
            await _plays(one, conf, pair)
            await asyncio.to_thread(_pages, conf, pair)
        finally:
            proxy.terminate()
            async with within("nginx ends"):
                await proxy.wait()


async def _plays(one: app.App, conf: NginxConfig, pair: CertificatePair) -> None:
    async with connect(
        f"wss://127.0.0.1:{conf.tls}",
        ssl=pair.trusting(),
        subprotocols=[Subprotocol(JSON)],
        additional_headers={HEADER: str(FORGED)},
        compression=None,
    ) as player:
        await player.send('{"t":"hello","id":0,"v":1,"name":"Ada"}')
        async with within("the welcome through nginx"):
            assert '"welcome"' in str(await player.recv())
        (session,) = one.gateway.sessions.values()
        path = session.lag.path(clock())
        assert path.kmin is not None, "nginx passes its kernel's round trip on"
        assert 0 < path.kmin < FORGED // 10, "and not what the player says"
        assert not path.behind_proxy


def _pages(conf: NginxConfig, pair: CertificatePair) -> None:
    base = f"https://127.0.0.1:{conf.tls}"
    assert _get(f"{base}/healthz", pair) == 200
    assert _get(f"{base}/metrics", pair) == 404
    assert _get(f"http://127.0.0.1:{conf.plain}/", pair, follow=False) == 308


class _NoRedirects(urllib.request.HTTPRedirectHandler):
    def redirect_request(self, *_: object) -> None:
        return None


def _get(url: str, pair: CertificatePair, *, follow: bool = True) -> int:
    handlers: list[urllib.request.BaseHandler] = [urllib.request.HTTPSHandler(context=pair.trusting())]
    opener = urllib.request.build_opener(*handlers, *([] if follow else [_NoRedirects()]))
    try:
        with opener.open(url, timeout=10) as reply:
            return int(reply.status)
    except urllib.error.HTTPError as fault:
        fault.close()
        return fault.code


async def _up(port: int) -> None:
    """Wait until it listens."""

    async def listens() -> bool:
        try:
            _, writer = await asyncio.open_connection("127.0.0.1", port)
        except OSError:
            return False
        writer.close()
        await writer.wait_closed()
        return True

    await until(listens, f"something listens on port {port}")
