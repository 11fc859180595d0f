"""`photofinish inspect` finds no fault in our server, and finds those of a false one."""

import asyncio
import json
from collections.abc import Sequence
from pathlib import Path

import pytest
from websockets.asyncio.server import ServerConnection, serve
from websockets.typing import Subprotocol

from photofinish.conformance.inspect import QUESTIONS, inspect_server
from photofinish_protocol.version import SUBPROTOCOLS
from tests.system.conftest import ServerProcess

pytestmark = pytest.mark.system


def test_our_server_keeps_every_promise(tmp_path: Path) -> None:
    server = ServerProcess(tmp_path).start()
    try:
        found = asyncio.run(inspect_server(server.url))
    finally:
        server.stop()

    assert [it for it in found if it.came] == []
    assert len(found) == 2 * (1 + len(QUESTIONS)) + 1


async def test_the_faults_of_a_server_that_accepts_everything_are_found() -> None:
    async def yes(socket: ServerConnection) -> None:
        async for raw in socket:
            if isinstance(raw, str):
                await socket.send(json.dumps({"t": "ack", "id": json.loads(raw)["id"]}))
            else:
                await socket.close()

    def anything(_socket: ServerConnection, offered: Sequence[Subprotocol]) -> Subprotocol | None:
        return next((it for it in offered if it in SUBPROTOCOLS), None)

    async with serve(yes, "127.0.0.1", 0, select_subprotocol=anything) as it:
        port = next(iter(it.sockets)).getsockname()[1]
        found = await inspect_server(f"ws://127.0.0.1:{port}")

    assert all(
        it.came for it in found if it.promise.startswith("photofinish.v1+json") and "spoken" not in it.promise
    )
    assert found[-1].came == "the handshake was accepted"
