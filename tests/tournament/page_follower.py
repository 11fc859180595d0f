"""A real page that follows an event, in a process of its own: `python -m tests.tournament.page_follower URL`.

Prints `ready` when the first tables are on the page. At the next line of input it prints, as JSON, when the result of
each of them was painted: microseconds since 1970, by table number.
"""

import json
import sys

from tests.web.browser import launched

# A table with a result has a link to its replay.
WATCH = """() => {
  window.painted = {};
  new MutationObserver(() => {
    const done = [...document.querySelectorAll('.eventtable:has(a[href^="/r/"]) .tableno')].map((it) => it.textContent);
    const fresh = done.filter((table) => !(table in window.painted));
    for (const table of fresh) window.painted[table] = 0;
    if (fresh.length) requestAnimationFrame(() => setTimeout(() => {
      const now = (performance.timeOrigin + performance.now()) * 1000;
      for (const table of fresh) window.painted[table] = Math.round(now);
    }));
  }).observe(document.body, { subtree: true, childList: true, attributes: true, characterData: true });
}"""


def main() -> None:
    with launched() as browser:
        page = browser.new_page()
        page.goto(sys.argv[1])
        page.locator(".eventtable").first.wait_for()
        page.evaluate(WATCH)
        sys.stdout.write("ready\n")
        sys.stdout.flush()
        sys.stdin.readline()
        sys.stdout.write(json.dumps(page.evaluate("window.painted")) + "\n")


if __name__ == "__main__":
    main()
