"""A room of the real server, and the game in which nobody moves."""

import asyncio
from typing import Any

from photofinish.lab.bench.sockets import Socket
from photofinish.lab.bench.tables.base import CODEC, SEATS, LoadTable, Unexpected
from photofinish_protocol import messages
from photofinish_protocol.version import MSGPACK, VERSION


class GameTable(LoadTable):
    """A room of the real server with a connection per seat."""

    def __init__(self, game: str, seats: int = SEATS, options: dict[str, Any] | None = None) -> None:
        super().__init__()
        self.game, self.seats, self.options = game, seats, options or {}
        self._answers: dict[tuple[Socket, int], asyncio.Future[Any]] = {}
        self._ids: dict[Socket, int] = {}
        self.room = ""

    async def open(self, urls: list[str], number: int) -> None:
        for seat in range(self.seats):
            socket = await self._connected(urls[seat % len(urls)], f"P{number}-{seat}")
            self.sockets.append(socket)
            if seat == 0:
                create = {"game": self.game, "seats": self.seats, "options": self.options}
                ack = await self._request(socket, messages.Create, **create)
                self.room = ack.got.room
            else:
                await self._request(socket, messages.Join, room=self.room)
        for socket in self.sockets:
            await self._request(socket, messages.Ready)
        await self._request(self.sockets[0], messages.Start)
        for socket in self.sockets:
            socket.on_frame = self._heard

    async def _connected(self, url: str, name: str) -> Socket:
        socket = await Socket.connect(url, self._early, MSGPACK)
        self._ids[socket] = 0
        await self._request(socket, messages.Hello, v=VERSION, name=name)
        return socket

    async def _request(self, socket: Socket, kind: type[messages.Request], **fields: Any) -> Any:
        self._ids[socket] += 1
        answer = self._answers[socket, self._ids[socket]] = asyncio.get_running_loop().create_future()
        socket.send(CODEC.encode(kind(id=self._ids[socket], **fields)))
        return await asyncio.wait_for(answer, 60)

    def _early(self, socket: Socket, frame: bytes) -> None:
        """Handle a frame that comes before the game has begun."""
        self._answered(socket, frame)

    def _answered(self, socket: Socket, frame: bytes) -> None:
        message = CODEC.decode_message(frame)
        match message:
            case messages.Ack() | messages.Welcome():
                self._answers.pop((socket, message.id)).set_result(message)
            case messages.Refused():
                self._answers.pop((socket, message.id)).set_exception(Unexpected(message.text))

    def _heard(self, _socket: Socket, frame: bytes) -> None:
        raise NotImplementedError


class IdleTable(GameTable):
    """A dealt room in which nobody moves."""

    def __init__(self, game: str = "counter") -> None:
        super().__init__(game)

    def _act(self) -> None:
        """Does nothing."""

    def _heard(self, _socket: Socket, _frame: bytes) -> None:
        """Does nothing."""
