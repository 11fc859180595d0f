"""A table of the load generator on which any game is played by random moves out of the offers.

One move at a time: it is sent for a seat that the table waits for, and is over when it is answered.
"""

import asyncio
import random
from typing import Any

import msgspec

from photofinish.games import all_games
from photofinish.lab.bench.sockets import Socket
from photofinish.lab.bench.tables.base import ACK, CODEC, HEAD, REFUSED, SEATS, VIEW, answered
from photofinish.lab.bench.tables.room import GameTable
from photofinish_client.offers import sample
from photofinish_protocol import messages
from photofinish_protocol.offers import Offer

VIEWS_COME = 0.002
"""After an answer, the other seats' views are read for this many seconds. Without this wait a fifth of the moves of
Gravekeepers is refused: the generator reads the answer on one socket, then moves on another whose view is older."""
WAITING = 0.005
"""Seconds between two searches for a possible move, while the table waits for a clock or a race."""


class OfferedView(msgspec.Struct, frozen=True):
    """What the player needs of a view. The rest is not decoded: the generator must not be the limit."""

    number: int
    offers: tuple[Offer, ...] = ()
    race: messages.OpenRace | None = None
    over: msgspec.Raw = msgspec.Raw()


_view = msgspec.msgpack.Decoder(OfferedView)


class RandomTable(GameTable):
    def __init__(self, game: str) -> None:
        super().__init__(game, min(SEATS, all_games()[game].seats[-1]))
        self._chance = random.Random(1)  # noqa: S311 - the same load every time
        self._seen: dict[Socket, OfferedView] = {}
        self._open: tuple[Socket, int] | None = None
        """The move that is under way."""
        self._rematch: asyncio.Task[None] | None = None

    def _act(self) -> None:
        if not self.is_running or self._open is not None or self._rematch is not None:
            return
        for socket in self._chance.sample(self.sockets, len(self.sockets)):
            seen = self._seen.get(socket)
            offers = [it for it in seen.offers if it.awaited] if seen is not None else []
            move = sample(offers, self._chance) if offers else None
            if seen is not None and move is not None:
                self._send(socket, seen, move)
                return
        asyncio.get_running_loop().call_later(WAITING, self._act)

    def _send(self, socket: Socket, seen: OfferedView, move: dict[str, Any]) -> None:
        race = seen.race.nonce if seen.race is not None and move["t"] in seen.race.moves else None
        self._ids[socket] += 1
        self._open = socket, self._ids[socket]
        socket.send(CODEC.encode(messages.Play(id=self._ids[socket], move=move, race=race)))

    def _heard(self, socket: Socket, frame: bytes) -> None:
        head = frame[:HEAD]
        if VIEW in head:
            self._saw(socket, _view.decode(frame))
        elif ACK in head or REFUSED in head:
            request_id = answered(frame)
            if self._open == (socket, request_id):
                self._open = None
                self.refused += REFUSED in head
                asyncio.get_running_loop().call_later(VIEWS_COME, self._finished)
            else:
                self._answered(socket, frame)
        elif self._answers:
            self._answered(socket, frame)

    def _saw(self, socket: Socket, seen: OfferedView) -> None:
        self._seen[socket] = seen
        is_over = bytes(seen.over) not in (b"", b"\xc0")
        if is_over and socket is self.sockets[0] and self._rematch is None:
            self._rematch = asyncio.create_task(self._play_again())

    def _early(self, socket: Socket, frame: bytes) -> None:
        self._heard(socket, frame)  # the first views come with the answer to `start`

    async def _play_again(self) -> None:
        await self._request(self.sockets[0], messages.Rematch)
        for socket in self.sockets:
            await self._request(socket, messages.Ready)
        self._seen.clear()
        await self._request(self.sockets[0], messages.Start)
        self._rematch = None
        self._act()
