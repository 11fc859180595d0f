"""Finds and opens rooms for one connection, and counts the wrong codes and secrets that it tries."""

import asyncio

from photofinish.backoff import Backoff
from photofinish.engine import Micros
from photofinish.gateway.access.limits import ConnectionLimits
from photofinish.node.actor import RoomActor
from photofinish.node.directory import Directory
from photofinish.node.relay import Relay, RemoteRoom
from photofinish.node.room_table import ANONYMOUS
from photofinish.room.seats.lobby import RequestRefusal
from photofinish_protocol import messages
from photofinish_protocol.reasons import Reason

FIRST_PAUSE, LONGEST_PAUSE, ATTEMPTS = 0.005, 1.0, 9
"""Back-off, in seconds, of the search for a room that is moving from one node to another: 2.3 s in all."""


class RoomSearch:
    def __init__(self, directory: Directory, relay: Relay | None, limits: ConnectionLimits | None) -> None:
        self._directory, self._relay, self._limits = directory, relay, limits
        self._secrets: set[int] = set()
        """Requests with a secret that the room has to check. They count as guesses until the room accepts them."""

    @property
    def address(self) -> str:
        """The address of the connection, if it is known."""
        return self._limits.address if self._limits is not None else ""

    async def open(self, request: messages.Create, claim: str, now: Micros) -> RoomActor | str:
        """A new room here, or the code of one on another node. Raises `RequestRefusal`."""
        if self._limits is not None and not self._limits.may_open(now):
            raise RequestRefusal(Reason.TOO_MANY_ROOMS, "You have opened too many rooms. Wait a minute.")
        opener = ANONYMOUS if self._limits is None else self._limits.opener
        return await (self._relay or self._directory).create(request, opener, claim)

    async def find(self, code: str, secret: int | None = None) -> RoomActor | RemoteRoom:
        """The room with this code; a wrong code is counted. Raises `RequestRefusal`.

        `secret`: the id of the request, if the room has to check a secret too.
        """
        if self._limits is not None and not await self._limits.guess():
            raise RequestRefusal(Reason.TOO_FAST, "You have tried too many codes. Wait a minute.")
        try:
            found = await self.look_for(code)
        except RequestRefusal as no:
            self._guessed(is_miss=no.reason is Reason.NO_SUCH_ROOM)
            raise
        except BaseException:
            self._guessed(is_miss=False)
            raise
        if secret is None:
            self._guessed(is_miss=False)
        else:
            self._secrets.add(secret)
        return found

    async def look_for(self, code: str) -> RoomActor | RemoteRoom:
        """The room, on this node or another. Retries for a while if the room is moving. Raises `RequestRefusal`."""
        find = self._directory.find if self._relay is None else self._relay.find
        backoff = Backoff(FIRST_PAUSE, LONGEST_PAUSE)
        for _ in range(ATTEMPTS):
            room = await find(code)
            if room is not None:
                return room
            await asyncio.sleep(backoff.pause())
        raise RequestRefusal(Reason.ELSEWHERE)

    def answered(self, answer: messages.Ack | messages.Refused) -> None:
        """The room has answered: if the request had a secret, it is known now whether it was right."""
        if answer.id in self._secrets:
            self._secrets.discard(answer.id)
            self._guessed(is_miss=isinstance(answer, messages.Refused) and answer.reason is Reason.BAD_TOKEN)

    def give_up(self, *, is_miss: bool) -> None:
        """The session has left the room: no answer will come for the secrets that it has tried.

        They count as misses if the client did not wait for the answer: another connection may see whether it was right.
        """
        while self._secrets:
            self._secrets.pop()
            self._guessed(is_miss=is_miss)

    def _guessed(self, *, is_miss: bool) -> None:
        if self._limits is not None:
            self._limits.guessed(is_miss=is_miss)
