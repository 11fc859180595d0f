"""Two workers against one, and two nodes with every second player on the wrong one.

By processor time per action: where the machine has a core for each worker, that is their throughput.
"""

from photofinish.lab.bench.load import MeasuredRound
from photofinish.lab.bench.results.figures import Bar, Figure
from photofinish.lab.bench.rounds import Progress, run
from photofinish.lab.bench.subjects import COUNTER, Subject
from photofinish.lab.bench.work.counter import plan
from photofinish.lab.bench.work.effort import Effort

WORKERS = Subject("counter, 60 rooms, two workers", "counter", server=("workers", "2"))
WRONG_NODE = Subject(
    "counter, 60 rooms, two nodes, every second player on the wrong one", "counter", server=("nodes", "2")
)


async def measure(effort: Effort, progress: Progress) -> list[Figure]:
    every = await run(plan(effort, COUNTER, WORKERS, WRONG_NODE), progress)
    one, two, wrong = ([_us(it) for it in series.rounds] for series in every)
    pairs = tuple(2 * alone / both for alone, both in zip(one, two, strict=True))
    return [
        Figure(f"{COUNTER.name}: CPU per action", "µs", tuple(one)),
        Figure(f"{WORKERS.name}: CPU per action, both", "µs", tuple(two)),
        Figure("two workers with a core each against one", "×", pairs, Bar(1.6, 1.9, is_least=True)),
        Figure(f"{WRONG_NODE.name}: CPU per action, both", "µs", tuple(wrong)),
    ]


def _us(it: MeasuredRound) -> float:
    """Processor time of all servers together per action."""
    servers = sum(spent for name, spent in it.cpu.items() if name.startswith("server"))
    return servers / max(1, it.actions) * 1e6
