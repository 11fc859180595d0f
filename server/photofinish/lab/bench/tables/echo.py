"""The sockets of the bare echo."""

from photofinish.lab.bench.sockets import Socket
from photofinish.lab.bench.tables.base import CODEC, SEATS, LoadTable
from photofinish_protocol import messages


class EchoTable(LoadTable):
    """Four sockets of a bare echo: one frame in, four frames out."""

    ASK = CODEC.encode(messages.Play(id=1_000, move={"t": "add"}))

    def __init__(self) -> None:
        super().__init__()
        self._awaited = self._turn = 0

    async def open(self, urls: list[str], number: int) -> None:
        for _ in range(SEATS):
            self.sockets.append(await Socket.connect(f"{urls[0]}/{number}", self._heard))

    def _act(self) -> None:
        self._awaited = SEATS
        self._turn = (self._turn + 1) % SEATS
        self.sockets[self._turn].send(self.ASK)

    def _heard(self, _socket: Socket, _frame: bytes) -> None:
        self._awaited -= 1
        if not self._awaited:
            self._finished()
