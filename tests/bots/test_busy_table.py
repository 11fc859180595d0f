"""A house bot moves in bounded time, however many views it gets meanwhile."""

import asyncio
from typing import Any

import msgspec
import pytest

from photofinish.bots.house import PATIENCE, HouseBot
from photofinish.bots.time_slices import TimeSlices
from photofinish.engine import AnyGame, Rng
from photofinish.engine.offers import admits
from photofinish.games import all_games
from photofinish.node.clock import clock
from photofinish.room.facts import Fact, Requested, SessionId
from photofinish.room.record import Chair
from photofinish_protocol import messages
from tests.games.tables import has_turns
from tests.node.test_actor import node, table
from tests.room.bench import Bench
from tests.waiting import until

LONGEST = 5.0 + PATIENCE
"""Seconds. No house bot plans a move more than 5 s ahead."""


class Seat:
    """A room for the bot: keeps every message that the bot posts."""

    code = "BUSY"

    def __init__(self, game: AnyGame, room: Any) -> None:
        self.game, self.room = game, room
        self.posted: list[Requested] = []

    def on_batch(self) -> None:
        """Nothing is stored here."""

    def enter(self, session: SessionId, port: Any, fact: Fact) -> None:
        """The bot is already seated."""

    def post(self, fact: Fact) -> None:
        if isinstance(fact, Requested):
            self.posted.append(fact)


def awaited(game: AnyGame) -> tuple[Bench, messages.View]:
    """A table, and the view of a seat that is awaited and has several moves to choose from."""
    bench, rng = Bench(game, min(game.seats)), Rng(b"busy", 0)
    sessions = bench.start(min(game.seats))
    for _ in range(200):
        assert bench.room.match is not None
        seats = {timer.seat for _, timer in bench.room.match.clocks.running() if timer.seat is not None}
        for seat in sorted(seats):
            view = bench.view(sessions[seat])
            if view.offers and view.race is None:
                return bench, view
        bench.wait(rng.below(3_000) * 1000)
    raise AssertionError("nobody is ever awaited")


@pytest.mark.parametrize("plays", ["house", "random"])
@pytest.mark.parametrize("game", [*filter(has_turns, all_games().values())], ids=lambda game: game.key)
async def test_a_bot_with_unchanged_offers_moves_however_many_views_arrive(game: AnyGame, plays: Any) -> None:
    bench, view = awaited(game)
    seat = Seat(game, bench.room)
    chair = Chair(key=0, kind="bot", strength="easy", plays=plays)
    bot = HouseBot(seat, chair, clock, b"secret" * 6, TimeSlices(clock))  # type: ignore[arg-type]
    began = asyncio.get_running_loop().time()
    for n in range(1, 1000):
        bot.show(msgspec.structs.replace(view, seq=view.seq + n, from_=view.seq + n - 1))
        await asyncio.sleep(0.02)
        if seat.posted or asyncio.get_running_loop().time() - began > 2 * LONGEST:
            break
    bot.drop(None)

    assert seat.posted, "the player never moved"
    assert isinstance(seat.posted[0].message, messages.Play)
    assert admits(view.offers, seat.posted[0].message.move)


async def test_hameln_a_partner_who_keeps_changing_the_pick_does_not_stop_the_bot_from_picking(
    redis_url: str,
) -> None:
    """Each pick of the partner changes what the bot can pick."""
    directory, store = await node(redis_url, "first", lease_ms=5_000)
    actor, listener = await table(directory, "hameln_cave", turn_seconds=0)
    session = next(it for it in actor.room.presence.everybody() if it.startswith("listener"))
    picked = iter(range(100, 10_000))

    async def has_picked() -> bool:
        last = listener.views[-1].view if listener.views else None
        if last is None or last.phase != "character" or last.characters[1] is not None:
            return last is not None
        free = listener.views[-1].offers[0].choices[0].rows
        n = next(picked)
        move = {"t": "character", "name": free[n % len(free)][0]}
        actor.post(Requested(session, messages.Play(id=n, move=move), clock()))
        await asyncio.sleep(0.05)
        return False

    await until(has_picked, "the player has picked its character", seconds=2 * LONGEST)
    assert actor.room.record.quarantine == ""
    await directory.stop()
    await store.close()
