"""The table by keyboard alone: the focus is never lost, and every game can be played with it."""

import random
import re
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.system.conftest import ServerProcess
from tests.web.page_actions import LAPTOP, Seat, sitting
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
pytestmark = pytest.mark.system


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


STOPS = """(which) => {
  const all = [...document.querySelectorAll(`${which} [role=grid] .obj[tabindex]`)];
  return [all.length, all.filter((it) => it.tabIndex === 0).map((it) => it.dataset.k)];
}"""
"""How many objects of a grid can have the focus, and at which of them Tab stops."""
INSIDE = "(which) => document.activeElement.matches(`${which} [role=grid] .obj`)"


@pytest.mark.parametrize(("game", "which"), [("cambio", ".own"), ("gravekeepers", ".board")])
def test_a_grid_is_one_tab_stop_and_arrow_keys_walk_in_it(
    browser: "Browser", web_server: ServerProcess, game: str, which: str
) -> None:
    """The design, section 6: a seat's cards and the graves are grids. Tab leaves one and returns to its place."""
    with sitting(browser, web_server.url, size=LAPTOP, lastGame=game, bots=1, hints=False) as seat:
        deal_by_key(seat)
        if game == "cambio":
            seat.page.keyboard.press("Enter")
            seat.wait_until(lambda it: "pile:main" in it["lit"], "my turn to draw")
            seat.page.keyboard.press("d")
        seat.wait_until(lambda _: seat.page.evaluate(STOPS, which)[0] >= 2, "a grid with two lit objects")
        assert len(seat.page.evaluate(STOPS, which)[1]) == 1
        seat.page.locator(f"{which} [role=grid] .obj[tabindex='0']").focus()
        before = seat.page.evaluate("document.activeElement.dataset.k")
        for key in ("ArrowRight", "ArrowDown", "ArrowLeft"):
            seat.page.keyboard.press(key)
            if seat.page.evaluate("document.activeElement.dataset.k") != before:
                break
        now = seat.page.evaluate("document.activeElement.dataset.k")
        assert now != before
        assert seat.page.evaluate(INSIDE, which)
        assert seat.page.evaluate(STOPS, which)[1] == [now]
        seat.page.keyboard.press("Tab")
        assert not seat.page.evaluate(INSIDE, which), "Tab goes on inside the grid"
        seat.page.keyboard.press("Shift+Tab")
        assert seat.page.evaluate("document.activeElement.dataset.k") == now
        assert seat.complaints == []


ORDER = """() => [...document.querySelectorAll('.promptarea, .own, .board, .seats, .side, .topbar')]
  .map((it) => it.classList[0])"""


def test_the_keyboard_goes_from_the_prompt_over_the_cards_to_the_menu(
    browser: "Browser", web_server: ServerProcess
) -> None:
    """The design, section 6: prompt, what is yours, board, others, log, menu."""
    with sitting(browser, web_server.url, size=LAPTOP, lastGame="cambio", bots=1) as seat:
        deal_by_key(seat)
        assert seat.page.evaluate(ORDER) == ["promptarea", "own", "board", "seats", "side", "topbar"]
        tops = seat.page.evaluate(
            "['.topbar', '.seats', '.own'].map((it) => document.querySelector(it).getBoundingClientRect().top)"
        )
        assert tops == sorted(tops), "what comes last in the page is not where it belongs"


def test_a_digit_and_a_letter_slap_a_card_of_another_seat(
    browser: "Browser", web_server: ServerProcess
) -> None:
    """C17 by key: `1` is the first seat at your left, `Q` its first card. `Q` alone is your own."""
    with sitting(browser, web_server.url, size=LAPTOP, lastGame="cambio", bots=3, hints=False) as seat:
        deal_by_key(seat)
        seat.page.keyboard.press("Enter")
        lit = "document.querySelectorAll('.seats .slap').length"
        seat.wait_until(
            lambda _: seat.page.evaluate(lit) >= 4, "a race in which others' cards can be slapped", 60
        )
        first = seat.page.evaluate("document.querySelector('.seats .slot.slap').dataset.k")
        digit = seat.page.evaluate(
            "(key) => [...document.querySelectorAll('.seats .tile')].findIndex("
            "(it) => it.dataset.k === `seat:${key.split(':')[1]}`) + 1",
            first,
        )
        before = seat.page.evaluate("photofinishProbe.made()")
        seat.page.keyboard.press(str(digit))
        assert seat.page.locator(".tile.aimed").count() == 1
        letter = "qwas"[int(first.split(":")[2])]
        seat.page.keyboard.press(letter)
        assert seat.page.evaluate("photofinishProbe.made()") == before + 1
        assert seat.page.evaluate("photofinishProbe.slapped()") == [first]
        assert seat.page.locator(".tile.aimed").count() == 0


def test_c_twice_calls_cambio_and_once_only_asks(browser: "Browser", web_server: ServerProcess) -> None:
    with sitting(browser, web_server.url, size=LAPTOP, lastGame="cambio", bots=1, hints=False) as seat:
        deal_by_key(seat)
        seat.page.keyboard.press("Enter")
        seat.wait_until(lambda it: any("Call" in text for text in it["buttons"]), "my turn to call")
        before = seat.page.evaluate("photofinishProbe.made()")
        seat.page.keyboard.press("c")
        assert "Tap again" in " ".join(seat.state()["buttons"])
        assert seat.page.evaluate("photofinishProbe.made()") == before
        seat.page.keyboard.press("c")
        assert seat.page.evaluate("photofinishProbe.made()") == before + 1


def test_cambio_can_be_played_with_its_keys(browser: "Browser", web_server: ServerProcess) -> None:
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
