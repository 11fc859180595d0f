"""Players at one table over real sockets who read all the time, as a client does, and remember every message."""

import asyncio
import contextlib
import json
from collections.abc import AsyncIterator
from typing import Any, Self

from websockets.exceptions import ConnectionClosed

from tests.system.raw import Raw
from tests.waiting import until


class Seated(Raw):
    """Everything that arrives is in `heard`, in order. `next` and `answer` go on from where they were."""

    def __init__(self, url: str, **more: Any) -> None:
        super().__init__(url, **more)
        self._reader: asyncio.Task[None] | None = None
        self._at = 0

    async def __aenter__(self) -> Self:
        await super().__aenter__()
        self._reader = asyncio.create_task(self._read())
        return self

    async def __aexit__(self, *why: object) -> None:
        assert self._reader is not None
        self._reader.cancel()
        await super().__aexit__(*why)

    async def _read(self) -> None:
        with contextlib.suppress(ConnectionClosed):
            while True:
                self.heard.append(json.loads(await self.socket.recv()))

    async def next(self, *kinds: str) -> dict[str, Any]:
        while True:
            await until(lambda: len(self.heard) > self._at, f"a message ({kinds or 'any'}) comes")
            message = self.heard[self._at]
            self._at += 1
            if not kinds or message["t"] in kinds:
                return message

    @property
    def view(self) -> dict[str, Any]:
        """The newest view."""
        return next((it for it in reversed(self.heard) if it["t"] == "view"), {})

    @property
    def moves(self) -> set[str]:
        """The kinds of moves that the newest view offers."""
        return {it["move"] for it in self.view.get("offers", ())}

    async def play(self, **move: Any) -> dict[str, Any]:
        """The answer. If it is an ack, the view with the move in it has arrived."""
        race = self.view.get("race")
        answer = await self.request("play", move=move, **({"race": race["nonce"]} if race else {}))
        if answer["t"] == "ack":
            await self.seen(answer)
        return answer

    async def seen(self, ack: dict[str, Any]) -> None:
        """Wait for the view that contains the acknowledged move."""
        await until(lambda: self.view["seq"] >= ack["seq"], f"view {ack['seq']}")


@contextlib.asynccontextmanager
async def seated(*urls: str, game: str, **create: Any) -> AsyncIterator[list[Seated]]:
    """A dealt game; one player per address. The game's first view is there."""
    async with contextlib.AsyncExitStack() as stack:
        players = [await stack.enter_async_context(Seated(url)) for url in urls]
        for number, player in enumerate(players):
            await player.hello(f"Player {number}")
        room = (await players[0].request("create", game=game, seats=len(urls), **create))["got"]["room"]
        for player in players[1:]:
            assert (await player.request("join", room=room))["t"] == "ack"
        for player in players:
            await player.request("ready")
        assert (await players[0].request("start"))["t"] == "ack"
        for player in players:
            await until(lambda it=player: bool(it.view), "the first view")  # type: ignore[misc]  # bound per player
        yield players
