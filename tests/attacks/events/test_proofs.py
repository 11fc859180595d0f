"""A proof of a key that was signed for another server and is passed on to this one (T6); methods that do not read."""

from typing import Any

import pytest
from structlog.testing import capture_logs
from websockets.asyncio.client import ClientConnection, connect
from websockets.datastructures import Headers
from websockets.typing import Subprotocol

from photofinish.app import App
from photofinish.gateway.access.auth import BadAccess, HostNames
from photofinish_client.keys import PlayerKey
from photofinish_protocol.version import JSON
from tests.attacks.local_server import local_server
from tests.attacks.test_limits import request
from tests.attacks.test_requests import ending, wire
from tests.own_logging import own_logging


def dialled(app: App, host: str) -> connect:
    """A client that says it has dialled this name."""
    port = app.gateway.ports[0]
    return connect(
        f"ws://{host}",
        host="127.0.0.1",
        port=port,
        subprotocols=[Subprotocol(JSON)],
        compression=None,
        proxy=None,
    )


async def identify(one: ClientConnection, key: PlayerKey, host: str) -> dict[str, Any]:
    """Prove the key as a player does who has dialled this host."""
    welcome = await request(one, 0, "hello", v=1, name="Ada")
    return await request(one, 1, "identify", **signed(key, host, welcome["challenge"]))


def signed(key: PlayerKey, host: str, challenge: str) -> dict[str, Any]:
    made = key.proof(f"ws://{host}", challenge, "Ada")
    return {"key": made.key, "name": made.name, "signature": made.signature}


async def test_T6_a_proof_for_another_server_is_refused(redis_url: str) -> None:
    """The foreign server requests the player to sign our challenge, and says its own name to us."""
    key = PlayerKey.new()
    async with local_server(redis_url, host_name=("cards.example.org",)) as app:
        async with dialled(app, "evil.example") as thief:
            answer = await identify(thief, key, "evil.example")
            assert (answer["t"], answer.get("reason")) == ("refused", "bad_signature")
        async with dialled(app, "Cards.Example.org") as player:
            assert (await identify(player, key, "Cards.Example.org"))["t"] == "ack"


async def test_a_challenge_is_good_for_one_proof_on_its_own_connection(redis_url: str) -> None:
    key = PlayerKey.new()
    async with (
        local_server(redis_url) as app,
        dialled(app, "a.example") as one,
        dialled(app, "a.example") as other,
    ):
        first = await request(one, 0, "hello", v=1, name="Ada")
        await request(other, 0, "hello", v=1, name="Eve")
        proof = signed(key, "a.example", first["challenge"])

        assert (await request(other, 1, "identify", **proof))["reason"] == "bad_signature"
        assert (await request(one, 1, "identify", **proof))["t"] == "ack"
        assert (await request(one, 2, "identify", **proof))["reason"] == "bad_signature"


@pytest.mark.parametrize(
    ("named", "host", "is_own"),
    [
        ((), "anything:1", True),
        (("a.example",), "A.example:8765", True),
        (("a.example:1",), "a.example", True),
        (("a.example",), "a.example.evil", False),
        (("a.example",), "evil@a.example", False),
        (("::1", "[::1]"), "[::1]:8765", True),
        (("127.0.0.1",), "[", False),
    ],
)
def test_a_host_header_is_ours_only_if_it_is_a_configured_name(
    named: tuple[str, ...], host: str, is_own: bool
) -> None:
    names = HostNames(it for it in named if it != "::1")

    assert (names.own(Headers({"Host": host})) == host) is is_own
    assert names.own(Headers()) is None
    assert names.own(Headers([("Host", host), ("Host", host)])) is None


@pytest.mark.parametrize("name", ["https://a.example", "", "a/b"])
def test_an_invalid_host_name_is_refused_at_the_start(name: str) -> None:
    with pytest.raises(BadAccess):
        HostNames([name])


@pytest.mark.parametrize("method", ["POST", "PUT", "DELETE", "OPTIONS", "TRACE", "get"])
async def test_pages_accept_only_GET_and_HEAD(redis_url: str, method: str) -> None:
    async with local_server(redis_url) as app, wire(app, "127.0.0.28") as (reader, writer):
        writer.write(f"{method} /healthz HTTP/1.1\r\nHost: x\r\n\r\n".encode())
        said = await ending(reader)

        assert said.startswith(b"HTTP/1.1 405 ")
        assert b"Allow: GET, HEAD" in said


async def test_HEAD_gets_the_headers_of_the_page_and_no_body(redis_url: str) -> None:
    async with local_server(redis_url) as app, wire(app, "127.0.0.29") as (reader, writer):
        writer.write(b"HEAD /healthz HTTP/1.1\r\nHost: x\r\n\r\n")
        head, _, body = (await ending(reader)).partition(b"\r\n\r\n")

        assert head.startswith(b"HTTP/1.1 200 ")
        assert b"Content-Length: 3" in head
        assert body == b""


@pytest.mark.parametrize(
    ("host", "names", "is_warned"),
    [("0.0.0.0", (), True), ("0.0.0.0", ("a.example",), False), ("127.0.0.1", (), False)],
)
async def test_a_server_that_does_not_know_its_names_says_so_at_the_start(
    redis_url: str, host: str, names: tuple[str, ...], is_warned: bool
) -> None:
    with own_logging(), capture_logs() as logged:
        async with local_server(redis_url, host=host, host_name=names):
            pass

    assert any("--host-name" in it["event"] for it in logged) is is_warned
