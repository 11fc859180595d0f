"""Many nodes share the rooms: new ones, and those of a node that died."""

import asyncio
import contextlib
import time
from collections import Counter
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
import redis.asyncio

from photofinish.store.keys import NODES as CARDS
from photofinish.store.ports import LEASE_MS, NodeId, RoomId
from photofinish.store.redis import RedisStore
from photofinish_client.client import connect
from tests.system.conftest import ServerProcess
from tests.system.nodes.test_nodes import free_port
from tests.waiting import until

pytestmark = pytest.mark.system

NODES, ROOMS = 4, 80
AT_A_TIME = 4
"""Rooms opened before the nodes hear of each other again."""


@contextlib.asynccontextmanager
async def nodes(folder: Path, redis_url: str) -> AsyncIterator[list[ServerProcess]]:
    """Each with an address of its own, which it tells its players."""
    made = []
    for number in range(NODES):
        (folder / str(number)).mkdir()
        port = free_port()
        words = ("--redis", redis_url, "--public-url", f"ws://127.0.0.1:{port}")
        made.append(ServerProcess(folder / str(number), *words, port=port))
    await asyncio.gather(*(asyncio.to_thread(node.start) for node in made))
    try:
        yield made
    finally:
        for node in made:
            node.stop()


async def owners(store: RedisStore, rooms: list[str], without: NodeId | None = None) -> dict[str, NodeId]:
    """The owner of each room. Waits until each has one, and none is the node `without`."""
    found: dict[str, NodeId] = {}

    async def all_owned() -> bool:
        for room in rooms:
            owner = await store.owner(RoomId(room))
            if owner is None or owner == without:
                return False
            found[room] = owner
        return True

    await until(all_owned, f"each of {len(rooms)} rooms has an owner other than {without}")
    return found


async def all_have_heard(redis_url: str) -> None:
    """Wait until every node has published its number of rooms twice: then all have read the first of these numbers."""
    changes: Counter[bytes | str] = Counter()
    async with redis.asyncio.from_url(redis_url) as client:
        seen = await client.hgetall(CARDS)

        async def twice() -> bool:
            now = await client.hgetall(CARDS)
            changes.update(node for node in now if now[node] != seen.get(node))
            seen.update(now)
            return len(changes) >= NODES and min(changes.values()) >= 2

        await until(twice, f"{NODES} nodes have announced themselves twice")


def is_even(shares: Counter[NodeId], nodes: int) -> bool:
    """No node has more than twice the mean, and none under half of it."""
    mean = shares.total() / nodes
    return len(shares) == nodes and all(mean / 2 <= share <= mean * 2 for share in shares.values())


async def test_rooms_opened_through_one_node_are_spread_over_all_nodes_and_after_its_death_over_the_others(
    tmp_path: Path, redis_url: str
) -> None:
    store = await RedisStore.open(redis_url)
    async with contextlib.AsyncExitStack() as stack:
        stack.push_async_callback(store.close)
        servers = await stack.enter_async_context(nodes(tmp_path, redis_url))
        tables = [await stack.enter_async_context(connect(servers[0].url, name="Host")) for _ in range(ROOMS)]
        rooms = []
        for number, table in enumerate(tables):
            if number % AT_A_TIME == 0:
                await all_have_heard(redis_url)
            rooms.append(await table.create("cauldron15", seats=2))
        before = await owners(store, rooms)
        shares = Counter(before.values())
        assert is_even(shares, NODES), shares
        # Each host was told where the room lives, and went there.
        for table in tables:
            await table.ready()
        homes = {room: table.url for room, table in zip(rooms, tables, strict=True)}
        assert len(set(zip(before.values(), homes.values(), strict=True))) == NODES

        dead = next(node for room, node in before.items() if homes[room] == servers[0].url)
        killed = time.monotonic()
        servers[0].kill()
        after = await owners(store, rooms, without=dead)
        # It is known to be dead: nobody waited for its leases.
        assert time.monotonic() - killed < LEASE_MS / 1000
        assert is_even(Counter(after.values()), NODES - 1), after
        assert len({after[room] for room in rooms if before[room] == dead}) == NODES - 1
        assert all(after[room] == before[room] for room in rooms if before[room] != dead)
