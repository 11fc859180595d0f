"""The Lua scripts that run inside Redis. They are called by digest; a server without the script gets its text."""

import hashlib
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True)
class LuaScript:
    text: str
    sha: str


def _read(name: str) -> LuaScript:
    text = (Path(__file__).parent / f"{name}.lua").read_text(encoding="utf-8")
    # Redis identifies scripts by this digest; it is not used for security.
    return LuaScript(text, hashlib.sha1(text.encode(), usedforsecurity=False).hexdigest())


COMMIT = _read("commit")
LEASE = _read("lease")
INDEX = _read("index")
ARCHIVE = _read("archive")
EVENT = _read("event")
RATE = _read("rate")
