"""Two nodes that require an access token, and a node address that cannot be reached."""

import asyncio
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import pytest

from photofinish_client import connect
from photofinish_client.connection.address import address
from photofinish_client.errors import CutOff
from tests.system.conftest import ServerProcess
from tests.system.nodes.test_nodes import free_port
from tests.waiting import hears

pytestmark = pytest.mark.system

TOKEN = "a-token-of-some-length"
NOWHERE = "ws://127.0.0.1:1"


@pytest.fixture
def guarded(tmp_path: Path, redis_url: str) -> Iterator[list[ServerProcess]]:
    """Two nodes that publish their own addresses and require a token."""
    (tmp_path / "tokens").write_text(f"{TOKEN}\n")
    (tmp_path / "tokens").chmod(0o600)
    nodes = []
    for name in ("one", "two"):
        (tmp_path / name).mkdir()
        port = free_port()
        words = ("--redis", redis_url, "--public-url", f"ws://127.0.0.1:{port}")
        more = ("--access-token-file", str(tmp_path / "tokens"))
        nodes.append(ServerProcess(tmp_path / name, *words, *more, port=port).start())
    yield nodes
    for node in nodes:
        node.stop()


async def test_a_client_sends_its_token_to_the_rooms_node_too(guarded: list[ServerProcess]) -> None:
    one, two = (node.url.replace("ws://", f"ws://anybody:{TOKEN}@") for node in guarded)
    async with connect(one, name="Ada") as ada, connect(two, name="Bo") as bo:
        await bo.join(await ada.create("cambio", seats=2))
        await bo.ready()

        assert bo.url == guarded[0].url
        assert bo.seat == 1


async def test_a_client_without_a_token_is_told_why_at_once(guarded: list[ServerProcess]) -> None:
    began = time.monotonic()
    with pytest.raises(CutOff, match="requires an access token"):
        async with connect(guarded[0].url, name="Eve", access_token="wrong"):
            pass

    assert time.monotonic() - began < 4  # without retries


async def test_a_page_is_fetched_with_the_same_token(guarded: list[ServerProcess]) -> None:
    def status(token: str) -> int:
        try:
            page = address(guarded[0].url, token).page("/api/rooms")
            with urllib.request.urlopen(page, timeout=10) as answer:
                return int(answer.status)
        except urllib.error.HTTPError as refusal:
            return refusal.code

    assert [await asyncio.to_thread(status, token) for token in (TOKEN, "wrong", "")] == [200, 401, 401]


async def test_a_client_stays_on_its_node_if_the_rooms_node_cannot_be_reached(
    tmp_path: Path, redis_url: str
) -> None:
    nodes = []
    for name, more in (("one", ("--public-url", NOWHERE)), ("two", ())):
        (tmp_path / name).mkdir()
        nodes.append(ServerProcess(tmp_path / name, "--redis", redis_url, *more).start())
    try:
        async with connect(nodes[0].url, name="Ada") as ada, connect(nodes[1].url, name="Bo") as bo:
            await bo.join(await ada.create("cambio", seats=2))
            await bo.ready()
            await hears(ada, lambda room: room.seats[1].ready)
            for _ in range(3):
                await bo.ping()

            assert bo.url == nodes[1].url
            assert bo.cuts <= 1
    finally:
        for node in nodes:
            node.stop()
