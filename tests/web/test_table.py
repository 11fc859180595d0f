"""The page in a real Chromium against a real server: what a person sees and taps."""

import random
import re
from typing import TYPE_CHECKING

import pytest

from tests.system.conftest import ServerProcess
from tests.web.accessibility import serious_in_both_themes
from tests.web.page_actions import LAPTOP, PHONE, TABLET, sitting

if TYPE_CHECKING:
    from playwright.sync_api import Browser

GAMES = ["cambio", "kodiak", "alaska", "gravekeepers", "jamaica", "rune_market", "hameln_cave", "cauldron15"]
COVERED = """() => {
  const all = (which) => [...document.querySelectorAll(which)].map((it) => it.getBoundingClientRect());
  const meet = (a, b) =>
    a.left < b.right - 1 && b.left < a.right - 1 && a.top < b.bottom - 1 && b.top < a.bottom - 1;
  const tiles = all('.seats .tile');
  const others = [...tiles, ...all('.prompt, .own')];
  return [
    tiles.some((a, n) => tiles.slice(n + 1).some((b) => meet(a, b))),
    all('.pilecard, .triggercard').some((a) => others.some((b) => meet(a, b))),
  ];
}"""
OUTSIDE = """() => [...document.querySelectorAll('.table .card, .table .btn, .table .prompt')]
  .filter((it) => it.offsetParent !== null)
  .filter((it) => { const box = it.getBoundingClientRect();
    return box.left < -1 || box.right > innerWidth + 1 || box.bottom > innerHeight + 1 || box.top < -1; })
  .map((it) => it.className)"""
FILLS = """() => {
  const wide = (which) => document.querySelector(which)?.getBoundingClientRect().width ?? 0;
  return wide('.stage') + wide('.side') >= innerWidth - 1 && wide('.topbar') >= wide('.stage') - 1;
}"""
DRAWN = """async (change, isDrawn) => {
  for (let turn = 0; turn < 100; turn += 1) {
    photofinishProbe.again(change);
    await new Promise((done) => setTimeout(done, 0));
    if (isDrawn()) return;
  }
}"""
"""Draw the newest view with a change. The next real view may replace it first: then again."""
PENALTIES = f"""async () => {{
  const outside = {OUTSIDE};
  const slots = () => document.querySelectorAll('.own .slot').length;
  await ({DRAWN})((view) => {{
    const slots = view.view.table;
    const upTo = (seat, count) => {{ while (slots[seat].length < count) slots[seat].push({{ ...slots[seat][0] }}); }};
    upTo(view.you, 16); upTo((view.you + 1) % slots.length, 10);
    return view;
  }}, () => slots() === 16);
  return [slots(), outside()];
}}"""
"""The same view with many penalty cards: how many cards the own panel has, and what lies outside the screen."""
OVER_OWN = """() => {
  const [a, b] = ['.toast', '.own'].map((it) => document.querySelector(it).getBoundingClientRect());
  return a.bottom > b.top + 1 && a.top < b.bottom;
}"""
SMALL = """() => [...document.querySelectorAll('.table button')]
  .filter((it) => it.offsetParent !== null)
  .map((it) => [it.className, it.getBoundingClientRect()])
  .filter(([, box]) => box.height < 36 || box.width < 36).map(([name]) => name)"""
LOW = ({"width": 844, "height": 390}, {"width": 720, "height": 450})
"""A phone on its side, and a laptop at 200 %."""
SQUEEZED = """() => {
  const boxes = (which) => [...document.querySelectorAll(which)].map((it) => it.getBoundingClientRect());
  const own = boxes('.own')[0];
  const beside = (a) => a.left >= own.right - 1 || own.left >= a.right - 1;
  const apart = (a) => beside(a) || a.top >= own.bottom - 1 || own.top >= a.bottom - 1;
  const others = boxes('.prompt, .tile, .board .pile, .market, .stallbox');
  return [Math.round(own.height) < 150, own.bottom > innerHeight, !others.every(apart)];
}"""
"""Whether the own panel is too low, leaves the screen, or lies on something else."""
SMALL_PHONES = ({"width": 375, "height": 667}, {"width": 360, "height": 640})
ON_THE_PROMPT = """async () => {
  const all = (which) => [...document.querySelectorAll(which)];
  const meet = (a, b) =>
    a.left < b.right - 4 && b.left < a.right - 4 && a.top < b.bottom - 4 && b.top < a.bottom - 4;
  const found = () => {
    const texts = all('.prompt, .hint').map((it) => it.getBoundingClientRect());
    // Spaces of Jamaica's map are cut off at its edge.
    return all('.board [data-k]:not([data-k^="space:"]), .board .card')
      .filter((it) => texts.some((text) => meet(it.getBoundingClientRect(), text))).map((it) => it.dataset.k);
  };
  // After a change of its size the page measures itself: the board fits a few frames later.
  for (let n = 0; n < 120 && found().length; n++) await new Promise(requestAnimationFrame);
  return found();
}"""
"""What of the board lies on the prompt or on the hint."""
pytestmark = pytest.mark.system


