"""T67, T68: events followed over real sockets, and `sit`."""

import asyncio
from typing import Any

import msgspec
import pytest

from photofinish_client.client import Table, connect
from photofinish_client.errors import RequestRefused
from photofinish_client.events.followed import Followed
from photofinish_client.events.player import take_called_seat
from photofinish_client.keys import PlayerKey
from photofinish_protocol.messages import (
    Appoint,
    Called,
    CheckIn,
    Enter,
    EventDo,
    EventNews,
    Follow,
    MarkRace,
    Seated,
    Sit,
)
from photofinish_protocol.reasons import Reason
from tests.system.conftest import ServerProcess
from tests.system.events.test_events import create, info, toml
from tests.system.raw import Raw
from tests.waiting import until as waiting_until
from tests.waiting import within

pytestmark = pytest.mark.system

PARTS = ["info", "entrants", "round", "tables", "standings", "bracket", "reactions", "disputes"]


class Follower:
    """What a page keeps: rows by part and key, patched with every message."""

    def __init__(self, raw: Raw, event: str) -> None:
        self.raw, self.event, self.seq = raw, event, 0
        self.parts: dict[str, dict[str, Any]] = {}

    async def follow(self, *parts: str, seq: int = 0) -> dict[str, Any]:
        return await self.raw.request("follow", event=self.event, parts=list(parts), seq=seq)

    async def take(self) -> dict[str, Any]:
        """The next message about the event; it must fit onto what there is."""
        news = await self.raw.next("event")
        assert news["event"] == self.event
        assert news["from"] in {0, self.seq}
        if news["from"] == 0:
            self.parts = {}
        for name, change in news["parts"].items():
            rows = self.parts.setdefault(name, {})
            rows.update(change["rows"])
            for key in change.get("gone", []):
                del rows[key]
        self.seq = news["seq"]
        return news

    async def until_seq(self, seq: int) -> None:
        while self.seq < seq:
            await self.take()


async def test_T67_a_follower_gets_the_parts_whole_and_then_only_what_changes(server: ServerProcess) -> None:
    async with connect(server.url, name="Host", key=PlayerKey.new()) as host, Raw(server.url) as raw:
        await raw.hello("Page")
        event = await create(host, toml())
        page = Follower(raw, event)
        got = (await page.follow(*PARTS))["got"]
        whole = await page.take()
        assert got["entries"] == whole["seq"] == page.seq
        assert whole["from"] == 0
        assert sorted(whole["parts"]) == sorted(PARTS)
        assert page.parts["info"][""]["state"] == "draft"

        await host.request(EventDo(id=0, event=event, do="open"))
        names = ["Ada", "Bo", "Cyd", "Dee"]
        for name in names:
            async with connect(server.url, name=name, key=PlayerKey.new()) as player:
                await player.request(Enter(id=0, event=event))
                await player.request(CheckIn(id=0, event=event))
        await host.request(EventDo(id=0, event=event, do="start"))
        async with within("the follower hears that the round is played"):
            while page.parts["round"][""]["state"] != "playing":
                news = await page.take()
                assert "disputes" not in news["parts"], "a part that did not change is not sent"
        now = await info(server, event)
        await page.until_seq(now["entries"])

        assert page.parts["info"][""]["state"] == "running"
        assert sorted(it["name"] for it in page.parts["entrants"].values()) == names
        assert [*page.parts["entrants"].values()] == await info(server, event, "/entrants")
        assert [*page.parts["tables"].values()] == await info(server, event, "/tables")
        assert {it["number"] for it in page.parts["standings"].values()} == {1, 2, 3, 4}


async def test_T67_a_follower_that_has_the_newest_is_sent_nothing_until_something_changes(
    server: ServerProcess,
) -> None:
    async with connect(server.url, name="Host", key=PlayerKey.new()) as host, Raw(server.url) as raw:
        await raw.hello("Page")
        event = await create(host, toml())
        page = Follower(raw, event)
        await page.follow("info")
        await page.take()
        seq = page.seq
        await page.follow("info", seq=seq)
        assert not [it for it in raw.heard[-1:] if it["t"] == "event"]
        await host.request(EventDo(id=0, event=event, do="open"))
        news = await page.take()

        assert news["from"] == seq
        assert news["parts"]["info"]["rows"][""]["state"] == "open"

        await raw.request("unfollow", event=event)
        heard = len(raw.heard)
        await host.request(EventDo(id=0, event=event, do="cancel", reason="Enough."))
        # The next messages are the answer and the whole table of the new follow; nothing comes before them.
        other = Follower(raw, event)
        await other.follow("info")
        assert [it["t"] for it in raw.heard[heard:]] == ["ack"]
        assert (await other.take())["from"] == 0


async def test_T67_bad_follows_get_a_coded_answer(server: ServerProcess) -> None:
    async with connect(server.url, name="Host", key=PlayerKey.new()) as host, Raw(server.url) as raw:
        await raw.hello("Page")
        events = [await create(host, toml()) for _ in range(5)]
        assert (await raw.request("follow", event="QQQQQQ"))["reason"] == "no_such_event"
        assert (await raw.request("follow", event=events[0], parts=["hands"]))["reason"] == "bad_message"
        assert (await raw.request("follow", event=events[0], parts=[]))["reason"] == "bad_message"
        for event in events[:4]:
            assert (await raw.request("follow", event=event))["t"] == "ack"
        assert (await raw.request("follow", event=events[4]))["reason"] == "too_many_followed"
        assert (await raw.request("follow", event=events[0], parts=["tables"]))["t"] == "ack", (
            "replaces the old one"
        )
        await raw.request("unfollow", event=events[3])

        assert (await raw.request("follow", event=events[4]))["t"] == "ack"


