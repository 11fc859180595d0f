"""The errors that Redis gives during start, failover and slot migration, each from a real server."""

import asyncio
from collections.abc import Callable
from pathlib import Path

import pytest
import redis

from photofinish.store.keys import log_of, room_of
from photofinish.store.mail import RedisMail
from photofinish.store.ports import LeaseLost, NodeId
from photofinish.store.redis import RedisStore
from photofinish.store.replication import Replication
from tests.store.conftest import NORTH, ROOM, SOUTH, write
from tests.store.many.fleets import RedisServer, family
from tests.store.servers import HOST
from tests.waiting import wait_until


async def fact(it: Callable[[], bool], what: str) -> None:
    await asyncio.to_thread(wait_until, it, what)


async def test_a_redis_that_still_loads_makes_the_table_wait(tmp_path: Path) -> None:
    """`LOADING`."""
    server = RedisServer(tmp_path / "redis").start()
    try:
        store = await RedisStore.open(f"redis://{HOST}:{server.own}")
        lease = await store.create(ROOM, NORTH, b"state 0", b"")
        assert lease is not None
        with server.client as client:
            client.mset({f"ballast {n}": "x" for n in range(2_000)})
            client.bgrewriteaof()
            await fact(lambda: not client.info("persistence")["aof_rewrite_in_progress"], "the log is short")
        server.kill()
        starting = asyncio.create_task(
            asyncio.to_thread(
                server.start, "--key-load-delay", "500", "--loading-process-events-interval-bytes", "1024"
            )
        )
        move = asyncio.ensure_future(store.commit(write(lease, 1)))
        await fact(lambda: "BusyLoading" in store.condition.why, "it was told to wait")
        is_said = move.done()
        await starting
        await move
        entries = await store.log(ROOM, 1)
        await store.close()
    finally:
        server.kill()

    assert not is_said
    assert entries == [(1, b"entry 1")]


async def test_the_table_waits_for_a_replica_that_has_no_master_until_it_becomes_master(
    tmp_path: Path,
) -> None:
    """`MASTERDOWN`."""
    with family(tmp_path, 1) as (master, replica):
        first = await RedisStore.open(f"redis://{HOST}:{master.own}", replication=Replication(replicas=1))
        lease = await first.create(ROOM, NORTH, b"state 0", b"")
        assert lease is not None
        await first.close()
        store = await RedisStore.open(f"redis://{HOST}:{replica.own}")
        with replica.client as operator:
            operator.config_set("replica-serve-stale-data", "no")
            master.kill()
            await fact(lambda: replica.info("master_link_status") == "down", "the link is down")
            move = asyncio.ensure_future(store.commit(write(lease, 1)))
            await fact(lambda: "MasterDown" in store.condition.why, "it was told to wait")
            is_said = move.done()
            operator.replicaof("NO", "ONE")
        await move
        entries = await store.log(ROOM, 1)
        await store.close()

    assert not is_said
    assert entries == [(1, b"entry 1")]


async def test_a_table_waits_while_no_node_serves_its_slot_and_plays_on_while_its_slot_migrates(
    cluster_ports: list[int],
) -> None:
    """`CLUSTERDOWN`, `TRYAGAIN`, `ASK` and `MOVED`, one after the other, under one table."""
    clients = {port: redis.Redis(HOST, port) for port in cluster_ports}
    for client in clients.values():
        client.flushall()
    store = await RedisStore.open(f"redis+cluster://{HOST}:{cluster_ports[0]}", timeout_seconds=1.0)
    lease = await store.create(ROOM, NORTH, b"state 0", b"")
    assert lease is not None
    await store.commit(write(lease, 1))
    slot = clients[cluster_ports[0]].execute_command("CLUSTER", "KEYSLOT", room_of(ROOM))
    source, target = (
        holder(clients, slot),
        next(port for port in cluster_ports if port != holder(clients, slot)),
    )
    ids = {port: client.execute_command("CLUSTER", "MYID") for port, client in clients.items()}

    for client in clients.values():
        client.execute_command("CLUSTER", "DELSLOTS", slot)
    move = asyncio.ensure_future(store.commit(write(lease, 2)))
    await fact(lambda: "ClusterDown" in store.condition.why, "nobody has the slot")
    assert not move.done()
    for client in clients.values():
        client.execute_command("CLUSTER", "SETSLOT", slot, "NODE", ids[source])
    await move

    clients[target].execute_command("CLUSTER", "SETSLOT", slot, "IMPORTING", ids[source])
    clients[source].execute_command("CLUSTER", "SETSLOT", slot, "MIGRATING", ids[target])
    clients[source].execute_command("MIGRATE", HOST, target, room_of(ROOM), 0, 1_000)
    move = asyncio.ensure_future(store.commit(write(lease, 3)))
    await fact(lambda: "TryAgain" in store.condition.why, "half of the table is elsewhere")
    assert not move.done()
    clients[source].execute_command("MIGRATE", HOST, target, log_of(ROOM, 1), 0, 1_000)
    await move  # the ASK redirect is followed

    assert await store.log(ROOM, 1) == [(n, b"entry %d" % n) for n in (1, 2, 3)]
    assert holder(clients, slot) == source
    for port in (target, source, *cluster_ports):
        clients[port].execute_command("CLUSTER", "SETSLOT", slot, "NODE", ids[target])
    await store.commit(write(lease, 4))
    entries = await store.log(ROOM, 1)
    await store.close()
    for client in clients.values():
        client.close()

    assert entries == [(n, b"entry %d" % n) for n in (1, 2, 3, 4)]


