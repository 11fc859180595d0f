"""The headers of a proxy are used only if the operator trusts that proxy."""

from types import SimpleNamespace
from typing import Any

import pytest
from websockets.datastructures import Headers

from photofinish.gateway.access.proxy import FORWARDED, HEADER, BadProxy, Proxies


def connection(peer: str, **headers: str) -> Any:
    """The two parts of a connection that are read: the peer address and the request."""
    request = SimpleNamespace(
        headers=Headers({name.replace("_", "-"): value for name, value in headers.items()})
    )
    return SimpleNamespace(remote_address=(peer, 1234), request=request)


def test_the_header_of_an_untrusted_proxy_is_ignored() -> None:
    assert Proxies().forwarded(None, None) is None  # type: ignore[arg-type]  # no proxy is trusted, so nothing is read


def test_a_proxy_option_that_is_not_an_address_is_refused_with_a_message() -> None:
    with pytest.raises(BadProxy, match="--trust-proxy takes an address"):
        Proxies(["proxy.example"])


@pytest.mark.parametrize(
    ("said", "found"),
    [
        ("192.0.2.1", "192.0.2.1"),
        ("6.6.6.6, 192.0.2.1", "192.0.2.1"),
        ("192.0.2.1, 10.0.0.9", "192.0.2.1"),
        ("nonsense", None),
        ("192.0.2.1, nonsense", None),
        ("10.0.0.9", None),
        ("", None),
    ],
)
def test_the_last_address_that_is_not_a_trusted_proxy_is_the_players(said: str, found: str | None) -> None:
    behind = connection("10.0.0.1", **{FORWARDED: said})

    assert Proxies(["10.0.0.0/8"]).forwarded(behind, behind.request) == found


@pytest.mark.parametrize("peer", ["10.0.0.1", "::ffff:10.0.0.1"])
def test_a_round_trip_header_is_used_only_from_a_trusted_proxy(peer: str) -> None:
    it = connection(peer, **{HEADER: "23000"})

    assert Proxies(["10.0.0.0/8"]).round_trip(it) == 23_000
    assert Proxies(["192.0.2.0/24"]).round_trip(it) is None
    assert Proxies().round_trip(it) is None


@pytest.mark.parametrize("said", ["0", "-5", "fast", "1e6", "60000001", "999999999999999"])
def test_an_impossible_round_trip_is_ignored(said: str) -> None:
    assert Proxies(["10.0.0.1"]).round_trip(connection("10.0.0.1", **{HEADER: said})) is None
