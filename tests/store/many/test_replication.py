"""`--redis-wait`: nothing is acknowledged before enough replicas have it, also when a replica or a connection fails."""

import asyncio
from collections.abc import AsyncIterator, Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest
import redis

from photofinish.store.keys import room_of
from photofinish.store.ports import Lease, RoomId
from photofinish.store.redis import RedisStore
from photofinish.store.replication import Replication
from tests.store.conftest import NORTH, ROOM, SOUTH, write
from tests.store.many.fleets import RedisServer, family, under_sentinels
from tests.store.servers import HOST
from tests.waiting import wait_until

ONE = Replication(replicas=1, wait_ms=50)


@pytest.fixture(scope="module")
def pair(tmp_path_factory: pytest.TempPathFactory) -> Iterator[list[RedisServer]]:
    """A master and its replica."""
    with family(tmp_path_factory.mktemp("pair"), 1) as servers:
        yield servers


@pytest.fixture
async def store(pair: list[RedisServer]) -> AsyncIterator[RedisStore]:
    with pair[0].client as client:
        client.flushall()
    opened = await RedisStore.open(f"redis://{HOST}:{pair[0].own}", replication=ONE)
    yield opened
    await opened.close()


@pytest.fixture
async def lease(store: RedisStore) -> Lease:
    given = await store.create(ROOM, NORTH, b"state 0", b"")
    assert given is not None
    return given


def version(server: RedisServer) -> int:
    with server.client as client:
        return int(client.hget(room_of(ROOM), "version") or -1)


async def fact(it: object, what: str) -> None:
    await asyncio.to_thread(wait_until, it, what)  # type: ignore[arg-type]  # a question


async def test_every_acknowledged_move_is_on_the_replica(
    pair: list[RedisServer], store: RedisStore, lease: Lease
) -> None:
    for move in range(1, 51):
        await store.commit(write(lease, move))

        assert version(pair[1]) == move


async def test_no_move_is_acknowledged_while_the_replica_is_paused_and_the_owner_keeps_its_lease(
    pair: list[RedisServer], store: RedisStore, lease: Lease
) -> None:
    pair[1].freeze()
    try:
        move = asyncio.ensure_future(store.commit(write(lease, 1)))
        await fact(lambda: store.condition.unsure == 1, "the move is written and held back")
        trips = store.trips
        await fact(lambda: store.trips > trips + 3, "the replicas were asked again")
        is_said, is_written = move.done(), version(pair[0])
        # The owner keeps its table meanwhile: nobody else may take it for dead.
        lost = await store.renew([lease])
        why = store.condition.why
    finally:
        pair[1].thaw()
    await move

    assert (is_said, is_written, lost) == (False, 1, frozenset())
    assert why == "0 of 1 replicas have the last writes"
    assert version(pair[1]) == 1
    assert await store.log(ROOM, 1) == [(1, b"entry 1")]
    assert store.condition.why == ""
    assert store.condition.unsure == 0


async def test_a_connection_cut_before_the_replica_has_a_write_does_not_confirm_it(
    pair: list[RedisServer], store: RedisStore, lease: Lease
) -> None:
    """On a new connection `WAIT` does not cover the writes of the old one."""
    pair[1].freeze()
    try:
        move = asyncio.ensure_future(store.commit(write(lease, 1)))
        await fact(lambda: store.condition.unsure == 1, "the move is written and held back")
        with pair[0].client as operator:
            for _ in range(3):
                troubles = store.condition.troubles
                operator.execute_command("CLIENT", "KILL", "TYPE", "normal", "SKIPME", "yes")
                await fact(lambda: store.condition.troubles > troubles, "the cut was noticed")  # noqa: B023 - asked at once
                await fact(lambda: store.condition.unsure == 1, "it is held back again")
            trips = store.trips
            await fact(lambda: store.trips > trips + 3, "the replicas were asked again")
        is_said = move.done()
    finally:
        pair[1].thaw()
    await move

    assert not is_said
    assert version(pair[1]) == 1
    assert await store.log(ROOM, 1) == [(1, b"entry 1")]


async def test_moves_at_several_tables_share_one_wait_for_the_replicas(
    pair: list[RedisServer], store: RedisStore
) -> None:
    given = await asyncio.gather(*(store.create(RoomId(f"T{n}"), NORTH, b"", b"") for n in range(200)))
    leases = [lease for lease in given if lease]
    with pair[0].client as operator:
        operator.config_resetstat()
        await asyncio.gather(*(store.commit(write(lease, 1)) for lease in leases))
        asked = operator.info("commandstats")["cmdstat_wait"]["calls"]

    assert len(leases) == 200
    assert asked <= 2


