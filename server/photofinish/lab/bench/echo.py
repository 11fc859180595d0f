"""The reference: a bare `websockets` server that answers each frame with one frame to each socket of its group of four.

Nothing is parsed, checked, stored or hidden. `send` awaits each send; `broadcast` uses the library's function for it.
Two event loops: `asyncio`, which the library's own documentation uses, and `uvloop`, which we use.
"""

import asyncio
import sys
from collections import defaultdict

import uvloop
from websockets.asyncio.server import ServerConnection, broadcast, serve

FRAME = bytes(520)


async def main(way: str) -> None:
    groups: defaultdict[str, list[ServerConnection]] = defaultdict(list)

    async def connected(socket: ServerConnection) -> None:
        assert socket.request is not None
        group = groups[socket.request.path]
        group.append(socket)
        async for _ in socket:
            if way == "broadcast":
                broadcast(group, FRAME)
            else:
                for other in group:
                    await other.send(FRAME)

    async with serve(connected, "127.0.0.1", 0, compression=None, ping_interval=None) as server:
        port = next(iter(server.sockets)).getsockname()[1]
        print(f"ws://127.0.0.1:{port}", flush=True)  # noqa: T201 - read by the bench
        await asyncio.Event().wait()


if __name__ == "__main__":
    (uvloop.run if sys.argv[2] == "uvloop" else asyncio.run)(main(sys.argv[1]))
