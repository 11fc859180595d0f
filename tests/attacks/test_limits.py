"""Limits per address and per connection; other addresses are not affected. Real sockets."""

import asyncio
import contextlib
import json
import time
from collections import Counter
from typing import Any

import pytest
from websockets.asyncio.client import ClientConnection
from websockets.exceptions import ConnectionClosed
from websockets.frames import Frame, Opcode

from photofinish.app import App
from photofinish.gateway.access.limits import CATALOGUES
from photofinish.node.directory import LETTERS
from tests.attacks.local_server import answer, fetch, local_server, open_many, open_websocket
from tests.waiting import LONGEST, until, within


async def request(socket: ClientConnection, request_id: int, t: str, **fields: Any) -> dict[str, Any]:
    await socket.send(json.dumps({"t": t, "id": request_id, **fields}))
    async with within(f"the answer to {t} {request_id}"):
        while True:
            message: dict[str, Any] = json.loads(await socket.recv())
            if message.get("id") == request_id and message["t"] in {"ack", "refused", "welcome"}:
                return message


async def closed(socket: ClientConnection) -> int:
    with contextlib.suppress(ConnectionClosed):
        async with within("the server closes the connection"):
            while True:
                await socket.recv()
    return socket.close_code or 0


async def test_connections_are_limited_per_address(redis_url: str) -> None:
    async with local_server(redis_url, address_connections=5) as app, contextlib.AsyncExitStack() as stack:
        first = (await open_many(stack, app, 5, "127.0.0.2"))[0]

        assert await answer(app, "127.0.0.2") == 429
        assert await answer(app, "127.0.0.3") == 101
        await first.close()
        async with within("the server has noticed that a connection is gone"):
            while await answer(app, "127.0.0.2") != 101:
                pass


async def test_silent_sockets_count_before_they_say_anything(redis_url: str) -> None:
    async with local_server(redis_url, address_connections=4) as app:
        port = app.gateway.ports[0]
        silent = [
            await asyncio.open_connection("127.0.0.1", port, local_addr=("127.0.0.4", 0)) for _ in range(4)
        ]

        assert await answer(app, "127.0.0.4") == 429
        assert await answer(app, "127.0.0.5") == 101
        for _, writer in silent:
            writer.close()


async def test_sockets_far_above_the_limit_are_aborted_without_an_answer(redis_url: str) -> None:
    async with local_server(redis_url, address_connections=2) as app:
        port = app.gateway.ports[0]
        pairs = [
            await asyncio.open_connection("127.0.0.1", port, local_addr=("127.0.0.6", 0)) for _ in range(6)
        ]
        async with within("the last two are aborted"):
            ends = await asyncio.gather(*(reader.read() for reader, _ in pairs[4:]), return_exceptions=True)

        assert all(end == b"" or isinstance(end, ConnectionResetError) for end in ends)
        for _, writer in pairs:
            writer.close()


async def test_requests_are_limited_per_address(redis_url: str) -> None:
    async with local_server(redis_url, address_requests=20) as app:
        statuses = [(await fetch(app, "/healthz", "127.0.0.7"))[0] for _ in range(40)]

        assert statuses[:20] == [200] * 20
        assert 429 in statuses[20:]
        assert "Retry-After" in (await fetch(app, "/healthz", "127.0.0.7"))[1]
        assert (await fetch(app, "/healthz", "127.0.0.8"))[0] == 200


async def test_rooms_per_minute_are_limited_per_address(redis_url: str) -> None:
    async with local_server(redis_url, address_rooms=3) as app, contextlib.AsyncExitStack() as stack:
        answers = []
        for one in await open_many(stack, app, 5, "127.0.0.9"):
            await request(one, 0, "hello", v=1, name="Ada")
            answers.append(await request(one, 1, "create", game="cambio"))

        assert [it["t"] for it in answers] == ["ack"] * 3 + ["refused"] * 2
        assert answers[-1]["reason"] == "too_many_rooms"
        assert answers[-1]["retry"]
        (other,) = await open_many(stack, app, 1, "127.0.0.10")
        await request(other, 0, "hello", v=1, name="Bo")
        assert (await request(other, 1, "create", game="cambio"))["t"] == "ack"


