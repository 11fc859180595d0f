"""The figures of `photofinish bench --out FILE` that have a limit, as the Markdown table of RESULTS.md.

python -m tests.bench.table FILE...
"""

import json
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

HEAD = ("| figure | measured | must | goal | |", "| --- | --- | --- | --- | --- |")
SAID = {"goal": "goal reached", "holds": "must reached", "MISSED": "**missed**"}


def rows(figures: Iterable[dict[str, Any]]) -> Iterator[str]:
    yield from HEAD
    for it in figures:
        bar = it["bar"]
        if bar is None:
            continue
        sign = "≥" if bar["is_least"] else "≤"
        value, low, high = (f"{number:.3g}" for number in (it["value"], min(it["values"]), max(it["values"])))
        spread = f" ({low}–{high})" if len(it["values"]) > 1 else ""
        limits = f"{sign} {bar['must']:g} | {sign} {bar['goal']:g}"
        yield f"| {it['name']} | {value} {it['unit']}{spread} | {limits} | {SAID[it['verdict']]} |"


def main(files: list[str]) -> None:
    found = [
        figure for file in files for figure in json.loads(Path(file).read_text(encoding="utf-8"))["figures"]
    ]
    print("\n".join(rows(found)))  # noqa: T201 - a script


if __name__ == "__main__":
    main(sys.argv[1:])
