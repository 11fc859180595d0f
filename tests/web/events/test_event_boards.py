"""§11 in the browser: the board of reactions with its strips, places by the seats of each game, the big screen."""

import time
from typing import TYPE_CHECKING, Any

import pytest

from photofinish_client.client import connect
from photofinish_client.events.player import play_event
from photofinish_client.keys import PlayerKey
from photofinish_client.player import Decision
from photofinish_protocol.messages import EventDo, View
from tests.system.conftest import ServerProcess
from tests.system.events.test_events import create, info, until
from tests.web.accessibility import serious
from tests.web.events.test_event_play import FILE
from tests.web.other_players import OtherPlayers
from tests.web.page_actions import LAPTOP, sitting

if TYPE_CHECKING:
    from playwright.sync_api import Browser

pytestmark = pytest.mark.system
FLASHES = FILE.replace("flashes = 2", "flashes = 5")


class SteadyPlayer:
    """Presses once per light, so many seconds after it goes on, and never in the dark."""

    def __init__(self, after: float) -> None:
        self._after = after
        self._race, self._due = "", 0.0

    def choose(self, view: View) -> Decision:
        if view.race is None or not view.offers:
            return None
        if view.race.nonce != self._race:
            self._race, self._due = view.race.nonce, time.monotonic() + self._after
        return {"t": "press"}, max(0.0, self._due - time.monotonic())


async def opened(server: ServerProcess, key: PlayerKey) -> str:
    async with connect(server.url, name="Host", key=key) as host:
        event = await create(host, FLASHES)
        await host.request(EventDo(id=0, event=event, do="open"))
        return event


async def started(server: ServerProcess, event: str, key: PlayerKey) -> None:
    await until(server, event, lambda it: it["entrants"] == 2)
    async with connect(server.url, name="Host", key=key) as host:
        await host.request(EventDo(id=0, event=event, do="start"))


async def decided(server: ServerProcess, event: str) -> dict[str, Any]:
    """The table of round 1 after its last game."""
    await until(server, event, lambda it: it["round_state"] == "settling")
    (table,) = await info(server, event, "/rounds/1")
    found: dict[str, Any] = table
    return found


def test_T48_the_board_of_reactions_leads_to_the_strip_of_each_race(
    browser: "Browser", web_server: ServerProcess
) -> None:
    key = PlayerKey.new()
    with OtherPlayers() as others, sitting(browser, web_server.url, size=LAPTOP) as seat:
        event = others.run(opened(web_server, key))
        for name, after in (("Ada", 0.16), ("Basil", 0.28)):
            others.begin(play_event(web_server.url, event, PlayerKey.new(), name, SteadyPlayer(after)))
        others.run(started(web_server, event, key))
        seat.open(f"/events/{event}/screen")
        seat.page.get_by_label("Clock of the round").wait_for()
        table = others.run(decided(web_server, event), 180)
        seat.page.get_by_label("Last race").locator(".stripline").wait_for()
        assert seat.page.locator(".bigscreen .standings tbody tr").count() == 2
        assert serious(seat) == []

        # T31: in game 2 the first seat is the other one; the page goes by the seats of the last game.
        last = table["games"][-1]
        by_number = dict(zip(last["seats"], last["places"], strict=True))
        assert last["game"] == 2, "Ada won both"
        assert last["seats"] == table["seats"][::-1]
        names = {it["number"]: it["name"] for it in others.run(info(web_server, event, "/entrants"))}
        seat.open(f"/events/{event}")
        for number, place in by_number.items():
            row = seat.page.locator(".eventseat").filter(has_text=names[number])
            row.get_by_text(f"place {place}").wait_for()

        seat.page.get_by_role("tab", name="Reactions").click()
        board = seat.page.get_by_role("group", name="Reactions")
        board.locator("tbody tr").nth(1).wait_for()
        assert serious(seat) == []
        rows = {it["number"]: it for it in others.run(info(web_server, event, "/reactions"))}
        number = min(rows, key=lambda it: rows[it]["median_us"])
        assert min(it["n"] for it in rows.values()) > 0, "both press at each light"
        row = board.locator("tbody").filter(has_text=names[number])
        row.get_by_role("button").click()
        strips = row.locator(".strips a")
        strips.first.wait_for()
        assert strips.count() == rows[number]["n"], "each counted reaction"
        assert serious(seat) == []
        strips.first.click()
        seat.page.wait_for_url("**/r/*/1#race=*")
        seat.page.locator(".table, .replay").first.wait_for()
        assert seat.complaints == []