async def test_a_new_table_and_an_adopted_one_are_on_the_replica_too(
    pair: list[RedisServer], store: RedisStore, lease: Lease
) -> None:
    await store.release(lease)
    taken = await store.acquire(ROOM, SOUTH)
    assert taken is not None

    with pair[1].client as replica:
        assert replica.hmget(room_of(ROOM), "node", "epoch") == [b"south", str(taken[0].epoch).encode()]


async def test_a_master_that_becomes_a_replica_during_wait_confirms_nothing(
    pair: list[RedisServer], store: RedisStore, lease: Lease
) -> None:
    """It ends the `WAIT` with `UNBLOCKED`, and then refuses writes with `READONLY`."""
    pair[1].freeze()
    with pair[0].client as operator:
        try:
            move = asyncio.ensure_future(store.commit(write(lease, 1)))
            await fact(lambda: store.condition.unsure == 1, "the move is written and held back")
            operator.replicaof(HOST, pair[1].own)
            await fact(lambda: "ReadOnly" in store.condition.why, "it may not write")
            is_said = move.done()
        finally:
            operator.replicaof("NO", "ONE")
            pair[1].thaw()
    with pair[1].client as replica:
        replica.replicaof(HOST, pair[0].own)
    await move

    assert not is_said
    assert await store.log(ROOM, 1) == [(1, b"entry 1")]


async def test_the_table_waits_while_the_master_has_too_few_replicas(
    pair: list[RedisServer], store: RedisStore, lease: Lease
) -> None:
    """`min-replicas-to-write`: it refuses with `NOREPLICAS`, and the table only waits."""
    with pair[0].client as operator:
        operator.config_set("min-replicas-to-write", 2)
        try:
            move = asyncio.ensure_future(store.commit(write(lease, 1)))
            await fact(lambda: "NOREPLICAS" in store.condition.why, "it was refused")
            is_said, is_written = move.done(), version(pair[0])
        finally:
            operator.config_set("min-replicas-to-write", 0)
    await move

    assert (is_said, is_written) == (False, 0)
    assert await store.log(ROOM, 1) == [(1, b"entry 1")]


async def test_an_unconfirmed_commit_gets_store_closed_when_the_store_closes(
    pair: list[RedisServer], lease: Lease
) -> None:
    from photofinish.store.ports import StoreClosed

    leaving = await RedisStore.open(
        f"redis://{HOST}:{pair[0].own}", replication=Replication(replicas=2, wait_ms=20), timeout_seconds=0.2
    )
    move = asyncio.ensure_future(leaving.commit(write(lease, 1)))
    await fact(lambda: leaving.condition.unsure == 1, "the move is held back")
    await leaving.close()

    with pytest.raises(StoreClosed):
        await move


def test_redis_itself_would_confirm_a_write_that_no_replica_has(pair: list[RedisServer]) -> None:
    """Why a write that is repeated on another connection needs a mark (`store/replication.py`)."""
    with pair[0].client as first, pair[0].client as second:
        second.ping()
        assert first.wait(1, 1_000) == 1
        pair[1].freeze()
        try:
            first.set("{FOX}:move", "made")
            assert first.wait(1, 50) == 0

            assert second.get("{FOX}:move") == b"made"
            assert second.wait(1, 50) == 1
            second.set("{FOX}:mark", "")
            assert second.wait(1, 50) == 0
        finally:
            pair[1].thaw()


async def test_a_replaced_master_that_still_answers_is_no_longer_used(tmp_path: Path) -> None:
    """Sentinel demotes it after ten seconds; everything written there until then is lost."""
    with under_sentinels(tmp_path) as fleet:
        store = await RedisStore.open(fleet.url, replication=ONE)
        lease = await store.create(ROOM, NORTH, b"state 0", b"")
        assert lease is not None
        stale = fleet.master
        with ExitStack() as stack:
            # The sentinels ask less often, so that there are two masters for a while.
            for port in fleet.sentinels:
                client = stack.enter_context(redis.Redis(HOST, port))
                client.execute_command("SENTINEL", "DEBUG", "INFO-PERIOD", 60_000)
            stale.freeze()
            await fact(lambda: fleet.master is not stale, "another one is master")
            stale.thaw()
            assert stale.info("role") == "master"
            await store.commit(write(lease, 1))
            entries = await store.log(ROOM, 1)
            await store.close()

            assert stale.info("role") == "master"
            assert fleet.master is not stale
            assert version(fleet.master) == 1
    assert entries == [(1, b"entry 1")]
