"""Who gets into a running game, and under which name, over real sockets."""

import pytest

from tests.system.conftest import ServerProcess
from tests.system.raw import Raw
from tests.system.test_bad_input import refused, table

pytestmark = pytest.mark.system


async def test_a_host_cannot_kick_a_player_and_take_the_hand(shared_server: ServerProcess) -> None:
    url = shared_server.url
    async with Raw(url) as one, Raw(url) as two, Raw(url) as other, Raw(url) as again:
        room = await table(one, two)
        assert (await one.request("kick", seat=1))["t"] == "ack"
        await two.next("left")
        await other.hello("Ada's other window")
        await again.hello("Bo")

        assert await refused(other, "join", room=room, seat=1) == "already_started"
        assert await refused(other, "join", room=room) == "already_started"
        assert await refused(two, "join", room=room, seat=1) == "kicked"
        assert await refused(again, "join", room=room, seat=1) == "kicked"
        assert await refused(again, "watch", room=room) == "kicked"
        assert not any(it["t"] == "view" for it in other.heard + again.heard)
        assert (await one.request("bot", seat=1))["got"] == {"got": "bot", "seat": 1}


async def test_a_player_who_left_a_running_game_returns_with_the_token(shared_server: ServerProcess) -> None:
    url = shared_server.url
    async with Raw(url) as one, Raw(url) as two, Raw(url) as again:
        await table(one, two)
        token = next(it["got"]["token"] for it in two.heard if it.get("got", {}).get("got") == "seated")
        assert (await two.request("leave"))["t"] == "ack"
        welcome = await again.hello("Whoever", token=token)

        assert welcome["resumed"]["seat"] == 1
        assert welcome["name"] == "Bo"
        assert (await again.next("view"))["you"] == 1


@pytest.mark.parametrize("name", ["\u3164", "\u2800", "\u115f", "\ufe0f", "\u0301", " \u00ad\u200b "])
async def test_an_invisible_name_is_refused(shared_server: ServerProcess, name: str) -> None:
    async with Raw(shared_server.url) as one:
        assert (await one.hello(name))["reason"] == "bad_name"
        assert (await one.hello("Ada", id=1))["t"] == "welcome"


async def test_a_watcher_is_marked_in_chat(shared_server: ServerProcess) -> None:
    url = shared_server.url
    async with Raw(url) as one, Raw(url) as eve:
        await one.hello("Ada")
        room = (await one.request("create", game="cambio", seats=2))["got"]["room"]
        await eve.hello("Ada")
        await eve.request("watch", room=room)
        await eve.request("chat", text="I am the host.")
        said = await one.next("said")

        assert said["name"] == "Ada (watching)"
        assert "seat" not in said
