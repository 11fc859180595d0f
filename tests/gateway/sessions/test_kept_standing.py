"""Over real sockets and a real Redis: the race standing of a key goes from room to room."""

import asyncio
import json
import urllib.request
from typing import Any

from photofinish import app
from photofinish.config import Settings
from photofinish.node.actor import KEEP_STANDINGS
from photofinish.room.kept_standing import unpack
from photofinish.store.keys import standing_of
from photofinish.store.redis import RedisStore
from photofinish_client.client import connect
from photofinish_client.keys import PlayerKey
from photofinish_protocol.messages import View
from tests.waiting import within

FLASHES = 4
FORGED = 1_000
"""µs: a claim that is not credible. Each is granted as much as the rules allow."""
QUICK = {"flashes": FLASHES, "gap_ms": 40, "window_ms": 1_000}


async def lie_through_a_game(url: str, key: PlayerKey | None) -> str:
    """A game alone, all claims forged. Returns the room."""
    async with connect(url, name="Ada", key=key) as table:
        room = await table.create("reflex", seats=1, options=QUICK)
        await table.ready()
        await table.start()
        nonce = ""
        async with within("the game is over"):
            async for event in table:
                if not isinstance(event, View):
                    continue
                if event.over is not None:
                    return room
                if event.race is not None and event.race.nonce != nonce:
                    nonce = event.race.nonce
                    await asyncio.sleep(0.12)  # a hand: sooner is a false start
                    await table.play({"t": "press"}, view=event, react_us=FORGED)
    raise AssertionError("the game never ended")


async def starts(url: str, room: str) -> list[int]:
    """The normaliser at the opening of each race of the room's first game, as its replay tells it."""
    page = url.replace("ws://", "http://") + f"/api/replays/{room}/1"

    def fetch() -> Any:
        with urllib.request.urlopen(page, timeout=30) as reply:
            return json.load(reply)

    replay = await asyncio.to_thread(fetch)
    entries = [json.loads(it["body"]) for it in replay["entries"]]
    return [it["record"]["starts"][0]["screen"] for it in entries if it["e"] == "race"]


async def test_a_liar_with_a_key_keeps_its_standing_in_the_next_room(redis_url: str) -> None:
    key = PlayerKey.new()
    async with app.running(Settings(port=0, metrics_port=0, redis=redis_url)) as server:
        first = await starts(server.url, await lie_through_a_game(server.url, key))
        store = await RedisStore.open(redis_url)
        kept = unpack(await store.standing(key.public) or b"")
        left = await store._client.execute("TTL", standing_of(key.public), key=standing_of(key.public))
        await store.close()
        second = await starts(server.url, await lie_through_a_game(server.url, key))
        stranger = await starts(server.url, await lie_through_a_game(server.url, PlayerKey.new()))
        nobody = await starts(server.url, await lie_through_a_game(server.url, None))

    assert len(first) == FLASHES
    assert first[0] == stranger[0] == nobody[0] < first[-1]
    assert kept is not None
    assert second[0] == kept.screen >= first[-1]
    assert 0 < left <= KEEP_STANDINGS
