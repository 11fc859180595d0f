"""The terminal table on a real connection."""

import asyncio

from rich.text import Text

from photofinish_client.client import Table
from photofinish_client.errors import AskRefused, CutOff
from photofinish_client.terminal.app import TableApp
from photofinish_protocol.messages import Ask


async def run(table: Table, app: TableApp) -> None:
    """Until the player leaves the table."""
    tie(table, app)
    await app.run_async()


def tie(table: Table, app: TableApp) -> None:
    """What the table tells goes to the screen, what the keys want goes to the table."""
    under_way: set[asyncio.Task[None]] = set()
    app.seat = table.seat

    async def give(wish: Ask) -> None:
        try:
            await table.ask(wish)
        except AskRefused as refusal:
            app.refuse(refusal.text, refusal.clause)
        except CutOff as cut:
            app.refuse(str(cut))

    def hand(wish: Ask) -> None:
        task = asyncio.get_running_loop().create_task(give(wish))
        under_way.add(task)  # the loop itself keeps no hold on a task
        task.add_done_callback(under_way.discard)

    async def listen() -> None:
        async for event in table:
            app.hear(event)
        app.tell(Text("The connection has ended. Press q.", style="red"))

    app.hand, app.source = hand, listen
