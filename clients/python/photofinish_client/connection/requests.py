"""The requests of a player to the server, as methods. They need only `request`."""

import asyncio
from abc import ABC, abstractmethod
from time import perf_counter_ns
from typing import Any, Final

from photofinish_client.errors import RequestRefused
from photofinish_protocol.event_messages import PartName
from photofinish_protocol.messages import (
    Ack,
    Bot,
    BotIn,
    Chat,
    Create,
    Emote,
    Follow,
    GameInfo,
    GameList,
    Games,
    Join,
    Leave,
    Ping,
    Pong,
    Ready,
    Rematch,
    Request,
    RoomList,
    Rooms,
    Seated,
    Sit,
    Start,
    Unfollow,
    Watch,
)
from photofinish_protocol.reasons import Reason

SIT_TRIES: Final = 10
SIT_WAIT: Final = 0.5
NOT_YET: Final = frozenset({Reason.NO_SUCH_ROOM, Reason.ELSEWHERE, Reason.SEAT_TAKEN, Reason.TOO_FAST})


class Requests(ABC):
    """Each method returns when the server has answered. Raises `RequestRefused`."""

    @abstractmethod
    async def request(self, wish: Request) -> Ack:
        """Send any message (its id is filled in) and wait for its answer. Raises `RequestRefused`."""

    async def create(
        self,
        game: str,
        *,
        seats: int | None = None,
        options: dict[str, Any] | None = None,
        private: bool = False,
        substitutes: bool = False,
    ) -> str:
        """Open a room and sit down as its host. Returns the room's code."""
        wish = Create(
            id=0, game=game, seats=seats, options=options or {}, private=private, substitutes=substitutes
        )
        return await self._sit(wish)

    async def join(self, room: str, *, seat: int | None = None) -> str:
        return await self._sit(Join(id=0, room=room, seat=seat))

    async def watch(self, room: str, *, seat: int | None = None) -> None:
        """Watch a table. `seat`: a referee to whom its hands are opened sees what this seat sees."""
        await self.request(Watch(id=0, room=room, seat=seat))

    async def sit(self, event: str) -> str:
        """Take the seat that we were called to in this event. Returns the room's code.

        The call can come before the room is open, or before its seat is bound to a new key: then it is retried.
        """
        for _ in range(SIT_TRIES):
            try:
                return await self._sit(Sit(id=0, event=event))
            except RequestRefused as no:
                if no.reason not in NOT_YET:
                    raise
            await asyncio.sleep(SIT_WAIT)
        return await self._sit(Sit(id=0, event=event))

    async def follow(self, event: str, *parts: PartName) -> None:
        """Get parts of an event as they change (`EventNews`), also after a reconnection."""
        await self.request(Follow(id=0, event=event, parts=parts or ("info",)))

    async def unfollow(self, event: str) -> None:
        await self.request(Unfollow(id=0, event=event))

    async def leave(self) -> None:
        await self.request(Leave(id=0))

    async def ready(self, ready: bool = True) -> None:
        """Send `ready` with the hash of a new nonce. The nonce itself is sent automatically when the host starts."""
        await self.request(Ready(id=0, ready=ready))

    async def add_bot(
        self, *, seat: int | None = None, player: str = "house", strength: str = "medium"
    ) -> int:
        """Put a bot of the server into a seat. Returns the seat."""
        wish = Bot(id=0, seat=seat, player=player, strength=strength)  # type: ignore[arg-type]  # the server checks the words
        ack = await self.request(wish)
        assert isinstance(ack.got, BotIn)
        return ack.got.seat

    async def start(self) -> None:
        await self.request(Start(id=0))

    async def rematch(self) -> None:
        await self.request(Rematch(id=0))

    async def chat(self, text: str) -> None:
        await self.request(Chat(id=0, text=text))

    async def emote(self, emote: str) -> None:
        await self.request(Emote(id=0, emote=emote))

    async def rooms(self, game: str | None = None, *, limit: int = 100, skip: int = 0) -> RoomList:
        """One page of the open rooms, and the total number."""
        ack = await self.request(Rooms(id=0, game=game, limit=limit, skip=skip))
        assert isinstance(ack.got, RoomList)
        return ack.got

    async def games(self) -> tuple[GameInfo, ...]:
        ack = await self.request(Games(id=0))
        assert isinstance(ack.got, GameList)
        return ack.got.games

    async def ping(self) -> float:
        """The round trip in seconds."""
        ack = await self.request(Ping(id=0, at=perf_counter_ns() // 1000))
        assert isinstance(ack.got, Pong)
        return (perf_counter_ns() // 1000 - ack.got.at) / 1e6

    async def _sit(self, wish: Create | Join | Sit) -> str:
        ack = await self.request(wish)
        assert isinstance(ack.got, Seated)
        return ack.got.room
