"""The Python SDK as a client under test."""

import asyncio
import os
import random

from photofinish_client.bots import RandomPlayer
from photofinish_client.client import connect
from photofinish_client.player import sit
from photofinish_protocol.messages import View


async def main() -> None:
    async with connect(os.environ["CONFORMANCE_URL"], name="Candidate") as table:
        if os.environ["CONFORMANCE_DO"] == "watch":
            await table.watch(os.environ["CONFORMANCE_ROOM"])
            async for event in table:
                if isinstance(event, View) and event.over is not None:
                    return
        else:
            await table.join(os.environ["CONFORMANCE_ROOM"])
            await table.ready()
            await sit(table, RandomPlayer(random.Random(3), eager=0.5))


asyncio.run(main())
