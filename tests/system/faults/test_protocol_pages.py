"""What the protocol page says of odd cases, over a real socket."""

import pytest
from websockets.asyncio.client import connect
from websockets.exceptions import InvalidStatus
from websockets.typing import Subprotocol

from photofinish_protocol.version import JSON, MSGPACK
from tests.system.conftest import ServerProcess
from tests.system.raw import Raw

pytestmark = pytest.mark.system


async def test_a_handshake_with_none_of_our_subprotocols_is_refused(shared_server: ServerProcess) -> None:
    for offered in (["photofinish.v2+json"], ["mqtt", "soap"]):
        with pytest.raises(InvalidStatus) as refused:
            async with connect(shared_server.url, subprotocols=[Subprotocol(it) for it in offered]):
                pass
        assert refused.value.response.status_code == 400
        assert JSON.encode() in (refused.value.response.body or b"")


@pytest.mark.parametrize(
    ("offered", "chosen"),
    [
        (["photofinish.v2+json", JSON], JSON),
        ([MSGPACK, JSON], MSGPACK),
        ([], None),
        (["photofinish.token.x"], None),
    ],
)
async def test_the_first_supported_subprotocol_is_chosen(
    offered: list[str], chosen: str | None, shared_server: ServerProcess
) -> None:
    async with connect(shared_server.url, subprotocols=[Subprotocol(it) for it in offered] or None) as socket:
        assert socket.subprotocol == chosen


async def test_a_refusal_of_the_host_says_what_was_wrong(shared_server: ServerProcess) -> None:
    async with Raw(shared_server.url) as host:
        await host.hello("Ada")
        refused = await host.request("create", game="cambio", seats=0)
        assert (refused["reason"], refused["text"]) == ("bad_options", "Cambio is for 2 to 8 players.")
        await host.request("create", game="cambio", seats=4)
        await host.request("bot", seat=1)

        refusals = [await host.request("kick", seat=seat) for seat in range(3)] + [
            await host.request("host", seat=1)
        ]
        assert {it["reason"] for it in refusals} == {"not_a_player"}
        assert [it["text"] for it in refusals] == [
            "You cannot kick yourself. Send `leave` to go.",
            "A bot sits there. Take it away with `remove`.",
            "Nobody sits there.",
            "A bot cannot be host.",
        ]
        assert (await host.request("kick", seat=9))["reason"] == "no_such_seat"


async def test_a_refused_chat_says_what_is_wrong_with_its_text(shared_server: ServerProcess) -> None:
    async with Raw(shared_server.url) as host:
        await host.hello("Ada")
        await host.request("create", game="cambio")

        for text, why in (
            ("", "empty"),
            (" \u200b", "nothing of it can be seen"),
            ("x" * 281, "281 characters"),
        ):
            refused = await host.request("chat", text=text)
            assert refused["reason"] == "bad_text"
            assert why in refused["text"]
        assert (await host.request("chat", text="x" * 280))["t"] == "ack"


async def test_hello_has_an_id_of_its_own_on_every_connection(shared_server: ServerProcess) -> None:
    async with Raw(shared_server.url) as first:
        assert (await first.request("hello", id=5, v=1, name="Ada"))["next_id"] == 6
        seated = (await first.request("create", id=40, game="cambio"))["got"]
        assert (await first.request("chat", id=41, text="hello"))["t"] == "ack"
    async with Raw(shared_server.url) as second:
        welcome = await second.request("hello", id=0, v=1, token=seated["token"])

        assert (welcome["t"], welcome["id"], welcome["next_id"]) == ("welcome", 0, 42)


async def test_an_answer_may_overtake_another(shared_server: ServerProcess) -> None:
    """A `ping` is answered by the connection, a `ready` after a trip to the store."""
    async with Raw(shared_server.url) as client:
        await client.hello("Ada")
        await client.request("create", game="cambio")
        orders = set()
        for request_id in range(10, 110, 2):
            await client.send({"t": "ready", "id": request_id})
            await client.send({"t": "ping", "id": request_id + 1})
            answers = [(await client.next("ack"))["id"] - request_id for _ in range(2)]
            orders.add(tuple(answers))
            if answers == [1, 0]:
                break

        assert (1, 0) in orders
