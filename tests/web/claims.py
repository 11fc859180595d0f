"""Claims of a real page, scored by a real server: `python -m tests.web.claims 200`.

A person's hand is played by Playwright's mouse: about 200 ms after each light of Reflex it presses. Measured is
how much of the claims the server did not grant (RACES.md: a claim may vary by `swing` around the seat's normaliser).
"""

import json
import os
import statistics
import sys
import urllib.request
from dataclasses import dataclass
from typing import TYPE_CHECKING

from tests.priority import ahead_of_others, descendants
from tests.web.browser import launched_with_server
from tests.web.page_actions import Seat, sitting

if TYPE_CHECKING:
    from playwright.sync_api import Browser

REACTION_MS = 190
FRAME_MS = 16.7
LEAST = 0.95
"""Of the claims of an honest page, at least this share is unclamped."""


@dataclass(frozen=True)
class Claims:
    made: int
    unclamped: float
    """The share of the claims whose score is not higher than claimed: `over <= soft + credit`.

    Issue: at least 0.95 of 200.

    The rule that the issue was written for clamped a claim below its band, which raised its score. Today's rule has no
    band, and raises a score exactly if `over > soft + credit`.
    """
    exact: float
    """The share that was scored exactly as claimed. The other unclamped ones were scored better: a page that paints
    sooner than the fastest screen of the rule (m = 7.5 ms) is scored like that screen."""
    better_ms: float
    """Mean per claim by which the score was better than the claim."""
    uncompensated_ms: float
    """Mean per claim of what was claimed and not granted."""
    painted_ms: float
    """Median from a view's arrival until the frame with its trigger was painted (issue: at most one at 60 Hz)."""
    soonest_ms: float
    """The least time from a view's arrival to the painting of its trigger: its time runs from there."""
    sent_ms: float
    """Median from the input event to the call that sends the move."""


def claim(browser: "Browser", url: str, count: int) -> Claims:
    """Play Reflex alone until this many lights are pressed."""
    with sitting(browser, url, name="Ada") as seat:
        seat.open("/")
        seat.page.locator(".deal").wait_for()
        seat.page.evaluate(f"photofinishProbe.practise({count}, {{ gap_ms: 200 }})")
        place = seat.page.locator(".pressplace")
        place.wait_for()
        box = place.bounding_box()
        assert box is not None
        seat.page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
        for _ in range(count):
            if not _wait_for_light(seat):
                break
            seat.page.wait_for_timeout(REACTION_MS)
            seat.page.mouse.down()
            seat.page.mouse.up()
            seat.wait_until(lambda it: not it["race"] or it["over"], "the light is out")
        seat.page.locator(".end").wait_for()
        ledger = seat.page.evaluate("photofinishProbe.ledger()")
        triggers, sent = seat.page.evaluate("[photofinishProbe.triggers(), photofinishProbe.sentAfter()]")
        assert seat.complaints == []
        lost = ledger["uncompensated_us"] / 1000 / max(1, len(sent))
        unclamped, exact, better = scored(seat.url, seat.page.url.rsplit("/", 1)[1])
        painted = [it["painted"] - it["came"] for it in triggers if it["painted"]]
        return Claims(
            len(sent),
            unclamped,
            exact,
            better,
            lost,
            statistics.median(painted),
            min(painted),
            statistics.median(sent),
        )


def scored(url: str, room: str) -> tuple[float, float, float]:
    """From the game's records: the share of the claims that were unclamped, the share that were scored exactly as
    claimed, and by how many ms per claim the others were scored better than claimed.
    """
    with urllib.request.urlopen(f"{url}/api/replays/{room}/1", timeout=20) as reply:
        entries = [json.loads(line["body"]) for line in json.load(reply)["entries"]]
    asked, unclamped, exact, better = 0, 0, 0, 0
    for record in (it["record"] for it in entries if it["e"] == "race"):
        screens = {it["seat"]: it["screen"] for it in record["starts"]}
        for move in record["moves"]:
            if move.get("react_us") is None or move["seat"] not in screens:
                continue
            over = move["hi"] - move["react_us"] - move["jitter"] - screens[move["seat"]]
            asked += 1
            unclamped += over <= move["soft"] + move["credit"]
            exact += over == move["soft"] + move["credit"]
            better += max(0, move["soft"] + move["credit"] - over)
    return unclamped / max(1, asked), exact / max(1, asked), better / 1000 / max(1, asked)


def _wait_for_light(seat: Seat) -> bool:
    return bool(seat.wait_until(lambda it: it["race"] or it["over"], "a light", 30)["race"])


def main() -> None:
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 200
    with launched_with_server() as (browser, url), ahead_of_others(*descendants(os.getpid())):
        found = claim(browser, url, count)
    is_good = found.unclamped >= LEAST and found.soonest_ms >= 0 and found.painted_ms <= FRAME_MS
    sys.stdout.write(
        f"{'ok  ' if is_good else 'MISS'} claims unclamped: {found.unclamped:.1%} of {found.made}, goal >= {LEAST:.0%}"
        f" (not granted {found.uncompensated_ms:.1f} ms per claim; scored exactly as claimed {found.exact:.1%},"
        f" all together {found.better_ms:.1f} ms better per claim;"
        f" sent {found.sent_ms:.1f} ms after the tap)\n"
        f"    painted {found.painted_ms:.1f} ms after the view came, goal <= {FRAME_MS}, least {found.soonest_ms:.1f}\n"
    )
    sys.exit(not is_good)


if __name__ == "__main__":
    main()
