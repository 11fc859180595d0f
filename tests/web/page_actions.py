"""What a person does at the page, for the tests: sit down, tap what is lit, wait for facts."""

import random
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from playwright.sync_api import Browser, BrowserContext, ConsoleMessage, Page

PHONE = {"width": 390, "height": 844}
TABLET = {"width": 820, "height": 1180}
LAPTOP = {"width": 1440, "height": 900}
PATIENCE = 60_000
"""Milliseconds: as long as any fact may take beside busy processes."""
STATE = """() => ({
  lit: [...document.querySelectorAll('.own [data-k].lit, .board [data-k].lit, .seats [data-k].lit, .board .glow')]
    .map((it) => it.dataset.k),
  buttons: [...document.querySelectorAll('.actions .btn:not(:disabled)')].map((it) => it.textContent.trim()),
  sheet: !!document.querySelector('.sheet .btn.main:not(:disabled)'),
  rows: document.querySelectorAll('.sheet .pickrow[aria-pressed=false]').length,
  race: document.documentElement.dataset.race === 'open',
  over: !!document.querySelector('.end'),
  slap: document.querySelector('.own [data-k].slap')?.dataset.k ?? null,
  own: document.querySelector('.own [data-k].lit')?.dataset.k ?? null,
  verdicts: document.querySelectorAll('.log .racecard b').length,
  line: document.querySelector('.ticker')?.textContent ?? document.querySelector('.log')?.textContent ?? '',
})"""
AFTER = f"""async ([before, longest]) => {{
  const look = {STATE};
  const isNew = () => JSON.stringify(look()) !== before;
  if (!isNew()) await new Promise((done) => {{
    let isWaiting = false;
    const end = () => {{ watch.disconnect(); clearTimeout(timer); done(); }};
    const watch = new MutationObserver(() => {{
      if (isWaiting) return;
      isWaiting = true;
      setTimeout(() => {{ isWaiting = false; if (isNew()) end(); }}, 20);
    }});
    const timer = setTimeout(end, longest);
    watch.observe(document, {{ subtree: true, childList: true, attributes: true, characterData: true }});
  }});
  const now = look();
  return [now, JSON.stringify(now)];
}}"""
"""The state of the page as soon as it is another one than `before`, at the latest after `longest` ms."""
SETTLED = """async () => {
  const frame = () => new Promise((done) => requestAnimationFrame(done));
  await frame();
  await Promise.all(document.getAnimations().filter((it) => it.effect?.getTiming().iterations !== Infinity)
    .map((it) => it.finished.catch(() => undefined)));
  await frame();
}"""
PROMPT = """() => {
  const box = document.querySelector('.promptarea').getBoundingClientRect();
  return [box.x + box.width / 2, box.y + box.height / 2];
}"""
DRAGGABLE = """() => {
  const there = (key) => document.querySelector(`[data-k="${CSS.escape(key)}"]`);
  const ways = photofinishProbe.ways().filter((it) => it.keys.every(there));
  const keep = ways.find((it) => it.move === 'keep' && it.keys.length === 1);
  if (there('drawn') && keep) return ['drawn', keep.keys[0]];
  const two = ways.find((it) => it.keys.length === 2 && it.keys[0] !== it.keys[1]
    && it.keys.filter((key) => key.startsWith('hand:')).length === 1);
  if (two) return [...two.keys].sort((a, b) => Number(b.startsWith('hand:')) - Number(a.startsWith('hand:')));
  const one = ways.find((it) => it.keys.length === 1 && it.keys[0].startsWith('hand:'));
  return one ? [one.keys[0], null] : null;
}"""
MIDDLE = """(key) => {
  const node = document.querySelector(`[data-k="${CSS.escape(key)}"]`);
  if (!node) return null;
  const box = node.getBoundingClientRect();
  return [box.x + box.width / 2, box.y + box.height / 2];
}"""