async def test_rooms_opened_per_connection_are_limited(redis_url: str) -> None:
    async with local_server(redis_url, no_limits=True) as app, open_websocket(app) as one:
        await request(one, 0, "hello", v=1, name="Ada")
        reasons = []
        for n in range(1, 80, 2):
            made = await request(one, n, "create", game="cambio")
            reasons.append(made.get("reason"))
            if made["t"] == "ack":
                await request(one, n + 1, "leave")

        assert reasons[:30] == [None] * 30
        assert "too_many_rooms" in reasons[30:]


async def test_nobody_finds_a_private_room_by_trying_codes(redis_url: str) -> None:
    async with (
        local_server(redis_url) as app,
        open_websocket(app, "127.0.0.11") as one,
        open_websocket(app, "127.0.0.12") as other,
    ):
        await request(one, 0, "hello", v=1, name="Eve")
        reasons = [
            (await request(one, n, "watch", room=f"QQ{a}{b}Q"))["reason"]
            for n, (a, b) in enumerate(_pairs(75), 1)
        ]

        assert reasons[:60] == ["no_such_room"] * 60
        assert reasons[-1] == "too_fast"
        assert (await fetch(app, "/api/replays/QQQQQ/1", "127.0.0.11"))[0] == 429
        await request(other, 0, "hello", v=1, name="Bo")
        assert (await request(other, 1, "watch", room="QQQQQ"))["reason"] == "no_such_room"


async def test_guesses_made_at_once_are_counted_before_they_are_looked_up(redis_url: str) -> None:
    """If they were counted after the look-up, 200 connections could make thousands of guesses per minute."""
    async with local_server(redis_url) as app, contextlib.AsyncExitStack() as stack:
        guests = await open_many(stack, app, 40, "127.0.0.13")
        await asyncio.gather(*(request(one, 0, "hello", v=1, name="Eve") for one in guests))
        began = time.monotonic()
        found = await asyncio.gather(*(guesses(one, n) for n, one in enumerate(guests)))
        seconds = time.monotonic() - began

        answers = Counter(reason for reasons in found for reason in reasons)
        assert answers.total() == 40 * 20
        assert answers["no_such_room"] <= 60 + seconds + 1
        assert answers["too_fast"] == answers.total() - answers["no_such_room"]


async def guesses(one: ClientConnection, first: int) -> list[str]:
    for n, (a, b) in enumerate(_pairs(20), 1):
        await one.send(json.dumps({"t": "watch", "id": n, "room": f"{LETTERS[first % 24]}Q{a}{b}Q"}))
    async with within("all 20 guesses are answered"):
        answers = [json.loads(await one.recv()) for _ in range(20)]
    return [it["reason"] for it in answers]


async def test_wrong_referee_passwords_and_wrong_tokens_count_as_guesses(redis_url: str) -> None:
    async with (
        local_server(redis_url) as app,
        open_websocket(app) as host,
        open_websocket(app, "127.0.0.14") as one,
    ):
        await request(host, 0, "hello", v=1, name="Ada")
        room = (await request(host, 1, "create", game="cambio", referee="open sesame"))["got"]["room"]
        await request(one, 0, "hello", v=1, name="Eve")
        reasons = []
        for n in range(1, 76):
            reasons.append((await request(one, n, "watch", room=room, referee=f"word {n}"))["reason"])
            if n % 40 == 0:
                await asyncio.sleep(1)  # below the limit of messages per second

        assert reasons[:60] == ["bad_token"] * 60
        assert reasons[-1] == "too_fast"
        async with open_websocket(app, "127.0.0.14") as another:
            assert (await request(another, 0, "hello", v=1, token=f"{room}-0-{'0' * 32}"))[
                "reason"
            ] == "too_fast"
        async with open_websocket(app, "127.0.0.15") as referee:
            await request(referee, 0, "hello", v=1, name="Ref")
            assert (await request(referee, 1, "watch", room=room, referee="open sesame"))["t"] == "ack"


