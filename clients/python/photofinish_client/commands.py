"""The client's commands as plain async functions; the command line of the server registers them."""

import asyncio
import random
from typing import Any, Literal

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn
from rich.table import Table as Grid

from photofinish_client.bots import RandomPlayer
from photofinish_client.client import connect
from photofinish_client.codec import Encoding
from photofinish_client.headless import Played, deal, play_games
from photofinish_client.headless import bot as headless_bot
from photofinish_client.player import Player
from photofinish_client.terminal.app import TableApp
from photofinish_client.terminal.live import run
from photofinish_client.terminal.words import plain
from photofinish_protocol.messages import GameInfo, RoomList, View

__all__ = ["bot", "games", "host", "play", "rooms", "watch"]

Strength = Literal["easy", "medium", "strong"]


async def bot(
    url: str,
    room: str,
    player: Player | None = None,
    *,
    name: str = "Robin",
    games: int = 1,
    seat: int | None = None,
    codec: Encoding = "msgpack",
    console: Console | None = None,
) -> list[Played]:
    """A player without a screen sits down in a room and plays. Without a `player`: random moves."""
    console = console or Console()
    with _progress(console) as bar:
        task = bar.add_task(f"{name} in {room}", total=games, now="waits for the deal")

        def told(game: Played) -> None:
            bar.advance(task)
            bar.console.print(result_line(name, game))

        def seen(view: View) -> None:
            bar.update(task, now=f"game {view.number}, view {view.seq}")

        return await headless_bot(
            url,
            room,
            player or RandomPlayer(),
            name,
            games=games,
            seat=seat,
            codec=codec,
            told=told,
            seen=seen,
        )


async def host(
    url: str,
    game: str,
    players: list[Player],
    *,
    games: int = 1,
    options: dict[str, Any] | None = None,
    codec: Encoding = "msgpack",
    console: Console | None = None,
) -> list[list[Played]]:
    """Fill a table with headless players, in this one program, and play: the first of them is the host."""
    console = console or Console()
    names = [f"Robin {n}" for n in range(1, len(players) + 1)]
    with _progress(console) as bar:
        task = bar.add_task(game, total=games, now="sets the table")

        def told(it: Played) -> None:
            bar.advance(task)
            bar.update(task, now=f"game {it.number} is over")
            bar.console.print(result_line(names[0], it))

        async with connect(url, name=names[0], codec=codec) as table, asyncio.TaskGroup() as others:
            room = await table.create(game, seats=len(players), options=options)
            dealing = others.create_task(deal(table, games))
            sitting = [
                others.create_task(headless_bot(url, room, player, name, games=games, codec=codec))
                for player, name in zip(players[1:], names[1:], strict=True)
            ]
            own = await play_games(table, players[0], games=games, told=told)
            await dealing
            return [own, *[await it for it in sitting]]


async def rooms(
    url: str, *, game: str | None = None, skip: int = 0, console: Console | None = None
) -> RoomList:
    """Which rooms are open, a page of them."""
    async with connect(url, name=guest_name(), give_up_after=5) as table:
        found = await table.rooms(game, skip=skip)
    title = None if found.total else "no room is open"
    if len(found.rooms) < found.total:
        title = f"{len(found.rooms)} of {found.total} rooms"
    grid = Grid("room", "game", "phase", "free", "host", "watching", title=title)
    for line in found.rooms:
        free = f"{line.free} of {line.seats}"
        grid.add_row(line.room, line.game, line.phase, free, line.host, str(line.watchers or ""))
    (console or Console()).print(grid)
    return found


async def games(url: str, *, console: Console | None = None) -> tuple[GameInfo, ...]:
    """Which games are on the shelf."""
    async with connect(url, name=guest_name(), give_up_after=5) as table:
        shelf = await table.games()
    grid = Grid("game", "seats", "house player", "what it is")
    for it in shelf:
        grid.add_row(it.key, f"{it.least} to {it.most}", "yes" if it.house else "no", it.blurb or it.title)
    (console or Console()).print(grid)
    return shelf


async def watch(url: str, room: str, *, name: str = "", codec: Encoding = "msgpack") -> None:
    """A table in the terminal, to look on."""
    async with connect(url, name=name or guest_name(), codec=codec) as table:
        await table.watch(room)
        await run(table, TableApp(may_play=False))


async def play(
    url: str,
    *,
    room: str | None = None,
    game: str | None = None,
    seats: int | None = None,
    bots: int = 0,
    strength: Strength = "medium",
    options: dict[str, Any] | None = None,
    name: str = "",
    codec: Encoding = "msgpack",
) -> None:
    """Play in the terminal: in this room, or in a new one of this game, with so many bots of the house."""
    if (room is None) == (game is None):
        raise ValueError("say either which room to join or which game to open")
    async with connect(url, name=name or guest_name(), codec=codec) as table:
        if room is not None:
            await table.join(room)
        elif game is not None:
            await table.create(game, seats=seats, options=options)
            for _ in range(bots):
                await table.add_bot(strength=strength)
        await run(table, TableApp(may_play=True))


def guest_name() -> str:
    return f"Guest {random.randrange(100, 1000)}"  # noqa: S311 - a name, not a secret


def result_line(name: str, game: Played) -> str:
    """`Robin: game 2 in ABCD, won (12, 31, 40) after 57 moves`."""
    over = game.sitting.over
    if over is None:
        return f"{name}: game {game.number} in {game.room} ended for us after {game.sitting.moves} moves"
    cuts = f", {game.cuts} cuts" if game.cuts else ""
    refusals = ", ".join(f"{times} {plain(reason)}" for reason, times in game.sitting.refusals.items())
    refused = f", refused: {refusals}" if refusals else ""
    how = "won" if game.has_won else "lost"
    return (
        f"{name}: game {game.number} in {game.room}, {how} {over.scores} "
        f"after {game.sitting.moves} moves{refused}{cuts}"
    )


def _progress(console: Console) -> Progress:
    return Progress(
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
        TextColumn("{task.fields[now]}"),
        console=console,
        transient=True,
    )
