"""The animations after a view: copies that fly over the table, and rings round the objects that an event names."""

from typing import TYPE_CHECKING

import pytest

from tests.system.conftest import ServerProcess
from tests.web.page_actions import LAPTOP, sitting

if TYPE_CHECKING:
    from playwright.sync_api import Browser

pytestmark = pytest.mark.system

AFTER = """async (event) => {
  const copies = [];
  const watcher = new MutationObserver((its) => copies.push(...its.flatMap((it) => [...it.addedNodes])));
  watcher.observe(document.querySelector('.motion'), { childList: true });
  photofinishProbe.again((view) => ({ ...view, seq: view.seq + 0.5, last: [{ text: "", ...event }] }));
  await new Promise((done) => setTimeout(() => requestAnimationFrame(() => setTimeout(done, 0)), 0));
  const ringed = [...document.querySelectorAll('.changed[data-k]')].map((it) => it.dataset.k).sort();
  return [ringed, copies.length];
}"""
"""The view again with one more event: the objects with a ring, and how many copies flew."""


def test_a_pounce_that_missed_points_at_both_cards(browser: "Browser", web_server: ServerProcess) -> None:
    with sitting(browser, web_server.url, size=LAPTOP, lastGame="kodiak", bots=3, hints=False) as seat:
        seat.open().deal()
        seat.wait_until(lambda it: bool(it["buttons"]), "the first button")
        missed = {"what": "missed_pounce", "seat": 1, "detail": {"slot": 0, "at": 2, "target": 1}}
        # The bots act too: their own rings, or a view of theirs that ends ours, may come between.
        for _ in range(5):
            ringed, _ = seat.page.evaluate(AFTER, missed)
            if {"slot:1:0", "slot:2:1"} <= set(ringed):
                break
        assert {"slot:1:0", "slot:2:1"} <= set(ringed)
        assert seat.complaints == []


def test_a_ship_sails_past_the_spaces_to_where_it_lands(
    browser: "Browser", web_server: ServerProcess
) -> None:
    with sitting(browser, web_server.url, size=LAPTOP, lastGame="jamaica", bots=1, hints=False) as seat:
        seat.open().deal()
        seat.wait_until(lambda it: bool(it["lit"]), "a die to place")
        seat.page.emulate_media(reduced_motion="no-preference")
        detail = {"ship": 1, "from": 0, "to": 3, "direction": "forward", "shortage": False}
        _, flying = seat.page.evaluate(AFTER, {"what": "sailed", "seat": 1, "detail": detail})
        assert flying >= 1
        assert seat.complaints == []


PLAYED = """async (event) => {
  photofinishProbe.again((view) => ({ ...view, race: null, seq: view.seq + 0.5, last: [{ text: "", ...event }] }));
  await new Promise((done) => setTimeout(() => requestAnimationFrame(() => setTimeout(done, 0)), 0));
  const copy = document.querySelector('.motion .playing');
  const [picture, figure] = ['use', 'b'].map((it) => copy?.querySelector(it) ?? null);
  return copy && [picture && picture.getAttribute('href'), figure && figure.textContent];
}"""
"""The view again with one more event: which picture plays in place, with which figure."""
EXACT = {"card": {"kind": "ore", "number": 5}, "fill": "exact"}


@pytest.mark.parametrize(
    ("game", "bots", "event", "picture", "figure"),
    [
        ("cambio", 3, {"what": "called", "seat": 1, "detail": {}}, "#p-horn", None),
        ("kodiak", 3, {"what": "touched", "seat": 1, "detail": {}}, "#p-paw", None),
        ("alaska", 2, {"what": "die", "seat": 1, "detail": {"die": 4}}, "#p-die", "4"),
        ("hameln_cave", 1, {"what": "round", "seat": None, "detail": {"round": 3}}, "#p-rocks", None),
        ("cauldron15", 3, {"what": "took", "seat": 1, "detail": EXACT}, "#p-star", "15"),
        ("jamaica", 3, {"what": "fired", "seat": 1, "detail": {"firepower": 8}}, "#p-smoke", "8"),
    ],
)  # fmt: skip
def test_an_event_without_a_way_to_fly_plays_in_its_place(
    browser: "Browser",
    web_server: ServerProcess,
    game: str,
    bots: int,
    event: dict[str, object],
    picture: str,
    figure: str | None,
) -> None:
    with sitting(browser, web_server.url, size=LAPTOP, lastGame=game, bots=bots, hints=False) as seat:
        seat.open().deal()
        seat.wait_until(
            lambda it: bool(it["buttons"] or it["lit"]), "the first view with something to do", 60
        )
        seat.page.emulate_media(reduced_motion="no-preference")
        found = None
        for _ in range(5):  # a bot's view may end ours before its frame
            found = seat.page.evaluate(PLAYED, event)
            if found == [picture, figure]:
                break
        assert found == [picture, figure]
        assert seat.complaints == []
