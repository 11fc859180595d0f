"""A storm of slaps: eight seats play Reflex, and each claims within 50 ms of the light."""

import asyncio
import random
from time import perf_counter

import msgspec

from photofinish.lab.bench.sockets import Socket
from photofinish.lab.bench.tables.base import ACK, CODEC, HEAD, REFUSED, VIEW, answered
from photofinish.lab.bench.tables.room import GameTable
from photofinish_protocol import messages

SEATS = 8
REACTION, WITHIN = 0.150, 0.050
"""In seconds. The earliest claim comes `REACTION` after the light, and all claims come within `WITHIN` after that."""


class StormView(msgspec.Struct, frozen=True):
    """What a player of Reflex needs of a view."""

    race: messages.OpenRace | None = None
    over: msgspec.Raw = msgspec.Raw()


_view = msgspec.msgpack.Decoder(StormView)


class StormTable(GameTable):
    """An action is one claim: it is over when it is answered. The game continues without the driver."""

    def __init__(self) -> None:
        super().__init__("reflex", SEATS, {"flashes": 20})
        self._chance = random.Random(1)  # noqa: S311 - the same load every time
        self._nonces: dict[Socket, str] = {}
        self._sent: dict[tuple[Socket, int], float] = {}
        self._rematch: asyncio.Task[None] | None = None

    def _act(self) -> None:
        """Does nothing: each claim is sent when its light comes, not when the driver asks."""

    def _early(self, socket: Socket, frame: bytes) -> None:
        self._heard(socket, frame)  # the first views come with the answer to `start`

    def _heard(self, socket: Socket, frame: bytes) -> None:
        head = frame[:HEAD]
        if VIEW in head:
            self._saw(socket, _view.decode(frame))
        elif (ACK in head or REFUSED in head) and (socket, answered(frame)) in self._sent:
            self.times.append(perf_counter() - self._sent.pop((socket, answered(frame))))
            self.done += 1
            self.refused += REFUSED in head
        elif self._answers:
            self._answered(socket, frame)

    def _saw(self, socket: Socket, seen: StormView) -> None:
        if seen.race is not None and self._nonces.get(socket) != seen.race.nonce:
            self._nonces[socket] = seen.race.nonce
            reaction = REACTION + self._chance.random() * WITHIN
            asyncio.get_running_loop().call_later(reaction, self._press, socket, seen.race.nonce, reaction)
        elif bytes(seen.over) not in (b"", b"\xc0") and socket is self.sockets[0] and self._rematch is None:
            self._rematch = asyncio.create_task(self._play_again())

    def _press(self, socket: Socket, nonce: str, reaction: float) -> None:
        self._ids[socket] += 1
        press = messages.Play(
            id=self._ids[socket], move={"t": "press"}, race=nonce, react_us=round(reaction * 1e6)
        )
        self._sent[socket, press.id] = perf_counter()
        socket.send(CODEC.encode(press))

    async def _play_again(self) -> None:
        await self._request(self.sockets[0], messages.Rematch)
        for socket in self.sockets:
            await self._request(socket, messages.Ready)
        await self._request(self.sockets[0], messages.Start)
        self._rematch = None
