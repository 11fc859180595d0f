"""The client's commands as plain async functions; the command line of the server registers them."""

import asyncio
from collections.abc import Sequence
from typing import Any

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn
from rich.table import Table as Grid

from photofinish_client.bots import RandomPlayer
from photofinish_client.client import connect
from photofinish_client.connection.codec import Encoding
from photofinish_client.headless import PlayedGame, deal, play_games
from photofinish_client.headless import bot as headless_bot
from photofinish_client.names import guest_name
from photofinish_client.plain_text import as_text
from photofinish_client.player import Player
from photofinish_client.terminal.words import plain, with_names
from photofinish_protocol.messages import GameInfo, RoomList, View

__all__ = ["bot", "game_result", "games", "host", "player_names", "rooms"]


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
) -> list[PlayedGame]:
    """Join a room and play there without a screen. Default `player`: random moves."""
    console = console or Console()
    with _progress(console) as bar:
        task = bar.add_task(f"{name} in {room}", total=games, now="waits for the deal")

        def on_game(game: PlayedGame) -> None:
            bar.advance(task)
            bar.console.print(as_text(result_line(name, game)))

        def on_view(view: View) -> None:
            bar.update(task, now=f"game {view.number}, view {view.seq}")

        return await headless_bot(
            url,
            room,
            player or RandomPlayer(),
            name,
            games=games,
            seat=seat,
            codec=codec,
            on_game=on_game,
            on_view=on_view,
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
    is_quiet: bool = False,
) -> list[list[PlayedGame]]:
    """Fill a table with headless players, all in this program, and play. The first of them is the host.

    A terminal shows a progress bar; other outputs get a line per game start. After each game a line names the
    winners. `is_quiet`: only the progress is shown, on stderr.
    """
    console = console or Console()
    names = player_names(len(players))
    shown = Console(stderr=True) if is_quiet else console
    with _progress(shown) as bar:
        task = bar.add_task(game, total=games, now="sets the table")

        def now(text: str) -> None:
            bar.update(task, now=text)
            if not shown.is_terminal:
                shown.print(as_text(text), highlight=False)

        def on_game(it: PlayedGame) -> None:
            bar.advance(task)
            if not is_quiet:
                bar.console.print(as_text(table_line(it, names)), highlight=False, soft_wrap=True)
            if it.number < games:
                now(f"game {it.number + 1} of {games} in {it.room}")

        def on_view(view: View) -> None:
            leading = f", points {' '.join(map(str, view.scores))}" if any(view.scores) else ""
            bar.update(task, now=f"game {view.number} of {games} in {view.room}: view {view.seq}{leading}")

        async with connect(url, name=names[0], codec=codec) as table, asyncio.TaskGroup() as others:
            room = await table.create(game, seats=len(players), options=options)
            now(f"game 1 of {games} in {room}, {len(players)} players")
            dealing = others.create_task(deal(table, games))
            sitting = [
                others.create_task(headless_bot(url, room, player, name, games=games, codec=codec))
                for player, name in zip(players[1:], names[1:], strict=True)
            ]
            own = await play_games(table, players[0], games=games, on_game=on_game, on_view=on_view)
            await dealing
            return [own, *[await it for it in sitting]]


def player_names(seats: int) -> list[str]:
    """The names of the players of `host`, by seat."""
    return [f"Robin {n}" for n in range(1, seats + 1)]


async def rooms(
    url: str, *, game: str | None = None, skip: int = 0, console: Console | None = None
) -> RoomList:
    """One page of the open rooms. It is printed if a console is given."""
    async with connect(url, name=guest_name(), give_up_after=5) as table:
        found = await table.rooms(game, skip=skip)
    if console is None:
        return found
    title = None if found.total else "no room is open"
    if len(found.rooms) < found.total:
        title = f"{len(found.rooms)} of {found.total} rooms"
    grid = Grid("room", "game", "phase", "free", "host", "watching", title=title)
    for line in found.rooms:
        free = f"{line.free} of {line.seats}"
        cells = (line.room, line.game, line.phase, free, line.host, str(line.watchers or ""))
        grid.add_row(*(as_text(it) for it in cells))
    console.print(grid)
    return found


async def games(url: str, *, console: Console | None = None) -> tuple[GameInfo, ...]:
    """The games of this server. They are printed if a console is given."""
    async with connect(url, name=guest_name(), give_up_after=5) as table:
        found = await table.games()
    if console is None:
        return found
    grid = Grid("game", "seats", "house bot", "what it is")
    for it in found:
        seats = str(it.least) if it.least == it.most else f"{it.least} to {it.most}"
        cells = (it.key, seats, "yes" if it.house else "no", it.blurb or it.title)
        grid.add_row(*(as_text(cell) for cell in cells))
    console.print(grid)
    return found


def result_line(name: str, game: PlayedGame) -> str:
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


def table_line(game: PlayedGame, names: Sequence[str]) -> str:
    """`game 2 in ABCD: Robin 3 won: most points (Robin 1 12, Robin 3 40, after 57 moves of Robin 1)`."""
    over = game.sitting.over
    if over is None:
        return f"game {game.number} in {game.room} was cut short after {game.sitting.moves} moves"
    winners = " and ".join(names[seat] for seat in over.winners) or "nobody"
    scores = ", ".join(f"{name} {score}" for name, score in zip(names, over.scores, strict=True))
    why = f": {with_names(over.why, names)}" if over.why else ""
    moves = f"after {game.sitting.moves} moves of {names[game.seat]}"
    return f"game {game.number} in {game.room}: {winners} won{why} ({scores}, {moves})"


def game_result(game: PlayedGame, names: Sequence[str]) -> dict[str, Any]:
    """The result of a game as a dict, for JSON output."""
    over = game.sitting.over
    return {
        "room": game.room,
        "game": game.number,
        "players": list(names),
        "winners": [names[seat] for seat in over.winners] if over else [],
        "scores": list(over.scores) if over else [],
        "why": with_names(over.why, names) if over else "",
        "moves": game.sitting.moves,
        "is_over": over is not None,
    }


def _progress(console: Console) -> Progress:
    return Progress(
        TextColumn("{task.description}", markup=False),
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
        TextColumn("{task.fields[now]}", markup=False),
        console=console,
        transient=True,
        disable=not console.is_terminal,  # it would write an empty line to a file
    )
