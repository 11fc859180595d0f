"""The replay page: a finished game from a fresh browser, as any seat saw it, checked in the browser itself."""

import asyncio
import json
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from websockets.asyncio.client import connect

from tests.system.conftest import ServerProcess
from tests.waiting import within
from tests.web.page_actions import Seat, sitting

if TYPE_CHECKING:
    from playwright.sync_api import Browser

pytestmark = pytest.mark.system


async def play_a_round(url: str) -> str:
    """Cambio to one point against a bot, calling at once. Returns the room's code."""
    async with connect(url, subprotocols=["photofinish.v1+json"]) as socket:  # type: ignore[list-item]
        asked = 0

        async def request(what: str, **fields: Any) -> None:
            nonlocal asked
            await socket.send(json.dumps({"t": what, "id": asked, **fields}))
            asked += 1

        await request("hello", v=1, name="Ada")
        await request("create", game="cambio", seats=2, options={"target_points": 1, "race_min_ms": 0})
        await request("bot")
        await request("ready")
        await request("start")
        async with within("the round of Cambio is over"):
            async for frame in socket:
                message = json.loads(frame)
                if message.get("over"):
                    return str(message["room"])
                offers = [it["move"] for it in message.get("offers", [])]
                move = next((it for it in ("ready", "call", "discard", "decline") if it in offers), None)
                if move == "decline":
                    await request("play", move={"t": move, "what": "action"})
                elif move is not None:
                    await request("play", move={"t": move})
                elif "draw" in offers:
                    await request("play", move={"t": "draw", "from": "main"})
    raise AssertionError("the game did not end")


def test_a_replay_opens_from_its_link_and_is_verified_here(
    browser: "Browser", web_server: ServerProcess
) -> None:
    with ThreadPoolExecutor(1) as others:  # the browser's driver has a loop of its own in this thread
        code = others.submit(asyncio.run, play_a_round(web_server.url)).result(timeout=80)
    with sitting(browser, web_server.url) as seat:
        seat.open(f"/r/{code}/1")
        seat.page.get_by_text("Verified in your browser").wait_for()
        bar = seat.page.locator(".replaybar")
        steps = int(bar.locator("input[type=range]").get_attribute("max") or 0)
        assert steps > 3
        assert seat.page.locator(".lit, .slap").count() == 0, "a replay has nothing to tap"
        bar.get_by_role("button", name="To the end").click()
        seat.page.locator(".prompt").filter(has_text="over").wait_for()
        bar.get_by_role("button", name="Back", exact=True).click()
        bar.get_by_role("button", name="To the start").click()
        bar.locator("select").select_option("0")
        # C3: at the start the seat itself sees its two lower cards, and nobody else's.
        seat.page.locator(".own .looked, .own .card .art.c-yellow, .own .card [class*=c-]").first.wait_for()
        assert seat.page.locator(".seats .card [class*=c-]").count() == 0
        with seat.page.expect_download() as picture:
            bar.get_by_role("button", name="Save PNG").click()
        png = Path(picture.value.path()).read_bytes()
        assert png.startswith(b"\x89PNG")
        assert len(png) > 60_000, "the picture is empty"
        with seat.page.expect_download() as file:
            bar.get_by_role("button", name="Save JSON").click()
        saved = json.loads(Path(file.value.path()).read_bytes())
        open_file(seat, "saved.json", saved)
        seat.page.get_by_text("saved.json: Verified in your browser").wait_for()
        line = next(it for it in saved["entries"] if '"e":"step"' in it["body"])
        line["body"] = line["body"].replace('"step":', '"step":1')
        open_file(seat, "changed.json", saved)
        seat.page.get_by_text("changed.json: Not verified").wait_for()
        # The coach marks the two lower cards with an eye once they lie face down again.
        seat.open("/replays").open(f"/r/{code}/1#coach=0")
        bar.get_by_text("You had seen 2 of your 4 cards.").wait_for()
        bar.get_by_role("button", name="To the end").click()
        bar.get_by_role("button", name="Back", exact=True).click()
        bar.get_by_role("button", name="Back", exact=True).click()
        assert seat.page.locator(".own .seensign").count() in {1, 2, 3}
        assert seat.complaints == []


def open_file(seat: Seat, name: str, content: object) -> None:
    seat.open("/replays")
    seat.page.locator("input[type=file]").set_input_files(
        {"name": name, "mimeType": "application/json", "buffer": json.dumps(content).encode()}
    )


def test_a_file_that_is_not_a_replay_is_reported(browser: "Browser", web_server: ServerProcess) -> None:
    with sitting(browser, web_server.url) as seat:
        open_file(seat, "holiday.json", {"beach": True})
        seat.page.get_by_text("is no Photofinish replay").wait_for()


def test_an_unknown_replay_shows_a_message_and_a_link(browser: "Browser", web_server: ServerProcess) -> None:
    with sitting(browser, web_server.url) as seat:
        seat.open("/r/QQQQQ/1")
        seat.page.get_by_text("There is no such replay.").wait_for()
        assert seat.page.get_by_text("To the lobby").count() == 1
