"""A player without a screen: it joins a room, gets ready and plays. One program can run many of them."""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from photofinish_client.client import Table, connect
from photofinish_client.connection.codec import Encoding
from photofinish_client.errors import CutOff, RequestRefused
from photofinish_client.player import Player, Sitting, sit
from photofinish_protocol.messages import Left, Place, Room, View
from photofinish_protocol.reasons import Reason

JOIN_TRIES: Final = 5
JOIN_WAIT: Final = 0.5
WORTH_WAITING: Final = {Reason.ELSEWHERE, Reason.DRAINING, Reason.TOO_FAST}


@dataclass(frozen=True, slots=True)
class PlayedGame:
    """One game as this player saw it."""

    room: str
    seat: int
    number: int
    sitting: Sitting
    cuts: int

    @property
    def has_won(self) -> bool:
        return self.sitting.over is not None and self.seat in self.sitting.over.winners


async def bot(
    url: str,
    room: str,
    player: Player,
    name: str,
    *,
    games: int = 1,
    seat: int | None = None,
    codec: Encoding = "msgpack",
    on_game: Callable[[PlayedGame], None] | None = None,
    on_view: Callable[[View], None] | None = None,
) -> list[PlayedGame]:
    """Join this room and play `games` games. After each game, wait for the host's rematch."""
    async with connect(url, name=name, codec=codec) as table:
        await join_patiently(table, room, seat)
        return await play_games(table, player, games=games, on_game=on_game, on_view=on_view)


async def play_games(
    table: Table,
    player: Player,
    *,
    games: int = 1,
    on_game: Callable[[PlayedGame], None] | None = None,
    on_view: Callable[[View], None] | None = None,
) -> list[PlayedGame]:
    """Play `games` games on a table where we have a seat."""
    played: list[PlayedGame] = []
    while len(played) < games:
        await get_ready(table)
        sitting = await sit(table, player, on_view, beyond=played[-1].number if played else 0)
        assert table.view is not None
        assert table.seat is not None
        game = PlayedGame(table.view.room, table.seat, table.view.number, sitting, table.cuts)
        played.append(game)
        if on_game is not None:
            on_game(game)
        if sitting.over is None:
            break
        if len(played) < games:
            await lobby(table)
    return played


async def deal(table: Table, games: int = 1) -> None:
    """Do the host's part: start when every seat is ready, and ask for a rematch after each game except the last."""
    for number in range(games):
        await table.until(
            lambda room: room.phase == "lobby" and all(_is_ready(place) for place in room.seats)
        )
        await table.start()
        await table.until(lambda room: room.phase == "over")
        if number + 1 < games:
            await table.rematch()


async def join_patiently(table: Table, room: str, seat: int | None = None) -> str:
    """Join and return the room's code. A refusal that may pass in a moment is retried a few times."""
    for _ in range(JOIN_TRIES):
        try:
            return await table.join(room, seat=seat)
        except RequestRefused as refusal:
            if refusal.reason not in WORTH_WAITING:
                raise
            await asyncio.sleep(JOIN_WAIT)
    return await table.join(room, seat=seat)


async def get_ready(table: Table) -> None:
    """Send `ready`. Does nothing if the game has started already (a resumed seat)."""
    try:
        await table.ready()
    except RequestRefused as refusal:
        if refusal.reason is not Reason.ALREADY_STARTED:
            raise


async def lobby(table: Table) -> None:
    """Wait until the room is back in the lobby."""
    if table.room is not None and table.room.phase == "lobby":
        return
    async for event in table:
        if isinstance(event, Room) and event.phase == "lobby":
            return
        if isinstance(event, Left):
            raise CutOff(event.text)
    raise CutOff("the connection ended between two games")


def _is_ready(place: Place) -> bool:
    return place.kind == "bot" or (place.kind == "player" and place.ready)
