"""The command `tournament play`: enter an event, wait for each call, and play at the table of the call."""

from rich.console import Console
from rich.live import Live

from photofinish_client.client import Table, connect
from photofinish_client.errors import RequestRefused
from photofinish_client.events.followed import Followed
from photofinish_client.events.grid import grid
from photofinish_client.keys import PlayerKey
from photofinish_client.plain_text import as_text
from photofinish_client.terminal.app import TableApp
from photofinish_client.terminal.live import run
from photofinish_client.terminal.play import need_terminal
from photofinish_protocol.messages import Called, CheckIn, Enter, EventNews
from photofinish_protocol.reasons import Reason

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
        called = await _wait(table, page, console)
        while called is not None:
            app = await _play(table, called, page)
            if app.called is None and not app.is_finished:
                console.print(
                    as_text(f"Your table still plays. Come back: photofinish tournament play {event}")
                )
                return
            called = app.called or await _wait(table, page, console)
    console.print(grid(page))


async def _wait(table: Table, page: Followed, console: Console) -> Called | None:
    """Show the event until it calls us. None: it is over."""
    with Live(console=console, refresh_per_second=4) as live:
        async for heard in table:
            if isinstance(heard, Called):
                return heard
            if isinstance(heard, EventNews):
                page.take(heard)
                live.update(grid(page, "You are called to your table by itself. Ctrl-C ends."))
                if page.is_over:
                    return None
    return None


async def _play(table: Table, called: Called, page: Followed) -> TableApp:
    if table.room is not None and table.room.room != called.room:
        await table.leave()
    if table.room is None:
        await table.sit(called.event)
    app = TableApp(may_play=True)
    app.on_news = page.take
    await run(table, app)
    return app
