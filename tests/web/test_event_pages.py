"""Tournaments in the browser: the list, the public page and the big screen of a running event."""

import asyncio
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING

import pytest

from photofinish_client.client import connect
from photofinish_client.keys import PlayerKey
from photofinish_protocol.messages import Enter, EventBots, EventDo
from tests.system.conftest import ServerProcess
from tests.system.test_events import create, toml
from tests.web.tables import LAPTOP, sitting
from tests.web.test_quality import serious

if TYPE_CHECKING:
    from playwright.sync_api import Browser

pytestmark = [pytest.mark.system, pytest.mark.timeout(120)]
TITLE = "<i>Friday</i> Cambio"


async def start_an_event(url: str) -> str:
    text = toml(more="rehearsal = true")
    lines = [f'title = "{TITLE}"' if line.startswith("title") else line for line in text.splitlines()]
    async with connect(url, name="Host", key=PlayerKey.new()) as host:
        event = await create(host, "\n".join(lines))
        await host.ask(EventDo(id=0, event=event, do="open"))
        await host.ask(EventBots(id=0, event=event, bots=4))
        await host.ask(EventDo(id=0, event=event, do="start"))
        return event


def test_an_event_can_be_followed_from_the_lobby(browser: "Browser", web_server: ServerProcess) -> None:
    """T71, §11: pairings, standings, entrants, head of the log; a title is shown as text."""
    with ThreadPoolExecutor(1) as aside:  # the browser's driver has a loop of its own in this thread
        event = aside.submit(asyncio.run, start_an_event(web_server.url)).result(timeout=60)
    with sitting(browser, web_server.url, size=LAPTOP) as seat:
        seat.open()
        seat.page.get_by_role("link", name="Events").first.click()
        seat.page.get_by_text(TITLE).first.click()
        seat.page.get_by_role("heading", name=TITLE).wait_for()
        seat.page.locator(".eventtable .eventseat").nth(3).wait_for()
        assert serious(seat) == []
        seat.page.get_by_role("tab", name="Standings").click()
        seat.page.locator(".standings tbody tr").nth(3).wait_for()
        seat.page.get_by_role("tab", name="Entrants").click()
        seat.page.get_by_text("Bot 004").wait_for()
        assert serious(seat) == []
        seat.page.get_by_role("link", name="Big screen").click()
        seat.page.locator(".bigscreen .standings tbody tr").nth(3).wait_for()
        assert seat.page.locator(".bigscreen i").count() == 0
        assert seat.complaints == []
        seat.open(f"/events/{event.lower()}")
        seat.page.get_by_role("heading", name=TITLE).wait_for()


async def open_an_event(url: str, key: PlayerKey) -> str:
    async with connect(url, name="Host", key=key) as host:
        event = await create(host, toml())
        await host.ask(EventDo(id=0, event=event, do="open"))
        return event


async def start_with_another(url: str, key: PlayerKey, event: str) -> None:
    async with connect(url, name="Basil", key=PlayerKey.new()) as basil:
        await basil.ask(Enter(id=0, event=event))
    async with connect(url, name="Host", key=key) as host:
        await host.ask(EventDo(id=0, event=event, do="start"))


def test_a_player_enters_with_the_browsers_key_and_is_called(
    browser: "Browser", web_server: ServerProcess
) -> None:
    """T5, T6: the key is made in the browser; the call leads to the seat, also after a reload of the page."""
    key = PlayerKey.new()
    with ThreadPoolExecutor(1) as aside, sitting(browser, web_server.url, name="Ada") as seat:
        event = aside.submit(asyncio.run, open_an_event(web_server.url, key)).result(timeout=60)
        seat.open(f"/events/{event}")
        seat.page.get_by_role("button", name="Enter as Ada").click()
        seat.page.get_by_text("You are in as Ada").wait_for()
        seat.page.reload()
        seat.page.get_by_text("You are in as Ada").wait_for()
        aside.submit(asyncio.run, start_with_another(web_server.url, key, event)).result(timeout=60)
        seat.page.get_by_role("button", name="Your table is").click()
        seat.page.locator(".table .own, .place").first.wait_for()
        assert seat.complaints == []


def test_an_organiser_creates_opens_and_cancels_an_event(
    browser: "Browser", web_server: ServerProcess
) -> None:
    """§11, T10: faults of the file are told; then the steps of the host, the last one asked for twice."""
    with sitting(browser, web_server.url, size=LAPTOP) as seat:
        seat.open("/events")
        seat.page.get_by_role("button", name="Host an event").click()
        file = seat.page.get_by_label("The event’s file")
        good = file.input_value()
        file.fill(good.replace("rounds", "ronds"))
        seat.page.get_by_role("button", name="Create the event").click()
        seat.page.locator(".tomlfaults").filter(has_text="rounds").wait_for()
        file.fill(good)
        seat.page.get_by_role("button", name="Create the event").click()
        seat.page.get_by_role("heading", name="Friday Cambio").wait_for()
        seat.page.get_by_role("button", name="Open for entries").click()
        seat.page.get_by_role("button", name="Start", exact=True).wait_for()
        assert serious(seat) == []
        seat.page.get_by_role("button", name="Cancel the event").click()
        seat.page.get_by_role("button", name="Tap again").click()
        seat.page.get_by_text("cancelled").first.wait_for()
        assert seat.complaints == []


def test_an_unknown_event_has_a_sentence_and_a_way_on(browser: "Browser", web_server: ServerProcess) -> None:
    with sitting(browser, web_server.url) as seat:
        seat.open("/events/QQQQQQ")
        seat.page.get_by_text("There is no event QQQQQQ.").wait_for()
        seat.page.get_by_role("link", name="Events").click()
        seat.page.get_by_role("heading", name="Events").wait_for()
