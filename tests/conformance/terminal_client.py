"""The terminal as a client under test: the real screen on a real connection, played by pressing keys of its menu."""

import asyncio
import os
import random
from time import monotonic
from typing import Any

from textual.pilot import Pilot

from photofinish_client.client import Table, connect
from photofinish_client.headless import join_patiently
from photofinish_client.terminal.app import TableApp
from photofinish_client.terminal.live import bind
from photofinish_client.terminal.lobby import lobby_keys
from photofinish_protocol.messages import Play, Ready

GAMES = int(os.environ["CONFORMANCE_GAMES"])
SIZE = (80, 24)
"""Size of the screen: the smallest that people use. A larger one takes longer to draw."""
LOOK_AGAIN = 0.02
AGAIN = 0.6
"""Seconds after which a person tries another key."""
A_HAND = (0.15, 0.4)
"""Seconds that a person needs to press a key in a race."""


async def main() -> None:
    codec: Any = os.environ["CONFORMANCE_CODEC"] or "msgpack"
    may_play = os.environ["CONFORMANCE_DO"] == "play"
    async with connect(os.environ["CONFORMANCE_URL"], name="Candidate", codec=codec) as table:
        if may_play:
            await join_patiently(table, os.environ["CONFORMANCE_ROOM"])
        else:
            await table.watch(os.environ["CONFORMANCE_ROOM"])
        app = TableApp(may_play=may_play)
        bind(table, app)
        async with app.run_test(size=SIZE) as pilot:
            await Person(table, app, pilot).sit()


class Person:
    """Presses a key of the screen's menu each time the menu changes."""

    def __init__(self, table: Table, app: TableApp, pilot: Pilot[None]) -> None:
        self._table, self._app, self._pilot = table, app, pilot
        self._chance = random.Random(7)
        self._moved_on: tuple[int, int] = (0, 0)
        self._moved_at = 0.0
        self._say = os.environ["CONFORMANCE_SAY"]

    async def sit(self) -> None:
        while not (self._app.has_ended or self._app.left or self._is_done()):
            await self._look()
            await asyncio.sleep(LOOK_AGAIN)

    def _is_done(self) -> bool:
        view = self._app.view
        return view is not None and view.over is not None and view.number >= GAMES

    async def _look(self) -> None:
        room, view = self._app.room, self._app.view
        if not self._app.may_play or room is None:
            return
        if room.phase == "lobby" and room.dealing is None:
            await self._get_ready()
        elif view is not None and view.over is None and not self._is_busy() and self._has_news():
            await self._choose()

    def _has_news(self) -> bool:
        """A new view, a choice that is not complete, or a move that was refused a moment ago."""
        view = self._app.view
        assert view is not None
        is_new = (view.number, view.seq) != self._moved_on
        return is_new or self._app.menu.is_under_way or monotonic() > self._moved_at + AGAIN

    async def _get_ready(self) -> None:
        room = self._app.room
        assert room is not None
        mine = next((it for it in room.seats if it.seat == self._table.seat), None)
        keys = [key for key, _, request in lobby_keys(room, self._table.seat) if isinstance(request, Ready)]
        is_new = monotonic() > self._moved_at + AGAIN  # a second press would undo it
        if mine is not None and not mine.ready and keys and is_new and not self._table.session._open_requests:
            self._moved_at = monotonic()
            await self._pilot.press(keys[0])

    async def _choose(self) -> None:
        view = self._app.view
        assert view is not None
        if self._moved_on[1] and self._say and view.seq > self._moved_on[1]:
            said, self._say = self._say, ""
            await self._pilot.press("/", *said.replace(" ", "_").replace("!", ""), "enter")
        entries = self._app.menu.entries()
        fast = [it.key for it in entries if it.is_fast]
        slow = [it.key for it in entries if not it.is_fast]
        self._moved_on, self._moved_at = (view.number, view.seq), monotonic()
        if fast and self._chance.random() < 0.6:
            await asyncio.sleep(self._chance.uniform(*A_HAND))
            if self._app.view is view:
                await self._pilot.press(self._chance.choice(fast))
        elif slow:
            await self._pilot.press(self._chance.choice(slow))
            if self._app.menu.is_under_way:
                await self._pilot.press("y")
        elif self._app.menu.is_under_way:
            await self._pilot.press("enter")

    def _is_busy(self) -> bool:
        """Whether a move has no answer yet."""
        return any(isinstance(it.request, Play) for it in self._table.session._open_requests.values())


asyncio.run(main())
