"""Players that note every move which the server acknowledged, to compare them with the log afterwards."""

import asyncio
import contextlib
import random
import time
import urllib.request
from dataclasses import dataclass, field
from typing import Any

from photofinish.replay import log
from photofinish.replay.replay import Replay, read_replay
from photofinish_client.bots import RandomPlayer
from photofinish_client.client import Table, connect
from photofinish_client.errors import MoveRefused, RequestRefused
from photofinish_protocol.messages import Over, Room, View
from tests.waiting import until, within

QUICK_CAMBIO = {
    "target_points": 100,
    "race_min_ms": 30,
    "show_seconds": 1,
    "look_seconds": 1,
    "turn_seconds": 60,
}
LONG_CAMBIO = {**QUICK_CAMBIO, "target_points": 150}
"""At least three rounds, so that random players do not finish before the test has caused its fault."""


@dataclass
class Ledger:
    """What one player has noted of the game."""

    seat: int
    acknowledged: list[dict[str, Any]] = field(default_factory=list)
    over: Over | None = None
    cuts: int = 0
    views: int = 0
    backs: list[float] = field(default_factory=list)
    """When its seat was given to it, first and again after each cut (seconds of a steady clock)."""
    is_racing: bool = False
    table: Table | None = None

    def __str__(self) -> str:
        """The state of this player, for finding out why a table does not continue."""
        session = self.table.session if self.table is not None else None
        if session is None:
            return f"seat {self.seat} has not sat down"
        view, owed = session.view, [it.request for it in session._open_requests.values()]
        offers = [it.move for it in view.offers] if view is not None else []
        return f"seat {self.seat}: open {session.is_open}, owed {owed}, offers {offers}, {len(self.backs)} welcomes"

    def keep(self, _token: str) -> None:
        """The first message that a client gets when it is back in its seat."""
        self.backs.append(time.monotonic())


async def play_and_note(table: Table, player: RandomPlayer, ledger: Ledger) -> None:
    """Play to the end, noting each move when its `ack` arrives."""
    ledger.table = table
    async for event in table:
        if isinstance(event, Room) and event.phase == "lobby":
            await _begin_again(table, event)  # a failover of Redis took the table back to before the deal
        if not isinstance(event, View):
            continue
        ledger.views += 1
        ledger.is_racing = event.race is not None
        if event.over is not None:
            ledger.over = event.over
            break
        while table.view is not None and table.view.over is None:
            view = table.view
            decision = player.choose(view)
            if decision is None:
                break
            move, delay = decision if isinstance(decision, tuple) else (decision, 0.0)
            await asyncio.sleep(delay)
            try:
                await table.play(move, view=view)
            except MoveRefused:
                await asyncio.sleep(0.05)  # think again: no new view need come
                continue
            ledger.acknowledged.append(move)
            if table.view is view:
                break
    ledger.cuts = table.cuts
    assert ledger.over is not None, f"seat {ledger.seat} was sent away: {table._end!r}"


async def _begin_again(table: Table, room: Room) -> None:
    # Refused if it has begun meanwhile, or if not everybody is ready yet: then the next room message comes here again.
    with contextlib.suppress(RequestRefused):
        if not room.seats[table.seat or 0].ready:
            await table.ready()
        elif table.seat == 0 and all(place.ready for place in room.seats):
            await table.start()


class Party:
    """A game of real clients from `create` to the end, and what each of them has noted."""

    def __init__(
        self, url: str | list[str], game: str, seats: int, options: dict[str, Any], chance: int = 1
    ) -> None:
        """With several addresses the seats spread over them; the first is the host's."""
        self._urls = [url] if isinstance(url, str) else url
        self._game, self._options, self._chance = game, options, chance
        self.ledgers = [Ledger(seat) for seat in range(seats)]
        self.room = ""
        self.has_begun = False

    @property
    def is_over(self) -> bool:
        return all(ledger.over is not None for ledger in self.ledgers)

    @property
    def acknowledged(self) -> int:
        return sum(len(ledger.acknowledged) for ledger in self.ledgers)

    async def until_acknowledged(self, moves: int, playing: asyncio.Task[None]) -> None:
        """Wait for this many moves of the game that `playing` plays. A game that ends sooner fails the test."""
        await until(
            lambda: self.acknowledged >= moves,
            lambda: f"{moves} moves were acknowledged ({self.acknowledged} are)",
            during=playing,
        )

    async def play(self) -> None:
        async with connect(self._urls[0], name="Player 0", keep=self.ledgers[0].keep) as host:
            self.room = await host.create(self._game, seats=len(self.ledgers), options=self._options)
            here = [asyncio.Event() for _ in self.ledgers]
            async with asyncio.TaskGroup() as others:
                for ledger in self.ledgers[1:]:
                    others.create_task(self._sit(ledger, here[ledger.seat]))
                async with within("everybody has a seat and is ready"):
                    for it in here[1:]:
                        await it.wait()
                await host.ready()
                await host.start()
                self.has_begun = True
                await play_and_note(host, self._player(0), self.ledgers[0])

    async def _sit(self, ledger: Ledger, here: asyncio.Event) -> None:
        url = self._urls[ledger.seat % len(self._urls)]
        async with connect(url, name=f"Player {ledger.seat}", keep=ledger.keep) as table:
            await table.join(self.room, seat=ledger.seat)
            await table.ready()
            here.set()
            await play_and_note(table, self._player(ledger.seat), ledger)

    def _player(self, seat: int) -> RandomPlayer:
        return RandomPlayer(random.Random(self._chance * 100 + seat))


def fetch_replay(url: str, room: str, number: int = 1) -> Replay:
    with urllib.request.urlopen(
        f"http{url.removeprefix('ws')}/api/replays/{room}/{number}", timeout=10
    ) as reply:
        return read_replay(reply.read())


def logged_moves(replay: Replay, seat: int) -> list[dict[str, Any]]:
    steps = [log.parse(line.body) for line in replay.entries]
    return [it.move for it in steps if isinstance(it, log.Step) and it.seat == seat and it.move is not None]