class Seat:
    """One person at one page."""

    def __init__(self, page: "Page", url: str) -> None:
        self.page, self.url = page, url
        self.complaints: list[str] = []
        self._seen = ""
        page.set_default_timeout(PATIENCE)
        page.on("console", self._heard)
        page.on("pageerror", lambda error: self.complaints.append(f"error: {error}"))

    def _heard(self, message: "ConsoleMessage") -> None:
        # `sitting` blocks the worker that keeps the page, unless a test is about it.
        if message.type in {"error", "warning"} and "blocked by Playwright" not in message.text:
            self.complaints.append(f"{message.type}: {message.text}")

    def state(self) -> dict[str, Any]:
        return self.next_state(0)

    def next_state(self, longest: float = 250) -> dict[str, Any]:
        """What the page shows once that is something else than at the last look, or after `longest` ms.

        The page looks at itself: a question from outside costs three processes some milliseconds each.
        """
        found: dict[str, Any]
        found, self._seen = self.page.evaluate(AFTER, [self._seen if longest else "", longest])
        return found

    def open(self, path: str = "/") -> "Seat":
        self.page.goto(f"{self.url}{path}")
        return self

    def settled(self) -> None:
        """Every animation has ended, and two frames are drawn."""
        self.page.evaluate(SETTLED)

    def resize(self, size: dict[str, int]) -> None:
        self.page.set_viewport_size({"width": size["width"], "height": size["height"]})
        self.settled()

    def deal(self) -> "Seat":
        """One tap from the lobby to the cards."""
        self.page.locator(".deal").click()
        self.page.locator(".table").wait_for()
        return self

    def tap(self, key: str) -> bool:
        """A finger on the middle of an object."""
        place = self.page.evaluate(MIDDLE, key)
        if place is None:
            return False
        self.page.mouse.click(*place)
        return True

    def drag(self, key: str, onto: str | None) -> bool:
        """Drag one object to another, or (without a target) out of the own panel onto the prompt.

        False if one of them is gone: another seat may have moved meanwhile.
        """
        mouse = self.page.mouse
        at = self.page.evaluate(MIDDLE, key)
        to = self.page.evaluate(MIDDLE, onto) if onto else self.page.evaluate(PROMPT)
        if at is None or to is None:
            return False
        mouse.move(*at)
        mouse.down()
        mouse.move(*to, steps=5)
        mouse.up()
        return True

    def drag_something(self, chance: random.Random, seconds: float = 60) -> str:
        """Make one move by dragging. Until one can be dragged, moves are tapped. Returns what was dragged."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            way = self.page.evaluate(DRAGGABLE)
            if way is None:
                self.make_moves(1, chance, 2)
                continue
            before = self.page.evaluate("photofinishProbe.moves()")
            if not self.drag(*way):
                continue
            self.wait_for_js(f"photofinishProbe.moves() > {before}", f"something came of the drag {way}")
            assert self.page.locator(".dragcopy").count() == 0, "the copy under the finger stays"
            return str(way[0])
        raise AssertionError(f"nothing to drag in {seconds:.0f} s: {self.state()}")

    def press_button(self, text: str) -> bool:
        """Whether there was such a button. It may be gone by the time the finger is down."""
        from playwright.sync_api import Error

        button = self.page.locator(".actions .btn:not(:disabled)").filter(has_text=text).first
        try:
            button.click(timeout=1000)
        except Error:
            return False
        return True

    def wait_for_js(self, expression: str, what: str, seconds: float = 40) -> None:
        """Look from outside: the page's policy allows no text as script, which Playwright's own waiting needs."""
        self.wait_until(lambda _: bool(self.page.evaluate(expression)), what, seconds)

    def wait_until(
        self, is_so: Callable[[dict[str, Any]], bool], what: str, seconds: float = 40
    ) -> dict[str, Any]:
        end, state = time.monotonic() + seconds, self.state()
        while time.monotonic() < end:
            if is_so(state):
                return state
            state = self.next_state()
        raise AssertionError(f"after {seconds:.0f} s still not: {what}; the page shows {self.state()}")

    def make_moves(self, count: int, chance: random.Random, seconds: float = 40) -> int:
        """Tap what is lit until this many taps were made or the game is over. Returns how many."""
        made, end, state = 0, time.monotonic() + seconds, self.state()
        while made < count and time.monotonic() < end:
            if state["over"]:
                break
            if state["sheet"]:
                self.page.locator(".sheet .btn.main").click()
                made += 1
            elif state["rows"]:
                self.page.locator(".sheet .pickrow[aria-pressed=false]").first.click()
            elif state["lit"] or state["buttons"]:
                quiet = [it for it in state["buttons"] if "Call" not in it]
                choices = [*(("object", key) for key in state["lit"]), *(("button", text) for text in quiet)]
                if choices:
                    kind, what = chance.choice(choices)
                    made += self.tap(what) if kind == "object" else self.press_button(what)
            state = self.next_state()
        return made


@contextmanager
def sitting(
    browser: "Browser",
    url: str,
    *,
    size: dict[str, int] | None = None,
    offline: bool = False,
    **settings: object,
) -> Iterator[Seat]:
    """A fresh browser profile with a name and settings, and one page.

    With `offline` the page may keep itself for times without a server; that fetches every file of every game.
    """
    context = new_context(browser, size or PHONE, offline=offline, **settings)
    seat = Seat(context.new_page(), url.replace("ws", "http", 1))
    try:
        yield seat
    finally:
        context.close()


def new_context(
    browser: "Browser", size: dict[str, int], *, offline: bool = False, **settings: object
) -> "BrowserContext":
    import json

    context = browser.new_context(
        viewport={"width": size["width"], "height": size["height"]},
        locale="en-GB",
        color_scheme="dark",
        reduced_motion="reduce",
        service_workers="allow" if offline else "block",
    )
    kept = json.dumps(
        {"name": "Ada", "bots": 3, "strength": "medium", "hints": True, "sound": False, **settings}
    )
    context.add_init_script(
        f"if (!localStorage.getItem('photofinish.settings')) localStorage.setItem('photofinish.settings', {kept!r})"
    )
    return context
