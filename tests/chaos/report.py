"""The results of the scenarios, as Markdown for people and as JSON for comparison."""

import json
import platform
from dataclasses import asdict
from datetime import datetime
from pathlib import Path

from tests.chaos.findings import Findings

SHARES = {"p50": 0.5, "p99": 0.99, "most": 1.0}


def write(folder: Path, found: list[tuple[str, Findings, float]], seed: int) -> Path:
    """Write `report.md` and `report.json`. Each entry: the promise, the findings, the seconds it took."""
    now = datetime.now().astimezone()
    head = f"Seed {seed}, {now:%Y-%m-%d %H:%M}, Python {platform.python_version()} on {platform.machine()}."
    page = ["# Faults", "", head, ""]
    for promise, findings, took in found:
        page += [f"## {findings.fault}", "", f"{promise}. {took:.0f} s.", ""]
        page += [f"- {what}: {number}" for what, number in findings.counts.items()]
        for what in findings.spans:
            times = ", ".join(f"{name} {findings.quantile(what, it):.3f} s" for name, it in SHARES.items())
            page.append(f"- {what}: {times} ({len(findings.spans[what])})")
        page += [f"- **wrong**: {wrong}" for wrong in findings.wrongs] or ["- nothing wrong"]
        page.append("")
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "report.md").write_text("\n".join(page), encoding="utf-8")
    scenarios = [
        {"promise": promise, "seconds": took, **asdict(findings)} for promise, findings, took in found
    ]
    (folder / "report.json").write_text(
        json.dumps({"seed": seed, "scenarios": scenarios}, indent=1), encoding="utf-8"
    )
    return folder / "report.md"
