"""Tournaments in the browser: the list, the public page and the big screen of an event, followed over the socket."""

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from photofinish_client.client import connect
from photofinish_client.keys import PlayerKey
from photofinish_protocol.messages import Enter, EventBots, EventDo
from tests.system.conftest import ServerProcess
from tests.system.events.test_events import create, toml
from tests.web.accessibility import serious
from tests.web.other_players import OtherPlayers
from tests.web.page_actions import LAPTOP, sitting

if TYPE_CHECKING:
    from playwright.sync_api import Browser

pytestmark = pytest.mark.system
TITLE = "<i>Friday</i> Cambio"
NO_SOCKET = """window.WebSocket = class extends EventTarget {
  constructor() { super(); setTimeout(() => this.onclose?.({ code: 1006, reason: "" }), 10); }
  close() {} send() {}
};"""


async def start_an_event(url: str, bots: int = 4) -> str:
    text = toml(more="rehearsal = true")
    lines = [f'title = "{TITLE}"' if line.startswith("title") else line for line in text.splitlines()]
    async with connect(url, name="Host", key=PlayerKey.new()) as host:
        event = await create(host, "\n".join(lines))
        await host.request(EventDo(id=0, event=event, do="open"))
        await host.request(EventBots(id=0, event=event, bots=bots))
        await host.request(EventDo(id=0, event=event, do="start"))
        return event


async def open_an_event(url: str, key: PlayerKey) -> str:
    async with connect(url, name="Host", key=key) as host:
        event = await create(host, toml())
        await host.request(EventDo(id=0, event=event, do="open"))
        return event


async def enter(url: str, event: str, name: str) -> None:
    async with connect(url, name=name, key=PlayerKey.new()) as player:
        await player.request(Enter(id=0, event=event))


def test_the_big_screen_scrolls_to_the_last_of_its_rows(
    browser: "Browser", web_server: ServerProcess
) -> None:
    """§11: the top 20 and all tables. Before, standings did not scroll, and the hall never saw rank 12 and below."""
    with OtherPlayers() as others, sitting(browser, web_server.url, size=LAPTOP) as seat:
        event = others.run(start_an_event(web_server.url, 24))
        seat.page.emulate_media(reduced_motion="no-preference")
        seat.open(f"/events/{event}/screen")
        for part, rows in (("Standings", "tbody tr"), ("Tables", ".eventtable")):
            section = seat.page.get_by_role("region", name=part)
            section.locator(rows).nth(11).wait_for()
            bottoms = """(it) => {
                const box = it.querySelector('.scrollbox'), scroller = box.firstElementChild;
                const rows = [...scroller.querySelectorAll('tbody tr, .eventtable')];
                const bottom = (at) => {
                    for (const one of scroller.getAnimations()) one.currentTime = at * one.effect.getTiming().duration;
                    return rows.at(-1).getBoundingClientRect().bottom;
                };
                return [bottom(0), bottom(0.99), box.getBoundingClientRect().bottom];
            }"""
            first, last, box = section.evaluate(bottoms)
            assert first > box > last, part
            assert not section.evaluate("(it) => it.scrollHeight > it.clientHeight + 1"), part


async def start_a_cup(url: str) -> str:
    text = toml(more="rehearsal = true").replace('format = "swiss"\nrounds = 1', 'format = "single"')
    async with connect(url, name="Host", key=PlayerKey.new()) as host:
        event = await create(host, text)
        await host.request(EventDo(id=0, event=event, do="open"))
        await host.request(EventBots(id=0, event=event, bots=5))
        await host.request(EventDo(id=0, event=event, do="start"))
        return event


def test_the_bracket_is_shown_round_by_round_with_its_byes(
    browser: "Browser", web_server: ServerProcess
) -> None:
    with OtherPlayers() as others, sitting(browser, web_server.url, size=LAPTOP) as seat:
        event = others.run(start_a_cup(web_server.url))
        seat.open(f"/events/{event}")
        seat.page.locator(".eventfacts").filter(has_text="Round 1 of 3").wait_for()
        seat.page.get_by_role("tab", name="Bracket").click()
        quarters = seat.page.get_by_role("group", name="Quarter-finals")
        quarters.get_by_text("bye", exact=True).nth(2).wait_for()
        quarters.locator(".winner").nth(3).wait_for()
        assert serious(seat) == []
        assert seat.complaints == []


def test_an_event_can_be_found_from_the_lobby(browser: "Browser", web_server: ServerProcess) -> None:
    """§11: pairings, standings, entrants, head of the log; a title is shown as text."""
    with OtherPlayers() as others, sitting(browser, web_server.url, size=LAPTOP) as seat:
        event = others.run(start_an_event(web_server.url))
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
        seat.open(f"/events/{event.lower()}")
        seat.page.get_by_role("heading", name=TITLE).wait_for()
        seat.open("/events/QQQQQQ")
        seat.page.get_by_text("There is no event QQQQQQ.").wait_for()
        seat.page.get_by_role("link", name="Events").click()
        seat.page.get_by_role("heading", name="Events").wait_for()
        assert seat.complaints == []


def test_T67_changes_come_over_the_socket_and_after_a_restart_of_the_server_too(
    browser: "Browser", tmp_path: Path
) -> None:
    """The page asks nothing over HTTP here, and it follows again by itself."""
    server = ServerProcess(tmp_path).start()
    try:
        with OtherPlayers() as others, sitting(browser, server.url, size=LAPTOP) as seat:
            event = others.run(open_an_event(server.url, PlayerKey.new()))
            seat.page.route("**/api/events/**", lambda route: route.abort())
            seat.open(f"/events/{event}")
            seat.page.get_by_role("tab", name="Entrants").click()
            others.run(enter(server.url, event, "Basil"))
            seat.page.locator(".eventtable").filter(has_text="Basil").wait_for()
            server.kill()
            seat.page.get_by_text("The server does not answer").first.wait_for()
            assert seat.page.locator(".eventtable").filter(has_text="Basil").count() == 1, "the rows stay"
            server.start()
            seat.page.get_by_text("The server does not answer").wait_for(state="detached", timeout=40_000)
            others.run(enter(server.url, event, "Carla"))
            seat.page.locator(".eventtable").filter(has_text="Carla").wait_for()
    finally:
        server.stop()


def test_T71_without_a_socket_the_page_is_filled_over_http(
    browser: "Browser", web_server: ServerProcess
) -> None:
    with OtherPlayers() as others, sitting(browser, web_server.url) as seat:
        event = others.run(open_an_event(web_server.url, PlayerKey.new()))
        others.run(enter(web_server.url, event, "Basil"))
        seat.page.add_init_script(NO_SOCKET)
        seat.open(f"/events/{event}")
        seat.page.get_by_role("tab", name="Entrants").click()
        seat.page.locator(".eventtable").filter(has_text="Basil").wait_for()
        others.run(enter(web_server.url, event, "Carla"))
        seat.page.locator(".eventtable").filter(has_text="Carla").wait_for()
