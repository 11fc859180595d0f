"""What a browser may lack: a server, storage, a valid token. The page says what is wrong and what can be done."""

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.system.conftest import ServerProcess
from tests.web.page_actions import PHONE, Seat, sitting

if TYPE_CHECKING:
    from playwright.sync_api import Browser

pytestmark = pytest.mark.system
FORBIDDEN = """for (const name of ["localStorage", "sessionStorage"])
  Object.defineProperty(window, name, { get() { throw new DOMException("forbidden", "SecurityError"); } });"""
IS_KEPT = """async () => {
  const keys = await caches.keys();
  return keys.length > 0 && !!(await caches.match("/")) && !!navigator.serviceWorker.controller;
}"""


def test_the_page_opens_without_its_server_and_says_so(browser: "Browser", tmp_path: Path) -> None:
    server = ServerProcess(tmp_path).start()
    with sitting(browser, server.url, offline=True) as seat:
        try:
            seat.open()
            seat.page.locator(".deal").wait_for()
            seat.wait_until(lambda _: seat.page.evaluate(IS_KEPT), "the worker has kept the page")
        finally:
            server.stop()
        seat.page.reload()
        seat.page.locator(".deal").wait_for()
        seat.page.get_by_text("The server does not answer").first.wait_for()
        seat.page.get_by_role("button", name="Rules").first.click()
        seat.page.get_by_role("dialog").get_by_text("C1", exact=True).wait_for()
        seat.open("/practise")
        seat.page.get_by_role("heading", name="Reaction trainer").wait_for()


def test_a_waiting_room_says_that_its_server_is_away_and_comes_back(
    browser: "Browser", tmp_path: Path
) -> None:
    server = ServerProcess(tmp_path).start()
    try:
        with sitting(browser, server.url) as seat:
            seat.open()
            seat.page.locator(".gamecard.create").click()
            seat.page.get_by_role("button", name="Create", exact=True).click()
            seat.page.locator(".bigcode").wait_for()
            server.kill()
            seat.page.locator(".waitgo").get_by_text("Connection lost").wait_for()
            seat.page.locator(".waitgo").get_by_role("button", name="Try now").wait_for()
            server.start()
            seat.page.locator(".waitgo .band").wait_for(state="detached", timeout=40_000)
            assert "Ada" in seat.page.locator(".places").inner_text()
    finally:
        server.stop()


def test_a_table_opened_while_its_server_is_away_comes_back_by_itself(
    browser: "Browser", tmp_path: Path
) -> None:
    """The page comes from the browser's own copy; the seat is kept."""
    server = ServerProcess(tmp_path).start()
    try:
        with sitting(browser, server.url, offline=True, lastGame="cambio", bots=1) as seat:
            seat.open()
            seat.page.locator(".deal").wait_for()
            seat.wait_until(lambda _: seat.page.evaluate(IS_KEPT), "the worker has kept the page")
            seat.deal()
            server.kill()
            seat.page.reload()
            seat.page.get_by_text("The server does not answer. Trying again; your seat is kept.").wait_for()
            assert seat.page.get_by_role("button", name="Try now").count() == 1
            server.start()
            seat.page.locator(".table .own").wait_for()
            assert seat.page.locator(".own .seatname").inner_text() == "Ada"
    finally:
        server.stop()


def test_a_browser_without_storage_shows_a_notice_and_can_play(
    browser: "Browser", web_server: ServerProcess
) -> None:
    context = browser.new_context(
        viewport={"width": PHONE["width"], "height": PHONE["height"]}, locale="en-GB"
    )
    context.add_init_script(FORBIDDEN)
    seat = Seat(context.new_page(), web_server.url.replace("ws", "http", 1))
    try:
        seat.open()
        seat.page.get_by_text("This browser keeps nothing: a reload loses your seat.").wait_for()
        seat.deal()
        seat.wait_until(lambda it: bool(it["buttons"]), "the first button")
        assert seat.complaints == []
    finally:
        context.close()


