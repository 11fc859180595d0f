"""RACES §7: the round trip that a proxy reports for a player is used only if that proxy is trusted."""

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager

import pytest
from websockets.asyncio.client import connect
from websockets.typing import Subprotocol

from photofinish import app
from photofinish.config import Settings
from photofinish.gateway.access.proxy import HEADER
from photofinish.node.clock import clock
from photofinish.race.params import Path
from photofinish_protocol.version import JSON
from tests.waiting import until, within


@asynccontextmanager
async def seen(settings: Settings, *said: str) -> AsyncIterator[Callable[[], Path]]:
    """What the server measures for one player whose upgrade request carries these headers."""
    headers = [(HEADER, it) for it in said]
    async with (
        app.running(settings) as running,
        connect(
            running.url, subprotocols=[Subprotocol(JSON)], additional_headers=headers, compression=None
        ) as player,
    ):
        await player.send('{"t":"hello","id":0,"v":1,"name":"Ada"}')
        async with within("the welcome"):
            assert '"welcome"' in str(await player.recv())
        (session,) = running.gateway.sessions.values()
        # The first ping is answered. By then the kernel was asked, if it is asked at all.
        await until(lambda: session.lag.path(clock()).amin is not None, "the first ping is answered")
        yield lambda: session.lag.path(clock())


async def test_a_trusted_proxys_round_trip_counts_as_the_kernels(redis_url: str) -> None:
    async with seen(
        Settings(port=0, metrics_port=0, redis=redis_url, trust_proxy=("127.0.0.0/8",)), "48000"
    ) as path:
        assert (path().kmin, path().behind_proxy) == (48_000, False)


async def test_behind_a_proxy_without_the_header_only_our_pings_count(redis_url: str) -> None:
    async with seen(Settings(port=0, metrics_port=0, redis=redis_url, behind_proxy=True)) as path:
        assert (path().kmin, path().behind_proxy) == (None, True)


async def test_a_player_who_connects_directly_is_measured_by_the_kernel_whatever_the_header_says(
    redis_url: str,
) -> None:
    async with seen(Settings(port=0, metrics_port=0, redis=redis_url), "300000") as path:
        kmin = path().kmin
        assert kmin is not None
        assert kmin < 100_000
        assert not path().behind_proxy


@pytest.mark.parametrize("trusted", [(), ("10.0.0.0/8", "::1")], ids=["nobody", "others"])
async def test_the_header_of_an_untrusted_address_is_ignored(
    redis_url: str, trusted: tuple[str, ...]
) -> None:
    settings = Settings(port=0, metrics_port=0, redis=redis_url, behind_proxy=True, trust_proxy=trusted)
    async with seen(settings, "300000") as path:
        assert (path().kmin, path().behind_proxy) == (None, True)


@pytest.mark.parametrize("said", [("0",), ("-5",), ("soon",), ("9" * 40,), ("48000", "300000"), ("",)])
async def test_an_invalid_header_of_the_proxy_is_ignored(redis_url: str, said: tuple[str, ...]) -> None:
    async with seen(
        Settings(port=0, metrics_port=0, redis=redis_url, trust_proxy=("127.0.0.1",)), *said
    ) as path:
        assert (path().kmin, path().behind_proxy) == (None, True)
