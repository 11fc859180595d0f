"""A bot with the Python SDK, which comes back after every cut by itself: python sdk_bot.py [URL]"""

import asyncio
import random
import sys

from photofinish_client.client import connect
from photofinish_client.offers import sample
from photofinish_client.player import sit
from photofinish_protocol.messages import View

URL = sys.argv[1] if len(sys.argv) > 1 else "ws://127.0.0.1:8765"


class Slapper:
    """A player is one method from a view to a move. It knows no game: it plays from the offers."""

    def __init__(self) -> None:
        self.chance = random.Random()

    def choose(self, view: View):
        # A race is open: take a chance now and then, as fast as a hand can be (below 0.1 s it is a false start).
        if view.race is not None and self.chance.random() < 0.3:
            move = sample([it for it in view.offers if it.move in view.race.moves], self.chance)
            if move is not None:
                return move, self.chance.uniform(0.2, 0.4)
        # Otherwise answer what the table waits for. None: wait for the next view.
        return sample([it for it in view.offers if it.awaited], self.chance)


async def main() -> None:
    async with connect(URL, name="Slapper") as table:
        room = await table.create("cambio", seats=2, options={"target_points": 5})
        print("room", room)  # tell your friends
        await table.add_bot(strength="easy")
        await table.ready()  # commits to a nonce for the shuffle; it is revealed by itself
        await table.start()
        sitting = await sit(table, Slapper())  # until the game is over
        assert sitting.over is not None
        print("over:", sitting.over.why, "after", sitting.moves, "moves")


asyncio.run(main())