@pytest.mark.parametrize("game", GAMES)
def test_every_game_starts_and_five_moves_can_be_tapped(
    browser: "Browser", web_server: ServerProcess, game: str
) -> None:
    """Axe finds nothing serious at the table, in both themes; five taps and a drag make moves; nothing scrolls."""
    size = PHONE if len(game) % 2 else LAPTOP
    with sitting(browser, web_server.url, size=size, lastGame=game, bots=1) as seat:
        seat.open().deal()
        seat.page.locator(f".game-{game} .board > *").first.wait_for()
        seat.wait_until(lambda it: bool(it["lit"] or it["buttons"]), "something to do")
        assert serious_in_both_themes(seat) == []
        for low in (*SMALL_PHONES, *LOW):
            seat.resize(low)
            assert seat.page.evaluate(SQUEEZED) == [False, False, False], low
            assert seat.page.evaluate(ON_THE_PROMPT) == [], low
        seat.resize(size)
        chance = random.Random(game)
        made = seat.make_moves(5, chance)
        assert made >= 5
        assert seat.drag_something(chance)
        assert seat.complaints == []
        wide = seat.page.evaluate("[document.documentElement.scrollWidth, innerWidth]")
        assert wide[0] <= wide[1], "the table scrolls sideways"
        for low in LOW:
            seat.resize(low)
            assert seat.page.evaluate(SQUEEZED) == [False, False, False], low


BETWEEN = """() => {
  const all = [...document.querySelectorAll('.own .slot.lit, .own .slot.slap')].map((it) => it.getBoundingClientRect());
  const middle = (it) => [it.x + it.width / 2, it.y + it.height / 2];
  return all.flatMap((a, n) => all.slice(n + 1).map((b) => [middle(a), middle(b)]))
    .filter(([a, b]) => Math.abs(a[0] - b[0]) < 2 || Math.abs(a[1] - b[1]) < 2)
    .map(([a, b]) => document.elementFromPoint((a[0] + b[0]) / 2, (a[1] + b[1]) / 2).closest('[data-k]').dataset.k);
}"""
"""What a finger hits in the middle between two neighbours."""


def test_no_tap_falls_between_two_cards(browser: "Browser", web_server: ServerProcess) -> None:
    with sitting(browser, web_server.url, lastGame="cambio", bots=1, hints=False) as seat:
        seat.open().deal()
        seat.press_button("I have looked")
        seat.wait_until(lambda it: "pile:main" in it["lit"], "my turn to draw")
        seat.tap("pile:main")
        seat.wait_until(
            lambda it: sum(key.startswith("slot:") for key in it["lit"]) >= 4, "four cards to keep it for"
        )
        hit = seat.page.evaluate(BETWEEN)
        assert len(hit) >= 4
        assert [key for key in hit if not key.startswith("slot:")] == []


def test_a_tapped_line_of_the_log_shows_what_it_was_about(
    browser: "Browser", web_server: ServerProcess
) -> None:
    with sitting(browser, web_server.url, size=LAPTOP, lastGame="cambio", bots=1, hints=False) as seat:
        seat.open().deal()
        seat.press_button("I have looked")
        line = seat.page.locator(".log li").filter(has_text="ready").last  # whoever begins, this is there
        line.wait_for()
        seat.settled()
        shown = "[...document.querySelectorAll('.changed')].map((it) => it.dataset.k)"
        seat.wait_until(lambda _: seat.page.evaluate(shown) == [], "rings of the move itself are gone")
        line.click()
        seat.wait_until(lambda _: bool(seat.page.evaluate(shown)), "the objects of the line have a ring", 5)


def test_quick_play_reaches_the_end_of_a_round(browser: "Browser", web_server: ServerProcess) -> None:
    """C24: somebody calls, the others have one more turn, and the points are shown."""
    with sitting(browser, web_server.url, lastGame="cambio", bots=2) as seat:
        seat.open().deal()
        seat.press_button("I have looked")
        for _ in range(200):  # more than any round has
            state = seat.wait_until(
                lambda it: bool(it["buttons"]) or "round ends" in it["line"] or it["over"], "something to do"
            )
            if "round ends" in state["line"] or state["over"]:
                break
            words = " ".join(state["buttons"])
            if "Call Cambio" in words:
                seat.press_button("Call Cambio")  # asks once more
                seat.press_button("Call Cambio")
            elif "Discard it" in words:
                seat.press_button("Discard it")
            elif "Leave it" in words:
                seat.press_button("Leave it")
            elif "I have looked" in words:
                seat.press_button("I have looked")
            elif "Draw" in words:
                seat.press_button("Draw")
            seat.page.wait_for_timeout(80)
            if seat.page.locator(".prompt").filter(has_text="is over").count():
                break
        seat.page.locator(".prompt, .end").filter(has_text=re.compile("over|wins|win")).first.wait_for()
        assert seat.complaints == []


