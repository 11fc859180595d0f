"""The list of rooms, asked for on the wire and by a page."""

import asyncio
import json
import urllib.error
import urllib.request

import pytest

from photofinish_client import connect
from tests.system.conftest import ServerProcess

pytestmark = pytest.mark.system


async def test_a_player_and_a_page_ask_for_a_part_and_nonsense_is_refused(server: ServerProcess) -> None:
    async with connect(server.url, name="Ada") as ada:
        await ada.create("cambio", seats=2)
        page = await ada.rooms(limit=1)
    assert len(page.rooms) == 1 <= page.total

    def asked(query: str) -> tuple[int, bytes]:
        url = f"http{server.url.removeprefix('ws')}/api/rooms{query}"
        try:
            with urllib.request.urlopen(url, timeout=10) as answer:
                return answer.status, answer.read()
        except urllib.error.HTTPError as refusal:
            return refusal.code, refusal.read()

    status, body = await asyncio.to_thread(asked, "?game=cambio&limit=1")
    assert status == 200
    assert json.loads(body)["total"] >= 1
    for query in ("?limit=0", "?limit=201", "?limit=x", "?skip=-1", "?limit=1e9"):
        status, body = await asyncio.to_thread(asked, query)
        assert (status, body[-1:]) == (400, b"\n"), query
