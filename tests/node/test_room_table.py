"""How many rooms an opener may have, and when a room without connections is removed."""

import asyncio
import contextlib
from types import SimpleNamespace
from typing import Any

import pytest

from photofinish.engine import Micros
from photofinish.node.clock import clock
from photofinish.node.room_table import (
    ABANDONED,
    ABANDONED_CROWDED,
    ANONYMOUS,
    FEW,
    LEFT,
    UNTOUCHED,
    Opener,
    RoomTable,
    patience,
)
from photofinish.room.facts import Requested
from photofinish.room.record import Chair, Phase, RoomRecord
from photofinish.room.seats.lobby import RequestRefusal
from photofinish_protocol import messages
from photofinish_protocol.reasons import Reason
from tests.attacks.local_server import local_server, open_many, open_websocket
from tests.attacks.test_limits import request
from tests.node.test_actor import node, table
from tests.waiting import until


def actor(code: str, mark: bytes) -> Any:
    return SimpleNamespace(code=code, room=SimpleNamespace(record=SimpleNamespace(opener=mark)))


def fill(table: RoomTable, count: int, mark: bytes) -> None:
    for n in range(count):
        table.put(actor(f"{mark.decode()}{n}", mark))


def test_rooms_per_opener_are_limited_and_a_closed_room_no_longer_counts() -> None:
    table, ada = RoomTable(), Opener(b"ada", 3)
    fill(table, 3, b"ada")
    with pytest.raises(RequestRefusal, match="too_many_rooms"):
        table.begin(ada)
    table.begin(Opener(b"bo", 3))
    table.pop(next(iter(table)))
    table.begin(ada)


def test_rooms_that_are_being_stored_count_too() -> None:
    table, ada = RoomTable(), Opener(b"ada", 2)
    table.begin(ada)
    table.begin(ada)
    with pytest.raises(RequestRefusal):
        table.begin(ada)
    table.end(ada)
    table.begin(ada)


def test_the_last_free_rooms_are_reserved_for_openers_with_few_rooms() -> None:
    table = RoomTable(most=20, reserve=5)
    fill(table, 15, b"eve")
    with pytest.raises(RequestRefusal) as no:
        table.begin(Opener(b"eve"))
    assert no.value.reason is Reason.TOO_MANY_ROOMS
    for n in range(5):
        table.begin(Opener(b"ada%d" % n, FEW))
    with pytest.raises(RequestRefusal):
        table.begin(Opener(b"bo", FEW))


def test_an_opener_that_is_not_known_is_not_counted() -> None:
    table = RoomTable(most=20, reserve=5)
    for _ in range(20):
        table.begin(ANONYMOUS)
    with pytest.raises(RequestRefusal):
        table.begin(ANONYMOUS)


def record(phase: Phase, kinds: str, *, is_touched: bool = False) -> RoomRecord:
    chairs = [Chair(key=n, kind={"p": "player", "b": "bot", "e": "empty"}[it]) for n, it in enumerate(kinds)]  # type: ignore[arg-type]
    return RoomRecord(
        code="QQQQQ",
        game="cambio",
        rules=1,
        options={},
        capacity=len(kinds),
        host=0,
        seed=b"",
        chairs=chairs,
        phase=phase,
        is_touched=is_touched,
    )


@pytest.mark.parametrize(
    ("found", "is_crowded", "kept"),
    [
        (record("lobby", "pe"), False, UNTOUCHED),
        (record("playing", "bb"), False, LEFT),
        (record("playing", "pb"), False, UNTOUCHED),
        (record("playing", "pb", is_touched=True), False, ABANDONED),
        (record("playing", "pb", is_touched=True), True, ABANDONED_CROWDED),
        (record("over", "pb", is_touched=True), False, UNTOUCHED),
    ],
)
def test_a_room_without_connections_is_kept_for_a_limited_time(
    found: RoomRecord, is_crowded: bool, kept: int
) -> None:
    assert patience(found, is_crowded=is_crowded) == kept


