"""Requests that are sent without waiting for earlier answers: each id gets one answer. Real sockets."""

import asyncio
import contextlib
import json
from collections import Counter
from typing import Any

import pytest
from websockets.asyncio.client import ClientConnection

from photofinish.app import App
from photofinish_protocol.reasons import Reason
from tests.attacks.local_server import local_server, open_websocket
from tests.attacks.test_limits import request

SECONDS = 10.0
"""Seconds that an answer may take on a busy machine."""
PAUSE = 0.0002
"""Pauses between two requests. With some of them the second arrives while the room stores the first."""


async def pipelined(
    one: ClientConnection, requests: list[dict[str, Any]], first: int
) -> dict[int, dict[str, Any]]:
    """Send all of them at once, with ids from `first`.

    Returns the answers by id; fails if one is missing or comes twice.
    """
    for n, message in enumerate(requests, first):
        await one.send(json.dumps({"id": n, **message}))
        await asyncio.sleep(PAUSE)
    wanted = set(range(first, first + len(requests)))
    answers: dict[int, dict[str, Any]] = {}
    with contextlib.suppress(TimeoutError):
        async with asyncio.timeout(SECONDS):
            while wanted - answers.keys():
                message = json.loads(await one.recv())
                if message["t"] in {"ack", "refused", "welcome"}:
                    assert message["id"] not in answers, message
                    answers[message["id"]] = message
    assert not wanted - answers.keys(), f"never answered: {sorted(wanted - answers.keys())}"
    return answers


async def timed(stack: contextlib.AsyncExitStack, app: App, name: str = "Ada") -> ClientConnection:
    one = await stack.enter_async_context(open_websocket(app))
    await request(one, 0, "hello", v=1, name=name)
    return one


REQUESTS: list[dict[str, Any]] = [
    {"t": "chat", "text": "hello"}, {"t": "ready"}, {"t": "ping", "at": 1}, {"t": "rooms"}, {"t": "games"},
    {"t": "play", "move": {"t": "draw"}}, {"t": "emote", "emote": "hello"}, {"t": "start"}, {"t": "leave"},
    {"t": "bot"}, {"t": "configure", "options": {}}, {"t": "kick", "seat": 1}, {"t": "dance"},
]  # fmt: skip


async def test_every_request_after_a_leave_is_answered(redis_url: str) -> None:
    async with local_server(redis_url) as app, contextlib.AsyncExitStack() as stack:
        one = await timed(stack, app)
        await request(one, 1, "create", game="cambio", seats=2)
        answers = await pipelined(one, [{"t": "leave"}, *REQUESTS * 4], 2)

        assert answers[2]["t"] == "ack"
        assert answers[3]["reason"] == "not_in_a_room"


async def test_a_create_sent_right_after_a_leave_opens_a_room(redis_url: str) -> None:
    async with local_server(redis_url) as app, contextlib.AsyncExitStack() as stack:
        one = await timed(stack, app)
        create = {"t": "create", "game": "cambio", "seats": 2}
        answers = await pipelined(one, [create, {"t": "leave"}, create, {"t": "chat", "text": "hi"}], 1)

        assert [answers[n]["t"] for n in range(1, 5)] == ["ack"] * 4
        assert answers[1]["got"]["room"] != answers[3]["got"]["room"]


@pytest.mark.parametrize("t", ["join", "watch"])
async def test_requests_after_a_refused_entry_are_answered(redis_url: str, t: str) -> None:
    async with local_server(redis_url) as app, contextlib.AsyncExitStack() as stack:
        host, one = await timed(stack, app), await timed(stack, app)
        room = (await request(host, 1, "create", game="cambio", seats=2))["got"]["room"]
        wrong: dict[str, Any] = {"seat": 0} if t == "join" else {"referee": "wrong"}
        answers = await pipelined(one, [{"t": t, "room": room, **wrong}, *REQUESTS], 1)

        assert answers[1]["t"] == "refused"
        assert answers[2]["reason"] == "not_in_a_room"


async def test_requests_after_a_hello_with_a_token_wait_for_the_seat(redis_url: str) -> None:
    async with local_server(redis_url) as app, contextlib.AsyncExitStack() as stack:
        one = await timed(stack, app)
        token = (await request(one, 1, "create", game="cambio", seats=2))["got"]["token"]
        again = await stack.enter_async_context(open_websocket(app))
        answers = await pipelined(
            again,
            [{"t": "hello", "v": 1, "token": token}, {"t": "ping", "at": 1}, {"t": "chat", "text": "hi"}],
            5,
        )

        assert [answers[n]["t"] for n in (5, 6, 7)] == ["welcome", "ack", "ack"]


async def test_requests_of_a_player_who_is_kicked_meanwhile_are_answered(redis_url: str) -> None:
    async with local_server(redis_url) as app, contextlib.AsyncExitStack() as stack:
        host, one = await timed(stack, app), await timed(stack, app, "Bo")
        room = (await request(host, 1, "create", game="cambio", seats=2))["got"]["room"]
        assert (await request(one, 1, "join", room=room))["t"] == "ack"
        requests = [it for it in REQUESTS if it["t"] != "leave"] * 4
        answers, _ = await asyncio.gather(pipelined(one, requests, 2), request(host, 2, "kick", seat=1))

        reasons = Counter(it.get("reason") for it in answers.values())
        assert reasons.keys() <= {None, *Reason}


async def test_requests_before_and_after_a_leave_from_a_room_on_another_node_are_answered(
    redis_url: str,
) -> None:
    """The requests travel between nodes: none of them may end the room that the session enters next."""
    async with (
        local_server(redis_url) as first, local_server(redis_url) as second, contextlib.AsyncExitStack() as stack,
    ):  # fmt: skip
        host = await timed(stack, first)
        room = (await request(host, 1, "create", game="cambio", seats=4))["got"]["room"]
        one = await timed(stack, second if first.directory.local(room) else first, "Bo")
        join, leave = {"t": "join", "room": room}, {"t": "leave"}
        chat = {"t": "chat", "text": "hi"}
        answers = await pipelined(one, [join, chat, leave, chat, join, chat, leave, join, chat], 1)

        kinds = [answers[n].get("reason", "ack") for n in sorted(answers)]
        assert kinds == ["ack", "ack", "ack", "not_in_a_room", "ack", "ack", "ack", "ack", "ack"]
        assert (await request(one, 20, "chat", text="still here"))["t"] == "ack"
