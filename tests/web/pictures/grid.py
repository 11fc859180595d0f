"""Every screen at every size, for the checklist of the design: `python -m tests.web.pictures.grid FOLDER [SCREEN …]`.

Writes FOLDER/SCREEN-SIZE-LOOK.png. A look is dark, light, grey (dark, without colours), German or Japanese (dark).
A game with a figure (`cambio:7`) has so many bots. The pictures are looked at and not kept; those of the README are
made by `make screenshots`.
"""

import random
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tests.web.browser import launched_with_server
from tests.web.events.test_event_pages import start_an_event
from tests.web.events.test_event_play import host
from tests.web.other_players import OtherPlayers
from tests.web.page_actions import LAPTOP, PHONE, TABLET, Seat, sitting
from tests.web.test_replay import play_a_round

if TYPE_CHECKING:
    from playwright.sync_api import Browser

SIZES = {"phone": PHONE, "tablet": TABLET, "laptop": LAPTOP}
PAGES = {
    "lobby": ("/", ".gamecard"),
    "tables": ("/tables", ".tables li, .tables .nothing"),
    "practise": ("/practise", ".flash"),
    "replays": ("/replays", ".filepick"),
    "settings": ("/settings", ".page h1"),
    "rules": ("/rules/cambio#C7", ".clauseline"),
    "events": ("/events", ".page h1"),
    "missing": ("/t/QQQQQ", "[role=alert]"),
}
BOTS = {
    "cambio": 3, "kodiak": 3, "alaska": 2, "gravekeepers": 2, "jamaica": 3, "rune_market": 3, "hameln_cave": 1,
    "cauldron15": 3, "reflex": 1,
}  # fmt: skip
LANGUAGES = {"de": "german", "ja": "japanese"}
GREY = "document.documentElement.style.filter = 'grayscale(1)'"
COLOURED = "document.documentElement.style.filter = ''"


def shoot(seat: Seat, folder: Path, name: str) -> None:
    """The screen as it stands: three sizes, two themes, and the phone without colours."""
    for size, box in SIZES.items():
        seat.page.set_viewport_size({"width": box["width"], "height": box["height"]})
        for theme in ("dark", "light"):
            seat.page.emulate_media(color_scheme="dark" if theme == "dark" else "light")
            seat.settled()
            seat.page.screenshot(path=folder / f"{name}-{size}-{theme}.png")
        if size == "phone":
            seat.page.emulate_media(color_scheme="dark")
            seat.page.evaluate(GREY)
            seat.page.screenshot(path=folder / f"{name}-{size}-grey.png")
            seat.page.evaluate(COLOURED)


def table(browser: "Browser", url: str, folder: Path, name: str) -> None:
    """A table at the first move and after some more; then in other languages, with the hints of a first visit."""
    game, _, bots = name.partition(":")
    name = name.replace(":", "-")
    more: dict[str, Any] = {"lastGame": game, "bots": int(bots) if bots else BOTS[game], "hints": False}
    with sitting(browser, url, size=LAPTOP, **more) as seat:
        seat.open().deal()
        seat.wait_until(something, "something to do")
        shoot(seat, folder, f"{name}-first")
        chance = random.Random(name)
        seat.make_moves(8, chance, 60)
        seat.wait_until(something, "something to do", 60)
        shoot(seat, folder, f"{name}-later")
        if seat.complaints:
            sys.stdout.write(f"{name}: {seat.complaints}\n")
    for language, look in LANGUAGES.items():
        with sitting(browser, url, **{**more, "hints": True}, language=language) as seat:
            seat.open().deal()
            for stage in ("first", "later"):
                seat.wait_until(something, "something to do", 60)
                for size, box in SIZES.items():
                    seat.resize(box)
                    seat.page.screenshot(path=folder / f"{name}-{stage}-{size}-{look}.png")
                seat.make_moves(6, random.Random(name), 60)


def something(state: dict[str, Any]) -> bool:
    return bool(state["lit"] or state["buttons"] or state["over"])


def page(browser: "Browser", url: str, folder: Path, name: str) -> None:
    path, shown = PAGES[name]
    with sitting(browser, url) as seat:
        seat.open(path)
        seat.page.locator(shown).first.wait_for()
        seat.settled()
        shoot(seat, folder, name)


def create(browser: "Browser", url: str, folder: Path) -> None:
    """The form of a new table, and the room in which its players are waited for."""
    with sitting(browser, url, size=LAPTOP) as seat:
        seat.open()
        seat.page.locator(".gamecard.create").click()
        seat.page.get_by_role("dialog", name="Create a table").wait_for()
        shoot(seat, folder, "create")
        seat.page.get_by_role("button", name="Create", exact=True).click()
        seat.page.locator(".bigcode").wait_for()
        shoot(seat, folder, "waiting")


def replay(browser: "Browser", url: str, folder: Path) -> None:
    with OtherPlayers() as others, sitting(browser, url, size=LAPTOP) as seat:
        code = others.run(play_a_round(url))
        seat.open(f"/r/{code}/1#coach=0")
        seat.page.get_by_text("Verified in your browser").wait_for()
        shoot(seat, folder, "replay")


def event(browser: "Browser", url: str, folder: Path) -> None:
    """The public page of a running event, its big screen, and the panel of its organiser."""
    with OtherPlayers() as others, sitting(browser, url, size=LAPTOP) as seat:
        code = others.run(start_an_event(url))
        seat.open(f"/events/{code}")
        seat.page.locator(".eventtable .eventseat").nth(3).wait_for()
        shoot(seat, folder, "event")
        seat.open(f"/events/{code}/screen")
        seat.page.locator(".bigscreen .standings tbody tr").nth(3).wait_for()
        shoot(seat, folder, "screen")
        host(seat)
        seat.page.locator("summary").filter(has_text="Entrants").click()
        shoot(seat, folder, "organiser")


MORE = {"create": create, "replay": replay, "event": event}


def main() -> None:
    folder, wanted = Path(sys.argv[1]), sys.argv[2:] or [*PAGES, *MORE, *BOTS]
    folder.mkdir(parents=True, exist_ok=True)
    with launched_with_server() as (browser, url):
        for name in wanted:
            if name in PAGES:
                page(browser, url, folder, name)
            elif name in MORE:
                MORE[name](browser, url, folder)
            else:
                table(browser, url, folder, name)


if __name__ == "__main__":
    main()
