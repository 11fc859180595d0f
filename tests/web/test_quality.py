"""Figures and habits of the page: weight, speed, access for everybody, a server that goes away."""

import gzip
import statistics
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.system.conftest import ServerProcess
from tests.web.browser import TOP
from tests.web.quality import serious_in_both_themes
from tests.web.tables import sitting

if TYPE_CHECKING:
    from playwright.sync_api import Browser

pytestmark = [pytest.mark.system, pytest.mark.timeout(180)]
WEB = TOP / "server" / "photofinish" / "web"
PAGES = {
    "/": ".shelfcard",
    "/tables": ".tables li, .tables .small",
    "/settings": ".page h1",
    "/rules/cambio": ".clauseline",
    "/practise": ".flash",
    "/replays": ".filepick",
    "/t/QQQQQ": "[role=alert]",
}
"""Each page, and what is there once it is drawn."""
MOST_BYTES = 250_000
"""First view after load, packed, in all."""


def test_axe_finds_nothing_serious_on_any_page(browser: "Browser", web_server: ServerProcess) -> None:
    """Both themes, and the rules in the player's language with the English text a tap away."""
    with sitting(browser, web_server.url) as seat:
        faults = {}
        for path, shown in PAGES.items():
            seat.open(path)
            seat.page.locator(shown).first.wait_for()
            if found := serious_in_both_themes(seat):
                faults[path] = found
        assert faults == {}


@pytest.mark.parametrize(
    ("language", "clause", "button"),
    [("de", "Alle 76 Karten werden gemischt", "Englischer Text"), ("ja", "76枚すべてを混ぜます", "英語版")],
)
def test_the_rules_are_in_the_players_language(
    browser: "Browser", web_server: ServerProcess, language: str, clause: str, button: str
) -> None:
    with sitting(browser, web_server.url, language=language) as seat:
        seat.open("/rules/cambio#C7")
        seat.page.get_by_text(clause).wait_for()
        assert seat.page.locator(".rulestext").get_attribute("lang") == language
        assert seat.page.locator(".clauseline.here .clauseid").inner_text() == "C7"
        seat.page.get_by_role("button", name=button).click()
        seat.page.get_by_text("Shuffle all 76 cards.").wait_for()
        assert seat.complaints == []


def test_the_first_load_is_light(browser: "Browser", web_server: ServerProcess) -> None:
    with sitting(browser, web_server.url) as seat:
        names: list[str] = []
        seat.page.on("response", lambda answer: names.append(answer.url.split("/", 3)[3].split("?")[0]))
        seat.open()
        seat.page.locator(".shelfcard").nth(7).wait_for()
        seat.page.wait_for_load_state("networkidle")
        sizes = {name: _packed(WEB / (name or "index.html")) for name in set(names)}
        assert sum(sizes.values()) <= MOST_BYTES, sizes


def _packed(file: Path) -> int:
    if not file.is_file():
        return 0
    body = file.read_bytes()
    return len(body) if file.suffix in {".woff2", ".png"} else len(gzip.compress(body, 9))


SOON = """new MutationObserver((_, watch) => {
  if (!document.querySelector('.deal:not(:disabled)')) return;
  watch.disconnect();
  requestAnimationFrame(() => setTimeout(() => { window.dealAt = performance.now(); }, 0));
}).observe(document, { subtree: true, childList: true })"""


def test_the_lobby_can_be_used_soon_on_a_slow_machine(browser: "Browser", web_server: ServerProcess) -> None:
    """Chromium slows its processor down four times: "Deal me in" is painted within 1.5 s of the address.

    The best of some first visits counts: the others had to wait for the processes beside this test.
    """
    times: list[float] = []
    while not times or (min(times) > 1500 and len(times) < 5):
        with sitting(browser, web_server.url) as seat:
            tools = seat.page.context.new_cdp_session(seat.page)
            tools.send("Emulation.setCPUThrottlingRate", {"rate": 4})
            seat.page.add_init_script(SOON)
            seat.open()
            seat.wait_for_js("window.dealAt > 0", "the button is painted")
            times.append(seat.page.evaluate("window.dealAt"))
    assert min(times) <= 1500, times


def test_a_view_is_drawn_within_a_frame(browser: "Browser", web_server: ServerProcess) -> None:
    """A view of about 2 kB: applied and laid out in at most 16 ms, the median of thirty."""
    with sitting(browser, web_server.url, lastGame="cambio", bots=3) as seat:
        seat.open().deal()
        seat.wait_until(lambda it: bool(it["buttons"]), "the first button")
        times: list[float] = seat.page.evaluate(
            """async () => {
              const probe = window.photofinishProbe; const times = [];
              for (let n = 0; n < 30; n++) {
                const began = performance.now(); probe.again(); document.body.offsetHeight;
                times.push(performance.now() - began); await new Promise((done) => requestAnimationFrame(done));
              }
              return times; }"""
        )
        assert statistics.median(times) <= 16, times


def test_a_server_that_is_killed_and_started_again_has_the_game(browser: "Browser", tmp_path: Path) -> None:
    server = ServerProcess(tmp_path).start()
    try:
        with sitting(browser, server.url, lastGame="cambio", bots=1) as seat:
            seat.open().deal()
            seat.press_button("I have looked")
            code = seat.page.locator(".titles p").inner_text().split("·")[-1].strip()
            server.kill()
            seat.page.get_by_text("Connection lost").first.wait_for()
            assert seat.page.locator(".lit, .slap").count() == 0, "something can still be tapped"
            server.start()
            seat.page.locator(".band").wait_for(state="detached", timeout=40_000)
            assert code in seat.page.locator(".titles p").inner_text()
            seat.wait_until(lambda it: bool(it["lit"] or it["buttons"]), "a move after the restart")
            errors = [it for it in seat.complaints if "WebSocket" not in it and "ERR_CONNECTION" not in it]
            assert errors == []
    finally:
        server.stop()
