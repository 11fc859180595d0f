"""The commands `play` and `watch`: join, resume or watch a table in this terminal."""

import sys
from typing import Any, Literal

from rich.console import Console

from photofinish_client import saved_seats
from photofinish_client.client import Table, connect
from photofinish_client.connection.address import address
from photofinish_client.connection.codec import Encoding
from photofinish_client.errors import NoTerminal, SeatLost
from photofinish_client.headless import join_patiently
from photofinish_client.names import guest_name
from photofinish_client.plain_text import as_text
from photofinish_client.saved_seats import LockedSeat, released
from photofinish_client.terminal.app import TableApp
from photofinish_client.terminal.live import run

Strength = Literal["easy", "medium", "strong"]


async def watch(url: str, room: str, *, name: str = "", codec: Encoding = "msgpack") -> None:
    """Watch a table in the terminal."""
    need_terminal("watch")
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
    console: Console | None = None,
) -> None:
    """Play in the terminal: in this room, or in a new room of this game with bots.

    With neither, resume the last saved seat; without a saved seat, play Cambio with three bots.
    """
    need_terminal("play")
    console = console or Console()
    if game is None and await _resumes(url, room, codec, console):
        return
    if room is None and game is None:
        game, seats, bots = "cambio", seats or (bots or 3) + 1, bots or 3
    who = name or guest_name()
    keeper = _TokenSaver()
    async with connect(url, name=who, codec=codec, keep=keeper.keep) as table:
        if room is not None:
            code = await join_patiently(table, room)
        else:
            assert game is not None
            code = await table.create(game, seats=seats, options=options)
            for _ in range(bots):
                await table.add_bot(strength=strength)
        keeper.held = saved_seats.save_and_lock(address(url).url, code, who, table.token or "")
        with released(keeper.held):
            await _sit(table, keeper.held, console, url)


class _TokenSaver:
    """Writes each new token to the file of the seat, once there is one."""

    def __init__(self, held: LockedSeat | None = None) -> None:
        self.held = held

    def keep(self, token: str) -> None:
        if self.held is not None:
            self.held.keep(token)


async def _resumes(url: str, room: str | None, codec: Encoding, console: Console) -> bool:
    """Resume the newest saved seat that the server still knows. False if there is none."""
    for held in saved_seats.lock_saved(address(url).url, room):
        with released(held):
            seat = held.seat
            try:
                async with connect(
                    url, name=seat.name, codec=codec, token=seat.token, keep=_TokenSaver(held).keep
                ) as table:
                    await _sit(table, held, console, url)
            except SeatLost as gone:
                held.forget()
                console.print(as_text(f"Your seat in room {seat.room} is gone: {gone.text}"))
                continue
            return True
    return False


async def _sit(table: Table, held: LockedSeat | None, console: Console, url: str) -> None:
    """Run until the player leaves the screen. The saved seat is deleted if it was given up, else it is kept."""
    app = TableApp(may_play=True)
    await run(table, app)
    if held is None:
        return
    if app.left is not None and app.left.reason != "taken_over":
        held.forget()
    elif not app.has_ended:
        here = "" if url == "ws://127.0.0.1:8765" else f" {url.rpartition('@')[2] if '@' in url else url}"
        console.print(
            as_text(f"Your seat in room {held.seat.room} is kept. Come back: photofinish play{here}")
        )


def need_terminal(command: str) -> None:
    """Raise `NoTerminal` unless standard input and output are a terminal."""
    if not all(it is not None and it.isatty() for it in (sys.__stdin__, sys.__stderr__)):
        raise NoTerminal(
            f"{command} needs a terminal; for a player without a screen use: photofinish bot --room CODE"
        )