def holder(clients: dict[int, redis.Redis], slot: int) -> int:
    for first, last, master, *_ in next(iter(clients.values())).execute_command("CLUSTER", "SLOTS"):
        if first <= slot <= last:
            return int(master[1])
    raise AssertionError(f"nobody has slot {slot}")


class OlderKeys:
    """The keys of a table as they were: a failover to a replica that was behind."""

    def __init__(self, url: str) -> None:
        self._client = redis.from_url(url)
        self._keys = {key: self._client.dump(key) or b"" for key in self._client.keys("*")}

    def come_back(self) -> None:
        for key in self._client.keys("*"):
            self._client.delete(key)
        for key, dump in self._keys.items():
            self._client.restore(key, 0, dump)
        self._client.close()


async def test_a_room_that_a_failover_set_back_can_be_taken_over_at_once(redis_url: str) -> None:
    store = await RedisStore.open(redis_url)
    lease = await store.create(ROOM, NORTH, b"state 0", b"")
    assert lease is not None
    await store.commit(write(lease, 1))
    past = OlderKeys(redis_url)
    await store.commit(write(lease, 2))
    past.come_back()

    with pytest.raises(LeaseLost, match="it stands at version 1"):
        await store.commit(write(lease, 3))
    taken = await store.acquire(ROOM, SOUTH)  # its lease had not run out
    setbacks = store.condition.setbacks
    await store.close()

    assert taken is not None
    assert (taken[1].version, taken[1].state) == (1, b"state 1")
    assert setbacks == 1


async def test_two_owners_never_have_the_same_epoch_even_if_a_failover_lost_the_first(redis_url: str) -> None:
    """Otherwise one could go on with the other's game: same epoch, same version, different history."""
    store = await RedisStore.open(redis_url, lease_ms=0)
    assert await store.create(ROOM, NORTH, b"state 0", b"") is not None
    past = OlderKeys(redis_url)
    first = await store.acquire(ROOM, NORTH)
    assert first is not None
    await store.commit(write(first[0], 1, command=f"{first[0].epoch}-1"))
    past.come_back()
    second = await store.acquire(ROOM, SOUTH)
    assert second is not None
    await store.commit(write(second[0], 1, state=b"another", command=f"{second[0].epoch}-1"))

    with pytest.raises(LeaseLost, match="another node"):
        await store.commit(write(first[0], 2))
    with pytest.raises(LeaseLost, match="another node"):
        await store.commit(write(first[0], 1, command=f"{first[0].epoch}-1"))
    await store.close()


async def test_node_messages_lost_in_a_failover_arrive_once_and_in_order(redis_url: str) -> None:
    north, south = RedisMail(redis_url, NORTH), RedisMail(redis_url, SOUTH)
    came: list[bytes] = []

    async def collect(count: int) -> None:
        while len(came) < count:
            came.extend(message for _, message in await south.collect())

    with redis.from_url(redis_url) as operator:
        north.post(SOUTH, b"one")
        await collect(1)
        north.post(SOUTH, b"two")
        stream = "photofinish:{node south}:mail"
        await fact(lambda: operator.xlen(stream) == 2, "the second is written")
        operator.delete(stream)
        operator.execute_command("CLIENT", "KILL", "TYPE", "normal", "SKIPME", "yes")
        north.post(SOUTH, b"three")
        await north.announce("")  # as it happens twice per second
        await north.announce("")
        await collect(3)
    await north.close()
    await south.close()

    assert came == [b"one", b"two", b"three"]


async def test_a_message_too_old_to_be_sent_again_does_not_block_later_messages(redis_url: str) -> None:
    north, south = RedisMail(redis_url, NORTH), RedisMail(redis_url, SOUTH)
    north.post(SOUTH, b"one")
    stream = "photofinish:{node south}:mail"
    with redis.from_url(redis_url) as operator:
        await fact(lambda: operator.xlen(stream) == 1, "it is written")
        operator.delete(stream)
    north._written[NodeId("south")].clear()  # as after ten seconds
    north.post(SOUTH, b"two")
    received = await south.collect()
    await north.close()
    await south.close()

    assert received == [(NORTH, b"two")]
