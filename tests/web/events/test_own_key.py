"""T5 in the browser: a key goes to another browser in a file, which the terminal reads too."""

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from photofinish_client.keys import PlayerKey
from tests.system.conftest import ServerProcess
from tests.web.accessibility import serious
from tests.web.page_actions import LAPTOP, Seat, sitting

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Locator

pytestmark = pytest.mark.system


def own_key(seat: Seat) -> "Locator":
    """The opened part of the page about the key."""
    seat.open("/events")
    part = seat.page.locator(".ownkey")
    part.locator("summary").click()
    return part


def test_T5_a_key_is_saved_in_a_file_and_used_in_another_browser(
    browser: "Browser", web_server: ServerProcess, tmp_path: Path
) -> None:
    file = tmp_path / "player.key"
    with (
        sitting(browser, web_server.url, size=LAPTOP, name="Ada") as old,
        sitting(browser, web_server.url, size=LAPTOP, name="Ada") as new,
    ):
        mine = own_key(old)
        key = mine.locator("code").text_content() or ""
        with old.page.expect_download() as download:
            mine.get_by_role("button", name="Save the key in a file").click()
        download.value.save_as(file)
        assert download.value.suggested_filename == f"photofinish-{key[:8]}.key"
        assert serious(old) == []

        hers = own_key(new)
        made = hers.locator("code").text_content() or ""
        hers.get_by_label("Use a key from a file").set_input_files(file)
        hers.get_by_text(f"The key {made[:8]} of this browser will be replaced by {key[:8]}").wait_for()
        hers.get_by_role("button", name="Keep my key").click()
        assert hers.get_by_role("button", name="Replace").count() == 0
        hers.get_by_label("Use a key from a file").set_input_files(file)
        hers.get_by_role("button", name="Replace").click()
        new.page.locator(".ownkey code").filter(has_text=key).wait_for(state="attached")

    file.chmod(0o600)
    assert PlayerKey.kept(file).public == key, "the terminal reads the same file"


def test_T5_a_file_without_a_key_is_refused_and_changes_nothing(
    browser: "Browser", web_server: ServerProcess, tmp_path: Path
) -> None:
    file = tmp_path / "holiday.txt"
    with sitting(browser, web_server.url, size=LAPTOP, name="Ada") as seat:
        mine = own_key(seat)
        key = mine.locator("code").text_content() or ""
        for content in ("", "not a key", "ab" * 31, "ab" * 10_000):
            file.write_text(content)
            mine.get_by_label("Use a key from a file").set_input_files(file)
            mine.get_by_role("alert").get_by_text("holiday.txt is not a key file").wait_for()
            assert mine.get_by_role("button", name="Replace").count() == 0
        assert mine.locator("code").text_content() == key
