"""Runs every installed checker on `deploy/` and reports those that are missing: `python -m tests.deploy.check`."""

import asyncio
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

from rich.console import Console
from rich.markup import escape

from tests.deploy.certificates import certificate
from tests.deploy.nginx import behind_nginx, nginx_config
from tests.deploy.tools import FOLDER, TOP, find

DEPLOY = TOP / "deploy"
EXPOSURE = 20
"""In tenths: `systemd-analyze security` must report at most 2.0."""


class CheckFailed(Exception):  # noqa: N818 - what the checker said
    """A checker has reported a fault."""


def hadolint(tool: str, _folder: Path) -> None:
    _run(tool, DEPLOY / "Dockerfile")


def kubernetes(tool: str, _folder: Path) -> None:
    files = sorted(it for it in (DEPLOY / "k8s").glob("*.yaml") if it.name != "kustomization.yaml")
    _run(tool, "--strict", *files)


def promtool(tool: str, _folder: Path) -> None:
    _run(tool, "check", "rules", DEPLOY / "prometheus" / "alerts.yaml")
    _run(tool, "check", "config", "--syntax-only", DEPLOY / "prometheus" / "prometheus.yaml")


def nginx_syntax(tool: str, folder: Path) -> None:
    _run(
        tool,
        "-t",
        "-q",
        "-p",
        folder,
        "-c",
        nginx_config(folder, certificate(folder, "proxy"), nodes=(1, 2)).file,
    )


def nginx_live(tool: str, folder: Path) -> None:
    asyncio.run(behind_nginx(tool, folder))


def systemd(tool: str, folder: Path) -> None:
    unit = DEPLOY / "photofinish.service"
    _run(tool, "security", "--offline=yes", f"--threshold={EXPOSURE}", unit)
    # The program is not installed at that path here, so another one stands in for the check of the rest.
    here = folder / unit.name
    here.write_text(unit.read_text().replace("/opt/photofinish/bin/photofinish", sys.executable))
    said = _run(tool, "verify", "--man=no", here)
    if said:
        raise CheckFailed(said)


CHECKS: dict[str, tuple[str, Callable[[str, Path], None]]] = {
    "Dockerfile (hadolint)": ("hadolint", hadolint),
    "Kubernetes (kubernetes-validate --strict)": ("kubernetes-validate", kubernetes),
    "alerts and Prometheus (promtool)": ("promtool", promtool),
    "nginx.conf (nginx -t)": ("nginx", nginx_syntax),
    "a player behind a real nginx": ("nginx", nginx_live),
    "photofinish.service (systemd-analyze)": ("systemd-analyze", systemd),
}


def check(name: str) -> bool:
    """Run the checker. False if it is not installed. Raises `CheckFailed` or an AssertionError if it finds a fault."""
    needs, look = CHECKS[name]
    tool = find(needs)
    if tool is None:
        return False
    with tempfile.TemporaryDirectory() as folder:
        look(tool, Path(folder))
    return True


def _run(*words: str | Path) -> str:
    paths = f"{FOLDER}{os.pathsep}{os.environ.get('PYTHONPATH', '')}".rstrip(os.pathsep)
    done = subprocess.run(
        words,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
        env={**os.environ, "PYTHONPATH": paths},
    )
    if done.returncode:
        raise CheckFailed((done.stdout + done.stderr).strip()[-2000:])
    return done.stderr.strip()


def main() -> int:
    console = Console(soft_wrap=True)
    failed = False
    for name, (needs, _) in CHECKS.items():
        try:
            is_here = check(name)
        except (CheckFailed, AssertionError) as fault:
            failed = True
            console.print(f"[bold red]FAILED[/]   {name}\n{escape(str(fault))}")
        else:
            says = "[green]ok[/]      " if is_here else "[bold yellow]SKIPPED[/] "
            console.print(
                f"{says} {name}" + ("" if is_here else f": no {needs} here (make deploy-check fetches it)")
            )
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())
