"""Stolen, replayed and invented tokens give no access to a seat (DESIGN §7). Real sockets."""

import contextlib
import json
from typing import Any

from websockets.asyncio.client import ClientConnection
from websockets.exceptions import ConnectionClosed

from photofinish.app import App
from photofinish.room.seats import tokens
from tests.attacks.local_server import local_server, open_websocket
from tests.attacks.test_limits import request
from tests.waiting import within


async def seated(one: ClientConnection) -> dict[str, Any]:
    await request(one, 0, "hello", v=1, name="Ada")
    got: dict[str, Any] = (await request(one, 1, "create", game="cambio", seats=2))["got"]
    return got


async def tried(app: App, token: str) -> dict[str, Any]:
    async with open_websocket(app) as thief:
        return await request(thief, 0, "hello", v=1, name="Eve", token=token)


async def test_an_old_token_is_invalid_once_its_successor_is_used(redis_url: str) -> None:
    async with local_server(redis_url) as app:
        async with open_websocket(app) as one:
            first = (await seated(one))["token"]
        async with open_websocket(app) as again:
            back = await request(again, 0, "hello", v=1, token=first)
            assert back["resumed"]["seat"] == 0
            second = back["resumed"]["token"]
            await request(again, back["next_id"], "chat", text="here I am")

            assert second != first
            assert (await tried(app, first))["reason"] == "bad_token"
            assert (await request(again, back["next_id"] + 1, "chat", text="still here"))["t"] == "ack"


async def test_invented_tokens_give_no_seat_and_do_not_disturb_other_players(redis_url: str) -> None:
    async with local_server(redis_url) as app, open_websocket(app) as one:
        seat = await seated(one)
        room, _, secret = seat["token"].split("-")
        for token in (
            f"{room}-0-{'0' * 32}", f"{room}-0-", f"{room}-1-{secret}", f"{room}--1-{secret}",
            f"{room}-0-{secret[:-1]}",
            f"{room}-0-{secret.upper()}x", f"{room}-٣-{secret}", f"QQQQQ-0-{secret}", room, "", "-", "--", "\0" * 20,
        ):  # fmt: skip
            assert (await tried(app, token))["reason"] == "bad_token", token
        assert (await request(one, 2, "chat", text="still here"))["t"] == "ack"


async def test_the_newest_connection_has_the_seat_and_the_older_one_is_told(redis_url: str) -> None:
    async with local_server(redis_url) as app, open_websocket(app) as older, open_websocket(app) as newer:
        token = (await seated(older))["token"]
        assert (await request(newer, 0, "hello", v=1, token=token))["t"] == "welcome"
        heard = []
        with contextlib.suppress(ConnectionClosed):
            async with within("the older connection is closed"):
                while True:
                    heard.append(json.loads(await older.recv()))

        assert older.close_code == 4409
        assert "left" in {message["t"] for message in heard}


async def test_the_store_has_hashes_and_no_tokens(redis_url: str) -> None:
    async with local_server(redis_url) as app, open_websocket(app) as one:
        token = (await seated(one))["token"]
        (actor,) = app.directory._rooms.actors()
        stored = actor._good

        assert token.encode() not in stored
        assert token.rpartition("-")[2].encode() not in stored
        assert bytes.fromhex(token.rpartition("-")[2]) not in stored
        assert tokens.digest(token) in stored
