"""Every game, played at random, next to the counter."""

from photofinish.games import all_games
from photofinish.lab.bench.results.figures import Bar, Figure
from photofinish.lab.bench.results.report import cost, ratio
from photofinish.lab.bench.rounds import Progress, run
from photofinish.lab.bench.subjects import COUNTER, TABLES, Subject
from photofinish.lab.bench.work.counter import plan
from photofinish.lab.bench.work.effort import Effort

OF_COUNTER = Bar(0.4, 0.5, is_least=True)
NOT_OF_CARDS = "reflex"
"""Waits for its lights: `storm` measures it."""


async def measure(effort: Effort, progress: Progress) -> list[Figure]:
    games = [Subject(f"{key}, {TABLES} rooms", key) for key in all_games() if key != NOT_OF_CARDS]
    figures = []
    for game in games:  # two servers at a time: more would not fit on the machine
        counter, ours = await run(plan(effort, COUNTER, game), progress)
        figures += [
            cost(ours),
            Figure(f"{game.name} against the counter", "×", ratio(ours, counter), OF_COUNTER),
        ]
    return figures
