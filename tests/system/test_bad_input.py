"""Bad input gets a clear, coded answer and loses nothing. Real sockets, a real server."""

import json
from typing import Any

import pytest

from photofinish_protocol.version import MAX_FRAME, MSGPACK
from tests.system.conftest import ServerProcess
from tests.system.raw import Raw

pytestmark = pytest.mark.system


@pytest.fixture
def url(shared_server: ServerProcess) -> str:
    return shared_server.url


async def table(one: Raw, two: Raw, **options: Any) -> str:
    """Two players at a Cambio table that has been dealt; the room's code."""
    await one.hello("Ada")
    await two.hello("Bo")
    made = await one.request("create", game="cambio", seats=2, options={"turn_seconds": 0, **options})
    room: str = made["got"]["room"]
    await two.request("join", room=room)
    await one.request("ready")
    await two.request("ready")
    assert (await one.request("start"))["t"] == "ack"
    return room


async def refused(one: Raw, t: str, **fields: Any) -> str:
    answer = await one.request(t, **fields)
    assert answer["t"] == "refused", answer
    assert answer["text"]
    return str(answer["reason"])


async def test_a_frame_that_is_not_a_message_closes_the_connection(url: str) -> None:
    for frame in (
        "nope",
        "[]",
        "{}",
        '{"t":"hello"}',
        '{"t":"ping","id":-1}',
        '{"t":"ping","id":true}',
        "null",
    ):
        async with Raw(url) as one:
            await one.send(frame)

            assert await one.closed() == 4400, frame
            assert one.heard[-1]["t"] == "bye"


async def test_wrong_types_are_refused_and_the_connection_lives_on(url: str) -> None:
    async with Raw(url) as one:
        await one.hello()

        assert await refused(one, "join", room=5) == "bad_message"
        assert await refused(one, "join") == "bad_message"
        assert await refused(one, "create", game="cambio", options=[]) == "bad_message"
        assert await refused(one, "ready", nonce="xyz") == "bad_message"
        assert await refused(one, "dance") == "unknown_type"
        assert (await one.request("ping", at=7))["got"]["at"] == 7


async def test_hello_comes_first_and_once(url: str) -> None:
    async with Raw(url) as one:
        assert await refused(one, "rooms") == "no_hello"
        assert await refused(one, "hello", v=99, name="Ada") == "bad_version"
        assert await refused(one, "hello", v=1, name="") == "bad_name"
        assert await refused(one, "hello", v=1, name="\u202e\u200b") == "bad_name"
        assert await refused(one, "hello", v=1, name="Ada", token="nonsense") == "bad_token"
        assert (await one.hello())["t"] == "welcome"
        assert await refused(one, "hello", v=1, name="Ada") == "second_hello"


async def test_a_connection_without_hello_is_closed_after_five_seconds(url: str) -> None:
    async with Raw(url) as one:
        assert await one.closed() == 4401


async def test_a_large_frame_closes_with_1009(url: str) -> None:
    async with Raw(url) as one:
        await one.hello()
        await one.send(json.dumps({"t": "chat", "id": 9, "text": "x" * (MAX_FRAME + 1024)}))

        assert await one.closed() == 1009


async def test_a_deeply_nested_frame_is_refused_early(url: str) -> None:
    bombs: list[str | bytes] = [
        "[" * 8000 + "]" * 8000,
        '{"t":"play","id":1,"move":' + '{"a":' * 2000 + "1" + "}" * 2001,
    ]
    for bomb in bombs:
        async with Raw(url) as one:
            await one.hello()
            await one.send(bomb)

            assert await one.closed() == 4400
    async with Raw(url, MSGPACK) as one:
        await one.socket.send(b"\x91" * 16_000 + b"\x00")

        assert await one.closed() == 4400


async def test_a_text_frame_on_msgpack_and_a_binary_one_on_json_close_with_1003(url: str) -> None:
    async with Raw(url, MSGPACK) as one:
        await one.socket.send('{"t":"hello","id":0,"v":1,"name":"Ada"}')

        assert await one.closed() == 1003
    async with Raw(url) as one:
        await one.socket.send(b"\x80")

        assert await one.closed() == 1003


async def test_two_hundred_messages_in_a_second_are_too_many(url: str) -> None:
    async with Raw(url) as one:
        await one.hello()
        for n in range(200):
            await one.send({"t": "ping", "id": n + 1})

        assert await one.closed() == 4429
        assert "too_fast" in {message.get("reason") for message in one.heard}
        assert sum(message["t"] == "ack" for message in one.heard) >= 50


