"""A player is one method; `sit` plays it at a table until the game is over."""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, field
from time import perf_counter_ns
from typing import Any, Final, Protocol, TypeAlias

from photofinish_client.client import Table
from photofinish_client.errors import CutOff, MoveRefused
from photofinish_protocol.messages import Left, Over, View
from photofinish_protocol.reasons import Reason

Move: TypeAlias = dict[str, Any]
Decision: TypeAlias = Move | tuple[Move, float] | None

SETTLE: Final = 0.5
"""Seconds to wait after an `ack` for the view that shows the move, before an older view is used."""
RETRY_SECONDS: Final = 0.3
"""Seconds before the player is asked again after a refused move, if no new view has arrived."""
MAX_REFUSALS: Final = 8
"""After this many refusals on one view, the player waits for the next view."""
ANOTHER_RACE: Final = {Reason.RACE_REOPENED, Reason.WRONG_NONCE, Reason.NO_RACE}
"""Refusals that are followed by a new view: the player waits for it."""


class Player(Protocol):
    """Chooses moves from a view and its offers."""

    def choose(self, view: View) -> Decision:
        """The move to make now; `(move, seconds)` to make it after a delay; None to wait.

        Called once for every view, in order. A later answer replaces an earlier one that was not sent yet.
        """


@dataclass(slots=True)
class Sitting:
    """The result of one game."""

    over: Over | None = None
    moves: int = 0
    refusals: dict[str, int] = field(default_factory=dict)


async def sit(
    table: Table, player: Player, on_view: Callable[[View], None] | None = None, *, beyond: int = 0
) -> Sitting:
    """Play until the game is over, or until we are not in the room any more.

    Views of games up to number `beyond` are ignored: those games are already played.
    """
    sitting = Sitting()
    runner = _DecisionRunner(table, player, sitting)
    events = aiter(table)
    listening = asyncio.ensure_future(anext(events))
    try:
        while True:
            waits = {listening} | ({runner.busy} if runner.busy else set())
            await asyncio.wait(waits, return_when=asyncio.FIRST_COMPLETED)
            if runner.busy and runner.busy.done():
                runner.finish()
            if not listening.done():
                continue
            try:
                event = listening.result()
            except StopAsyncIteration:
                raise CutOff("the connection ended in the middle of the game") from None
            if isinstance(event, View) and event.number <= beyond:
                listening = asyncio.ensure_future(anext(events))
                continue
            if isinstance(event, Left) or (isinstance(event, View) and event.over is not None):
                sitting.over = event.over if isinstance(event, View) else None
                return sitting
            if isinstance(event, View):
                runner.see(event)
                if on_view is not None:
                    on_view(event)
            listening = asyncio.ensure_future(anext(events))
    finally:
        listening.cancel()
        await runner.stop()


class _DecisionRunner:
    """Carries out one decision at a time: waits for the player's delay, sends the move, waits for the answer."""

    def __init__(self, table: Table, player: Player, sitting: Sitting) -> None:
        self.busy: asyncio.Task[Reason | None] | None = None
        self._table, self._player, self._sitting = table, player, sitting
        self._view: View | None = None
        self._is_sent = False
        self._is_stale = False
        self._refused_here = 0
        self._next: Decision = None
        self._done_at = 0

    def see(self, view: View) -> None:
        self._view, self._refused_here = view, 0
        self._next = self._player.choose(view)
        if self.busy and self._is_sent:
            self._is_stale = True  # first wait for the answer to the move that was sent
            return
        if self.busy:
            self.busy.cancel()
        self._go()

    def finish(self) -> None:
        """The decision was carried out: go on with a view that arrived meanwhile, or retry after a refusal."""
        assert self.busy is not None
        refusal = None if self.busy.cancelled() else self.busy.result()
        seen_meanwhile, self.busy, self._is_stale = self._is_stale, None, False
        if self._view is None:
            return
        if refusal is None:
            # A view from before the `ack` does not show the move: a decision on it would repeat the move.
            if seen_meanwhile:
                self._go(0.0 if self._view.seq > self._done_at else SETTLE)
        elif refusal not in ANOTHER_RACE and self._refused_here < MAX_REFUSALS:
            self._refused_here += 1
            if not seen_meanwhile:
                self._next = self._player.choose(self._view)
            self._go(RETRY_SECONDS)
        elif seen_meanwhile:
            self._go()

    async def stop(self) -> None:
        if self.busy:
            self.busy.cancel()
            await asyncio.gather(self.busy, return_exceptions=True)

    def _go(self, at_least: float = 0.0) -> None:
        self._is_sent = False
        if self._next is None or self._view is None:
            self.busy = None
            return
        move, after = self._next if isinstance(self._next, tuple) else (self._next, 0.0)
        self.busy = asyncio.create_task(self._play(move, max(after, at_least), self._view))

    async def _play(self, move: Move, after: float, view: View) -> Reason | None:
        await asyncio.sleep(after)
        newest = self._table.view
        if newest is not None and newest.seq > view.seq:
            return None  # there is a newer view: the player is asked about that one next
        self._is_sent = True
        react_us = None
        if view.race is not None:
            react_us = self._table.session.react_us(view.race.nonce, perf_counter_ns())
        try:
            self._done_at = await self._table.play(move, view=view, react_us=react_us)
        except MoveRefused as refusal:
            seen = self._sitting.refusals
            seen[refusal.reason] = seen.get(refusal.reason, 0) + 1
            return refusal.reason
        self._sitting.moves += 1
        return None
