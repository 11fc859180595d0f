"""Asks of one session that its room has not answered yet.

An ask that changes the room (`join`, `leave` …) is answered before the next ask is looked at: sent to the room it
would leave, the next one would have nobody to answer it.
"""

import asyncio

from photofinish_protocol import messages

DROP_SECONDS = 1.0
"""A room that has acknowledged a `leave` lets go of the session next; from another node that can take a little."""


class OpenAsks:
    def __init__(self) -> None:
        self._open: dict[int, None] = {}
        """In the order in which they were sent."""
        self._changing: int | None = None
        self._is_leaving = False
        self._is_over = False
        self._is_settled = asyncio.Event()
        self._is_settled.set()

    def posted(self, ask: int) -> None:
        """The room has it."""
        self._open[ask] = None

    def entering(self, ask: int) -> None:
        """This ask takes the session into a room, if the room agrees."""
        self._change(ask, is_leaving=False)

    def leaving(self, ask: int) -> None:
        """This ask takes the session out of its room, if the room agrees."""
        self._change(ask, is_leaving=True)

    async def settled(self) -> None:
        """Wait until it is clear which room the session is in."""
        await self._is_settled.wait()

    def answered(self, answer: messages.Ack | messages.Refused) -> None:
        self._open.pop(answer.id, None)
        if answer.id != self._changing:
            return
        match answer, self._is_leaving:
            case (messages.Ack(), False) | (messages.Refused(), True):
                self.settle()  # it is in, or it stays
            case messages.Ack(), True:
                # `dropped` comes next, unless this answers an older ask of the seat with the same id.
                asyncio.get_running_loop().call_later(DROP_SECONDS, self._settle_if, answer.id)
            case _:
                pass  # refused at the door: `dropped` comes next

    def dropped(self) -> list[int]:
        """The room has let go of the session. Says which asks it has not answered."""
        left, self._open = list(self._open), {}
        self.settle()
        return left

    def settle(self) -> None:
        self._changing = None
        self._is_settled.set()

    def end(self) -> None:
        """Nobody hears an answer any more: wait for none."""
        self._is_over = True
        self.settle()

    def _settle_if(self, ask: int) -> None:
        if self._changing == ask:
            self.settle()

    def _change(self, ask: int, *, is_leaving: bool) -> None:
        self.posted(ask)
        self._changing, self._is_leaving = ask, is_leaving
        if not self._is_over:
            self._is_settled.clear()
