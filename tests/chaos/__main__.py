"""The long form: `make chaos`, or `python -m tests.chaos --scenario zombie --times 200 --seed 7`."""

import argparse
import asyncio
import random
import shutil
import sys
import tempfile
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

from tests.chaos import report
from tests.chaos.faults.scenarios import SCENARIOS, Scenario
from tests.chaos.findings import Findings


def main() -> int:
    words = argparse.ArgumentParser(prog="python -m tests.chaos", description=__doc__)
    words.add_argument(
        "--scenario", action="append", choices=SCENARIOS, help="only this scenario; can be repeated"
    )
    words.add_argument("--times", type=int, help="repetitions per scenario, instead of the full number")
    words.add_argument("--seed", type=int, default=1)
    words.add_argument("--output", type=Path, default=Path("chaos-report"), help="folder of the report")
    asked = words.parse_args()
    console, found = Console(), []
    progress = Progress(
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
        console=console,
    )
    with progress:
        for name in asked.scenario or SCENARIOS:
            scenario = SCENARIOS[name]
            if not scenario.is_possible():
                console.print(f"{name}: cannot be done on this machine: no C compiler, or not root")
                continue
            times = asked.times or scenario.times
            task = progress.add_task(name, total=times)
            began = time.monotonic()
            findings = _run(scenario, times, asked.seed, partial(progress.advance, task))
            found.append((scenario.promise, findings, time.monotonic() - began))
            report.write(asked.output, found, asked.seed)
            for wrong in findings.wrongs:
                console.print(f"[red]{name}: {wrong}[/]", highlight=False)
    wrongs = sum(len(findings.wrongs) for _, findings, _ in found)
    console.print(f"{asked.output / 'report.md'} written; {wrongs or 'nothing'} wrong")
    return 1 if wrongs else 0


def _run(scenario: Scenario, times: int, seed: int, on_done: Callable[[], None]) -> Findings:
    """Run it in a new folder, which is kept if anything is wrong. A scenario that raises is a finding too."""
    folder = Path(tempfile.mkdtemp(prefix="chaos-"))
    try:
        findings = asyncio.run(scenario.run(folder, times, random.Random(seed), on_done))
    except Exception as fault:  # noqa: BLE001 - the other scenarios are still worth running
        findings = Findings(scenario.promise, wrongs=[f"broke down: {fault!r}"])
    if findings.wrongs:
        findings.wrongs.append(f"the servers' logs are in {folder}")
    else:
        shutil.rmtree(folder)
    return findings


if __name__ == "__main__":
    sys.exit(main())
