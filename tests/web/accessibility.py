"""What axe, a checker of accessibility, reports about a screen."""

from typing import Any, Literal

from tests.web.browser import TOP
from tests.web.page_actions import Seat

AXE = TOP / "clients" / "web" / "node_modules" / "axe-core" / "axe.min.js"


CONTRAST = ["color-contrast", "link-in-text-block"]
"""What may differ between two themes of one screen."""


def serious(seat: Seat, only: list[str] | None = None) -> list[str]:
    """What axe calls serious or critical on this screen; with `only`, by these of its rules.

    Of the clauses of the rules, all alike, the first five are looked at.
    """
    if not seat.page.evaluate("typeof axe === 'object'"):
        seat.page.evaluate(AXE.read_text(encoding="utf-8"))
    found: dict[str, Any] = seat.page.evaluate(
        """(only) => axe.run({ exclude: ['.clauseline:nth-of-type(n + 6)'] }, {
          resultTypes: ['violations'], preload: false, elementRef: false, ...(only ? { runOnly: only } : {}) })""",
        only,
    )
    return [
        f"{it['id']}: {it['nodes'][0]['html'][:140]} {it['nodes'][0].get('failureSummary', '')[:200]}"
        for it in found["violations"]
        if it["impact"] in {"serious", "critical"}
    ]


def serious_in_both_themes(seat: Seat) -> list[str]:
    """The same screen in both themes: all of axe in the first, the contrasts in the second."""
    faults = []
    screens: tuple[tuple[Literal["dark", "light"], list[str] | None], ...] = (
        ("dark", None),
        ("light", CONTRAST),
    )
    for theme, only in screens:
        seat.page.emulate_media(color_scheme=theme)
        seat.page.locator(f':root[data-theme="{theme}"]').wait_for(state="attached")
        seat.settled()
        faults += [f"{theme}: {it}" for it in serious(seat, only)]
    return faults
