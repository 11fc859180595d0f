"""No player can delay a table, and no player notices what the rules hide. Real sockets, a real server.

The same is tested on the room alone, in more cases, in `tests/room/test_delays.py`, `test_race_bound.py` and
`test_hidden_acts.py`.
"""

import asyncio
import contextlib
import json
import random
import time
from collections import deque
from collections.abc import AsyncIterator, Callable, Iterator
from typing import Any

import pytest

from photofinish_protocol.version import MAX_RACE_MOVES
from tests.system.conftest import ServerProcess
from tests.system.seated import Seated, seated
from tests.system.test_page_client import page_player
from tests.waiting import until

pytestmark = pytest.mark.system

NOT_NOW = {"t": "keep", "slot": 0, "mark": 0}
"""A move that Cambio refuses outside the own turn after a draw."""
TURN = 4
HARD = 1.5
"""Seconds a clock may be late at most."""


@pytest.fixture(scope="module")
def url(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A server that measures distances by its own pings: the far player below is far only behind its proxy."""
    process = ServerProcess(tmp_path_factory.mktemp("server"), "--behind-proxy")
    yield process.start().url
    process.stop()


@contextlib.asynccontextmanager
async def far(url: str, one_way: float = 0.15) -> AsyncIterator[str]:
    """The address of a proxy through which every byte takes this many seconds, both ways."""
    tasks: set[asyncio.Task[None]] = set()
    ends: list[asyncio.StreamWriter] = []

    async def carry(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        waiting: deque[bytes] = deque()
        while some := await reader.read(65_536):
            waiting.append(some)
            asyncio.get_running_loop().call_later(one_way, lambda: writer.write(waiting.popleft()))
        asyncio.get_running_loop().call_later(one_way, writer.close)

    async def connected(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        back, there = await asyncio.open_connection("127.0.0.1", int(url.rpartition(":")[2]))
        ends.extend((writer, there))
        tasks.update(asyncio.create_task(it) for it in (carry(reader, there), carry(back, writer)))

    server = await asyncio.start_server(connected, "127.0.0.1", 0)
    try:
        yield f"ws://127.0.0.1:{server.sockets[0].getsockname()[1]}"
    finally:
        server.close()
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        for end in ends:
            end.transport.abort()


async def past_the_look(players: list[Seated]) -> list[Seated]:
    """The players of Cambio in turn order."""
    for player in players:
        await player.play(t="ready")
    await until(lambda: players[0].view["view"]["turn"] is not None, "the first turn")
    turn = players[0].view["view"]["turn"]
    return players[turn:] + players[:turn]


async def discard(first: Seated) -> None:
    """Draw and discard, declining any action: a race opens."""
    assert (await first.play(t="draw", **{"from": "main"}))["t"] == "ack"
    assert (await first.play(t="discard"))["t"] == "ack"
    choose, rng = page_player()["choose"], random.Random("any")
    while first.moves & {"decline", "pick"}:
        request, _ = choose(first.view, rng)
        await first.seen(await first.request(**request))


async def test_refused_moves_beside_a_far_player_do_not_hold_a_turn(url: str) -> None:
    """On the old code four of them per second held a turn of 30 s for 600 s."""
    options = {"turn_seconds": TURN, "race_min_ms": 0}
    async with far(url) as away, seated(url, url, away, game="cambio", options=options) as players:
        await asyncio.sleep(2)  # two pings measure the far player
        first, second, _ = await past_the_look(players)
        await discard(first)
        mine = second.view["you"]
        await until(lambda: second.view["view"]["turn"] == mine, "the second player's turn")
        began = time.monotonic()
        while second.view["view"]["turn"] == mine:
            second.next_id += 1
            await second.send({"t": "play", "id": second.next_id, "move": NOT_NOW})  # one is held at any time
            await asyncio.sleep(0.1)
            assert time.monotonic() - began < 6 * (TURN + HARD), "the turn is held"


async def test_moves_beyond_the_bound_of_a_race_are_refused_and_the_race_message_is_short(url: str) -> None:
    options = {"turn_seconds": 0, "race_min_ms": 0}
    async with seated(url, url, url, game="cambio", options=options) as players:
        first, second, third = await past_the_look(players)
        await discard(first)
        await until(lambda: third.view.get("race") is not None, "the race is open")
        nonce = third.view["race"]["nonce"]
        answers = []
        for _ in range(MAX_RACE_MOVES + 8):
            answers.append(await third.request("play", move=NOT_NOW, race=nonce))
            await asyncio.sleep(0.03)
        beyond = [it for it in answers if it["reason"] == "too_many_moves"]

        assert len(beyond) == 8
        assert {it["clause"] for it in beyond} == {"C22"}
        await until(lambda: "draw" in second.moves, "the second player can draw")
        answer = await second.play(t="draw", **{"from": "main"})
        assert answer["t"] == "ack", (answer, second.view)
        race = await first.next("race")
        assert len(json.dumps(race)) < 16_000


async def test_A32_a_let_go_sends_nobody_else_a_frame(url: str) -> None:
    async with seated(
        url, url, url, game="alaska", options={"bear_ms": 30_000, "turn_seconds": 0}
    ) as players:
        others = await until_a_catch(players)
        await asyncio.sleep(0.3)  # sooner than a hand can react, it is refused
        before = {it: len(it.heard) for it in players}
        answer = await others[0].play(t="let_go")
        assert answer["t"] == "ack", (answer, others[0].view)
        for player in players:
            if player is others[0]:
                continue
            await player.request("rooms")  # all that was sent before its answer has arrived
            await asyncio.sleep(0.1)  # the old code sent a view 41 to 44 ms after
            await player.request("rooms")
            kinds = {it["t"] for it in player.heard[before[player] :]}
            assert kinds == {"ack"}, kinds


async def until_a_catch(players: list[Seated]) -> list[Seated]:
    """Play Alaska until a salmon is caught. The players who may snatch it."""
    choose: Callable[..., Any] = page_player()["choose"]
    rng = random.Random("alaska")
    for _ in range(300):
        await until(lambda: any(it.moves for it in players), "somebody can move")
        if able := [it for it in players if "let_go" in it.moves]:
            return able
        for player in players:
            if chosen := choose(player.view, rng):
                answer = await player.request(**chosen[0])
                if answer["t"] == "ack":  # else the view that it was chosen from was old
                    await player.seen(answer)
                break
    raise AssertionError("nobody has caught a salmon in 300 moves")


async def test_a_player_who_is_gone_holds_a_table_without_clocks_for_absent_seconds_only(url: str) -> None:
    options = {"turn_seconds": 0, "race_min_ms": 0}
    async with seated(url, url, game="cambio", options=options, absent_seconds=5) as players:
        first, second = await past_the_look(players)
        mine = second.view["you"]
        await first.socket.close()
        gone = time.monotonic()
        await until(lambda: second.view["view"]["turn"] == mine, "autopilot has played")

        assert time.monotonic() - gone > 4.5
        assert any(
            it.get("autopilot") for room in second.heard if room["t"] == "room" for it in room["seats"]
        )
