"""An organiser seals an event in the browser: `python -m tests.web.events.seal`. It waits twice 30 s for disputes.

The time for disputes is at least 30 s (TOURNAMENTS §2), so this is no part of `make test`.
"""

import sys
import time
from typing import TYPE_CHECKING

from photofinish_client.client import connect
from photofinish_client.keys import PlayerKey
from photofinish_protocol.messages import Enter, Withdraw
from tests.web.browser import launched_with_server
from tests.web.events.test_event_play import host
from tests.web.other_players import OtherPlayers
from tests.web.page_actions import LAPTOP, Seat, sitting

if TYPE_CHECKING:
    from playwright.sync_api import Browser


async def enter(url: str, event: str, key: PlayerKey, name: str) -> None:
    async with connect(url, name=name, key=key) as player:
        await player.request(Enter(id=0, event=event))


async def withdraw(url: str, event: str, key: PlayerKey, name: str) -> None:
    async with connect(url, name=name, key=key) as player:
        await player.request(Withdraw(id=0, event=event))


def seal(browser: "Browser", url: str) -> None:
    keys = PlayerKey.new(), PlayerKey.new()
    with OtherPlayers() as others, sitting(browser, url, size=LAPTOP, name="Olga") as olga:
        event = host(olga)
        others.run(enter(url, event, keys[0], "Ada"))
        others.run(enter(url, event, keys[1], "Basil"))
        olga.page.get_by_role("button", name="Start", exact=True).click()
        olga.page.get_by_role("button", name="Pause").wait_for()
        others.run(withdraw(url, event, keys[0], "Ada"))
        olga.page.get_by_role("button", name="Seal the event").wait_for(timeout=60_000)
        refused, end = 0, time.monotonic() + 90
        while time.monotonic() < end and not olga.page.locator(".chip.state-sealed").count():
            refused += press(olga)
        olga.page.locator(".chip.state-sealed").wait_for()
        assert refused >= 1, "the time for disputes was not over at first"
        assert olga.complaints == []


def press(olga: Seat) -> int:
    """Ask for the seal, twice as the page wants it. Returns whether it was refused with a sentence."""
    olga.page.wait_for_timeout(3000)
    main = olga.page.locator(".hoststeps .btn.main:not(:disabled)")
    if not main.count():
        return 0
    main.click()
    olga.page.locator(
        ".chip.state-sealed, .playerpanel .error, .hoststeps :text('Tap again')"
    ).first.wait_for()
    return olga.page.locator(".playerpanel .error").count()


def main() -> None:
    with launched_with_server() as (browser, url):
        seal(browser, url)
    sys.stdout.write("sealed, with the organiser's signature\n")


if __name__ == "__main__":
    main()
