"""Every game, played at random, next to the counter.

In a game with races a room waits most of the time: for its clocks, and for moves that a race holds. A thousand of them
keep the server busy. What they would cost while nobody moves (mostly pings, one per second and player while a race can
open) is measured at both ends and subtracted: it is the cost of an open room, not of an action.
"""

import contextlib
import random
import statistics

import msgspec

from photofinish.engine.inputs import no_race
from photofinish.games import all_games
from photofinish.lab.bench.load import MeasuredRound, RoundOrder
from photofinish.lab.bench.results.figures import Bar, Figure
from photofinish.lab.bench.results.report import cpu_us, served
from photofinish.lab.bench.rounds import Progress, Series, started
from photofinish.lab.bench.subjects import COUNTER, TABLES, Subject
from photofinish.lab.bench.work.effort import Effort
from photofinish.lab.net.child import Child

OF_COUNTER = Bar(0.4, 0.5, is_least=True)
NOT_OF_CARDS = "reflex"
"""Not measured here: a room of it mostly waits for its lights. `storm` measures it."""
MOST_ROUNDS = 6
"""Fewer rounds than elsewhere, because the games take a third of the time of the whole run."""
SETTLE = 5.0
"""Seconds after the last move in which held moves are released and shown cards are hidden again. Less than a turn."""
NOBODY = RoundOrder(SETTLE, 3.0, active=1, rate=0.001)
"""A round in which nobody moves."""


async def measure(effort: Effort, progress: Progress) -> list[Figure]:
    figures = []
    shorter = msgspec.structs.replace(effort, rounds=min(MOST_ROUNDS, effort.rounds))
    for key, game in all_games().items():  # two servers at a time: more would not fit on the machine
        if key != NOT_OF_CARDS:
            tables = TABLES if game.race is no_race else effort.racing_tables
            figures += await of_game(Subject(f"{key}, {tables} rooms", key, tables), shorter, progress)
    return figures


async def nobody_moves(load: Child, subject: Subject, progress: Progress) -> float:
    """The share of its core that the server uses while nobody moves."""
    progress(f"{subject.name}: nobody moves")
    load.say(NOBODY)
    still = await load.hear(MeasuredRound)
    return still.cpu["server"] / still.seconds


async def of_game(subject: Subject, effort: Effort, progress: Progress) -> list[Figure]:
    """Measure one game next to the counter."""
    counter, ours = Series(COUNTER), Series(subject)
    async with contextlib.AsyncExitStack() as stack:
        loads = {}
        for series in (counter, ours):
            progress(f"start {series.subject.name}")
            loads[series.subject] = (await stack.enter_async_context(started(series.subject)))[0]
        still = [await nobody_moves(loads[subject], subject, progress)]
        for number in range(effort.rounds):
            for series in random.sample((counter, ours), 2):
                progress(f"round {number + 1} of {effort.rounds}: {series.subject.name}")
                loads[series.subject].say(RoundOrder(effort.warm_up, effort.seconds))
                series.rounds.append(await loads[series.subject].hear(MeasuredRound))
        still.append(await nobody_moves(loads[subject], subject, progress))
    idle = statistics.mean(still)
    whole = tuple(cpu_us(it) for it in ours.rounds)
    costs = tuple(cpu_us(it) - idle * it.seconds / max(1, it.actions) * 1e6 for it in ours.rounds)
    theirs = tuple(cpu_us(it) for it in counter.rounds)
    share = f"While nobody moves it uses {idle:.1%}."
    return [
        Figure(f"{COUNTER.name}, beside {subject.kind}: CPU per action", "µs", theirs),
        Figure(f"{subject.name}: CPU per action, open rooms included", "µs", whole),
        Figure(f"{subject.name}: CPU per action", "µs", costs),
        Figure(
            f"{subject.name} against the counter",
            "×",
            tuple(it / cost for it, cost in zip(theirs, costs, strict=True)),
            OF_COUNTER,
            f"{served(ours)} {share}",
        ),
    ]
