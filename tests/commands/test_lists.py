"""The list of rooms as one types it: only one game, the pages, an empty list."""

import asyncio
import json
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Any

import pytest

from photofinish_client import connect
from tests.commands.shell import typed
from tests.system.conftest import ServerProcess


async def test_rooms_are_listed_by_game_and_from_a_position_and_an_empty_list_is_json_too(
    server: ServerProcess, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    async def listed(words: str) -> Any:
        command = f"rooms {server.url} --json {words}"
        done = await asyncio.to_thread(typed, command, tmp_path, monkeypatch, capsys)
        assert (done.code, done.err) == (0, "")
        return json.loads(done.out)

    assert await listed("--game kodiak") == {"got": "rooms", "rooms": [], "total": 0}
    async with AsyncExitStack() as stack:
        for game in ("kodiak", "alaska", "kodiak"):
            host = await stack.enter_async_context(connect(server.url, name="Host"))
            await host.create(game)
        kodiak, all_rooms = await listed("--game kodiak"), await listed("")
        assert [it["game"] for it in kodiak["rooms"]] == ["kodiak"] * 2
        assert kodiak["total"] == 2
        assert all_rooms["total"] >= 3
        skipped = await listed("--game kodiak --skip 1")
        assert [it["room"] for it in skipped["rooms"]] == [kodiak["rooms"][1]["room"]]
        assert skipped["total"] == 2
