"""T4, T60, T68 over real sockets: the SDK seats a called player; a referee sees hands only where they are opened."""

from collections.abc import AsyncIterator
from typing import Any

import pytest

from photofinish_client.client import Table, connect
from photofinish_client.errors import RequestRefused
from photofinish_client.keys import PlayerKey
from photofinish_protocol.messages import Appoint, CheckIn, Enter, EventDo, EventNews, OpenHands, View
from photofinish_protocol.reasons import Reason
from tests.system.conftest import ServerProcess
from tests.system.events.test_events import create, info, log_of, toml
from tests.waiting import until, within

pytestmark = pytest.mark.system


async def enter(*players: Table, event: str) -> None:
    for player in players:
        await player.request(Enter(id=0, event=event))
        await player.request(CheckIn(id=0, event=event))


async def dealt(*players: Table) -> str:
    """Each player is seated by itself and ready; the room's code when all see their cards."""
    await until(lambda: all(it.room is not None for it in players), "the call has seated the players")
    for player in players:
        await player.ready()
    await until(lambda: all(it.view is not None for it in players), "the director deals")
    assert players[0].room is not None
    return players[0].room.room


def faces(view: View, seat: int) -> list[bool]:
    return [slot["face"] is not None for slot in view.view["table"][seat]]


async def watching_refused(table: Any, room: str, seat: int) -> Reason:
    with pytest.raises(RequestRefused) as caught:
        await table.watch(room, seat=seat)
    return caught.value.reason


async def test_T4_a_referee_sees_a_hand_only_after_it_was_opened_and_everybody_is_told(
    server: ServerProcess,
) -> None:
    judge_key = PlayerKey.new()
    async with (
        connect(server.url, name="Host", key=PlayerKey.new()) as host,
        connect(server.url, name="Ada", key=PlayerKey.new(), sits_by_itself=True) as ada,
        connect(server.url, name="Bo", key=PlayerKey.new(), sits_by_itself=True) as bo,
        connect(server.url, name="Judge", key=judge_key) as judge,
        connect(server.url, name="Page") as page,
    ):
        slow = toml(more='hands = "logged"').replace("look_seconds = 1", "look_seconds = 60")
        event = await create(host, slow)
        await host.request(EventDo(id=0, event=event, do="open"))
        await host.request(Appoint(id=0, event=event, role="referee", keys=(judge_key.public,)))
        await enter(ada, bo, event=event)
        await host.request(EventDo(id=0, event=event, do="start"))
        room = await dealt(ada, bo)
        seat = bo.seat
        assert seat is not None
        assert await watching_refused(judge, room, seat) is Reason.NOT_ALLOWED
        assert await watching_refused(host, room, seat) is Reason.NOT_ALLOWED, "not even the organiser"
        await page.follow(event, "tables")

        message = OpenHands(
            id=0, event=event, table=1, referee=judge_key.public, reason="A card was shown twice."
        )
        await host.request(message)
        await judge.watch(room, seat=seat)
        await until(lambda: judge.view is not None, "the referee gets a view")
        assert judge.view is not None
        assert bo.view is not None
        assert judge.view.you == seat
        assert judge.view.view["table"] == bo.view.view["table"]
        assert faces(judge.view, seat) == [False, False, True, True]
        assert faces(judge.view, 1 - seat) == [False] * 4, "one seat's hand, not the other's"
        assert judge.view.offers == ()
        async with within("the page hears that the hands were opened"):
            async for news in page:
                if isinstance(news, EventNews) and news.parts["tables"].rows["1.1"]["hands_opened"]:
                    break
        assert (await info(server, event, "/tables"))[0]["hands_opened"] == [judge_key.public]
        assert b"A card was shown twice." in await log_of(server, event), "it cannot be hidden afterwards"
        assert await watching_refused(host, room, seat) is Reason.NOT_ALLOWED, (
            "one referee, not all officials"
        )


async def test_T67_T68_after_the_server_was_killed_a_page_still_follows_and_a_called_player_is_seated_again(
    server: ServerProcess,
) -> None:
    async with (
        connect(server.url, name="Host", key=PlayerKey.new()) as host,
        connect(server.url, name="Ada", key=PlayerKey.new(), sits_by_itself=True) as ada,
        connect(server.url, name="Bo", key=PlayerKey.new()) as bo,
        connect(server.url, name="Page") as page,
    ):
        event = await create(host, toml(patience=200))
        await host.request(EventDo(id=0, event=event, do="open"))
        await enter(ada, bo, event=event)
        await page.follow(event, "info")
        await host.request(EventDo(id=0, event=event, do="start"))
        await until(lambda: ada.room is not None, "the call has seated Ada")
        server.kill()
        server.start()
        await until(lambda: page.cuts == 1 and page.session.is_open, "the page is back")
        await host.request(EventDo(id=0, event=event, do="cancel", reason="Rain."))
        async with within("the page hears that the event is cancelled"):
            async for news in page:
                if isinstance(news, EventNews) and news.parts["info"].rows[""]["state"] == "cancelled":
                    break
        await until(lambda: ada.session.is_open, "Ada is back")

        assert bo.room is None, "without the wish nobody is seated"


async def test_T49_only_officials_see_that_two_entrants_of_a_table_share_an_address(
    server: ServerProcess,
) -> None:
    async with (
        connect(server.url, name="Host", key=PlayerKey.new()) as host,
        connect(server.url, name="Ada", key=PlayerKey.new(), sits_by_itself=True) as ada,
        connect(server.url, name="Bo", key=PlayerKey.new(), sits_by_itself=True) as bo,
        connect(server.url, name="Page") as page,
    ):
        event = await create(host, toml())
        await host.request(EventDo(id=0, event=event, do="open"))
        await enter(ada, bo, event=event)
        await host.follow(event, "disputes")
        await page.follow(event, "disputes", "tables")
        await host.request(EventDo(id=0, event=event, do="start"))
        notes: list[Any] = []
        async with within("the host is told of two entrants from one address"):
            async for news in host:
                if isinstance(news, EventNews) and "disputes" in news.parts:
                    notes += news.parts["disputes"].rows.values()
                    if notes:
                        break

        assert [(it["what"], it["text"]) for it in notes] in (
            [("same_house", "same house: Ada and Bo")],
            [("same_house", "same house: Bo and Ada")],
        )
        assert b"same_house" not in await log_of(server, event), "the log is public"
        assert b"127.0.0.1" not in await log_of(server, event)
        heard = [it async for it in _so_far(page)]
        assert not any(it.parts.get("disputes") and it.parts["disputes"].rows for it in heard)


async def _so_far(table: Table) -> AsyncIterator[EventNews]:
    """What the page has heard of the event by now."""
    while table._events:
        heard = await anext(table)
        if isinstance(heard, EventNews):
            yield heard
