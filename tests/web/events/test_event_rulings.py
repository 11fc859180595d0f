"""T62, T63 in the browser: a ruling is replaced once, by somebody who sees it."""

from typing import TYPE_CHECKING

import pytest

from photofinish_client.client import connect
from photofinish_client.keys import PlayerKey
from photofinish_protocol.messages import MarkRace
from tests.system.conftest import ServerProcess
from tests.web.accessibility import serious
from tests.web.events.test_event_play import enter, host
from tests.web.other_players import OtherPlayers
from tests.web.page_actions import LAPTOP, Seat, sitting

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Locator

pytestmark = pytest.mark.system


async def mark_a_called_game(url: str, event: str, key: PlayerKey) -> None:
    async with connect(url, name="Ada", key=key) as player:
        await player.request(MarkRace(id=0, event=event, round=1, table=1, game=1, text="Look at this"))


def appoint(olga: Seat, rita: Seat, event: str) -> None:
    """Rita's key is on her page of the event; Olga types it."""
    rita.open(f"/events/{event}")
    own = rita.page.locator(".ownkey code")
    own.wait_for(state="attached")
    desk = olga.page.get_by_label("You host this event")
    desk.locator("summary").filter(has_text="Entrants").click()
    desk.get_by_label("A referee’s key").fill(own.text_content() or "")
    desk.get_by_role("button", name="Appoint").click()
    rita.page.get_by_label("You are a referee of this event").wait_for()


def dispute_of(seat: Seat) -> "Locator":
    found = seat.page.get_by_label("Dispute 1", exact=True)
    found.wait_for()
    return found


def test_T62_T63_a_ruling_is_replaced_once_by_somebody_else_and_the_pages_say_so(
    browser: "Browser", web_server: ServerProcess
) -> None:
    key = PlayerKey.new()
    with (
        OtherPlayers() as others,
        sitting(browser, web_server.url, size=LAPTOP, name="Olga") as olga,
        sitting(browser, web_server.url, size=LAPTOP, name="Rita") as rita,
    ):
        event = host(olga)
        others.run(enter(web_server.url, event, key, "Ada"))
        others.run(enter(web_server.url, event, PlayerKey.new(), "Basil"))
        appoint(olga, rita, event)
        olga.page.get_by_role("button", name="Start", exact=True).click()
        olga.page.locator(".eventtable.called").wait_for()
        others.run(mark_a_called_game(web_server.url, event, key))

        hers, his = dispute_of(rita), dispute_of(olga)
        assert his.get_by_text("Replace this ruling").count() == 0, "there is nothing to replace"
        hers.get_by_label("Reason, shown to everybody").fill("The strip is clear.")
        hers.get_by_role("button", name="Rule", exact=True).click()
        hers.get_by_text("The strip is clear.").wait_for()
        assert hers.get_by_text("Replace this ruling").count() == 0, "a referee does not replace its own"

        his.locator("summary").filter(has_text="Replace this ruling").click()
        his.get_by_role("button", name="Warn", exact=True).click()
        send = his.get_by_role("button", name="Replace this ruling")
        assert send.is_disabled(), "a ruling has a reason"
        his.get_by_label("Reason, shown to everybody").fill("I looked too.")
        assert serious(olga) == []
        send.click()
        for seat, shown in ((olga, his), (rita, hers)):
            shown.get_by_text("I looked too.").wait_for()
            shown.get_by_text("in place of an earlier ruling").wait_for()
            assert shown.get_by_text("Warning", exact=True).count() == 1
            assert shown.get_by_text("Replace this ruling").count() == 0, "once"
            seat.page.get_by_role("tab", name="Rulings").click()
            seat.page.get_by_role("tabpanel").get_by_text("in place of an earlier ruling").wait_for()
        assert olga.complaints == rita.complaints == []
