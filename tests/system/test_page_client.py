"""A client made from the protocol page alone, which knows no game, plays every game to its end and misses no clock."""

import asyncio
import json
import random
from typing import Any

import pytest

from photofinish.engine.awaiting import awaited_seats
from photofinish.games import all_games
from photofinish.replay import log
from photofinish.replay.replay import Replay, as_replay, read_replay, states
from photofinish_protocol.version import RATE
from tests.protocol.page import code
from tests.room.bench import SECOND
from tests.room.play.test_play import dealt
from tests.system.conftest import ServerProcess
from tests.system.ledger import fetch_replay
from tests.system.raw import Raw

pytestmark = pytest.mark.system

QUICK = {"show_seconds": 1, "race_min_ms": 30, "talk_seconds": 1, "bear_ms": 500}
"""Options for pauses in which no seat has to move. Each game gets those of them that it has."""
OPTIONS: dict[str, dict[str, Any]] = {
    "cambio": {"target_points": 60},
    "kodiak": {
        "wrong_throw_penalty": False
    },  # random players throw wrong cards: with the penalty a round hardly ends
    "rune_market": {"max_throws": 1},
    # The default is 2 s. On a busy machine a client may be later than that.
    "reflex": {"window_ms": 10_000},
}
LONGEST = 240
"""Seconds until the test gives up on a game."""


class PageClient(Raw):
    """A client made of the page's `choose` and the three rules below it."""

    def __init__(self, url: str, chance: str) -> None:
        super().__init__(url)
        self._rng = random.Random(chance)
        self._choose: Any = page_player()["choose"]
        self.refused: list[dict[str, Any]] = []

    async def play(self) -> dict[str, Any]:
        """The game's `over`."""
        view: dict[str, Any] = await self.next("view")
        while "over" not in view:
            chosen = self._choose(view, self._rng)
            if chosen is None:
                view = await self.next("view")
                continue
            request, after = chosen
            if (newer := await self._view_within(after)) is not None:
                view = newer
                continue
            await asyncio.sleep(1 / RATE)  # `welcome.limits.rate`: a quick machine would send more
            answer = await self.request(**request)
            if answer["t"] == "refused":
                self.refused.append(answer)
                view = await self._view_within(0.1) or self._newest() or view
                continue
            while (newest := self._newest()) is None or newest["seq"] < answer["seq"]:
                await self.next("view")
            view = newest
        return dict(view["over"])

    def _newest(self) -> dict[str, Any] | None:
        return next((it for it in reversed(self.heard) if it["t"] == "view"), None)

    async def _view_within(self, seconds: float) -> dict[str, Any] | None:
        """A view that comes before this many seconds have passed."""
        try:
            return await asyncio.wait_for(self.next("view"), seconds) if seconds else None
        except TimeoutError:
            return None


def page_player() -> dict[str, Any]:
    names: dict[str, Any] = {}
    exec(code("python sampler")[0] + code("python player")[0], names)
    return names


async def play(url: str, key: str) -> tuple[str, list[dict[str, Any]], list[dict[str, Any]]]:
    """The room, what each seat was told at the end, and all refusals."""
    game = all_games()[key]
    seats = game.seats.start
    known = set(game.options.__struct_fields__)
    options: dict[str, Any] = {name: value for name, value in QUICK.items() if name in known}
    options |= OPTIONS.get(key, {})
    players = [PageClient(url, f"{key} {seat}") for seat in range(seats)]
    for seat, player in enumerate(players):
        await player.__aenter__()
        await player.hello(f"Player {seat}")
    got = (await players[0].request("create", game=key, seats=seats, options=options))["got"]
    for player in players[1:]:
        await player.request("join", room=got["room"])
    for player in players:
        await player.request("ready")
    await players[0].request("start")
    try:
        ends = await asyncio.wait_for(asyncio.gather(*(it.play() for it in players)), LONGEST)
    except TimeoutError:
        raise AssertionError(f"{key}: not over, {json.dumps(players[0]._newest())[:2000]}") from None
    for player in players:
        await player.__aexit__()
    return got["room"], ends, [it for player in players for it in player.refused]


def missed_clocks(replay: Replay) -> list[str]:
    """Expired clocks that had waited for an answer of a seat, except those whose expiry is an answer by the rules."""
    entries = [log.parse(it.body) for it in replay.entries]
    first = entries[0]
    assert isinstance(first, log.Dealt)
    game, before, missed = all_games()[first.game], None, []
    for entry, state, _ in states(all_games(), bytes.fromhex(replay.seed), entries):
        if isinstance(entry, log.Step) and entry.timer is not None:
            (timer,) = (it for it in game.timers(before) if it.key == entry.timer)
            if awaited_seats([timer]) and not timer.is_answer:
                missed.append(f"{entry.timer} at {entry.at} µs")
        before = state
    return missed


async def test_a_client_written_from_the_protocol_page_plays_every_game_to_its_end_and_misses_no_clock(
    shared_server: ServerProcess,
) -> None:
    keys = sorted(all_games())
    games = await asyncio.gather(*(play(shared_server.url, key) for key in keys))

    assert len(games) == len(keys) >= 9
    for key, (room, ends, refused) in zip(keys, games, strict=True):
        assert all(it["winners"] == ends[0]["winners"] for it in ends), key
        replay = await asyncio.to_thread(fetch_replay, shared_server.url, room)
        assert missed_clocks(replay) == [], key
        # Offers are true: the rules refuse a move made from them only if somebody else or a clock was quicker.
        assert {it["reason"] for it in refused} <= {"illegal_move", "wrong_nonce", "no_race", "game_over"}, (
            key
        )


def test_a_clock_that_expires_for_a_silent_seat_is_counted_as_missed() -> None:
    bench, _ = dealt(target_points=1)
    bench.wait(7200 * SECOND)  # nobody answers: the clocks play

    missed = missed_clocks(read_replay(as_replay(bench.room.record.seed, bench.entries)))
    assert any(it.startswith("turn:") for it in missed)
