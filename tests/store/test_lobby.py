"""The lobby's list follows the rooms, and is repaired when the index has lost an entry (store/redis.py)."""

from photofinish.store.keys import LEASES, SUMMARIES
from photofinish.store.ports import Lease
from photofinish.store.redis import RedisStore
from tests.store.conftest import NORTH, ROOM, SOUTH, write


async def test_the_lobby_lists_the_last_summary_of_a_table(store: RedisStore, lease: Lease) -> None:
    await store.commit(write(lease, 1, summary=b"two seats left"))
    await store.commit(write(lease, 2, summary=None))

    assert await store.summaries() == [(ROOM, b"two seats left")]


async def test_a_table_can_leave_the_list_and_come_back(store: RedisStore, lease: Lease) -> None:
    await store.commit(write(lease, 1, summary=b""))
    assert await store.summaries() == []

    await store.commit(write(lease, 2, summary=b"open again"))
    assert await store.summaries() == [(ROOM, b"open again")]


async def test_a_private_table_is_never_listed(store: RedisStore) -> None:
    await store.create(ROOM, NORTH, b"state 0", b"")

    assert await store.summaries() == []


async def test_a_delayed_summary_does_not_replace_a_newer_one(store: RedisStore, lease: Lease) -> None:
    await store.commit(write(lease, 1, summary=b"one seat left"))
    await store.commit(write(lease, 2, summary=b"full"))
    await store._index("list", ROOM, lease.epoch, 1, b"one seat left")

    assert await store.summaries() == [(ROOM, b"full")]


async def test_an_owner_lists_its_room_again_if_the_index_has_lost_it(
    store: RedisStore, lease: Lease
) -> None:
    await store.commit(write(lease, 1, summary=b"two seats left"))
    await store._client.execute("DEL", LEASES, SUMMARIES, key=LEASES)
    assert await store.summaries() == []

    await store.renew([lease])
    assert await store.summaries() == [(ROOM, b"two seats left")]


async def test_a_new_owner_lists_a_room_that_the_old_owner_could_not_list(
    store: RedisStore, lease: Lease
) -> None:
    await store._client.execute("HDEL", SUMMARIES, ROOM, key=SUMMARIES)
    await store.release(lease)
    await store.acquire(ROOM, SOUTH)

    assert await store.summaries() == [(ROOM, b"a table")]


async def test_an_entry_without_a_table_is_deleted_by_the_first_node_that_tries_it(store: RedisStore) -> None:
    await store._index("announce", ROOM, 0)
    assert await store.orphans() == [ROOM]

    assert await store.acquire(ROOM, SOUTH) is None
    assert await store.orphans() == []


async def test_the_entry_of_a_table_that_is_being_written_is_not_deleted(store: RedisStore) -> None:
    await store._index("announce", ROOM, 60_000)
    await store.acquire(ROOM, SOUTH)

    assert await store._index("all") == [ROOM.encode()]


async def test_an_index_with_a_wrong_lease_is_corrected(store: RedisStore, lease: Lease) -> None:
    await store._index("free", ROOM)
    assert await store.orphans() == [ROOM]

    assert await store.acquire(ROOM, SOUTH) is None
    assert await store.orphans() == []


async def test_a_finished_game_is_kept_as_its_replay(store: RedisStore, lease: Lease) -> None:
    await store.commit(write(lease, 1))
    await store.archive(ROOM, 1, b"\x00 the whole game", keep_seconds=60)

    assert await store.replay(ROOM, 1) == b"\x00 the whole game"
    assert await store.log(ROOM, 1) == []
    assert await store.replay(ROOM, 2) is None


async def test_a_replay_is_kept_for_the_requested_time(store: RedisStore) -> None:
    from photofinish.store.keys import replay_of

    await store.archive(ROOM, 1, b"a game", keep_seconds=60)
    left = await store._client.execute("TTL", replay_of(ROOM, 1), key=replay_of(ROOM, 1))

    assert 0 < left <= 60


async def test_the_shared_clock_of_all_nodes_goes_forward(store: RedisStore) -> None:
    first = await store.ping()

    assert await store.ping() >= first > 1_700_000_000_000_000


async def test_a_room_that_does_not_exist_any_more_is_not_listed_again(store: RedisStore) -> None:
    await store._list_again(Lease(ROOM, 1))

    assert await store.summaries() == []