def test_a_reload_in_the_middle_of_a_hand_keeps_the_seat(
    browser: "Browser", web_server: ServerProcess
) -> None:
    with sitting(browser, web_server.url, lastGame="cambio", bots=1) as seat:
        seat.open().deal()
        code = seat.page.url.rsplit("/", 1)[1]
        seat.press_button("I have looked")
        seat.page.reload()
        seat.page.locator(".table .own").wait_for()
        assert seat.page.url.endswith(code)
        assert seat.page.locator(".own .seatname").inner_text() == "Ada"
        seat.wait_until(lambda it: bool(it["lit"] or it["buttons"]), "a move of Ada's")
        assert seat.complaints == []


def test_of_two_tabs_the_newest_has_the_seat_and_the_other_says_so(
    browser: "Browser", web_server: ServerProcess
) -> None:
    with sitting(browser, web_server.url, lastGame="cambio", bots=1) as seat:
        seat.open().deal()
        other = seat.page.context.new_page()
        other.goto(seat.page.url)
        other.locator(".table .own").wait_for()
        note = seat.page.get_by_text("This seat is open in another window.").first
        note.wait_for()
        assert seat.page.get_by_text("Play here").count() == 1
        other.evaluate("photofinishProbe.again()")
        assert other.locator(".band").count() == 0, "the tabs fight"


def test_a_hostile_name_and_chat_are_shown_as_text(browser: "Browser", web_server: ServerProcess) -> None:
    bad = "<img src=x onerror=alert(1)>"
    with sitting(
        browser, web_server.url, size=LAPTOP, lastGame="cambio", bots=1, name="<b onclick=x>A</b>"
    ) as seat:
        seat.open().deal()
        assert seat.page.locator(".own .seatname").inner_text() == "<b onclick=x>A</b>"
        seat.page.get_by_role("tab", name="Chat").click()
        seat.page.get_by_placeholder("Say something …").fill(bad)
        seat.page.keyboard.press("Enter")
        seat.page.locator(".talk li").filter(has_text=bad).wait_for()
        assert seat.page.locator(".talk img, .seatname b b").count() == 0
        seat.page.evaluate("photofinishProbe.again()")
        seat.settled()
        assert seat.page.evaluate("document.activeElement.matches('input')"), (
            "a view took the focus of a field"
        )
        assert seat.complaints == []


@pytest.mark.parametrize(
    ("bots", "sizes"), [(3, (PHONE, TABLET, LAPTOP)), (7, (PHONE, LAPTOP))], ids=["four", "eight"]
)
def test_nothing_is_cut_off_at_any_size(
    browser: "Browser", web_server: ServerProcess, bots: int, sizes: tuple[dict[str, int], ...]
) -> None:
    """The longest name, and up to eight seats: no card, button or sentence leaves the screen or lies on another."""
    with sitting(
        browser, web_server.url, size=LAPTOP, lastGame="cambio", bots=bots, name="W" * 24, hints=False
    ) as seat:
        seat.open().deal()
        seat.wait_until(lambda it: bool(it["buttons"]), "the first button")
        for size in sizes:
            seat.resize(size)
            assert seat.page.evaluate(OUTSIDE) == [], size
            assert seat.page.evaluate(COVERED) == [False, False], size
            assert seat.page.evaluate("document.documentElement.scrollWidth <= innerWidth"), size
            assert seat.page.evaluate(SMALL) == [], size
            assert seat.page.evaluate(FILLS), f"the table leaves a part of the screen empty: {size}"
        for size in sizes:
            seat.resize(size)
            slots, outside = seat.page.evaluate(PENALTIES)
            assert slots == 16
            assert outside == [], f"with twelve penalty cards: {size}"


CROWDED = f"""async () => {{
  const tiles = () => [...document.querySelectorAll('.seats .tile')];
  const slots = () => Math.min(...tiles().map((it) => it.querySelectorAll('.slot').length));
  await ({DRAWN})((view) => {{
    for (const slots of view.view.table) while (slots.length < 6) slots.push({{ ...slots[0] }});
    return view;
  }}, () => slots() === 6);
  return [slots(), tiles().flatMap((tile) => {{
    const box = tile.getBoundingClientRect();
    return [...tile.querySelectorAll('.slot')].map((it) => it.getBoundingClientRect())
      .filter((it) => it.left < box.left - 1 || it.right > box.right + 1);
  }}).length];
}}"""
"""Every seat has two penalty cards: how many cards each has, and how many stand outside their own tile."""


