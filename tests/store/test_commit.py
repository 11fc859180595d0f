"""A commit is stored once, in order, by the one who owns the room (DESIGN §5, §7), on one server and on a cluster."""

import asyncio

import pytest
from hiredis import pack_command

from photofinish.store.commit_command import commit_params, packed_commit
from photofinish.store.keys import commit_keys
from photofinish.store.ports import IN_FLIGHT, Lease, LeaseLost, RoomId, StoreClosed, Write
from photofinish.store.redis import RedisStore
from photofinish.store.scripts import COMMIT
from tests.store.conftest import NORTH, ROOM, SOUTH, OpenStore, write


async def stored(store: RedisStore, room: RoomId = ROOM) -> tuple[int, bytes, int]:
    """What the next owner of a released room loads."""
    await store.reclaim()
    taken = await store.acquire(room, SOUTH)
    assert taken is not None
    return taken[1].version, taken[1].state, taken[1].game


async def test_the_next_owner_finds_the_table_as_it_was_left(store: RedisStore, lease: Lease) -> None:
    await store.commit(write(lease, 1))
    await store.commit(write(lease, 2, state=b"\x00\xff the hand"))

    assert await stored(store) == (2, b"\x00\xff the hand", 1)


async def test_moves_are_logged_in_the_order_they_were_made(store: RedisStore, lease: Lease) -> None:
    await store.commit(write(lease, 1, entries=(b"deal", b"north draws")))
    await store.commit(write(lease, 2, entries=()))
    await store.commit(write(lease, 3, entries=(b"south slaps",)))

    assert await store.log(ROOM, 1) == [(1, b"deal"), (1, b"north draws"), (3, b"south slaps")]
    assert await store.log(ROOM, 1, after=1) == [(3, b"south slaps")]


async def test_every_game_at_a_table_has_a_log_of_its_own(store: RedisStore, lease: Lease) -> None:
    await store.commit(write(lease, 1, game=1))
    await store.commit(write(lease, 2, game=2))

    assert await store.log(ROOM, 1) == [(1, b"entry 1")]
    assert await store.log(ROOM, 2) == [(2, b"entry 2")]


async def test_moves_sent_without_waiting_are_still_stored_in_order(store: RedisStore, lease: Lease) -> None:
    await asyncio.gather(*(store.commit(write(lease, version)) for version in range(1, IN_FLIGHT + 1)))

    assert [version for version, _ in await store.log(ROOM, 1)] == list(range(1, IN_FLIGHT + 1))


async def test_a_command_sent_twice_is_played_once(store: RedisStore, lease: Lease) -> None:
    await store.commit(write(lease, 1))
    await store.commit(write(lease, 2))
    await store.commit(write(lease, 1))  # neither refused nor done again, though the room has moved on

    assert await store.log(ROOM, 1) == [(1, b"entry 1"), (2, b"entry 2")]
    assert await stored(store) == (2, b"state 2", 1)


async def test_another_command_for_a_version_that_is_taken_changes_nothing(
    store: RedisStore, lease: Lease
) -> None:
    await store.commit(write(lease, 1))

    with pytest.raises(LeaseLost):
        await store.commit(write(lease, 1, command="another", state=b"other", entries=(b"other",)))
    assert await store.log(ROOM, 1) == [(1, b"entry 1")]
    assert await stored(store) == (1, b"state 1", 1)


async def test_a_move_that_skips_a_version_is_refused(store: RedisStore, lease: Lease) -> None:
    with pytest.raises(LeaseLost, match="version 0"):
        await store.commit(write(lease, 2))

    assert await store.log(ROOM, 1) == []


async def test_an_owner_that_was_replaced_can_store_nothing(brief: RedisStore) -> None:
    old = await brief.create(ROOM, NORTH, b"state 0", b"")
    taken = await brief.acquire(ROOM, SOUTH)
    assert old is not None
    assert taken is not None

    with pytest.raises(LeaseLost):
        await brief.commit(write(old, 1, command="north's"))
    await brief.commit(write(taken[0], 1, command="south's", entries=(b"south's move",)))
    assert await brief.log(ROOM, 1) == [(1, b"south's move")]


async def test_a_move_stored_before_the_room_got_another_owner_is_still_acknowledged(
    brief: RedisStore,
) -> None:
    old = await brief.create(ROOM, NORTH, b"state 0", b"")
    assert old is not None
    await brief.commit(write(old, 1))
    await brief.acquire(ROOM, SOUTH)

    await brief.commit(write(old, 1))  # its first answer was lost on the way: the answer is the same again
    with pytest.raises(LeaseLost):
        await brief.commit(write(old, 2))


