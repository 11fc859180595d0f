"""A whole game against a bot, with nothing but a websocket library: python bare.py [ws://127.0.0.1:8765]"""

import asyncio
import hashlib
import json
import random
import secrets
import sys

from websockets.asyncio.client import connect

URL = sys.argv[1] if len(sys.argv) > 1 else "ws://127.0.0.1:8765"
NONCE = secrets.token_bytes(32)  # goes into the shuffle, so that nobody can have chosen the deal
COMMIT = hashlib.sha256(b"photofinish nonce" + NONCE).hexdigest()


def sample(offer):
    """A move from an offer: its name, and one pick for each of its choices."""
    move = {"t": offer["move"]}
    for choice in offer.get("choices", []):  # a field that is left out has its default: here []
        if choice["k"] == "one":  # one row; its values go into the fields, in order
            move |= dict(zip(choice["fields"], random.choice(choice["rows"])))
        elif choice["k"] == "some":  # a number of the values (VIEWS.md explains weights and sums)
            move[choice["field"]] = random.sample(choice["values"], choice.get("least", 0))
        else:  # amounts: a number in all
            pool = [key for key, limit in choice["limits"].items() for _ in range(limit)]
            picked = random.sample(pool, choice.get("least", 0))
            move[choice["field"]] = {key: picked.count(key) for key in picked}
    return move


async def main():
    # The subprotocol chooses the encoding. Without one you get msgpack.
    async with connect(URL, subprotocols=["photofinish.v1+json"], compression=None) as socket:
        ids = iter(range(10**9))  # every message has an id of its own, counted up

        async def request(t, **fields):
            await socket.send(json.dumps({"t": t, "id": next(ids), **fields}))

        await request("hello", v=1, name="Ada")
        await request("create", game="cambio", seats=2, options={"target_points": 5})
        await request("bot")  # a house bot in the free seat
        await request("ready", commit=COMMIT)
        await request("start")
        waits_for = 0  # the first `seq` that shows our last move
        open_move = False
        view = {}
        async for text in socket:
            message = json.loads(text)
            match message["t"]:
                case "refused":
                    print("refused:", message["reason"], message["text"])
                    open_move = False
                case "ack" if "seq" in message:  # the answer to a move
                    waits_for, open_move = message["seq"], False
                case "room" if message.get("dealing"):  # the deal waits for our nonce
                    await request("reveal", nonce=NONCE.hex())
                case "view":  # complete: it replaces the one before
                    view = message
                    if message.get("over"):
                        print("over:", message["over"]["why"], "places", message["over"]["places"])
                        return
            # `awaited`: the table waits for us, and each of these is an answer. Everything else may be ignored.
            awaited = [it for it in view.get("offers", []) if it.get("awaited")]
            if awaited and not open_move and view["seq"] >= waits_for:
                open_move = True  # one move at a time: its answer comes first
                await request("play", move=sample(random.choice(awaited)))


asyncio.run(main())