def test_eight_seats_with_penalty_cards_fit_their_tiles_on_a_phone(
    browser: "Browser", web_server: ServerProcess
) -> None:
    with sitting(browser, web_server.url, size=PHONE, lastGame="cambio", bots=7, hints=False) as seat:
        seat.open().deal()
        seat.wait_until(lambda it: bool(it["buttons"]), "the first view")
        assert seat.page.evaluate(CROWDED) == [6, 0]


FULL_STALLS = f"""async () => {{
  const board = () => document.querySelector('.runeboard');
  const places = () => board().querySelectorAll('.stallbox .stallplace').length;
  await ({DRAWN})((view) => {{
    for (const stall of view.view.holdings) Object.assign(stall, {{
      red: {{ card: "a", runes: 3, boat: true, bandit: 1 }}, blue: {{ card: "b", runes: 2, boat: false, bandit: null }},
      boat1: {{ colour: "red", runes: 2 }}, boat2: {{ colour: null, runes: 0 }}, loose_red: 1, loose_blue: 2,
    }});
    return view;
  }}, () => places() === 18);
  return [places(), board().scrollHeight - board().clientHeight];
}}"""
"""Every stall holds all that it can: how many places there are, and by how much they are taller than the board."""


def test_full_stalls_of_the_rune_market_fit_the_table(browser: "Browser", web_server: ServerProcess) -> None:
    with sitting(browser, web_server.url, lastGame="rune_market", bots=3, hints=False) as seat:
        seat.open().deal()
        # It may be that no card of the first hand can be played.
        seat.wait_until(lambda it: bool(it["lit"] or it["buttons"]), "the own turn", 60)
        for size in (PHONE, TABLET, LAPTOP, {"width": 375, "height": 667}):
            seat.resize(size)
            places, hidden = seat.page.evaluate(FULL_STALLS)
            assert places == 18
            assert hidden <= 0, size


def test_a_refused_move_shows_its_reason_and_its_clause_opens_the_rules(
    browser: "Browser", web_server: ServerProcess
) -> None:
    """A keeper cannot stay where it is (G9). What is not lit is sent, and the server says why."""
    with sitting(browser, web_server.url, lastGame="gravekeepers", bots=1, hints=False) as seat:
        seat.open().deal()
        seat.wait_until(lambda it: any(key.startswith("head:") for key in it["lit"]), "a keeper to walk")
        key = seat.page.locator(".gravehead.keeper:not(.lit)").first.get_attribute("data-k")
        assert key is not None
        assert seat.tap(key)
        toast = seat.page.locator(".toast")
        toast.wait_for()
        # As tall as in games with two rows of cards.
        seat.page.evaluate("document.querySelector('.own').style.minHeight = '330px'")
        for size in (LAPTOP, TABLET, PHONE):
            seat.resize(size)
            assert not seat.page.evaluate(OVER_OWN), f"it covers the own panel: {size}"
        clause = toast.locator(".clause").inner_text().strip()
        toast.locator(".clause").click()
        rules = seat.page.get_by_role("dialog", name="Rules")
        rules.locator(".clauseline.here .clauseid").filter(has_text=clause).wait_for()
        box = rules.bounding_box()
        assert box is not None
        assert box["width"] <= PHONE["width"], "the rules are wider than the screen"
        assert seat.complaints == []


CAMERA = """
navigator.mediaDevices.getUserMedia = async () => document.createElement('canvas').captureStream(5);
window.BarcodeDetector = class { async detect() { return [{ rawValue: 'https://example.org/t/QQQQX' }]; } };
"""
"""A browser that reads QR codes, before a camera that shows one: this Chromium has neither."""


def test_an_unknown_code_shows_a_message_and_a_link(browser: "Browser", web_server: ServerProcess) -> None:
    """Typed in the address, and scanned in the lobby."""
    with sitting(browser, web_server.url) as seat:
        seat.open("/t/QQQQQ")
        seat.page.get_by_text("There is no table QQQQQ.").wait_for()
        seat.page.get_by_text("To the lobby").click()
        seat.page.locator(".deal").wait_for()
        seat.page.get_by_role("button", name="Join by QR code").click()
        scan = seat.page.get_by_role("dialog", name="Join by QR code")
        scan.get_by_text("Point your phone’s camera at the code").wait_for()
        seat.page.keyboard.press("Escape")
        scan.wait_for(state="detached")
        seat.page.add_init_script(CAMERA)
        seat.open().page.get_by_role("button", name="Join by QR code").click()
        seat.page.get_by_text("There is no table QQQQX.").wait_for()
