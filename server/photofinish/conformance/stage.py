"""The servers, the line and the room of one situation."""

import tempfile
from contextlib import AsyncExitStack
from dataclasses import dataclass, field
from pathlib import Path

from photofinish.conformance.line import ClientLine
from photofinish.conformance.servers import Server, ServerOf
from photofinish.conformance.situations import Situation
from photofinish_client.client import Table, connect
from photofinish_protocol.messages import Host, Leave

NAME = "Examiner"


@dataclass
class Stage:
    """The examiner and (behind the line) the client connect to `server`. If `owner` is set, it has the room."""

    server: str
    client_url: str
    own: Server | None = None
    owner: Server | None = None
    owner_url: str = ""
    room: str = field(default="", init=False)

    @property
    def is_own(self) -> bool:
        return self.own is not None

    async def host(self, stack: AsyncExitStack, situation: Situation) -> Table:
        """The examiner as the host of a new room."""
        host = await stack.enter_async_context(connect(self.server, name=NAME, follows_owner=False))
        if self.owner is None:
            self.room = await host.create(situation.game, seats=situation.seats, options=situation.options)
            return host
        async with connect(self.owner.url, name="Opener") as opener:  # the room is where it was opened
            self.room = await opener.create(situation.game, seats=situation.seats, options=situation.options)
            await host.join(self.room)
            assert host.seat is not None
            await opener.request(Host(id=0, seat=host.seat))
            await opener.request(Leave(id=0))
        return host


async def stage_of(
    stack: AsyncExitStack, situation: Situation, line: ClientLine, url: str, server_of: ServerOf
) -> Stage:
    """The common server, or one or two for this situation alone."""
    if situation.event not in {"restart", "other_node", "owner_dies"}:
        return Stage(url, await line.open(url))
    one = await _started(stack, server_of)
    client_url = await line.open(one.url)
    if situation.event == "restart":
        return Stage(one.url, client_url, own=one)
    nodes: list[Server] = []
    owner_url = await line.open_at(lambda: nodes[0].url)
    nodes.append(await _started(stack, server_of, "--redis", one.redis, "--public-url", owner_url))
    return Stage(one.url, client_url, own=one, owner=nodes[0], owner_url=owner_url)


async def _started(stack: AsyncExitStack, server_of: ServerOf, *more: str) -> Server:
    server = server_of(Path(stack.enter_context(tempfile.TemporaryDirectory())), *more)
    stack.push_async_callback(server.stop)
    return await server.start()
