"""Commit and reveal over real sockets: by the SDK alone, with a player that withholds its nonce, and with kill -9."""

import asyncio
import hashlib

import pytest

from photofinish_client.client import connect
from photofinish_protocol.messages import Room
from tests.system.conftest import ServerProcess
from tests.system.raw import Raw
from tests.waiting import hears, until

pytestmark = pytest.mark.system

NONCE = "b0" * 32
COMMIT = hashlib.sha256(b"photofinish nonce" + bytes.fromhex(NONCE)).hexdigest()


def is_awaiting_bo(room: Room) -> bool:
    return room.dealing is not None and room.dealing.seats == (1,)


def is_dealt(room: Room) -> bool:
    return room.phase == "playing" and room.dealing is None


async def called(bo: Raw, room: str) -> str:
    """Bo, who reveals nothing by itself, sits down and commits. Returns the token."""
    await bo.hello("Bo")
    token: str = (await bo.request("join", room=room))["got"]["token"]
    assert (await bo.request("ready", commit=COMMIT))["t"] == "ack"
    return token


async def test_the_sdk_reveals_by_itself_and_a_player_that_withholds_is_named_to_all(
    server: ServerProcess,
) -> None:
    async with connect(server.url, name="Ada") as ada, Raw(server.url) as bo:
        room = await ada.create("cambio", seats=2)
        await called(bo, room)
        await ada.ready()
        await ada.start()
        await hears(ada, is_awaiting_bo)
        assert ada.view is None
        await hears(ada, is_dealt)

        assert ada.room is not None
        assert ada.room.withheld == (1,)
        await until(lambda: ada.view is not None, "the first view after the wait for nonces")
        assert (await bo.request("reveal", nonce=NONCE))["reason"] == "already_started"


async def test_after_kill_9_between_the_call_and_the_last_nonce_nobody_is_left_out(
    server: ServerProcess,
) -> None:
    async with connect(server.url, name="Ada") as ada:
        async with Raw(server.url) as bo:
            room = await ada.create("cambio", seats=2)
            token = await called(bo, room)
            await ada.ready()
            await ada.start()
            await hears(ada, is_awaiting_bo)
            server.kill()
        await asyncio.to_thread(server.start)
        async with Raw(server.url) as bo:
            welcome = await bo.hello("Bo", token=token)
            assert welcome["t"] == "welcome", welcome
            bo.next_id = welcome["next_id"]
            assert (await bo.request("reveal", nonce=NONCE))["t"] == "ack"
            await hears(ada, is_dealt)

            assert ada.room is not None
            assert ada.room.withheld == ()
            await until(lambda: ada.view is not None, "the first view after the restart")
            assert ada.session.promise.doubts == []