def test_an_invalid_token_shows_a_message_and_a_link(browser: "Browser", web_server: ServerProcess) -> None:
    with sitting(browser, web_server.url, lastGame="cambio", bots=1) as seat:
        seat.open().deal()
        code = seat.page.url.rsplit("/", 1)[1]
        seat.page.evaluate(
            """() => { const kept = JSON.parse(localStorage.getItem('photofinish.seat'));
              localStorage.setItem('photofinish.seat', JSON.stringify({ ...kept, token: 'x'.repeat(32) })); }"""
        )
        seat.page.reload()
        seat.page.get_by_text(f"Your seat at {code} is no longer yours.").wait_for()
        seat.page.get_by_role("button", name="Watch").click()
        seat.page.locator(".table.watching").wait_for()


def test_a_seat_that_another_tab_has_taken_stays_saved(browser: "Browser", web_server: ServerProcess) -> None:
    """The first tab leaves its own table; the seat of the second tab is still in the storage."""
    with sitting(browser, web_server.url, lastGame="cambio", bots=1) as first:
        first.open().deal()
        second = Seat(first.page.context.new_page(), first.url).open().deal()
        code = second.page.url.rsplit("/", 1)[1]
        first.page.get_by_role("button", name="Menu").click()
        first.page.get_by_role("button", name="Leave the seat").click()
        first.page.get_by_role("button", name="Leave", exact=True).click()
        first.page.locator(".deal").wait_for()
        second.page.reload()
        second.page.locator(".table .own").wait_for()
        assert second.page.url.endswith(code)
        assert second.page.locator(".own .seatname").inner_text() == "Ada"


OLD = """const send = WebSocket.prototype.send;
WebSocket.prototype.send = function (data) {
  const bytes = data instanceof Uint8Array ? Uint8Array.from(data) : null;
  // The field v of hello: a text of one letter, and a small number.
  const at = bytes?.findIndex((it, n) => it === 0xa1 && bytes[n + 1] === 0x76 && bytes[n + 2] === 1) ?? -1;
  if (at >= 0) bytes[at + 2] = 0;
  return send.call(this, at >= 0 ? bytes : data);
};"""


def test_a_page_older_than_its_server_says_so(browser: "Browser", web_server: ServerProcess) -> None:
    with sitting(browser, web_server.url) as seat:
        seat.page.add_init_script(OLD)
        seat.open()
        seat.page.get_by_text("This page is older than the server.").first.wait_for()
        seat.page.get_by_role("button", name="Reload").click()
        seat.page.get_by_text("This page is older than the server.").first.wait_for()


def test_a_name_that_the_server_refuses_keeps_its_field(
    browser: "Browser", web_server: ServerProcess
) -> None:
    """A name of signs that nobody sees: a sentence, and the field to write another."""
    with sitting(browser, web_server.url, name="\u200b\u2060") as seat:
        seat.open()
        seat.page.get_by_text("Take 1 to 24 letters, digits or marks.").first.wait_for()
        seat.page.get_by_role("button", name="Your name").click()
        seat.page.get_by_role("textbox", name="Your name").fill("Ada")
        seat.page.get_by_role("button", name="Save").click()
        seat.page.locator(".lobbymain > .error").wait_for(state="detached")
        seat.deal()


def test_a_full_table_can_be_watched_and_games_with_bots_are_not_listed(
    browser: "Browser", web_server: ServerProcess
) -> None:
    with (
        sitting(browser, web_server.url, lastGame="cambio", bots=1) as ada,
        sitting(browser, web_server.url, name="Basil") as basil,
    ):
        code = ada.open().deal().page.url.rsplit("/", 1)[1]
        basil.open(f"/t/{code}")
        basil.page.get_by_text(f"Every seat at {code} is taken.").wait_for()
        basil.page.get_by_role("button", name="Watch").click()
        basil.page.locator(".table.watching").wait_for()
        basil.open("/tables")
        basil.page.locator(".tables li, .tables .nothing").first.wait_for()
        basil.page.get_by_text("Loading").wait_for(state="detached")
        assert basil.page.locator(".tables").get_by_text(code).count() == 0
        assert basil.complaints == []
