"""`python -m tests.precompile`: compile the tests once, before the workers of `make test` start.

Pytest rewrites every assertion and keeps the result beside the test. In a fresh clone each worker would do that for all
files at the same time: 13 s of processor time per worker instead of 3.
"""

import subprocess
import sys
from pathlib import Path

TOP = Path(__file__).parent.parent
PROCESSES = 2
FEW = 30
"""Files that the workers may compile themselves."""


def stale() -> list[Path]:
    """The test files without a compiled version that is as new as they are; the largest first."""
    files = sorted((TOP / "tests").rglob("test_*.py"), key=lambda it: it.stat().st_size, reverse=True)
    return [it for it in files if not _is_compiled(it)]


def _is_compiled(file: Path) -> bool:
    made = (file.parent / "__pycache__").glob(f"{file.stem}.*-pytest-*.pyc")
    return any(it.stat().st_mtime >= file.stat().st_mtime for it in made)


def main() -> None:
    files = stale()
    if len(files) < FEW:
        return
    words = [sys.executable, "-m", "pytest", "--collect-only", "-qq", "-p", "no:xdist"]
    parts = [files[n::PROCESSES] for n in range(PROCESSES)]
    compilers = [subprocess.Popen([*words, *part], cwd=TOP, stdout=subprocess.DEVNULL) for part in parts]
    for compiler in compilers:
        compiler.wait()  # what does not compile is reported by the run itself


if __name__ == "__main__":
    main()
