"""The counter on Colyseus (`tests/bench/peers/colyseus.mjs`), spoken to in Colyseus' own protocol."""

import asyncio
import urllib.request
from typing import Any
from urllib.parse import urlsplit

import msgspec

from photofinish.lab.bench.sockets import Socket
from photofinish.lab.bench.tables.base import SEATS, LoadTable, Unexpected

JOIN_ROOM, ROOM_DATA, ROOM_STATE, ROOM_STATE_PATCH = 10, 13, 14, 15
"""The first byte of each frame."""
ADD = bytes((ROOM_DATA,)) + msgspec.msgpack.encode("add")
REFUSED = bytes((ROOM_DATA,)) + msgspec.msgpack.encode("refused")


class ColyseusTable(LoadTable):
    """An action is over when its ack and four views (messages or patches) have come."""

    def __init__(self) -> None:
        super().__init__()
        self._awaited = self._turn = 0
        self._joined: dict[Socket, asyncio.Future[None]] = {}

    async def open(self, urls: list[str], number: int) -> None:  # noqa: ARG002 - Colyseus names its rooms itself
        room = ""
        for _ in range(SEATS):
            path = f"joinById/{room}" if room else "create/counter"
            seat = await asyncio.to_thread(_asked, urls[0], path)
            room = seat["roomId"]
            url = f"{urls[0]}/{seat['processId']}/{room}?sessionId={seat['sessionId']}"
            socket = await Socket.connect(url, self._heard)
            self.sockets.append(socket)
            await asyncio.wait_for(self._joined.setdefault(socket, _future()), 30)

    def _act(self) -> None:
        self._awaited = SEATS + 1
        self.sockets[self._turn].send(ADD)
        self._turn = (self._turn + 1) % SEATS

    def _heard(self, socket: Socket, frame: bytes) -> None:
        kind = frame[0]
        if kind == JOIN_ROOM:
            socket.send(bytes((JOIN_ROOM,)))
            self._joined.setdefault(socket, _future()).set_result(None)
        elif frame.startswith(REFUSED):
            raise Unexpected("Colyseus refused a move")
        elif kind in (ROOM_DATA, ROOM_STATE_PATCH) and self._awaited:
            self._awaited -= 1
            if not self._awaited:
                self._finished()


def _future() -> asyncio.Future[None]:
    return asyncio.get_running_loop().create_future()


def _asked(url: str, path: str) -> Any:
    """Colyseus reserves a seat over HTTP before the socket is opened."""
    request = urllib.request.Request(
        f"http://{urlsplit(url).netloc}/matchmake/{path}", b"{}", {"Content-Type": "application/json"}
    )
    with urllib.request.urlopen(request, timeout=30) as answer:  # noqa: S310 - our own server
        return msgspec.json.decode(answer.read())
