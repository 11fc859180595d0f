"""Faults of a cluster: if one of its servers stalls, the tables on the others continue."""

import asyncio
import os
import signal

import redis

from photofinish.store.ports import RoomId
from photofinish.store.redis import RedisStore
from tests.store.conftest import NORTH, write
from tests.store.servers import HOST
from tests.waiting import wait_until


async def test_a_stalled_server_delays_only_its_own_tables(cluster_ports: list[int]) -> None:
    for port in cluster_ports:
        with redis.Redis(HOST, port) as client:
            client.flushall()
    store = await RedisStore.open(f"redis+cluster://{HOST}:{cluster_ports[0]}", timeout_seconds=0.3)
    rooms = [RoomId(f"T{n}") for n in range(30)]
    leases = [await store.create(room, NORTH, b"state 0", b"") for room in rooms]
    with redis.Redis(HOST, cluster_ports[2]) as client:
        stalled = client.info("server")["process_id"]
        keys = {key.decode() for key in client.scan_iter()}
    theirs = [lease for lease in leases if lease and any(f"{{{lease.room}}}" in key for key in keys)]
    others = [lease for lease in leases if lease and lease not in theirs]
    assert theirs
    assert others

    os.kill(stalled, signal.SIGSTOP)
    try:
        before = store.trips
        waiting = asyncio.gather(*(store.commit(write(lease, 1)) for lease in theirs))
        for version in range(1, 21):
            await asyncio.gather(*(store.commit(write(lease, version)) for lease in others))
        still_waiting = not waiting.done()
        await asyncio.to_thread(
            wait_until, lambda: store.trips >= before + 22, "the stalled ones were tried again"
        )
    finally:
        os.kill(stalled, signal.SIGCONT)
    await waiting
    logs = [await store.log(lease.room, 1) for lease in theirs]
    await store.close()

    assert still_waiting
    assert logs == [[(1, b"entry 1")]] * len(theirs)


async def test_all_keys_of_a_table_lie_in_one_slot(cluster_ports: list[int]) -> None:
    from photofinish.store.keys import log_of, replay_of, room_of

    room = RoomId("FOX")
    with redis.Redis(HOST, cluster_ports[0]) as client:
        slots = {
            client.execute_command("CLUSTER", "KEYSLOT", key)
            for key in (room_of(room), log_of(room, 1), log_of(room, 12), replay_of(room, 3))
        }

    assert len(slots) == 1