async def test_wrong_seat_tokens_sent_at_once_are_counted_before_the_room_has_checked_them(
    redis_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    # On a busy machine the 200 connections may need longer than the five seconds until a hello.
    monkeypatch.setattr("photofinish.gateway.server.HELLO_SECONDS", LONGEST)
    async with (
        local_server(redis_url) as app,
        contextlib.AsyncExitStack() as stack,
        open_websocket(app) as host,
    ):
        await request(host, 0, "hello", v=1, name="Ada")
        room = (await request(host, 1, "create", game="cambio"))["got"]["room"]
        guests = await open_many(stack, app, 200, "127.0.0.17")
        began = time.monotonic()
        answers = await asyncio.gather(
            *(request(one, 0, "hello", v=1, token=f"{room}-0-{n:032x}") for n, one in enumerate(guests))
        )

        check_guesses([it["reason"] for it in answers], began)
        async with open_websocket(app, "127.0.0.18") as other:
            found = await request(other, 0, "hello", v=1, token=f"{room}-0-{'0' * 32}")
            assert found["reason"] == "bad_token", "another address has its own limit"


async def test_wrong_referee_words_sent_at_once_are_counted_before_the_room_has_checked_them(
    redis_url: str,
) -> None:
    async with (
        local_server(redis_url) as app,
        contextlib.AsyncExitStack() as stack,
        open_websocket(app) as host,
    ):
        await request(host, 0, "hello", v=1, name="Ada")
        room = (await request(host, 1, "create", game="cambio", referee="open sesame"))["got"]["room"]
        guests = await helloed(stack, app, 200, "127.0.0.19")
        began = time.monotonic()
        answers = await asyncio.gather(
            *(request(one, 1, "watch", room=room, referee=f"word {n}") for n, one in enumerate(guests))
        )

        check_guesses([it["reason"] for it in answers], began)


async def test_a_secret_counts_as_wrong_if_its_client_does_not_wait_for_the_answer(redis_url: str) -> None:
    """A referee who enters is counted among the watchers: somebody else could see that a word was right."""
    async with (
        local_server(redis_url) as app,
        contextlib.AsyncExitStack() as stack,
        open_websocket(app) as host,
    ):
        await request(host, 0, "hello", v=1, name="Ada")
        room = (await request(host, 1, "create", game="cambio", referee="open sesame"))["got"]["room"]
        for n, one in enumerate(await helloed(stack, app, 70, "127.0.0.26")):
            watch = json.dumps({"t": "watch", "id": 1, "room": room, "referee": f"word {n}"})
            one.transport.write(Frame(Opcode.TEXT, watch.encode()).serialize(mask=True))
            one.transport.close()
        await until(
            lambda: len(app.gateway.sessions) == 1, "the server has noticed that all of them are gone"
        )

        async with open_websocket(app, "127.0.0.26") as one:
            await request(one, 0, "hello", v=1, name="Eve")
            assert (await request(one, 1, "watch", room=room, referee="word"))["reason"] == "too_fast"


async def helloed(
    stack: contextlib.AsyncExitStack, app: App, count: int, come_from: str
) -> list[ClientConnection]:
    """Connections that have said hello, each at once: the server waits for it for five seconds only."""
    guests = []
    for _ in range(count):
        (one,) = await open_many(stack, app, 1, come_from)
        await request(one, 0, "hello", v=1, name="Eve")
        guests.append(one)
    return guests


def check_guesses(reasons: list[str], began: float) -> None:
    """60 of them were looked at, and one more for each second. The others were refused unseen."""
    found, seconds = Counter(reasons), time.monotonic() - began
    assert 60 <= found["bad_token"] <= 60 + seconds + 1
    assert found["too_fast"] == found.total() - found["bad_token"]


async def test_many_honest_players_behind_one_address_all_find_the_room_at_once(redis_url: str) -> None:
    async with (
        local_server(redis_url) as app,
        contextlib.AsyncExitStack() as stack,
        open_websocket(app) as host,
    ):
        await request(host, 0, "hello", v=1, name="Ada")
        room = (await request(host, 1, "create", game="cambio"))["got"]["room"]
        guests = await helloed(stack, app, 150, "127.0.0.16")
        answers = await asyncio.gather(*(request(one, 1, "watch", room=room) for one in guests))

        assert {it["t"] for it in answers} == {"ack"}


def _pairs(count: int) -> list[tuple[str, str]]:
    return [("ABCDEFGH"[n // 10], "ABCDEFGHJK"[n % 10]) for n in range(count)]


async def test_a_flood_of_pings_is_closed_and_a_few_are_answered(redis_url: str) -> None:
    async with local_server(redis_url) as app, open_websocket(app) as one:
        await request(one, 0, "hello", v=1, name="Ada")
        async with within("a single ping is answered"):
            await (await one.ping())
        for n in range(400):
            one.protocol.send_ping(n.to_bytes(4))
        one.send_data()

        assert await closed(one) == 4429


async def test_a_message_in_endless_fragments_closes_the_connection(redis_url: str) -> None:
    """Empty fragments never exceed the size limit and never become a message that could be counted."""
    async with local_server(redis_url) as app, open_websocket(app) as one, open_websocket(app) as bystander:
        await request(one, 0, "hello", v=1, name="Ada")
        one.transport.write(Frame(Opcode.TEXT, b"", fin=False).serialize(mask=True))
        one.transport.write(Frame(Opcode.CONT, b"", fin=False).serialize(mask=True) * 5000)

        assert await closed(one) == 4429
        assert (await request(bystander, 0, "hello", v=1, name="Bo"))["t"] == "welcome"


async def test_a_message_in_a_few_fragments_is_answered(redis_url: str) -> None:
    async with local_server(redis_url) as app, open_websocket(app) as one:
        await one.send(['{"t":"hello",', '"id":0,"v":1,', '"name":"Ada"}'])

        async with within("the welcome"):
            assert json.loads(await one.recv())["t"] == "welcome"


async def test_nothing_is_done_for_a_connection_after_its_bye(redis_url: str) -> None:
    async with local_server(redis_url) as app, open_websocket(app) as one:
        await request(one, 0, "hello", v=1, name="Ada")
        bad, create = "nonsense", json.dumps({"t": "create", "id": 1, "game": "cambio"})
        for text in (bad, create):
            one.transport.write(Frame(Opcode.TEXT, text.encode()).serialize(mask=True))

        assert await closed(one) == 4400
        assert len(app.directory) == 0


async def test_the_list_of_games_is_limited_per_connection_because_it_is_long(redis_url: str) -> None:
    """20 connections that asked for nothing else got 12 MB per second, as much as they could read."""
    async with local_server(redis_url) as app, open_websocket(app) as one, open_websocket(app) as other:
        for it in (one, other):
            await request(it, 0, "hello", v=1, name="Ada")
        answers = [await request(one, n, "games") for n in range(1, CATALOGUES + 11)]

        assert [it["t"] for it in answers[:CATALOGUES]] == ["ack"] * CATALOGUES
        assert "too_fast" in {it.get("reason") for it in answers[CATALOGUES:]}
        assert (await request(other, 1, "games"))["t"] == "ack", "another connection may"
        assert (await request(one, 99, "rooms"))["t"] == "ack", "the connection stays"


# Without sockets.


async def test_behind_a_trusted_proxy_players_are_counted_by_the_forwarded_address(redis_url: str) -> None:
    trusted = {"trust_proxy": ("127.0.0.20",), "address_connections": 2}
    async with local_server(redis_url, **trusted) as app, contextlib.AsyncExitStack() as stack:
        # The left part comes from the player and is not trusted.
        for forwarded in ("192.0.2.1", "6.6.6.6, 192.0.2.1"):
            await stack.enter_async_context(open_websocket(app, "127.0.0.20", X_Forwarded_For=forwarded))

        assert await answer(app, "127.0.0.20", X_Forwarded_For="7.7.7.7, 192.0.2.1") == 429
        assert await answer(app, "127.0.0.20", X_Forwarded_For="192.0.2.2") == 101
