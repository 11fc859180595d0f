"""A connection that is cut before the answer to `create` or `join` leaves no orphaned seat."""

import asyncio
from typing import Any

import pytest

from tests.system.conftest import ServerProcess
from tests.system.raw import Raw

pytestmark = pytest.mark.system

KEY = "a-random-word-of-16"
REQUEST_ID = 7


async def send_and_be_cut(url: str, request: dict[str, Any], key: str = KEY) -> None:
    """Send the request, and cut the connection without a close frame before the answer is read."""
    async with Raw(url) as cut:
        await cut.hello("Basil", client_key=key)
        await cut.send({"id": REQUEST_ID, **request})
        await cut.socket.ping()
        cut.socket.transport.abort()


async def again(player: Raw, request: dict[str, Any], key: str = KEY) -> dict[str, Any]:
    assert (await player.hello("Basil", client_key=key))["t"] == "welcome"
    return await player.request(**{"id": REQUEST_ID, **request})


def names(room: dict[str, Any]) -> list[str]:
    return [it.get("name", "") for it in room["seats"]]


async def until_seated(host: Raw, name: str) -> None:
    while name not in names(await host.next("room")):
        pass


async def test_a_join_whose_answer_was_lost_gets_its_seat_when_it_is_sent_again(
    shared_server: ServerProcess,
) -> None:
    async with Raw(shared_server.url) as host, Raw(shared_server.url) as basil:
        await host.hello("Ada")
        room = (await host.request("create", game="cambio", seats=4))["got"]["room"]
        request = {"t": "join", "room": room}
        await send_and_be_cut(shared_server.url, request)
        await until_seated(host, "Basil")

        answer = await again(basil, request)

        assert answer["got"]["seat"] == 1
        assert names(await basil.next("room")) == ["Ada", "Basil", "", ""]
        assert (await basil.request("ready", id=answer["got"]["next_id"]))["t"] == "ack"


async def test_a_join_of_another_key_or_another_id_is_another_player(shared_server: ServerProcess) -> None:
    async with Raw(shared_server.url) as host, Raw(shared_server.url) as one, Raw(shared_server.url) as two:
        await host.hello("Ada")
        room = (await host.request("create", game="cambio", seats=4))["got"]["room"]
        request = {"t": "join", "room": room}
        await send_and_be_cut(shared_server.url, request)
        await until_seated(host, "Basil")

        assert (await again(one, request, "quite-another-random-word"))["got"]["seat"] == 2
        assert (await again(two, {**request, "id": REQUEST_ID + 1}))["got"]["seat"] == 3


async def test_a_create_whose_answer_was_lost_gets_its_room_when_it_is_sent_again(
    shared_server: ServerProcess,
) -> None:
    request = {"t": "create", "game": "kodiak", "seats": 2}
    await send_and_be_cut(shared_server.url, request)
    async with (
        Raw(shared_server.url) as lister,
        Raw(shared_server.url) as basil,
        Raw(shared_server.url) as late,
    ):
        await lister.hello("Ada")
        for _ in range(200):  # the server has what was sent, and is about to do it
            if rooms := (await lister.request("rooms", game="kodiak"))["got"]["rooms"]:
                break
            await asyncio.sleep(0.1)

        answer = await again(basil, request)

        assert [answer["got"]["room"]] == [it["room"] for it in rooms]
        assert answer["got"]["seat"] == 0
        assert (await lister.request("rooms", game="kodiak"))["got"]["total"] == 1
        assert (await basil.request("ready", id=answer["got"]["next_id"]))["t"] == "ack"
        # The answer has arrived, so the key and the id are worth nothing from now on.
        refused = await again(late, request)
        assert (refused["t"], refused["reason"]) == ("refused", "stale_id")
