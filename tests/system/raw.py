"""A bare socket that speaks JSON, for what no well-behaved client would send."""

import json
from typing import Any, Self

from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed
from websockets.typing import Subprotocol

from photofinish_protocol.version import JSON
from tests.waiting import within


class Raw:
    """`request` sends with a fresh id and returns the answer; everything else that arrives is kept in `heard`."""

    def __init__(self, url: str, subprotocol: str = JSON, **more: Any) -> None:
        self._connect = connect(url, subprotocols=[Subprotocol(subprotocol)], compression=None, **more)
        self.socket: ClientConnection
        self.heard: list[dict[str, Any]] = []
        self.next_id = 0

    async def __aenter__(self) -> Self:
        self.socket = await self._connect.__aenter__()
        return self

    async def __aexit__(self, *why: object) -> None:
        await self._connect.__aexit__(None, None, None)

    async def hello(self, name: str = "Raw", **more: Any) -> dict[str, Any]:
        return await self.request("hello", v=1, name=name, **more)

    async def request(self, t: str, **fields: Any) -> dict[str, Any]:
        if "id" not in fields:
            fields["id"] = self.next_id
            self.next_id += 1
        await self.send({"t": t, **fields})
        return await self.answer(fields["id"])

    async def send(self, message: Any) -> None:
        await self.socket.send(message if isinstance(message, str | bytes) else json.dumps(message))

    async def answer(self, request_id: int) -> dict[str, Any]:
        """The one answer to this id."""
        while True:
            message = await self.next()
            if message.get("id") == request_id and message["t"] in {"ack", "refused", "welcome"}:
                return message

    async def next(self, *kinds: str) -> dict[str, Any]:
        """The next message, or the next of these kinds."""
        while True:
            async with within(lambda: f"a message ({kinds or 'any'}) after {self._heard_last()}"):
                message: dict[str, Any] = json.loads(await self.socket.recv())
            self.heard.append(message)
            if not kinds or message["t"] in kinds:
                return message

    async def closed(self) -> int:
        """Read until the server closes; the code it gave."""
        try:
            async with within(lambda: f"the server closes after {self._heard_last()}"):
                while True:
                    frame = await self.socket.recv()
                    if isinstance(frame, str):
                        self.heard.append(json.loads(frame))
        except ConnectionClosed as end:
            return end.rcvd.code if end.rcvd else 1006

    def _heard_last(self) -> str:
        return ", ".join(f"{it['t']} {it.get('id', '')}".strip() for it in self.heard[-5:]) or "nothing"
