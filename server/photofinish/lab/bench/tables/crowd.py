"""Counter with a crowd: an action is over when every watcher has its view, too."""

import asyncio

from photofinish.lab.bench.sockets import Socket
from photofinish.lab.bench.tables.base import CODEC, HEAD, REFUSED, VIEW, Unexpected
from photofinish.lab.bench.tables.counter import CounterTable
from photofinish_protocol import messages

WATCHERS = 1_000
AT_A_TIME = 50


class CrowdTable(CounterTable):
    def __init__(self) -> None:
        super().__init__()
        self._watchers: list[Socket] = []

    async def open(self, urls: list[str], number: int) -> None:
        await super().open(urls, number)
        for first in range(0, WATCHERS, AT_A_TIME):
            await asyncio.gather(*(self._watch(urls[0], first + n) for n in range(AT_A_TIME)))
        await asyncio.sleep(1.0)  # the number of watchers is sent to all
        for socket in self._watchers:
            socket.on_frame = self._watched

    async def _watch(self, url: str, number: int) -> None:
        socket = await self._connected(url, f"W{number}")
        await self._request(socket, messages.Watch, room=self.room)
        self._watchers.append(socket)

    def _act(self) -> None:
        super()._act()
        self._awaited += len(self._watchers)

    def _watched(self, _socket: Socket, frame: bytes) -> None:
        head = frame[:HEAD]
        if VIEW in head:
            self._awaited -= 1
            if not self._awaited:
                self._finished()
        elif REFUSED in head:
            raise Unexpected(str(CODEC.decode_message(frame)))
