"""One writer per room: leases are taken, kept, lost and given back (DESIGN §5), on one server and on a cluster."""

import asyncio

import pytest

from photofinish.store.ports import Lease, LeaseLost, NodeId, RoomId
from photofinish.store.redis import RedisStore
from tests.store.conftest import NORTH, ROOM, SOUTH, OpenStore, write
from tests.waiting import within


async def test_a_code_is_given_to_one_table_only(store: RedisStore, lease: Lease) -> None:
    assert await store.create(ROOM, SOUTH, b"another", b"another") is None

    await store.commit(write(lease, 1))
    assert await store.summaries() == [(ROOM, b"a table")]


async def test_only_one_of_many_nodes_gets_a_code(open_store: OpenStore) -> None:
    stores = [await open_store() for _ in range(4)]
    given = await asyncio.gather(
        *(one.create(ROOM, NodeId(f"n{n}"), b"", b"") for n, one in enumerate(stores))
    )

    assert sum(lease is not None for lease in given) == 1


async def test_a_room_that_is_owned_cannot_be_taken(store: RedisStore, lease: Lease) -> None:
    assert await store.acquire(ROOM, SOUTH) is None
    assert await store.owner(ROOM) == NORTH
    assert await store.orphans() == []


async def test_a_room_that_does_not_exist_cannot_be_taken(store: RedisStore) -> None:
    assert await store.acquire(ROOM, SOUTH) is None
    assert await store.owner(ROOM) is None


async def test_a_dead_nodes_room_is_found_and_adopted_in_its_last_state(
    brief: RedisStore, store: RedisStore
) -> None:
    old = await brief.create(ROOM, NORTH, b"state 0", b"a table")
    assert old is not None
    await brief.commit(write(old, 1))
    assert await store.orphans() == [ROOM]
    assert await store.owner(ROOM) is None

    taken = await store.acquire(ROOM, SOUTH)
    assert taken is not None
    lease, saved = taken
    assert lease.epoch == saved.epoch > old.epoch
    assert (saved.room, saved.version, saved.state, saved.game) == (ROOM, 1, b"state 1", 1)
    assert saved.summary == b"a table"
    assert await store.owner(ROOM) == SOUTH
    assert await store.orphans() == []


async def test_only_one_of_many_nodes_adopts_a_room(brief: RedisStore, open_store: OpenStore) -> None:
    await brief.create(ROOM, NORTH, b"state 0", b"")
    stores = [await open_store() for _ in range(4)]
    taken = await asyncio.gather(*(one.acquire(ROOM, NodeId(f"n{n}")) for n, one in enumerate(stores)))

    assert sum(each is not None for each in taken) == 1


async def test_an_owner_that_renews_stays_owner(brief: RedisStore, store: RedisStore) -> None:
    lease = await brief.create(ROOM, NORTH, b"state 0", b"")
    assert lease is not None

    # The lease had expired, but no other node had taken it: a stall does not end a room.
    assert await store.renew([lease]) == frozenset()
    assert await store.owner(ROOM) == NORTH
    assert await store.acquire(ROOM, SOUTH) is None
    assert await store.orphans() == []


async def test_renewing_many_leases_returns_the_lost_ones_and_takes_one_round_trip(store: RedisStore) -> None:
    given = await asyncio.gather(*(store.create(RoomId(f"T{n}"), NORTH, b"", b"") for n in range(100)))
    leases = [lease for lease in given if lease]
    await store.release(leases[3])
    await store.acquire(leases[3].room, SOUTH)
    await store.remove(leases[7])
    before = store.trips

    assert await store.renew(leases) == {leases[3].room, leases[7].room}
    assert store.trips - before <= 3  # one to each server
    assert await store.renew([]) == frozenset()


