"""House bots decide in time slices, cancel a decision when the table changes, and never stop a game."""

import asyncio
import dataclasses
from collections.abc import Generator
from typing import Any

from photofinish.bots.time_slices import SLICE, TimeSlices
from photofinish.engine import Intent, Micros, Millis, Offer, Rng, Seat, Strength, Thought
from photofinish.engine.offers import sample
from photofinish.games import all_games
from tests.node.test_actor import node, table

STEP_US = 100
"""Microseconds that one step of a simulated decision takes."""


class Scheduler:
    """The scheduler of decisions, with a clock that advances only while a bot decides."""

    def __init__(self) -> None:
        self.now = 0
        self.thinker = TimeSlices(lambda: Micros(self.now))
        self.said: list[str] = []

    def thought(self, whose: str, steps: int) -> Generator[None, None, None]:
        for _ in range(steps):
            self.now += STEP_US
            self.said.append(whose)
            yield
        self.said.append(f"{whose} has it")

    async def turn(self) -> None:
        """One turn of the event loop."""
        await asyncio.sleep(0)


async def test_the_event_loop_runs_between_two_slices_and_bots_take_turns() -> None:
    scheduler = Scheduler()
    for whose in "ab":
        scheduler.thinker.begin(whose, scheduler.thought(whose, 50))
    turns = 0
    while scheduler.said.count("a has it") + scheduler.said.count("b has it") < 2:
        before = scheduler.now
        await scheduler.turn()
        turns += 1
        assert scheduler.now - before <= SLICE + STEP_US

    assert scheduler.said[:6] == ["a", "b"] * 3
    assert turns >= 2 * 50 * STEP_US // SLICE


async def test_a_new_decision_replaces_the_old_one() -> None:
    scheduler = Scheduler()
    scheduler.thinker.begin("a", scheduler.thought("a", 50))
    await scheduler.turn()
    scheduler.thinker.begin("a", scheduler.thought("anew", 1))
    scheduler.thinker.begin("b", scheduler.thought("b", 1))
    scheduler.thinker.forget("b")
    for _ in range(20):
        await scheduler.turn()

    assert scheduler.said[-2:] == ["anew", "anew has it"]
    assert {"a has it", "b", "b has it"}.isdisjoint(scheduler.said)


async def test_a_decision_that_fails_does_not_stop_the_others() -> None:
    scheduler = Scheduler()

    def broken() -> Generator[None, None, None]:
        yield
        raise ArithmeticError

    scheduler.thinker.begin("a", broken())
    scheduler.thinker.begin("b", scheduler.thought("b", 30))
    for _ in range(20):
        await scheduler.turn()

    assert scheduler.said[-1] == "b has it"


class SlowBot:
    """Needs three steps for each decision, or raises."""

    def __init__(self, *, is_broken: bool) -> None:
        self.is_broken = is_broken
        self.asked = 0

    def see(self, view: Any) -> None:
        """Keeps nothing."""

    def choose(self, view: Any, offers: tuple[Offer, ...]) -> Thought:
        del view
        self.asked += 1
        for _ in range(3):
            yield
        if self.is_broken:
            raise ArithmeticError
        sent = sample(offers, Rng(b"slow bot", self.asked))
        return None if sent is None else Intent(sent, Millis(0))


async def moved(redis_url: str, bot: SlowBot) -> str:
    """Wait for the bot's first move in a game. Returns why its room was quarantined, if it was."""

    def house_bot(_seat: Seat, _strength: Strength, _rng: Rng) -> SlowBot:
        return bot

    games = {**all_games(), "cambio": dataclasses.replace(all_games()["cambio"], house_bot=house_bot)}
    directory, store = await node(redis_url, "first", games, lease_ms=5_000)
    actor, listener = await table(directory, turn_seconds=5)
    await listener.until(lambda it: any(what.seat == 1 for view in it.views for what in view.last))
    quarantine: str = actor.room.record.quarantine
    await directory.stop()
    await store.close()
    return quarantine


async def test_a_bot_moves_when_its_decision_is_complete(redis_url: str) -> None:
    assert await moved(redis_url, SlowBot(is_broken=False)) == ""


async def test_a_bot_that_fails_plays_random_moves_and_the_game_continues(redis_url: str) -> None:
    bot = SlowBot(is_broken=True)

    assert await moved(redis_url, bot) == ""
    assert bot.asked == 1  # a random player continues in its place
