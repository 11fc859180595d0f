"""Headers of proxies from clients that are none, and from proxies that write them differently. Real sockets."""

import contextlib

import pytest

from photofinish.gateway.access.proxy import Proxies
from tests.attacks.local_server import answer, fetch, local_server, open_many, open_websocket

PROXY = "127.0.0.20"
TRUSTED = {"trust_proxy": (PROXY,), "address_connections": 2}


async def test_a_client_that_avoids_the_proxy_is_counted_by_its_own_address(redis_url: str) -> None:
    """Before, such a client had no limits: a connection that is not from the proxy was counted under no address."""
    async with local_server(redis_url, **TRUSTED) as app, contextlib.AsyncExitStack() as stack:
        await open_many(stack, app, 2, "127.0.0.21")

        assert await answer(app, "127.0.0.21") == 429
        assert await answer(app, "127.0.0.21", X_Forwarded_For="192.0.2.9") == 429, (
            "its header counts for nothing"
        )
        assert await answer(app, PROXY, X_Forwarded_For="192.0.2.9") == 101


async def test_requests_that_avoid_the_proxy_are_limited(redis_url: str) -> None:
    async with local_server(redis_url, trust_proxy=(PROXY,), address_requests=20) as app:
        # 40: a busy machine needs so long for the first twenty that another one is allowed.
        statuses = [(await fetch(app, "/healthz", "127.0.0.22"))[0] for _ in range(40)]

        assert statuses[:20] == [200] * 20
        assert 429 in statuses[20:]


@pytest.mark.parametrize(
    ("first", "again"),
    [
        ("192.0.2.1", "6.6.6.6, 192.0.2.1"),
        ("192.0.2.1:4711", "192.0.2.1:4712"),
        ("2001:db8::1", "2001:db8::ffff"),
        ("[2001:db8::1]:4711", "[2001:db8::2]:80"),
        ("::ffff:192.0.2.1", "192.0.2.1"),
        ("192.0.2.1, 127.0.0.20", "192.0.2.1"),
    ],
)
async def test_forms_of_the_same_address_are_counted_together(redis_url: str, first: str, again: str) -> None:
    async with local_server(redis_url, **TRUSTED) as app, contextlib.AsyncExitStack() as stack:
        for said in (first, again):
            await stack.enter_async_context(open_websocket(app, PROXY, X_Forwarded_For=said))

        assert await answer(app, PROXY, X_Forwarded_For=again) == 429
        assert await answer(app, PROXY, X_Forwarded_For="192.0.2.77") == 101


@pytest.mark.parametrize(
    "said", ["", "garbage", "[", "]:", "1.2.3.4:5:6", "1.2.3", "1.2.3.4, ,", "fe80::1%a%b"]
)
async def test_a_proxy_that_says_nothing_usable_is_not_counted_as_one_player(
    redis_url: str, said: str
) -> None:
    async with local_server(redis_url, **TRUSTED) as app, contextlib.AsyncExitStack() as stack:
        for _ in range(4):
            await stack.enter_async_context(open_websocket(app, PROXY, X_Forwarded_For=said))


def test_without_named_proxies_any_peer_may_be_one() -> None:
    assert Proxies().may_be_proxy("192.0.2.1")
    assert not Proxies(["10.0.0.0/8"]).may_be_proxy("192.0.2.1")
    assert Proxies(["10.0.0.0/8"]).may_be_proxy("::ffff:10.1.2.3")
