"""Creates a virtual environment with the fastest build of this Python version: `python deploy/make_venv.py .venv`.

Builds of the same version differ a lot. An interpreter that was compiled without profile-guided optimisation (the
default of `pyenv install`) took 1.5 times as long as the one of the distribution on the same machine.
"""

import os
import subprocess
import sys
from pathlib import Path

LEAST = (3, 11)
CLEARLY = 0.87
"""Another build is taken if it needs at most this share of the time: less is noise."""
NAMES = ("python3", f"python3.{sys.version_info.minor}")
VERSION = "import ensurepip, venv, sys; print(sys.version_info[:2])"
LOOP = """
from time import process_time
class Card:
    __slots__ = ("rank", "suit")
    def __init__(self, rank, suit): self.rank = rank; self.suit = suit
    def plus(self, more): return self.rank + more
def work():
    total, seen = 0, {}
    for i in range(40_000):
        card = Card(i, i & 3)
        total += card.plus(3)
        seen[i & 255] = (total, card.suit)
    return total
def timed():
    begin = process_time()
    work()
    return process_time() - begin
print(min(timed() for _ in range(9)))
"""


def main() -> None:
    if sys.version_info < LEAST:
        sys.exit(f"Photofinish needs Python {LEAST[0]}.{LEAST[1]} or newer, this is {sys.version.split()[0]}")
    python = fastest({it: seconds(it) for it in (sys.executable, *others())})
    if python != sys.executable:
        print(f"using {python}: it is faster than {sys.executable}", file=sys.stderr)
    sys.exit(subprocess.run([python, "-m", "venv", sys.argv[1]], check=False).returncode)


def others() -> list[str]:
    """The other Pythons of this version on the PATH and in /usr/bin that can create environments."""
    folders = dict.fromkeys((*os.environ.get("PATH", "").split(os.pathsep), "/usr/bin"))
    found = {Path(sys.executable).resolve(): sys.executable}
    for path in (Path(folder) / name for folder in folders if folder for name in NAMES):
        if os.access(path, os.X_OK) and path.resolve() not in found and _is_same_version(str(path)):
            found[path.resolve()] = str(path)
    return list(found.values())[1:]


def _is_same_version(python: str) -> bool:
    return _output(python, VERSION) == str(sys.version_info[:2])


def fastest(times: dict[str, float]) -> str:
    """This Python, or another one that is clearly faster."""
    best = min(times, key=times.__getitem__)
    return best if times[best] < CLEARLY * times[sys.executable] else sys.executable


def seconds(python: str) -> float:
    """The processor time of a fixed loop; endless for a Python that does not run."""
    output = _output(python, LOOP)
    return float(output) if output else float("inf")


def _output(python: str, program: str) -> str:
    """What the program prints; nothing if it fails."""
    try:
        done = subprocess.run(
            [python, "-I", "-c", program], capture_output=True, text=True, timeout=30, check=False
        )
    except (OSError, subprocess.TimeoutExpired):
        return ""
    return done.stdout.strip() if done.returncode == 0 else ""


if __name__ == "__main__":
    main()
