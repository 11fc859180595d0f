"""One connection without a room: what it costs the server to keep it."""

from photofinish.lab.bench.sockets import Socket
from photofinish.lab.bench.tables.room import GameTable


class ConnectionTable(GameTable):
    def __init__(self) -> None:
        super().__init__("")

    async def open(self, urls: list[str], number: int) -> None:
        self.sockets.append(await self._connected(urls[number % len(urls)], f"C{number}"))

    def _act(self) -> None:
        """Does nothing."""

    def _heard(self, _socket: Socket, _frame: bytes) -> None:
        """Does nothing."""
