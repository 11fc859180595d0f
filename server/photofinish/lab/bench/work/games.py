"""Every game, played at random, next to the counter."""

import msgspec

from photofinish.engine.inputs import no_race
from photofinish.games import all_games
from photofinish.lab.bench.results.figures import Bar, Figure
from photofinish.lab.bench.results.report import cost, ratio, served
from photofinish.lab.bench.rounds import Progress, run
from photofinish.lab.bench.subjects import COUNTER, TABLES, Subject
from photofinish.lab.bench.work.counter import plan
from photofinish.lab.bench.work.effort import Effort

OF_COUNTER = Bar(0.4, 0.5, is_least=True)
NOT_OF_CARDS = "reflex"
"""Waits for its lights: `storm` measures it."""
MOST_ROUNDS = 6
"""Eight games are a third of the whole run."""


async def measure(effort: Effort, progress: Progress) -> list[Figure]:
    games = []
    for key, game in all_games().items():
        if key != NOT_OF_CARDS:
            tables = TABLES if game.race is no_race else effort.racing_tables
            games.append(Subject(f"{key}, {tables} rooms", key, tables))
    figures = []
    shorter = msgspec.structs.replace(effort, rounds=min(MOST_ROUNDS, effort.rounds))
    for subject in games:  # two servers at a time: more would not fit on the machine
        counter, ours = await run(plan(shorter, COUNTER, subject), progress)
        name = f"{subject.name} against the counter"
        figures += [cost(ours), Figure(name, "×", ratio(ours, counter), OF_COUNTER, served(ours))]
    return figures
