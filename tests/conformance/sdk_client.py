"""The Python SDK as a client under test."""

import asyncio
import contextlib
import os
import random
from typing import Any

from photofinish_client.bots import RandomPlayer
from photofinish_client.client import Table, connect
from photofinish_client.errors import CutOff, RequestRefused
from photofinish_client.headless import join_patiently, play_games
from photofinish_protocol.messages import View
from tests.waiting import hears, until

ROOM, SAY = os.environ["CONFORMANCE_ROOM"], os.environ["CONFORMANCE_SAY"]


async def main() -> None:
    codec: Any = os.environ["CONFORMANCE_CODEC"] or "msgpack"
    async with connect(os.environ["CONFORMANCE_URL"], name="Candidate", codec=codec) as table:
        if os.environ["CONFORMANCE_DO"] == "watch":
            await watch(table)
        else:
            await play(table)


async def watch(table: Table) -> None:
    await table.watch(ROOM)
    async for event in table:
        if isinstance(event, View) and event.over is not None:
            return


async def play(table: Table) -> None:
    await join_patiently(table, ROOM)
    playing = play_games(
        table, RandomPlayer(random.Random(3), eager=0.6), games=int(os.environ["CONFORMANCE_GAMES"])
    )
    async with asyncio.TaskGroup() as both:
        if SAY:
            both.create_task(chat_after_the_first_move(table))
        both.create_task(playing)


async def chat_after_the_first_move(table: Table) -> None:
    with contextlib.suppress(RequestRefused, CutOff):
        await hears(table, lambda room: room.phase == "playing")
        await until(lambda: table.view is not None and table.view.seq >= 2, "the first move is made")
        await table.chat(SAY)


asyncio.run(main())
