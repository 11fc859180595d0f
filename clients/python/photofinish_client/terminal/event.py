"""The command `tournament play`: enter an event, wait for each call, and play at the table of the call."""

import asyncio
from typing import Final

from rich.console import Console
from rich.live import Live

from photofinish_client.client import Table, connect
from photofinish_client.errors import RequestRefused
from photofinish_client.events.followed import Followed
from photofinish_client.events.grid import grid
from photofinish_client.events.player import take_called_seat
from photofinish_client.keys import PlayerKey
from photofinish_client.plain_text import as_text
from photofinish_client.terminal.app import TableApp
from photofinish_client.terminal.live import run
from photofinish_client.terminal.play import need_terminal
from photofinish_protocol.messages import Called, CheckIn, Enter, EventNews
from photofinish_protocol.reasons import Reason

SIT_AGAIN: Final = 2.0
"""Seconds until the seat is asked for again, while another event keeps the player."""
ALREADY = frozenset({Reason.ALREADY_ENTERED, Reason.WRONG_STATE, Reason.REGISTRATION_CLOSED})


async def play(url: str, event: str, key: PlayerKey, name: str, console: Console, *, code: str = "") -> None:
    """Enter the event, unless this key has entered, and play until the event is over or the player leaves."""
    need_terminal("tournament play")
    async with connect(url, name=name, key=key) as table:
        for wish in (Enter(id=0, event=event, code=code), CheckIn(id=0, event=event)):
            try:
                await table.request(wish)
            except RequestRefused as no:
                if no.reason not in ALREADY:
                    raise
        page = Followed()
        await table.follow(event, "info", "round", "tables", "standings")
        called = await _wait(table, event, page, console)
        while called is not None:
            app = await _play(table, called, page, console)
            if app.called is None and not app.is_finished:
                console.print(
                    as_text(f"Your table still plays. Come back: photofinish tournament play {event}")
                )
                return
            called = app.called or await _wait(table, event, page, console)
    console.print(grid(page))


async def _wait(table: Table, event: str, page: Followed, console: Console) -> Called | None:
    """Show the event until it calls us. None: it is over. Another event that calls this key is played elsewhere."""
    with Live(console=console, refresh_per_second=4) as live:
        async for heard in table:
            if isinstance(heard, Called) and heard.event == event.upper():
                return heard
            if isinstance(heard, EventNews):
                page.take(heard)
                live.update(grid(page, "You are called to your table by itself. Ctrl-C ends."))
                if page.is_over:
                    return None
    return None


async def _play(table: Table, called: Called, page: Followed, console: Console) -> TableApp:
    await _take_seat(table, called, console)
    app = TableApp(may_play=True)
    app.event = called.event
    app.on_news = page.take
    await run(table, app)
    return app


async def _take_seat(table: Table, called: Called, console: Console) -> None:
    """T68. Called in two events, the player comes as soon as the game in the other one is over."""
    is_told = False
    while True:
        try:
            await take_called_seat(table, called)
        except RequestRefused as no:
            if no.reason is not Reason.BUSY:
                raise
            if not is_told:
                console.print(as_text(no.text))
                is_told = True
        else:
            return
        await asyncio.sleep(SIT_AGAIN)
