"""The terminal table on a real connection."""

import asyncio
import select
import sys
from typing import Final
from urllib.error import URLError
from urllib.request import Request as HttpRequest
from urllib.request import urlopen

from rich.text import Text

from photofinish_client.client import Table
from photofinish_client.errors import CutOff, NoTerminal, RequestRefused
from photofinish_client.terminal.app import TableApp
from photofinish_protocol.messages import Leave, Left, Request

SWITCH: Final = 0.0005
"""Thread switch interval in seconds: how long drawing may delay the thread that writes to the terminal.

The default of 5 ms would change reaction times in races.
"""


LOOK_EVERY: Final = 0.5
"""Seconds between two looks whether the terminal is still there."""


async def run(table: Table, app: TableApp) -> None:
    """Run the app until the player leaves the table. Raises `NoTerminal` if the terminal is closed."""
    sys.setswitchinterval(SWITCH)
    bind(table, app)
    closing = asyncio.create_task(_end_when_closed(app))
    try:
        await app.run_async()
    finally:
        closing.cancel()
    if is_closed():
        raise NoTerminal("The terminal was closed.")


async def _end_when_closed(app: TableApp) -> None:
    """Textual would read the end of a closed terminal for ever, with a whole core, and the seat would stay taken."""
    while not is_closed():  # noqa: ASYNC110 - nothing tells it but the file itself
        await asyncio.sleep(LOOK_EVERY)
    app.exit()


def is_closed() -> bool:
    """Whether the terminal behind the standard input is gone: its window was closed, or the connection to it ended."""
    if sys.__stdin__ is None or not hasattr(select, "poll"):  # Windows ends the program itself
        return False
    poll = select.poll()
    poll.register(sys.__stdin__.fileno(), 0)
    return any(what & select.POLLHUP for _, what in poll.poll(0))


def bind(table: Table, app: TableApp) -> None:
    """Connect a table and an app: events go to the screen, messages from keys go to the table."""
    under_way: set[asyncio.Task[None]] = set()
    app.seat = table.seat

    async def give(wish: Request) -> None:
        try:
            await table.request(wish)
            if isinstance(wish, Leave):  # the server sends no `left` for our own `leave`
                app.hear(
                    Left(room=app.room.room if app.room else "", reason="left", text="You gave up your seat.")
                )
        except RequestRefused as refusal:
            app.refuse(refusal.text, refusal.clause)
        except CutOff as cut:
            app.refuse(str(cut))

    def hand(wish: Request) -> None:
        task = asyncio.get_running_loop().create_task(give(wish))
        under_way.add(task)  # the loop holds only weak references to tasks
        task.add_done_callback(under_way.discard)

    async def listen() -> None:
        async for event in table:
            app.hear(event)
        app.has_ended = True
        app.tell(Text("The connection has ended. Press q.", style="red"))
        app.show()

    async def rules(game: str) -> str:
        return await asyncio.to_thread(_fetch, table.page(f"/api/rules/{game}"))

    app.hand, app.source, app.rules = hand, listen, rules
    app.is_linked = lambda: table.session.is_open


def _fetch(page: HttpRequest) -> str:
    """The rules from the server, or the reason why there are none."""
    try:
        with urlopen(page, timeout=5) as reply:  # noqa: S310 - http or https by construction
            return str(reply.read().decode("utf-8", "replace"))
    except (URLError, OSError) as fault:
        return f"The rules of this game could not be fetched: {fault}"
