"""`make coverage`: branch coverage per package, from the quick tests. Fails if a core package is under 90 %.

Two figures must reach it: the branches alone, and lines and branches together, as coverage.py sums them.
"""

import json
import subprocess
import sys
import tempfile
from collections import defaultdict
from pathlib import Path

TOP = Path(__file__).parent.parent
LEAST = {"engine": 90, "race": 90, "room": 90, "store": 90}
OTHERS = ("gateway", "node", "replay")
FOLDERS = ("engine", "gateway", "node", "race", "replay", "room", "store")
"""The folders that are run. None of their tests starts a server."""
KINDS = ("num_statements", "covered_lines", "num_branches", "covered_branches")


def measure(folder: Path, *more: str) -> Path:
    """Run the tests; returns coverage.py's report."""
    found = folder / "coverage.json"
    sources = [f"--cov=photofinish.{name}" for name in (*LEAST, *OTHERS)]
    words = ["-q", "-n", "2", "--cov-branch", *sources, f"--cov-report=json:{found}", *more]
    tests = [str(TOP / "tests" / name) for name in FOLDERS]
    done = subprocess.run([sys.executable, "-m", "pytest", *words, *tests], cwd=TOP, check=False)
    if done.returncode:
        sys.exit(done.returncode)
    return found


def packages(report: Path) -> dict[str, tuple[float, float, float]]:
    """Per package: the share of lines, of branches and of both together that the tests reached, in percent."""
    sums: dict[str, dict[str, int]] = defaultdict(lambda: dict.fromkeys(KINDS, 0))
    for name, file in json.loads(report.read_text(encoding="utf-8"))["files"].items():
        package = Path(name).parts[Path(name).parts.index("photofinish") + 1]
        for kind in KINDS:
            sums[package][kind] += file["summary"][kind]
    found = {}
    for package, it in sorted(sums.items()):
        lines, branches = it["covered_lines"], it["covered_branches"]
        every = it["num_statements"] + it["num_branches"]
        found[package] = (
            _percent(lines, it["num_statements"]),
            _percent(branches, it["num_branches"]),
            _percent(lines + branches, every),
        )
    return found


def _percent(part: int, whole: int) -> float:
    return 100 * part / whole if whole else 100.0


def main() -> int:
    with tempfile.TemporaryDirectory() as folder:
        found = packages(measure(Path(folder), *sys.argv[1:]))
    sys.stdout.write("package       lines  branches  both  least\n")
    low = []
    for package, shares in found.items():
        least = LEAST.get(package)
        figures = "".join(f"{share:8.1f}" for share in shares)
        sys.stdout.write(f"{package:10s} {figures}  {least or '-'}\n")
        if least is not None and min(shares[1:]) < least:
            low.append(package)
    if low:
        sys.stderr.write(f"coverage: less than {LEAST[low[0]]} % of {', '.join(low)} is tested\n")
    missing = LEAST.keys() - found.keys()
    if missing:
        sys.stderr.write(f"coverage: nothing was measured of {', '.join(sorted(missing))}\n")
    return 1 if low or missing else 0


if __name__ == "__main__":
    sys.exit(main())
