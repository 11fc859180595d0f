"""The requests of one session that its room has not answered yet.

A request that changes the session's room (`join`, `leave` …) is answered before the next request is handled. Otherwise
the next request could go to a room that the session has left, and get no answer.
"""

import asyncio

from photofinish_protocol import messages

DROP_SECONDS = 1.0
"""After the ack of a `leave` the room drops the session. If the room is on another node, that takes a moment."""


class OpenRequests:
    def __init__(self) -> None:
        self.open: dict[int, None] = {}
        """In the order in which they were sent."""
        self._changing: int | None = None
        self._is_leaving = False
        self._is_over = False
        self.is_changing = False
        """A request that changes the room is open."""
        self._is_settled = asyncio.Event()
        self._is_settled.set()

    def posted(self, request: int) -> None:
        """This request was sent to the room."""
        self.open[request] = None

    def entering(self, request: int) -> None:
        """This request makes the session enter a room, if the room acks it."""
        self._change(request, is_leaving=False)

    def leaving(self, request: int) -> None:
        """This request makes the session leave its room, if the room acks it."""
        self._change(request, is_leaving=True)

    async def settled(self) -> None:
        """Wait until no request that changes the room is open."""
        await self._is_settled.wait()

    def answered(self, answer: messages.Ack | messages.Refused) -> None:
        self.open.pop(answer.id, None)
        if answer.id != self._changing:
            return
        match answer, self._is_leaving:
            case (messages.Ack(), False) | (messages.Refused(), True):
                self.settle()  # the session has entered, or it stays
            case messages.Ack(), True:
                # `dropped` comes next, unless this answers an older request of the seat with the same id.
                asyncio.get_running_loop().call_later(DROP_SECONDS, self._settle_if, answer.id)
            case _:
                pass  # entering was refused: `dropped` comes next

    def dropped(self) -> list[int]:
        """The room has dropped the session. Returns the requests that it has not answered."""
        left, self.open = list(self.open), {}
        self.settle()
        return left

    def settle(self) -> None:
        self._changing = None
        self.is_changing = False
        self._is_settled.set()

    def end(self) -> None:
        """The client is gone: do not wait for answers any more."""
        self._is_over = True
        self.settle()

    def _settle_if(self, request: int) -> None:
        if self._changing == request:
            self.settle()

    def _change(self, request: int, *, is_leaving: bool) -> None:
        self.posted(request)
        self._changing, self._is_leaving = request, is_leaving
        if not self._is_over:
            self.is_changing = True
            self._is_settled.clear()
