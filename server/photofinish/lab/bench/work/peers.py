"""The counter next to other game servers, which keep everything in memory. Installed by `make bench-peers`."""

from photofinish.lab.bench.results.figures import Bar, Figure
from photofinish.lab.bench.results.report import cost, ratio
from photofinish.lab.bench.rounds import Progress, run
from photofinish.lab.bench.servers import PEERS
from photofinish.lab.bench.subjects import BOARDGAME, COLYSEUS_SCHEMA, COLYSEUS_SENDS, COUNTER
from photofinish.lab.bench.work.counter import plan
from photofinish.lab.bench.work.effort import Effort

BARS = {
    COLYSEUS_SENDS: Bar(0.8, 1.2, is_least=True),
    COLYSEUS_SCHEMA: Bar(0.75, 1.0, is_least=True),
    BOARDGAME: Bar(4, 7, is_least=True),
}


class NotInstalled(Exception):  # noqa: N818 - the fact itself
    """The other servers are not there."""


def are_installed() -> bool:
    return (PEERS / "node_modules").is_dir()


async def measure(effort: Effort, progress: Progress) -> list[Figure]:
    if not are_installed():
        raise NotInstalled(
            "The other game servers are not installed here. Run `make bench-peers` in a checkout."
        )
    *theirs, ours = await run(plan(effort, *BARS, COUNTER), progress)
    ratios = [
        Figure(f"counter against {it.subject.name}", "×", ratio(ours, it), BARS[it.subject]) for it in theirs
    ]
    return [*(cost(it) for it in (*theirs, ours)), *ratios]
