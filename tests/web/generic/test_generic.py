"""The generic table: it draws a game that nobody has styled, from its view and its offers."""

import random
from typing import TYPE_CHECKING

import pytest

from tests.system.conftest import ServerProcess
from tests.web.page_actions import Seat, sitting

if TYPE_CHECKING:
    from playwright.sync_api import Browser

pytestmark = [pytest.mark.system, pytest.mark.timeout(180)]

LONG_FIGURES = """() => {
  photofinishProbe.again((view) => ({ ...view, view: { ...view.view, deck: [{ number: 1234, colour: "red" }] } }));
  return new Promise((done) => setTimeout(() => {
    const text = [...document.querySelectorAll('.generic .gcard text')].find((it) => it.textContent === '1234');
    const [inner, card] = [text.getBoundingClientRect(), text.closest('svg').getBoundingClientRect()];
    done(inner.left >= card.left && inner.right <= card.right);
  }, 0));
}"""
"""A card with four digits: whether its figure stays on the card."""


def open_generic(seat: Seat) -> None:
    seat.open("/?generic")
    seat.page.locator(".deal").click()
    seat.page.locator(".generic").wait_for()
    seat.wait_until(lambda it: bool(it["buttons"] or it["lit"]), "something to do", 60)


@pytest.mark.parametrize("game", ["cauldron15", "rune_market", "alaska"])
def test_a_game_without_a_styled_table_can_be_played(
    browser: "Browser", web_server: ServerProcess, game: str
) -> None:
    with sitting(browser, web_server.url, lastGame=game, bots=1, hints=False) as seat:
        open_generic(seat)
        before = seat.page.evaluate("photofinishProbe.made()")
        chance = random.Random(game)
        for _ in range(40):
            seat.make_moves(1, chance, 10)
            if seat.page.evaluate("photofinishProbe.made()") >= before + 3:
                break
        assert seat.page.evaluate("photofinishProbe.made()") >= before + 3
        assert seat.complaints == []


def test_the_generic_table_names_seats_and_keeps_long_figures_on_their_cards(
    browser: "Browser", web_server: ServerProcess
) -> None:
    with sitting(browser, web_server.url, lastGame="cauldron15", bots=1, hints=False) as seat:
        open_generic(seat)
        starter = seat.page.locator(".generic .chip").filter(has_text="Starter:")
        assert starter.inner_text().split()[-1] in {"Ada", "Basil"}
        assert seat.page.evaluate(LONG_FIGURES)
        assert seat.complaints == []
