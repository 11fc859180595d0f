"""Counts the calls of a claim: `REDIS_URL=unix:///… python -m tests.bench.hops`.

Reflex in a real server in this process, msgpack, no other traffic. Counted are calls of Python functions of the server
and the protocol, from the bytes of the claim to the `Act` in the rules. Games, engine, metrics, pings and
the clocks of the event loop are left out.
"""

import asyncio
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType
from typing import Any

import msgpack

import photofinish
import photofinish_protocol
from tests.attacks.local_server import local_server
from tests.system.raw import Raw
from tests.waiting import within

SERVER, PROTOCOL = (Path(it.__file__ or "").parent for it in (photofinish, photofinish_protocol))
LEFT_OUT = ("engine/", "games/", "telemetry.py", "gateway/sockets/ping_timer.py", "gateway/sockets/heartbeat.py",
            "gateway/sockets/loop_lag.py")  # fmt: skip
REACTION = 0.25
Call = tuple[str, str]


class Packed(Raw):
    def __init__(self, url: str) -> None:
        super().__init__(url, "photofinish.v1+msgpack")

    async def send(self, message: Any) -> None:
        await self.socket.send(msgpack.packb(message))

    async def next(self, *kinds: str) -> dict[str, Any]:
        async with within(f"a message, of {kinds}"):
            while True:
                message: dict[str, Any] = msgpack.unpackb(await self.socket.recv())
                if not kinds or message["t"] in kinds:
                    return message


@contextmanager
def traced() -> Iterator[list[Call]]:
    calls: list[Call] = []

    def note(frame: FrameType, event: str, _argument: object) -> None:
        file = Path(frame.f_code.co_filename)
        if event == "call" and (SERVER in file.parents or PROTOCOL in file.parents):
            home = SERVER if SERVER in file.parents else PROTOCOL.parent
            calls.append((file.relative_to(home).as_posix(), frame.f_code.co_name))

    sys.setprofile(note)
    try:
        yield calls
    finally:
        sys.setprofile(None)


async def claim() -> list[Call]:
    """The calls of one claim in a race of one seat: nobody else is waited for."""
    async with local_server(os.environ["REDIS_URL"]) as app, Packed(app.url) as player:
        await player.hello("Ada")
        await player.request("create", game="reflex", seats=1, options={"flashes": 2, "stop_percent": 0})
        await player.request("ready")
        await player.request("start")
        nonce = await trigger(player)
        await asyncio.sleep(REACTION)
        fields = {"race": nonce, "react_us": int(REACTION * 1e6) - 20_000}
        with traced() as calls:
            await player.request("play", move={"t": "press"}, **fields)
    return calls


async def trigger(player: Packed) -> str:
    """Wait for the light. Returns the nonce of its race."""
    while True:
        view = await player.next("view")
        if view["view"]["phase"] == "lit":
            return str(view["race"]["nonce"])


def main() -> None:
    calls = asyncio.run(claim())
    begin = next(n for n, (_, name) in enumerate(calls) if name == "data_received")
    act = calls.index(("games/reflex/rules.py", "apply"), begin)
    own = [it for it in calls[begin:act] if not it[0].startswith(LEFT_OUT)]
    files = {file for file, _ in own}
    sys.stdout.write(f"{len(own)} calls of {len(set(own))} functions in {len(files)} files\n")


if __name__ == "__main__":
    main()
