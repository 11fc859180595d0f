"""The figures of the page, one line each with its goal: `python -m tests.web.figures`. A minute on a quiet machine.

The fourth figure, claims of a real page, takes four minutes: `python -m tests.web.claims 200`.
"""

import gzip
import statistics
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from tests.web.browser import TOP, launched_with_server
from tests.web.page_actions import sitting

if TYPE_CHECKING:
    from playwright.sync_api import Browser

WEB = TOP / "server" / "photofinish" / "web"
MOST_BYTES = 250_000
"""First view after load, packed, in all."""
MOST_MS_TO_USE = 1500
"""From the address to the painted button, with a processor four times slower."""
MOST_MS_PER_VIEW = 16
SOON = """new MutationObserver((_, watch) => {
  if (!document.querySelector('.deal:not(:disabled)')) return;
  watch.disconnect();
  requestAnimationFrame(() => setTimeout(() => { window.dealAt = performance.now(); }, 0));
}).observe(document, { subtree: true, childList: true })"""
THIRTY = """async () => {
  const probe = window.photofinishProbe; const times = [];
  // Components are drawn in a microtask after the new view; a message comes behind all microtasks.
  const drawn = () => new Promise((done) => {
    const channel = new MessageChannel(); channel.port1.onmessage = done; channel.port2.postMessage(0);
  });
  for (let n = 0; n < 30; n++) {
    await new Promise((done) => requestAnimationFrame(done));
    const began = performance.now(); probe.again();
    await drawn(); document.body.offsetHeight;
    times.push(performance.now() - began);
  }
  return times; }"""


def first_load(browser: "Browser", url: str) -> dict[str, int]:
    """What a first visit of the lobby fetches, packed."""
    with sitting(browser, url) as seat:
        names: list[str] = []
        seat.page.on("response", lambda answer: names.append(answer.url.split("/", 3)[3].split("?")[0]))
        seat.open()
        seat.page.locator(".gamecard").nth(7).wait_for()
        seat.page.wait_for_load_state("networkidle")
        return {name: _packed(WEB / (name or "index.html")) for name in set(names)}


def _packed(file: Path) -> int:
    if not file.is_file():
        return 0
    body = file.read_bytes()
    return len(body) if file.suffix in {".woff2", ".png"} else len(gzip.compress(body, 9))


def until_usable(browser: "Browser", url: str, slower: int = 4) -> tuple[float, float]:
    """Milliseconds from the start of the load to the painted "Deal me in" of a first visit, with a slower processor.

    The second is the page's own part of it: processor time of its main thread, whatever else the machine does.
    """
    with sitting(browser, url) as seat:
        tools = seat.page.context.new_cdp_session(seat.page)
        tools.send("Performance.enable", {"timeDomain": "threadTicks"})
        tools.send("Emulation.setCPUThrottlingRate", {"rate": slower})
        seat.page.add_init_script(SOON)
        seat.open()
        seat.wait_for_js("window.dealAt > 0", "the button is painted")
        spent = {it["name"]: it["value"] for it in tools.send("Performance.getMetrics")["metrics"]}
        return float(seat.page.evaluate("window.dealAt")), spent["TaskDuration"] * 1000


def view_times(browser: "Browser", url: str) -> list[float]:
    """Milliseconds to apply and lay out a view of about 2 kB, thirty times."""
    with sitting(browser, url, lastGame="cambio", bots=3) as seat:
        seat.open().deal()
        seat.wait_until(lambda it: bool(it["buttons"]), "the first button")
        found: list[float] = seat.page.evaluate(THIRTY)
        return found


def line(what: str, found: float, most: float, unit: str) -> bool:
    is_good = found <= most
    sys.stdout.write(f"{'ok  ' if is_good else 'MISS'} {what}: {found:.1f} {unit}, goal <= {most:g} {unit}\n")
    return is_good


def main() -> None:
    with launched_with_server() as (browser, url):
        kilobytes = sum(first_load(browser, url).values()) / 1000
        usable = [until_usable(browser, url)[0] for _ in range(5)]
        views = view_times(browser, url)
    good = [
        line("first load, packed", kilobytes, MOST_BYTES / 1000, "kB"),
        line(
            '"Deal me in" painted at 4x CPU throttle, median of 5',
            statistics.median(usable),
            MOST_MS_TO_USE,
            "ms",
        ),
        line(
            "a view of 2 kB applied and laid out, median of 30",
            statistics.median(views),
            MOST_MS_PER_VIEW,
            "ms",
        ),
    ]
    sys.exit(not all(good))


if __name__ == "__main__":
    main()
