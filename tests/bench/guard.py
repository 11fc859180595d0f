"""`make bench-guard`: fails if the server has become a third slower than the committed figure.

Both sides of the ratio are processor times of the same run, so the figure hardly depends on the machine or on what else
it does. A ratio that is too low is measured a second time, for longer, before it counts.
"""

import asyncio
import json
import statistics
import sys
from pathlib import Path

from photofinish.lab.bench.results.report import ratio
from photofinish.lab.bench.rounds import Plan, run
from photofinish.lab.bench.subjects import COUNTER, ECHO_UVLOOP

BASELINE = Path(__file__).with_name("baseline.json")
A_THIRD_SLOWER = 2 / 3
BOTH = (ECHO_UVLOOP, COUNTER)
PLANS = (Plan(BOTH, rounds=5, seconds=1.0, warm_up=0.5), Plan(BOTH, rounds=9))


def measured(plan: Plan) -> float:
    """How much of the bare echo's work the server does in the same processor time."""
    echo, ours = asyncio.run(run(plan, lambda _text: None))
    return statistics.median(ratio(ours, echo))


def main() -> int:
    committed = json.loads(BASELINE.read_text(encoding="utf-8"))["counter_to_echo_uvloop"]
    least = committed * A_THIRD_SLOWER
    for plan in PLANS:
        found = measured(plan)
        print(f"counter: {found:.2f} of a bare echo on uvloop; committed {committed:.2f}, least {least:.2f}")  # noqa: T201 - a script
        if found >= least:
            return 0
    print("The server has become a third slower: see `photofinish bench` and tests/bench/RESULTS.md")  # noqa: T201 - a script
    return 1


if __name__ == "__main__":
    sys.exit(main())
