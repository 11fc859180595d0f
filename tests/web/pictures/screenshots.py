"""`make screenshots`: every table as a person sees it, at phone and laptop size, into clients/web/screenshots."""

import random
import sys
from typing import TYPE_CHECKING

from tests.web.browser import TOP, launched_with_server
from tests.web.page_actions import LAPTOP, PHONE, Seat, new_context

if TYPE_CHECKING:
    from playwright.sync_api import BrowserContext

FOLDER = TOP / "clients" / "web" / "screenshots"
# Game, bots, size, theme, how many taps before the picture.
TABLES = (
    ("cambio", 3, "phone", "dark", 3), ("cambio", 5, "laptop", "dark", 3),
    ("kodiak", 3, "phone", "dark", 3), ("kodiak", 3, "laptop", "dark", 3),
    ("alaska", 2, "phone", "light", 3), ("alaska", 2, "laptop", "light", 3),
    ("gravekeepers", 2, "phone", "dark", 4), ("gravekeepers", 2, "laptop", "dark", 4),
    ("jamaica", 3, "phone", "dark", 4), ("jamaica", 3, "laptop", "dark", 4),
    ("rune_market", 3, "phone", "light", 3), ("rune_market", 3, "laptop", "light", 4),
    ("hameln_cave", 1, "phone", "dark", 14), ("hameln_cave", 1, "laptop", "dark", 14),
    ("cauldron15", 3, "phone", "light", 3), ("cauldron15", 3, "laptop", "dark", 3),
)  # fmt: skip


def main() -> None:
    FOLDER.mkdir(parents=True, exist_ok=True)
    with launched_with_server() as (browser, address):
        url = address.replace("ws", "http", 1)
        context = new_context(browser, PHONE, theme="light")
        seat = Seat(context.new_page(), url).open()
        seat.page.wait_for_timeout(1200)
        shoot(seat, "lobby-phone")
        context.close()
        practise(new_context(browser, PHONE, theme="dark", hints=False), url)
        for game, bots, size, theme, taps in TABLES:
            if sys.argv[1:] and game not in sys.argv[1:]:
                continue
            window = PHONE if size == "phone" else LAPTOP
            context = new_context(browser, window, theme=theme, lastGame=game, bots=bots, hints=False)
            seat = Seat(context.new_page(), url).open().deal()
            seat.make_moves(taps, random.Random(7), 25)
            seat.wait_until(lambda it: bool(it["lit"] or it["buttons"]) or it["over"], "something lit", 30)
            if seat.page.locator(".sheet").count():
                seat.page.keyboard.press("Escape")
            seat.page.wait_for_timeout(500)
            shoot(seat, f"{game}-{size}")
            context.close()


def practise(context: "BrowserContext", url: str) -> None:
    """Ten lights of Reflex, pressed by the mouse, and the resulting times."""
    seat = Seat(context.new_page(), url).open("/practise")
    seat.page.locator(".flash").click()
    seat.page.locator(".pressplace").wait_for()
    chance = random.Random(5)
    for light in range(10):
        state = seat.wait_until(lambda it: it["race"] or it["over"], "a light")
        if light == 2:
            shoot(seat, "reflex-phone")
        if state["over"]:
            break
        seat.page.wait_for_timeout(chance.randint(120, 220))
        seat.page.locator(".pressplace").click()
        seat.wait_until(lambda it: not it["race"] or it["over"], "the light is out")
    seat.page.locator(".end").wait_for()
    seat.open("/practise")
    seat.page.locator(".figures").wait_for()
    shoot(seat, "practise-phone")
    context.close()


def shoot(seat: Seat, name: str) -> None:
    """A small picture: JPEG at one pixel a point."""
    seat.page.screenshot(path=FOLDER / f"{name}.jpg", type="jpeg", quality=72)


if __name__ == "__main__":
    main()
