"""The membership of nodes on a real Redis, single and cluster: which nodes count as alive."""

import subprocess
import sys
from collections.abc import Awaitable, Callable
from pathlib import Path

import msgspec
import pytest
from structlog.testing import capture_logs

from photofinish.store.keys import NODES
from photofinish.store.membership import FORGOTTEN, SILENT, RedisMembership
from photofinish.store.ports import NodeId
from photofinish.store.process import this_process
from tests.own_logging import own_logging
from tests.store.conftest import NORTH, SOUTH, OpenStore

EAST = NodeId("east")
OpenMembers = Callable[..., Awaitable[RedisMembership]]


class Clock:
    """The clock of a reader, set by the test."""

    now = 0.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
async def members(open_store: OpenStore, clock: Clock) -> OpenMembers:
    async def open_one(node: NodeId, plays: str = "the same") -> RedisMembership:
        store = await open_store()
        return RedisMembership(store._client, node, plays, clock)

    return open_one


async def beat(*memberships: RedisMembership, times: int = 2) -> None:
    for _ in range(times):
        for number, membership in enumerate(memberships):
            await membership.report(number, is_open=True)


def rooms(membership: RedisMembership) -> dict[NodeId, int]:
    """The number of rooms of each other node that takes rooms."""
    return {it.node: it.rooms for it in membership.other_nodes() if it.is_open}


async def test_every_node_sees_all_others(members: OpenMembers) -> None:
    north, south, east = await members(NORTH), await members(SOUTH), await members(EAST)
    await beat(north, south, east, times=3)

    assert rooms(north) == {SOUTH: 1, EAST: 2}
    assert rooms(east) == {NORTH: 0, SOUTH: 1}


async def test_a_node_whose_status_never_changes_gets_no_rooms(members: OpenMembers) -> None:
    north, south = await members(NORTH), await members(SOUTH)
    await south.report(0, is_open=True)  # and then it dies
    await beat(north)

    assert rooms(north) == {}


async def test_a_silent_node_gets_no_rooms_and_is_later_forgotten(members: OpenMembers, clock: Clock) -> None:
    north, south, east = await members(NORTH), await members(SOUTH), await members(EAST)
    await beat(north, south)
    await north.report(0, is_open=True)
    assert rooms(north) == {SOUTH: 1}
    clock.now += SILENT + 0.1
    await north.report(0, is_open=True)
    assert rooms(north) == {}
    clock.now += FORGOTTEN
    await north.report(0, is_open=True)
    await beat(east)

    assert [it.node for it in east.other_nodes()] == [NORTH]


async def test_a_node_that_drains_or_plays_by_other_rules_gets_no_rooms(members: OpenMembers) -> None:
    north, south, east = await members(NORTH), await members(SOUTH), await members(EAST, plays="other rules")
    for _ in range(2):
        await south.report(0, is_open=False)
        await east.report(0, is_open=True)
        await north.report(0, is_open=True)

    assert rooms(north) == {}
    assert len(north.other_nodes()) == 2


async def test_a_node_that_leaves_is_gone_at_once(members: OpenMembers) -> None:
    north, south = await members(NORTH), await members(SOUTH)
    await beat(north, south)
    await south.leave()
    await north.report(0, is_open=True)

    assert north.other_nodes() == []


async def test_every_other_node_learns_of_a_dead_node_and_one_frees_its_leases(members: OpenMembers) -> None:
    north, south, east = await members(NORTH), await members(SOUTH), await members(EAST)
    words = [sys.executable, "-c", "input()"]
    child = subprocess.Popen(words, stdin=subprocess.PIPE)  # noqa: ASYNC220 - starting it takes no time
    us = this_process()
    assert us is not None
    # The status of East is that of the child.
    east._process = msgspec.structs.replace(us, pid=child.pid, began=_began(child.pid))
    await beat(east, north, south)
    assert await north.dead() == await south.dead() == {}
    child.kill()
    child.communicate()

    assert await north.dead() == {EAST: True}
    assert await south.dead() == {EAST: False}
    assert await north.dead() == {}
    await north.report(0, is_open=True)
    assert [it.node for it in north.other_nodes()] == [SOUTH]


def _began(pid: int) -> int:
    return int(Path(f"/proc/{pid}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()[19])


async def test_a_status_that_cannot_be_read_is_logged_once_and_its_node_counts_as_absent(
    members: OpenMembers,
) -> None:
    north, south = await members(NORTH), await members(SOUTH)
    await beat(north, south, times=3)
    assert SOUTH in rooms(north)

    await north._client.execute("HSET", NODES, SOUTH, b"\xc1 no status of any release", key=NODES)
    with own_logging(), capture_logs() as lines:
        await beat(north)

    assert SOUTH not in rooms(north)
    assert [it["node"] for it in lines] == [SOUTH]
