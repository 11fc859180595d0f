"""The tables of the load generator. Each has one action under way; when all its frames have come, the next is sent."""

import asyncio
from time import perf_counter
from typing import Any

from photofinish.lab.bench.sockets import Socket
from photofinish_protocol import messages
from photofinish_protocol.codec import CODECS
from photofinish_protocol.version import MSGPACK, VERSION

CODEC = CODECS[MSGPACK]
SEATS = 4
VIEW, ACK, REFUSED = b"\xa1t\xa4view", b"\xa1t\xa3ack", b"\xa1t\xa7refused"
"""How these messages begin, after the header of the map."""
HEAD = 12


class Unexpected(Exception):  # noqa: N818 - the fact itself
    """The server sent what no action of the bench can lead to."""


class Table:
    """A group of sockets. `done` counts finished actions; `times` are their durations while `is_timed`."""

    def __init__(self) -> None:
        self.sockets: list[Socket] = []
        self.done = self.refused = 0
        self.times: list[float] = []
        self.is_running = False
        self._began = 0.0

    def run(self) -> None:
        self.is_running = True
        self._next()

    def _act(self) -> None:
        raise NotImplementedError

    def _next(self) -> None:
        if self.is_running:
            self._began = perf_counter()
            self._act()

    def _finished(self) -> None:
        self.done += 1
        self.times.append(perf_counter() - self._began)
        self._next()

    def close(self) -> None:
        for socket in self.sockets:
            socket.close()


class EchoTable(Table):
    """Four sockets of a bare echo: one frame in, four frames out."""

    ASK = CODEC.encode(messages.Play(id=1_000, move={"t": "add"}))

    def __init__(self) -> None:
        super().__init__()
        self._awaited = self._turn = 0

    async def open(self, url: str, number: int) -> None:
        for _ in range(SEATS):
            self.sockets.append(await Socket.connect(f"{url}/{number}", self._heard))

    def _act(self) -> None:
        self._awaited = SEATS
        self._turn = (self._turn + 1) % SEATS
        self.sockets[self._turn].send(self.ASK)

    def _heard(self, _socket: Socket, _frame: bytes) -> None:
        self._awaited -= 1
        if not self._awaited:
            self._finished()


class GameTable(Table):
    """A room of the real server with a connection per seat."""

    def __init__(self, game: str, seats: int = SEATS) -> None:
        super().__init__()
        self.game, self.seats = game, seats
        self._answers: dict[tuple[Socket, int], asyncio.Future[Any]] = {}
        self._ids: dict[Socket, int] = {}
        self.room = ""

    async def open(self, url: str, number: int) -> None:
        for seat in range(self.seats):
            socket = await Socket.connect(url, self._early, MSGPACK)
            self.sockets.append(socket)
            self._ids[socket] = 0
            await self._ask(socket, messages.Hello, v=VERSION, name=f"P{number}-{seat}")
            if seat == 0:
                ack = await self._ask(socket, messages.Create, game=self.game, seats=self.seats)
                self.room = ack.got.room
            else:
                await self._ask(socket, messages.Join, room=self.room)
        for socket in self.sockets:
            await self._ask(socket, messages.Ready)
        await self._ask(self.sockets[0], messages.Start)
        for socket in self.sockets:
            socket.on_frame = self._heard

    async def _ask(self, socket: Socket, kind: type[messages.Ask], **fields: Any) -> Any:
        self._ids[socket] += 1
        answer = self._answers[socket, self._ids[socket]] = asyncio.get_running_loop().create_future()
        socket.send(CODEC.encode(kind(id=self._ids[socket], **fields)))
        return await asyncio.wait_for(answer, 60)

    def _early(self, socket: Socket, frame: bytes) -> None:
        """A frame before the game has begun."""
        self._answered(socket, frame)

    def _answered(self, socket: Socket, frame: bytes) -> None:
        message = CODEC.say(frame)
        match message:
            case messages.Ack() | messages.Welcome():
                self._answers.pop((socket, message.id)).set_result(message)
            case messages.Refused():
                self._answers.pop((socket, message.id)).set_exception(Unexpected(message.text))

    def _heard(self, _socket: Socket, frame: bytes) -> None:
        raise NotImplementedError


class CounterTable(GameTable):
    """Each seat in its turn adds one. An action is over when its ack and all views have come."""

    def __init__(self) -> None:
        super().__init__("counter")
        self._awaited = self._turn = 0

    def _act(self) -> None:
        self._awaited = self.seats + 1
        socket = self.sockets[self._turn]
        self._turn = (self._turn + 1) % self.seats
        self._ids[socket] += 1
        socket.send(CODEC.encode(messages.Play(id=self._ids[socket], move={"t": "add"})))

    def _heard(self, _socket: Socket, frame: bytes) -> None:
        head = frame[:HEAD]
        if VIEW in head or ACK in head:
            self._awaited -= 1
            if not self._awaited:
                self._finished()
        elif REFUSED in head:
            raise Unexpected(str(CODEC.say(frame)))


class IdleTable(GameTable):
    """A dealt room in which nobody moves."""

    def __init__(self) -> None:
        super().__init__("counter")

    def _act(self) -> None:
        """Nothing."""

    def _heard(self, _socket: Socket, _frame: bytes) -> None:
        """Nothing."""
