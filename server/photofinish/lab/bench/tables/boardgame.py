"""The counter on boardgame.io (`tests/bench/peers/boardgame.mjs`), spoken to in socket.io's protocol."""

import asyncio
import json
from collections import defaultdict

from photofinish.lab.bench.sockets import TEXT, Socket
from photofinish.lab.bench.tables.base import SEATS, LoadTable

OPEN, PING, PONG = b"0", b"2", b"3"
CONNECT, EVENT = b"40/counter,", b"42/counter,"
STATE_ID = b'"_stateID":'


class BoardgameTable(LoadTable):
    """An action is over when all four seats have the new state. boardgame.io has no ack."""

    def __init__(self) -> None:
        super().__init__()
        self._awaited = self._turn = self._state = 0
        self._match = ""
        self._ready: defaultdict[Socket, asyncio.Semaphore] = defaultdict(lambda: asyncio.Semaphore(0))
        """Released once when the socket is connected, and once when it is at its table."""

    async def open(self, urls: list[str], number: int) -> None:
        self._match = f"table{number}"
        for seat in range(SEATS):
            socket = await Socket.connect(f"{urls[0]}/socket.io/?EIO=4&transport=websocket", self._heard)
            self.sockets.append(socket)
            await asyncio.wait_for(self._ready[socket].acquire(), 30)
            self._emit(socket, "sync", self._match, str(seat), None, SEATS)
            await asyncio.wait_for(self._ready[socket].acquire(), 30)

    def _act(self) -> None:
        self._awaited = SEATS
        seat = str(self._turn)
        move = {
            "type": "MAKE_MOVE",
            "payload": {"type": "add", "args": [], "playerID": seat, "credentials": None},
        }
        self._emit(self.sockets[self._turn], "update", move, self._state, self._match, seat)
        self._turn = (self._turn + 1) % SEATS

    def _emit(self, socket: Socket, *parts: object) -> None:
        socket.send(EVENT + json.dumps(parts).encode(), TEXT)

    def _heard(self, socket: Socket, frame: bytes) -> None:
        if frame == PING:
            socket.send(PONG, TEXT)
        elif frame.startswith(OPEN):
            socket.send(CONNECT, TEXT)
        elif frame.startswith((CONNECT, EVENT + b'["sync"')):
            self._ready[socket].release()
        elif frame.startswith(EVENT + b'["update"') and self._awaited:
            at = frame.index(STATE_ID) + len(STATE_ID)
            self._state = int(frame[at : at + 12].partition(b",")[0].partition(b"}")[0])
            self._awaited -= 1
            if not self._awaited:
                self._finished()
