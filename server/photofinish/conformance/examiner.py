"""The examiner: it hosts the table, plays, and triggers the event of a situation."""

import asyncio
import json
import random
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from websockets.asyncio.client import connect as connect_to
from websockets.typing import Subprotocol

from photofinish.conformance.seen import QUIET, Seen
from photofinish.conformance.situations import Situation
from photofinish.conformance.stage import NAME, Stage
from photofinish_client.bots import RandomPlayer
from photofinish_client.client import Table
from photofinish_client.player import sit
from photofinish_protocol.messages import Kick, Place, Room
from photofinish_protocol.version import JSON, VERSION

LOOK_AGAIN: Final = 0.05
GOODBYE: Final = 3.0
"""Seconds in which the client must be shown the end."""
MOVES_FIRST: Final = 2
"""Moves of the client before something happens to it."""


@dataclass
class Examiner:
    situation: Situation
    seen: Seen
    stage: Stage
    host: Table

    async def run(self) -> None:
        """From the first guest to the end of the game, or until nothing more can be observed."""
        await self._guests()
        chance = random.Random(self.situation.key)  # noqa: S311 - it plays cards
        for number in range(1, self.situation.games + 1):
            if number > 1:
                await self.host.rematch()
                await self.host.until(lambda room: any(it.ready for it in others(room)))
            await self.host.ready()
            await self.host.start()
            player = RandomPlayer(chance, pause=0.1, eager=0.1)
            playing = asyncio.create_task(sit(self.host, player, beyond=number - 1))
            event = asyncio.create_task(self._event())
            try:
                if self.situation.event in {"", "other_node", "owner_dies", "restart"}:
                    await playing
                    await within(GOODBYE, lambda number=number: is_over(self.seen, number))  # type: ignore[misc]  # bound now
                else:
                    await event
            finally:
                for task in (playing, event):
                    task.cancel()
                await asyncio.gather(playing, event, return_exceptions=True)

    async def _guests(self) -> None:
        for _ in range(self.situation.bots or self.situation.do == "watch"):
            await self.host.add_bot(player="random")
        if self.situation.do == "watch":
            await self.host.until(lambda room: room.watchers > 0)
            return
        room = await self.host.until(lambda it: any(place.ready for place in others(it)))
        self.seen.seats = [place.name for place in others(room)]
        await self.host.chat("Good luck, everybody: 좋은 경기 🂡")
        await self.host.emote("hello")

    async def _event(self) -> None:
        seen = self.seen
        match self.situation.event:
            case "taken_over":
                await self._take_over()
            case "closed":
                await until(lambda: seen.first("server", "bye") is not None)
                await asyncio.sleep(QUIET)
            case "bad_token":
                await until(lambda: seen.first("server", "refused", reason="bad_token") is not None)
                await asyncio.sleep(QUIET)
            case "kicked":
                await self._moved()
                assert self.host.room is not None
                await self.host.request(Kick(id=0, seat=others(self.host.room)[0].seat))
                await until(lambda: seen.first("server", "left") is not None)
                await asyncio.sleep(QUIET)
            case "muted":
                await until(lambda: seen.first("server", "refused", reason="muted") is not None)
                await asyncio.sleep(QUIET)
            case "owner_dies":
                await self._moved()
                assert self.stage.owner is not None
                # Before the cut: a client may reconnect before this task runs again.
                seen.at["owner_died"] = time.monotonic()
                await self.stage.owner.kill()
                await seen.line.shut(self.stage.owner_url)
            case "restart":
                await self._moved()
                assert self.stage.own is not None
                await self.stage.own.stop()
                await self.stage.own.start()
            case _:
                pass

    async def _moved(self) -> None:
        await until(
            lambda: sum(it["t"] == "ack" and "seq" in it for it in self.seen.of("server")) >= MOVES_FIRST
        )

    async def _take_over(self) -> None:
        """Connect a second time with the client's own token, as another window of the same player does."""
        seen = self.seen
        await until(lambda: seen.first("server", "view") is not None)
        got = [it.get("got") or {} for it in seen.of("server")]
        token = next(it["token"] for it in got if it.get("token"))
        async with connect_to(self.stage.server, subprotocols=[Subprotocol(JSON)]) as second:
            await second.send(json.dumps({"t": "hello", "id": 0, "v": VERSION, "token": token}))
            await second.recv()
            await seen.line.quiet()
            seen.at["taken_over"] = time.monotonic()
            await asyncio.sleep(QUIET)


def others(room: Room) -> list[Place]:
    """The players in this room, without the examiner."""
    return [it for it in room.seats if it.kind == "player" and it.name != NAME]


def is_over(seen: Seen, number: int) -> bool:
    """The client was shown the end of this game."""
    views = (it for it in seen.of("server") if it["t"] == "view" and it.get("over"))
    return any(it["number"] >= number for it in views)


async def until(is_so: Callable[[], bool]) -> None:
    while not is_so():  # noqa: ASYNC110 - the caller has a time limit
        await asyncio.sleep(LOOK_AGAIN)


async def within(seconds: float, is_so: Callable[[], bool]) -> None:
    for _ in range(int(seconds / LOOK_AGAIN)):
        if is_so():
            return
        await asyncio.sleep(LOOK_AGAIN)