async def test_the_writer_of_an_earlier_room_with_the_same_code_cannot_write(
    store: RedisStore, lease: Lease
) -> None:
    await store.remove(lease)
    await store.create(ROOM, SOUTH, b"a new table", b"")

    with pytest.raises(LeaseLost):
        await store.commit(write(lease, 1))


async def test_a_deleted_table_accepts_no_moves(store: RedisStore, lease: Lease) -> None:
    await store.remove(lease)

    with pytest.raises(LeaseLost, match="no such room"):
        await store.commit(write(lease, 1))


async def test_a_closed_store_raises_store_closed(open_store: OpenStore, lease: Lease) -> None:
    closed = await open_store()
    await closed.close()

    with pytest.raises(StoreClosed):
        await closed.commit(write(lease, 1))


async def test_two_hundred_tables_share_a_few_round_trips(store: RedisStore) -> None:
    rooms = [RoomId(f"T{n}") for n in range(200)]
    leases = await asyncio.gather(*(store.create(room, NORTH, b"", b"") for room in rooms))
    before = store.trips

    await asyncio.gather(*(store.commit(write(lease, 1)) for lease in leases if lease))
    assert store.trips - before <= 12  # one to each server, and a second one if a script was new to it
    logs = await asyncio.gather(*(store.log(room, 1) for room in rooms))
    assert logs == [[(1, b"entry 1")]] * 200


async def test_the_server_itself_sees_few_reads_for_many_commits(session_redis, redis_url: str) -> None:
    """The same promise, counted by the Redis server."""
    import redis

    store = await RedisStore.open(redis_url)
    rooms = [RoomId(f"T{n}") for n in range(200)]
    leases = await asyncio.gather(*(store.create(room, NORTH, b"", b"") for room in rooms))
    with redis.from_url(redis_url) as other:
        before = other.info("stats")["total_reads_processed"]
        await asyncio.gather(*(store.commit(write(lease, 1)) for lease in leases if lease))
        after = other.info("stats")["total_reads_processed"]
    await store.close()

    assert after - before < 40


async def test_a_code_that_cannot_be_encoded_fails_only_its_own_caller(
    store: RedisStore, lease: Lease
) -> None:
    move = asyncio.ensure_future(store.commit(write(lease, 1)))

    with pytest.raises(UnicodeEncodeError):
        await store.owner(RoomId("\ud800"))
    await move
    assert await store.log(ROOM, 1) == [(1, b"entry 1")]


# The command of nearly all commits is encoded by hand: it must have the bytes that hiredis would give it.

OURS = Lease(RoomId("KWXYZ"), 1_763_470_000_123_456)


def without_summary(version: int, state: bytes, *entries: bytes, game: int = 1) -> Write:
    return Write(OURS, version, f"{OURS.epoch}-{version}", state, game, entries)


@pytest.mark.parametrize("version", [1, 9, 10, 63, 64, 65, 99, 100, 12_345])
@pytest.mark.parametrize("size", [0, 1, 9, 10, 2_000, 70_000])
@pytest.mark.parametrize("entries", [0, 1, 2, 11])
def test_the_packed_bytes_equal_those_of_hiredis(version: int, size: int, entries: int) -> None:
    entry = bytes(range(256)) * (size % 7)
    it = without_summary(version, b"\r\n%" * size, *(entry[n:] for n in range(entries)), game=version)
    words = ("EVALSHA", COMMIT.sha, 2, *commit_keys(OURS.room, it.game), *commit_params(it))

    assert packed_commit(it) == pack_command(words)  # type: ignore[arg-type]  # hiredis's stub says a tuple of one


def test_a_room_with_a_later_epoch_or_game_has_its_own_bytes() -> None:
    later = Write(Lease(OURS.room, OURS.epoch + 1), 5, "x", b"s", 2, (b"e",))

    assert packed_commit(without_summary(5, b"s", b"e")) != packed_commit(later)
    assert str(OURS.epoch + 1).encode() in packed_commit(later)
    assert commit_keys(OURS.room, 2)[1].encode() in packed_commit(later)


def test_commits_with_a_summary_are_left_to_hiredis() -> None:
    assert packed_commit(Write(OURS, 1, "c", b"s", 1, (b"e",), summary=b"")) == b""
