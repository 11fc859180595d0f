"""The table by keyboard alone: the focus is never lost, and every game can be played with it."""

import random
import re
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.system.conftest import ServerProcess
from tests.web.tables import Seat, sitting
from tests.web.test_table import GAMES

if TYPE_CHECKING:
    from playwright.sync_api import Browser

MOVES = 3
SOURCES = Path(__file__).parents[3] / "clients" / "web" / "src"
LOOK = """async () => {
  await new Promise((done) => setTimeout(done, 40));
  const it = document.activeElement;
  const sheet = it.closest('[role=dialog]');
  const where = sheet ? (sheet.querySelector('.pickrow, .step') ? 'builder' : 'sheet')
    : it.matches('.stage .obj[aria-pressed=true]') ? 'picked'
    : it.matches('.stage .obj[tabindex="0"], .stage .actions button') ? 'table'
    : it === document.body ? 'nothing' : 'elsewhere';
  return [photofinishProbe.made(), where];
}"""
"""How many moves were made, and what has the focus."""
MOST_KEYS = 80
WALK = ("Tab", "Shift+Tab", "ArrowUp", "ArrowRight")
pytestmark = [pytest.mark.system, pytest.mark.timeout(180)]


def deal_by_key(seat: Seat) -> None:
    seat.open()
    seat.page.locator(".deal").focus()
    seat.page.keyboard.press("Enter")
    seat.page.locator(".table .board").wait_for()


def look(seat: Seat) -> tuple[int, str]:
    made, where = seat.page.evaluate(LOOK)
    return int(made), str(where)


def make_a_move(seat: Seat, chance: random.Random) -> None:
    """Enter on what has the focus, once more if that lifted it; then on to other things, until a move was sent."""
    key, tried = "", 0
    before, where = look(seat)
    for _ in range(MOST_KEYS):
        if where == "sheet":
            key = "Escape"
        elif where in {"elsewhere", "nothing"}:
            key = "ArrowUp"  # back to the table
        elif key == "Enter" and (where != "picked" or tried > 1):
            key = chance.choice(WALK)
        else:
            key, tried = "Enter", tried + 1
        seat.page.keyboard.press(key)
        made, where = look(seat)
        if made > before:
            return
    raise AssertionError(f"no move after {MOST_KEYS} keys: {seat.state()}")


@pytest.mark.parametrize("game", GAMES)
def test_every_game_is_played_by_keyboard_and_the_focus_is_never_lost(
    browser: "Browser", web_server: ServerProcess, game: str
) -> None:
    """From the lobby on. After each move, the focus is on something that can be chosen as soon as there is any."""
    with sitting(browser, web_server.url, lastGame=game, bots=1, hints=False) as seat:
        deal_by_key(seat)
        chance = random.Random(game)
        for n in range(MOVES):
            state = seat.wait_until(
                lambda it: it["over"] or look(seat)[1] == "table", f"the focus before move {n + 1}"
            )
            if state["over"]:
                break
            make_a_move(seat, chance)
        assert look(seat)[0] >= 1
        assert seat.complaints == []


def test_objects_drawn_in_svg_can_have_the_focus() -> None:
    """Names of attributes are case-sensitive in SVG: with `tabIndex` no key reached them."""
    wrong = [
        it.name for it in SOURCES.rglob("*.tsx") if re.search(r"<g\s[^>]*tabIndex=", it.read_text("utf-8"))
    ]

    assert wrong == []


def test_the_keys_of_cambio(browser: "Browser", web_server: ServerProcess) -> None:
    with sitting(browser, web_server.url, lastGame="cambio", bots=1) as seat:
        deal_by_key(seat)
        seat.page.locator(".actions .btn.main").focus()
        seat.page.keyboard.press("Enter")
        seat.wait_for_js("photofinishProbe.made() === 1", "Enter on the button is a move", 5)
        seat.wait_until(lambda it: "pile:main" in it["lit"], "my turn to draw")
        seat.page.keyboard.press("d")
        seat.page.locator(".drawncard").wait_for()
        # A draw may have closed a race: for a quarter of a second after that, keys of cards do nothing.
        seat.page.wait_for_timeout(300)
        seat.page.keyboard.press("q")
        seat.page.locator(".drawncard").wait_for(state="detached")
        seat.page.keyboard.press("m")
        seat.page.get_by_role("dialog", name="Rules").wait_for()
        seat.page.keyboard.press("Escape")
        seat.page.get_by_role("dialog").wait_for(state="detached")
        assert seat.complaints == []
