"""Whether a move costs more with many rooms open, and late in a long game."""

from photofinish.lab.bench.load import MeasuredRound, RoundOrder
from photofinish.lab.bench.results.figures import Bar, Figure
from photofinish.lab.bench.results.report import cpu_us
from photofinish.lab.bench.rounds import Progress, started
from photofinish.lab.bench.subjects import Subject
from photofinish.lab.bench.work.effort import Effort

FLAT = Bar(1.2, 1.1)
FEW, ACTIVE = 10, 10
"""The smaller number of rooms, and how many tables act at a time: the same with few rooms and with many."""
LONG = 20
"""Rooms of the long game."""
SLICE = 0.1
"""The first and the last tenth of the moves of the long game are compared."""


async def measure(effort: Effort, progress: Progress) -> list[Figure]:
    return [*await _rooms(effort, progress), *await _moves(effort, progress)]


async def _rooms(effort: Effort, progress: Progress) -> list[Figure]:
    """Three seats per room: 5,000 rooms of four need more sockets than most machines allow a process to open."""
    few, many = (Subject(f"{count} rooms", "counter of three", count) for count in (FEW, effort.many))
    found: dict[Subject, list[float]] = {few: [], many: []}
    progress(f"open {effort.many} rooms")
    async with started(few) as (few_load, _), started(many) as (many_load, _):
        for number in range(effort.rounds):
            for subject, load in ((few, few_load), (many, many_load)):
                progress(f"round {number + 1} of {effort.rounds}: {subject.name}")
                load.say(RoundOrder(effort.warm_up, effort.seconds, active=ACTIVE))
                measured = await load.hear(MeasuredRound)
                # What the rooms cost while nobody moves is a figure of its own (`idle`).
                load.say(RoundOrder(0.0, effort.seconds, active=ACTIVE, rate=0.001))
                still = await load.hear(MeasuredRound)
                spent = measured.cpu["server"] - still.cpu["server"] / still.seconds * measured.seconds
                found[subject].append(spent / max(1, measured.actions) * 1e6)
    growth = tuple(late / early for early, late in zip(found[few], found[many], strict=True))
    costs = [Figure(f"counter, {it.name}: CPU per action", "µs", tuple(found[it])) for it in (few, many)]
    return [*costs, Figure(f"a move with {effort.many} rooms against {FEW}", "×", growth, FLAT)]


async def _moves(effort: Effort, progress: Progress) -> list[Figure]:
    subject = Subject("long game", "counter", LONG)
    early, late, moves = [], [], 0
    async with started(subject) as (load, _):
        while moves < effort.many:
            progress(f"long game: move {moves:,} of {effort.many:,}")
            load.say(RoundOrder(0.0, min(1.0, effort.seconds)))
            measured = await load.hear(MeasuredRound)
            before, moves = moves, moves + measured.actions // LONG
            if before < SLICE * effort.many:
                early.append(cpu_us(measured))
            elif moves > (1 - SLICE) * effort.many:
                late.append(cpu_us(measured))
    middle = sorted(early)[len(early) // 2]
    return [
        Figure(
            f"a move after {effort.many:,} moves against the first",
            "×",
            tuple(it / middle for it in late),
            FLAT,
        )
    ]
