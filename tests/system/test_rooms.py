"""What a page can ask for over HTTP: the list of rooms (on the wire too), and the rules of a game."""

import asyncio
import json
import urllib.error
import urllib.request

import pytest

from photofinish.games import all_games
from photofinish_client import connect
from tests.system.conftest import ServerProcess

pytestmark = pytest.mark.system


async def page_of(server: ServerProcess, path: str) -> tuple[int, bytes]:
    def asked() -> tuple[int, bytes]:
        try:
            with urllib.request.urlopen(f"http{server.url.removeprefix('ws')}{path}", timeout=10) as answer:
                return answer.status, answer.read()
        except urllib.error.HTTPError as refusal:
            return refusal.code, refusal.read()

    return await asyncio.to_thread(asked)


async def test_the_list_of_rooms_can_be_read_in_parts_and_bad_limits_are_refused(
    server: ServerProcess,
) -> None:
    async with connect(server.url, name="Ada") as ada:
        await ada.create("cambio", seats=2)
        page = await ada.rooms(limit=1)
    assert len(page.rooms) == 1 <= page.total

    status, body = await page_of(server, "/api/rooms?game=cambio&limit=1")
    assert status == 200
    assert json.loads(body)["total"] >= 1
    for query in ("?limit=0", "?limit=201", "?limit=x", "?skip=-1", "?limit=1e9"):
        status, body = await page_of(server, f"/api/rooms{query}")
        assert (status, body[-1:]) == (400, b"\n"), query


async def test_every_game_has_its_rules_at_an_address_and_no_other_file_is_there(
    server: ServerProcess,
) -> None:
    for key, game in all_games().items():
        status, body = await page_of(server, f"/api/rules/{key}")
        assert status == 200, key
        assert game.title.encode() in body
    for path in ("nosuch", "..%2Fcambio", "../../pyproject.toml", "cambio/state.py", ""):
        assert (await page_of(server, f"/api/rules/{path}"))[0] == 404, path
