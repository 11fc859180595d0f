"""The node of a room dies: a bare client reconnects through another node, as `COMING_BACK.md` says."""

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed
from websockets.typing import Subprotocol

from photofinish_protocol.version import JSON
from tests.system.conftest import ServerProcess
from tests.system.nodes.test_nodes import free_port
from tests.waiting import within

pytestmark = pytest.mark.system
PATIENCE = 60.0


def wire(url: str) -> connect:
    return connect(url, subprotocols=[Subprotocol(JSON)], compression=None)


async def request(socket: ClientConnection, **message: Any) -> dict[str, Any]:
    """The answer with the same id."""
    await socket.send(json.dumps(message))
    async with within(f"the answer to {message}", PATIENCE):
        while True:
            got: dict[str, Any] = json.loads(await socket.recv())
            if got.get("id") == message["id"] and got["t"] != "pending":
                return got


async def resumed(url: str, token: str) -> tuple[dict[str, Any], list[str]]:
    """The welcome at this address, and what was said before it."""
    before: list[str] = []
    async with within(lambda: f"a welcome at {url}; before: {before[-5:]}", PATIENCE):
        while True:
            try:
                async with wire(url) as socket:
                    got = await request(socket, t="hello", id=0, v=1, name="Bo", token=token, seq=0)
                    if got["t"] == "welcome":
                        return got, before
                    before.append(got["reason"])
                    assert got.get("retry"), got  # nothing that says: give up
            except (ConnectionClosed, OSError) as cut:
                before.append(type(cut).__name__)
            await asyncio.sleep(0.2)


async def test_a_seat_is_resumed_through_another_node_when_the_rooms_node_is_dead(
    tmp_path: Path, redis_url: str
) -> None:
    nodes: list[ServerProcess] = []
    for name in ("owner", "other"):
        (tmp_path / name).mkdir()
        port = free_port()
        words = ("--redis", redis_url, "--public-url", f"ws://127.0.0.1:{port}")
        nodes.append(ServerProcess(tmp_path / name, *words, port=port).start())
    owner, other = nodes
    try:
        async with wire(owner.url) as ada, wire(other.url) as bo:
            await request(ada, t="hello", id=0, v=1, name="Ada")
            room = (await request(ada, t="create", id=1, game="cambio", seats=2))["got"]["room"]
            await request(bo, t="hello", id=0, v=1, name="Bo")
            seated = (await request(bo, t="join", id=1, room=room))["got"]
            assert seated["home"] == owner.url
            await request(bo, t="ready", id=2)

            owner.kill()
            with pytest.raises(ConnectionRefusedError):
                await wire(owner.url)

        welcome, before = await resumed(other.url, seated["token"])

        assert welcome["resumed"]["room"] == room
        assert welcome["resumed"]["seat"] == seated["seat"]
        assert welcome["resumed"].get("home", "") != owner.url
        assert welcome["next_id"] >= 3
        assert set(before) <= {
            "elsewhere",
            "draining",
            "too_fast",
            "ConnectionClosedError",
            "ConnectionClosedOK",
        }
    finally:
        for node in nodes:
            node.stop()
