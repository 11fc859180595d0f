"""RACES: a ping is sent right after each trigger and measures the line in this race."""

import contextlib
from typing import Any

from websockets.asyncio.client import ClientConnection
from websockets.frames import Frame, Opcode

from photofinish import app
from photofinish.config import Settings
from photofinish.node.clock import clock
from tests.system.raw import Raw
from tests.waiting import until, within

QUICK = {"flashes": 3, "gap_ms": 200, "window_ms": 300}


class Listener(ClientConnection):
    """Notes every frame in the order in which it came."""

    def connection_made(self, transport: Any) -> None:
        self.came: list[str] = []
        super().connection_made(transport)

    def process_event(self, event: Any) -> None:
        if isinstance(event, Frame):
            is_trigger = (
                event.opcode is Opcode.TEXT and b'"race":{' in event.data and b'"t":"view"' in event.data
            )
            self.came.append("race" if is_trigger else event.opcode.name.lower())
        super().process_event(event)


async def test_a_ping_follows_each_trigger_and_updates_the_measured_round_trip(redis_url: str) -> None:
    async with contextlib.AsyncExitStack() as stack:
        running = await stack.enter_async_context(
            app.running(Settings(port=0, metrics_port=0, redis=redis_url))
        )
        ada, bo = [
            await stack.enter_async_context(Raw(running.url, create_connection=Listener)) for _ in range(2)
        ]
        for player, name in ((ada, "Ada"), (bo, "Bo")):
            await player.hello(name)
        room = (await ada.request("create", game="reflex", seats=2, options=QUICK))["got"]["room"]
        await bo.request("join", room=room)
        for player in (ada, bo):
            await player.request("ready")
        await ada.request("start")
        races: set[str] = set()
        async with within(lambda: f"{QUICK['flashes']} races; so far {len(races)}"):
            while len(races) < QUICK["flashes"]:
                view = await ada.next("view")
                if view.get("race"):
                    races.add(view["race"]["nonce"])
            session = next(it for it in running.gateway.sessions.values() if it.is_in_a_room)
            await until(lambda: session.lag.path(clock()).slow is not None, "the path has been measured")

        came = ada.socket.came  # type: ignore[attr-defined]  # a Listener
        triggers = [place for place, what in enumerate(came) if what == "race"]
        behind = [came[place + 1] for place in triggers[:-1]]
        assert behind.count("ping") >= len(races) - 1
