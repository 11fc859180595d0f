"""The reaction trainer: the real race path, and the times that stay in the browser."""

from typing import TYPE_CHECKING

import pytest

from tests.system.conftest import ServerProcess
from tests.web.page_actions import sitting

if TYPE_CHECKING:
    from playwright.sync_api import Browser

pytestmark = pytest.mark.system
LIGHTS = 3


def test_the_trainer_keeps_own_times_in_the_browser_until_they_are_deleted(
    browser: "Browser", web_server: ServerProcess
) -> None:
    with sitting(browser, web_server.url) as seat:
        seat.open().page.locator(".deal").wait_for()
        seat.page.evaluate(f"photofinishProbe.practise({LIGHTS}, {{ gap_ms: 200 }})")
        for _ in range(LIGHTS):
            seat.wait_until(lambda it: it["race"], "a light", 30)
            seat.page.wait_for_timeout(150)  # a press within 100 ms is a false start
            seat.page.locator(".pressplace").click()
            seat.wait_until(lambda it: not it["race"] or it["over"], "the light is out")
        seat.page.get_by_role("link", name="My times").click()
        figures = seat.page.locator(".figures dd")
        figures.nth(3).wait_for()
        best, median, _, tries = figures.all_inner_texts()
        assert tries == str(LIGHTS)
        assert 100 < float(best.split()[0]) <= float(median.split()[0])
        assert seat.page.locator(".histogram").count() == 2, "the spread and the trend"
        seat.page.reload()
        figures.nth(3).wait_for()
        assert figures.nth(3).inner_text() == str(LIGHTS)
        seat.page.get_by_role("button", name="Delete my times").click()
        figures.first.wait_for(state="detached")
        assert seat.complaints == []
