"""`make screenshots`: every table as a person sees it, at phone and laptop size, into clients/web/screenshots."""

import random
import sys
import tempfile
from pathlib import Path

from tests.system.conftest import ServerProcess
from tests.web.browser import FLAGS, TOP, executable, why_not
from tests.web.tables import LAPTOP, PHONE, Seat, new_context

FOLDER = TOP / "clients" / "web" / "screenshots"
# Game, bots, size, theme, how many taps before the picture.
TABLES = (
    ("cambio", 3, "phone", "dark", 3), ("cambio", 5, "laptop", "dark", 3),
    ("kodiak", 3, "phone", "dark", 3), ("kodiak", 3, "laptop", "dark", 3),
    ("alaska", 2, "phone", "light", 3), ("alaska", 2, "laptop", "light", 3),
    ("gravekeepers", 2, "phone", "dark", 4), ("gravekeepers", 2, "laptop", "dark", 4),
    ("jamaica", 3, "phone", "dark", 4), ("jamaica", 3, "laptop", "dark", 5),
    ("rune_market", 3, "phone", "light", 3), ("rune_market", 3, "laptop", "light", 4),
    ("hameln_cave", 1, "phone", "dark", 4), ("hameln_cave", 1, "laptop", "dark", 5),
    ("cauldron15", 3, "phone", "light", 3), ("cauldron15", 3, "laptop", "dark", 3),
)  # fmt: skip


def main() -> None:
    missing = why_not()
    if missing:
        sys.exit(f"no screenshots: {missing}")
    from playwright.sync_api import sync_playwright

    FOLDER.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as play:
        server = ServerProcess(Path(folder)).start()
        browser = play.chromium.launch(executable_path=executable(), args=list(FLAGS))
        url = server.url.replace("ws", "http", 1)
        try:
            for name, path, theme in (("lobby-phone", "/", "light"), ("practise-phone", "/practise", "dark")):
                context = new_context(browser, PHONE, theme=theme)
                seat = Seat(context.new_page(), url).open(path)
                seat.page.wait_for_timeout(1200)
                shoot(seat, name)
                context.close()
            for game, bots, size, theme, taps in TABLES:
                if sys.argv[1:] and game not in sys.argv[1:]:
                    continue
                context = new_context(
                    browser,
                    PHONE if size == "phone" else LAPTOP,
                    theme=theme,
                    lastGame=game,
                    bots=bots,
                    hints=False,
                )
                seat = Seat(context.new_page(), url).open().deal()
                seat.make_moves(taps, random.Random(7), 25)
                seat.wait_until(
                    lambda it: bool(it["lit"] or it["buttons"]) or it["over"], "something lit", 30
                )
                seat.page.wait_for_timeout(500)
                shoot(seat, f"{game}-{size}")
                context.close()
        finally:
            browser.close()
            server.stop()


def shoot(seat: Seat, name: str) -> None:
    """A small picture: JPEG at one pixel a point."""
    seat.page.screenshot(path=FOLDER / f"{name}.jpg", type="jpeg", quality=72)


if __name__ == "__main__":
    main()