async def test_open_rooms_per_address_are_limited_however_they_are_opened(redis_url: str) -> None:
    """Many connections open rooms at once: each room counts before it is stored."""
    async with local_server(redis_url, address_open_rooms=5) as app, contextlib.AsyncExitStack() as stack:
        guests = await open_many(stack, app, 12, "127.0.0.17")
        await asyncio.gather(*(request(one, 0, "hello", v=1, name="Eve") for one in guests))
        answers = await asyncio.gather(*(request(one, 1, "create", game="cambio") for one in guests))

        assert sorted(it["t"] for it in answers) == ["ack"] * 5 + ["refused"] * 7
        assert {it.get("reason") for it in answers} == {None, "too_many_rooms"}
        assert "5 rooms" in next(it["text"] for it in answers if it["t"] == "refused")
        other = await stack.enter_async_context(open_websocket(app, "127.0.0.18"))
        await request(other, 0, "hello", v=1, name="Bo")
        assert (await request(other, 1, "create", game="cambio"))["t"] == "ack"


async def test_the_house_bots_in_all_rooms_of_an_address_are_bounded(redis_url: str) -> None:
    """Also in rooms that their openers have left: the bots there continue to play."""
    async with local_server(redis_url, address_bots=5) as app, contextlib.AsyncExitStack() as stack:
        answers = []
        for one in await open_many(stack, app, 3, "127.0.0.19"):
            await request(one, 0, "hello", v=1, name="Eve")
            await request(one, 1, "create", game="cambio", seats=4)
            answers += [await request(one, n, "bot") for n in (2, 3, 4)]
            await one.close()

        assert [it["t"] for it in answers] == ["ack"] * 5 + ["refused"] * 4
        assert {it["reason"] for it in answers[5:]} == {"too_many_bots"}
        assert all(it["retry"] for it in answers[5:])
        other = await stack.enter_async_context(open_websocket(app, "127.0.0.26"))
        await request(other, 0, "hello", v=1, name="Bo")
        await request(other, 1, "create", game="cambio", seats=4)
        assert [(await request(other, n, "bot"))["t"] for n in (2, 3)] == ["ack"] * 2


async def test_a_removed_bot_or_a_bot_of_a_removed_room_no_longer_counts(redis_url: str) -> None:
    async with local_server(redis_url, address_bots=2) as app, contextlib.AsyncExitStack() as stack:
        first, second = await open_many(stack, app, 2, "127.0.0.27")
        for one in (first, second):
            await request(one, 0, "hello", v=1, name="Eve")
            await request(one, 1, "create", game="cambio", seats=4)
        assert [(await request(first, n, "bot", seat=n - 1))["t"] for n in (2, 3)] == ["ack"] * 2
        assert (await request(second, 2, "bot"))["reason"] == "too_many_bots"
        await request(first, 4, "remove", seat=1)
        assert (await request(second, 3, "bot"))["t"] == "ack"
        gone = next(it for it in app.directory._rooms.actors() if len(it.room.bots()) == 1)
        app.directory._rooms.pop(gone.code)
        left = next(it for it in app.directory._rooms.actors())
        assert left.room.may_seat_bot()
        app.directory._rooms.put(gone)
        assert not left.room.may_seat_bot()


async def test_a_room_that_is_adopted_still_counts_for_its_opener(redis_url: str) -> None:
    first, store = await node(redis_url, "first")
    made = await first.create(messages.Create(id=0, game="cambio"), Opener(b"ada", 1))
    await first.stop()
    second, other = await node(redis_url, "second")
    await second.find(made.code)

    with pytest.raises(RequestRefusal, match="too_many_rooms"):
        await second.create(messages.Create(id=0, game="cambio"), Opener(b"ada", 1))
    await second.stop()
    await other.close()
    await store.close()


async def test_a_game_in_which_no_person_has_moved_is_deleted_and_one_with_a_move_is_not(
    redis_url: str,
) -> None:
    directory, store = await node(redis_url, "one")
    untouched, _ = await table(directory, turn_seconds=0)
    touched, listener = await table(directory, turn_seconds=0)
    session = next(it for it in touched._ports if it.startswith("listener"))
    touched.post(Requested(session, messages.Play(id=60, move={"t": "ready"}), clock()))
    await listener.until(lambda it: it.answer(60) is not None)
    for one in (untouched, touched):
        one.forget(next(it for it in one._ports if it.startswith("listener")))
        await until(lambda one=one: one.room.alone_since is not None, "its player is gone")  # type: ignore[misc]
        one.room.alone_since = Micros(one.room.alone_since - UNTOUCHED - 1)
    await directory._tidy()

    assert directory.local(untouched.code) is None
    assert not await store.exists(untouched.code)
    assert directory.local(touched.code) is touched
    await directory.stop()
    await store.close()