async def test_a_released_room_can_be_taken_at_once(store: RedisStore, lease: Lease) -> None:
    await store.release(lease)
    await store.release(lease)  # again, as after a lost answer: nothing happens

    assert await store.owner(ROOM) is None
    assert await store.orphans() == [ROOM]
    assert await store.acquire(ROOM, SOUTH) is not None


async def test_a_node_that_released_a_room_can_neither_write_nor_renew(
    store: RedisStore, lease: Lease
) -> None:
    await store.release(lease)

    with pytest.raises(LeaseLost):
        await store.commit(write(lease, 1))
    assert await store.renew([lease]) == {ROOM}


async def test_releasing_a_lost_room_does_not_free_it(store: RedisStore, lease: Lease) -> None:
    await store.release(lease)
    await store.acquire(ROOM, SOUTH)
    await store.release(lease)

    assert await store.owner(ROOM) == SOUTH


async def test_a_closed_table_leaves_only_its_replays(store: RedisStore, lease: Lease) -> None:
    await store.commit(write(lease, 1, game=1))
    await store.commit(write(lease, 2, game=2))
    await store.archive(ROOM, 1, b"a replay", keep_seconds=60)
    await store.remove(lease)
    await store.remove(lease)  # again, as after a lost answer: nothing happens

    assert await store.acquire(ROOM, SOUTH) is None
    assert await store.log(ROOM, 2) == []
    assert await store.summaries() == []
    assert await store.orphans() == []
    assert await store.replay(ROOM, 1) == b"a replay"
    assert await store.create(ROOM, SOUTH, b"a new table", b"") is not None


async def test_only_the_owner_can_end_a_table(store: RedisStore, lease: Lease) -> None:
    await store.release(lease)
    await store.acquire(ROOM, SOUTH)

    with pytest.raises(LeaseLost):
        await store.remove(lease)
    assert await store.owner(ROOM) == SOUTH


async def test_a_node_that_restarts_frees_the_leases_held_under_its_name(
    store: RedisStore, lease: Lease
) -> None:
    other = RoomId("OWL")
    await store.create(other, SOUTH, b"", b"")

    assert await store.reclaim(NORTH) == [ROOM]
    assert await store.owner(other) == SOUTH
    with pytest.raises(LeaseLost):
        await store.commit(write(lease, 1))


async def test_the_only_server_frees_all_rooms_when_it_starts(store: RedisStore, lease: Lease) -> None:
    other = RoomId("OWL")
    await store.create(other, SOUTH, b"", b"")

    assert sorted(await store.reclaim()) == [ROOM, other]
    assert sorted(await store.orphans()) == [ROOM, other]
    assert await store.reclaim() == []


async def test_a_create_repeated_after_another_node_took_the_room_does_not_share_its_lease(
    brief: RedisStore, store: RedisStore
) -> None:
    """A node that was frozen between request and answer repeats the request; another node owns the room by then."""
    again = ("create", NORTH, "5e9f", 1, b"state 0", b"a table")
    first = await brief._lease(ROOM, *again)
    assert first == await brief._lease(ROOM, *again), "nobody came between: the same answer"
    async with within("the lease of the frozen node runs out"):
        while (taken := await store.acquire(ROOM, SOUTH)) is None:
            pass

    assert await brief._lease(ROOM, *again) is None
    assert await store.owner(ROOM) == SOUTH
    await store.commit(write(taken[0], 1))


async def test_an_acquire_repeated_after_the_room_was_freed_is_a_new_one(
    store: RedisStore, lease: Lease
) -> None:
    await store.release(lease)
    again = ("acquire", SOUTH, "77aa", 60_000)
    first = await store._lease(ROOM, *again)
    assert first[1:] == (await store._lease(ROOM, *again))[1:], "nothing happened between: the same lease"
    await store.reclaim(SOUTH)
    second = await store._lease(ROOM, *again)

    assert int(second[1]) > int(first[1])
    assert await store.owner(ROOM) == SOUTH
    await store.commit(write(Lease(ROOM, int(second[1])), 1))