async def test_impossible_rooms_are_refused(url: str) -> None:
    async with Raw(url) as one, Raw(url) as two, Raw(url) as three:
        await one.hello("Ada")
        await two.hello("Bo")
        await three.hello("Cy")

        assert await refused(one, "create", game="chess") == "unknown_game"
        assert await refused(one, "create", game="cambio", seats=1) == "bad_options"
        assert await refused(one, "create", game="cambio", seats=9) == "bad_options"
        assert await refused(one, "create", game="cambio", options={"target_points": -1}) == "bad_options"
        assert await refused(one, "create", game="cambio", options={"no_such": 1}) == "bad_options"
        assert await refused(one, "join", room="QQQQQ") == "no_such_room"
        assert await refused(one, "watch", room="QQQQQ") == "no_such_room"
        assert await refused(one, "leave") == "not_in_a_room"
        assert await refused(one, "play", move={"t": "draw"}) == "not_in_a_room"

        room = (await one.request("create", game="cambio", seats=2))["got"]["room"]
        assert await refused(one, "create", game="cambio") == "in_a_room"
        assert await refused(two, "join", room=room, seat=0) == "seat_taken"
        assert await refused(two, "join", room=room, seat=7) == "no_such_seat"
        assert (await two.request("join", room=room.lower()))["got"]["seat"] == 1
        assert await refused(three, "join", room=room) == "room_full"
        assert await refused(two, "start") == "not_host"
        assert await refused(one, "start") == "not_ready"
        assert await refused(two, "kick", seat=0) == "not_host"
        assert await refused(one, "kick", seat=5) == "no_such_seat"
        assert await refused(one, "remove", seat=1) == "not_a_bot"
        assert await refused(one, "play", move={"t": "draw", "from": "main"}) == "not_started"
        assert await refused(one, "rematch") == "not_started"
        assert await refused(one, "chat", text="   ") == "bad_text"
        assert await refused(one, "chat", text="x" * 281) == "bad_text"
        assert await refused(one, "emote", emote="dab") == "unknown_emote"


async def test_invalid_moves_change_nothing(url: str) -> None:
    async with Raw(url) as one, Raw(url) as two:
        await table(one, two)
        before = (await one.next("view")) if not _views(one) else _views(one)[-1]
        bad: list[Any] = [
            {}, {"t": "fly"}, {"t": "draw"}, {"t": "draw", "from": "hand"}, {"t": "draw", "from": "main", "extra": 1},
            {"t": "slap", "seat": "0", "slot": 0, "mark": 0}, {"t": "slap", "seat": 99, "slot": 0, "mark": 0},
            {"t": "keep", "slot": -1, "mark": 0}, {"t": "keep", "slot": 0.5, "mark": 0}, {"t": ["draw"]}, {"t": None},
        ]  # fmt: skip
        for move in bad:
            assert await refused(one, "play", move=move) == "bad_move", move

        answer = await one.request("play", move={"t": "keep", "slot": 0, "mark": 10**9})
        assert answer["reason"] == "illegal_move"
        assert answer["clause"].startswith("C")
        assert [view["seq"] for view in _views(one)] == [before["seq"]]


def _views(one: Raw) -> list[dict[str, Any]]:
    return [message for message in one.heard if message["t"] == "view"]


async def test_a_move_out_of_turn_is_refused_with_its_clause(url: str) -> None:
    async with Raw(url) as one, Raw(url) as two:
        await table(one, two)
        await one.request("play", move={"t": "ready"})
        await two.request("play", move={"t": "ready"})
        answers = [await player.request("play", move={"t": "draw", "from": "main"}) for player in (one, two)]

        assert sorted(answer["t"] for answer in answers) == ["ack", "refused"]
        late = next(answer for answer in answers if answer["t"] == "refused")
        assert late["reason"] == "illegal_move"
        assert late["clause"]


async def test_the_same_id_gets_the_same_answer_and_an_old_one_none(url: str) -> None:
    async with Raw(url) as one, Raw(url) as two:
        await table(one, two)
        first = await one.request("play", move={"t": "ready"}, id=500)
        again = await one.request("play", move={"t": "ready"}, id=500)
        assert first == again
        assert first["t"] == "ack"

        for n in range(70):
            await one.request("start", id=501 + n)  # refused, and remembered
        stale = await one.request("play", move={"t": "ready"}, id=500)
        assert stale["reason"] == "stale_id"


async def test_a_watcher_cannot_play(url: str) -> None:
    async with Raw(url) as one, Raw(url) as two, Raw(url) as three:
        room = await table(one, two)
        await three.hello("Eve")
        assert (await three.request("watch", room=room))["t"] == "ack"

        assert await refused(three, "play", move={"t": "ready"}) == "not_seated"
        assert await refused(three, "start") == "not_seated"
        assert await refused(three, "ready") == "not_seated"
        assert (await three.request("chat", text="nice"))["t"] == "ack"


async def test_claims_without_a_race_or_with_an_old_nonce_are_refused(url: str) -> None:
    async with Raw(url) as one, Raw(url) as two:
        await table(one, two, race_min_ms=0)
        slap = {"t": "slap", "seat": 0, "slot": 0, "mark": 0}

        assert await refused(one, "play", move=slap, race="0123") == "no_race"
        assert await refused(one, "play", move=slap, react_us=-1) == "bad_message"
        assert await refused(one, "play", move=slap, react_us=10**9) == "bad_message"
        assert await refused(one, "play", move=slap, react_us=0.5) == "bad_message"
        answer = await one.request("play", move=slap)
        assert answer["reason"] == "illegal_move"