async def test_T2_T67_who_is_appointed_sees_open_disputes_at_once_and_who_is_relieved_does_not_any_more(
    server: ServerProcess,
) -> None:
    """Nothing is followed anew: the connection had proved its key before it was appointed."""
    rita_key, ada_key = PlayerKey.new(), PlayerKey.new()
    seen = Followed()

    async def listen(table: Table) -> None:
        async for heard in table:
            if isinstance(heard, EventNews):
                seen.take(heard)

    def disputes() -> list[str]:
        return [it["text"] for it in seen.parts.get("disputes", {}).values()]

    async with (
        connect(server.url, name="Host", key=PlayerKey.new()) as host,
        connect(server.url, name="Rita", key=rita_key) as rita,
        connect(server.url, name="Ada", key=ada_key) as ada,
        connect(server.url, name="Bo", key=PlayerKey.new()) as bo,
    ):
        event = await create(host, toml())
        await host.request(EventDo(id=0, event=event, do="open"))
        for player in (ada, bo):
            await player.request(Enter(id=0, event=event))
            await player.request(CheckIn(id=0, event=event))
        await host.request(EventDo(id=0, event=event, do="start"))
        await calls(ada, event)
        async with asyncio.TaskGroup() as tasks:
            listening = tasks.create_task(listen(rita))
            await rita.request(Follow(id=0, event=event, parts=("info", "disputes")))
            got = await ada.request(MarkRace(id=0, event=event, round=1, table=1, game=1, text="Look."))
            await waiting_until(lambda: seen.seq >= got.got.entries, "the page has the newest")
            assert disputes() == []
            appoint = Appoint(id=0, event=event, role="referee", keys=(rita_key.public,))
            await host.request(appoint)
            await waiting_until(lambda: disputes() == ["Look."], "a referee sees the open mark")
            await host.request(msgspec.structs.replace(appoint, away=True))
            await waiting_until(lambda: disputes() == [], "it is hidden again")
            got = await ada.request(MarkRace(id=0, event=event, round=1, table=1, game=1, text="Again."))
            await waiting_until(lambda: seen.seq >= got.got.entries, "the page has the newest")
            assert disputes() == []
            listening.cancel()


async def calls(table: Any, *events: str) -> dict[str, Called]:
    """The calls to all these events, in any order."""
    found: dict[str, Called] = {}
    async with within(lambda: f"calls to {events}; so far to {sorted(found)}"):
        async for heard in table:
            if isinstance(heard, Called):
                found[heard.event] = heard
            if found.keys() == {*events}:
                break
    return found


async def reason_of_sit(table: Any, event: str) -> Reason:
    with pytest.raises(RequestRefused) as caught:
        await table.request(Sit(id=0, event=event))
    return caught.value.reason


async def test_T68_I4_sit_takes_the_seat_of_the_call_and_a_second_event_has_to_wait(
    server: ServerProcess,
) -> None:
    """`busy` and `not_called` come before `in_a_room`: a player leaves another table only for a seat that is free."""
    ada_key, bo_key = PlayerKey.new(), PlayerKey.new()
    async with (
        connect(server.url, name="Host", key=PlayerKey.new()) as host,
        connect(server.url, name="Ada", key=ada_key) as ada,
        connect(server.url, name="Bo", key=bo_key) as bo,
        connect(server.url, name="Eve") as nobody,
    ):
        first, second = [await create(host, toml(patience=patience)) for patience in (60, 600)]
        for event in (first, second):
            await host.request(EventDo(id=0, event=event, do="open"))
            for player in (ada, bo):
                await player.request(Enter(id=0, event=event))
                await player.request(CheckIn(id=0, event=event))
        assert await reason_of_sit(nobody, first) is Reason.NOT_IDENTIFIED
        assert await reason_of_sit(ada, first) is Reason.NOT_CALLED
        for event in (first, second):
            await host.request(EventDo(id=0, event=event, do="start"))
        both = await calls(ada, first, second)
        call = both[first]
        assert await reason_of_sit(ada, second) is Reason.BUSY

        got = (await ada.request(Sit(id=0, event=first))).got
        assert isinstance(got, Seated)
        assert (got.room, got.seat) == (call.room, call.seat)
        assert await reason_of_sit(ada, first) is Reason.IN_A_ROOM
        assert await reason_of_sit(ada, second) is Reason.BUSY, "nobody has to leave a table to learn it"
        with pytest.raises(RequestRefused, match="another event"):
            await take_called_seat(ada, both[second])
        assert ada.room is not None
        assert ada.room.room == call.room, "the seat is not given up for one that is not free"
        await bo.create("cambio")
        assert await reason_of_sit(bo, "NOSUCH") is Reason.NOT_CALLED
        await take_called_seat(bo, both[first])
        assert bo.room is not None
        assert bo.room.room == call.room
