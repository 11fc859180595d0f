"""A seat whose player leaves, is kicked and comes back in the same moment, over two nodes.

Whatever comes first: every request is answered or its connection is closed, the seat has one player at most, and a
player who was kicked is out on both nodes.
"""

import asyncio
import random
from typing import Any

import pytest
from websockets.exceptions import ConnectionClosed

from tests.system.conftest import ServerProcess
from tests.system.raw import Raw
from tests.waiting import within

pytestmark = pytest.mark.system

ROUNDS = 12
"""Per phase."""


async def answered(raw: Raw, t: str, after: float, **fields: Any) -> dict[str, Any] | None:
    """The answer; None if the connection was closed instead."""
    await asyncio.sleep(after)
    try:
        return await raw.request(t, **fields)
    except ConnectionClosed:
        return None


async def is_in(raw: Raw) -> bool:
    said = await answered(raw, "chat", 0, text="here")
    return said is not None and said["t"] == "ack"


async def wait_for_room(host: Raw, *, is_here: bool) -> None:
    """Wait until the room tells the host, on the owner's node, whether somebody sits in seat 1."""
    async with within(
        lambda: (
            f"seat 1 with {is_here=}; the rooms: {[it['seats'][1] for it in host.heard if it['t'] == 'room'][-4:]}"
        ),
        20,
    ):
        while True:
            rooms = [it for it in host.heard if it["t"] == "room"]
            seat = rooms[-1]["seats"][1]
            if (seat["kind"] == "player" and seat.get("connected", False)) == is_here:
                return
            await host.next("room")


@pytest.mark.parametrize("phase", ["lobby", "playing"])
async def test_leave_kick_and_resume_at_once_on_two_nodes(phase: str, nodes: list[ServerProcess]) -> None:
    dice = random.Random(phase)
    outcomes = set()
    for number in range(ROUNDS):
        async with (
            Raw(nodes[0].url) as host,
            Raw(nodes[1].url) as player,
            Raw(nodes[number % 2].url) as back,
            Raw(nodes[1].url) as later,
        ):
            await host.hello("Host")
            await player.hello("Mallory", client_key="k" * 16)
            code = (await host.request("create", game="reflex", seats=2))["got"]["room"]
            token = (await player.request("join", room=code, seat=1))["got"]["token"]
            if phase == "playing":
                for raw in (player, host):
                    assert (await raw.request("ready"))["t"] == "ack"
                assert (await host.request("start"))["t"] == "ack"

            kicked, left, resumed = await asyncio.gather(
                answered(host, "kick", dice.random() * 0.01, seat=1),
                answered(player, "leave", dice.random() * 0.01),
                answered(back, "hello", dice.random() * 0.01, v=1, name="Mallory", token=token),
            )

            assert kicked is not None
            assert resumed is not None, "a hello is answered"
            back.next_id = max(back.next_id, resumed.get("next_id", 0))
            here = [await is_in(player), resumed["t"] == "welcome" and await is_in(back)]
            outcomes.add((kicked["t"], left and left["t"], resumed["t"], tuple(here)))
            assert sum(here) <= 1, "one player at most has the seat"
            if kicked["t"] == "ack":
                assert here == [False, False]
                again = await later.hello("Mallory", token=token)
                assert again.get("reason") == "bad_token"
            await wait_for_room(host, is_here=any(here))
            await host.request("leave")
    assert len(outcomes) > 1, outcomes
