"""Identifies the process of a node, so that another node on the same machine can prove that it has ended.

A pid alone is not enough: pids are reused, every container has a process 1, and all containers of a host share its
boot id. So the check needs the same boot id, host name and pid namespace, and it needs a pid that is free or belongs
to a process with another start time. In every other case the answer is "not proven", and the lease has to expire.
(A wrong answer would lose nothing, because epochs fence off the old owner: players would reconnect once.)
"""

import os
from pathlib import Path

import msgspec

PROC = Path("/proc")
AFTER_NAME = 3
"""Number of the first field after the name, the state. proc(5) counts from 1; the name may contain anything."""
BEGAN = 22
ENDED = ("Z", "X")
"""States of a process that has ended but whose parent has not collected it."""


class Process(msgspec.Struct, frozen=True, array_like=True):
    host: str
    boot: str
    namespace: int
    """The pid namespace that `pid` belongs to."""
    pid: int
    began: int
    """Start time, in kernel ticks since boot."""


def this_process() -> Process | None:
    """This process; None where the kernel has no /proc. Then no other node can prove that we have ended."""
    try:
        boot = (PROC / "sys/kernel/random/boot_id").read_text(encoding="ascii").strip()
        namespace = (PROC / "self/ns/pid").stat().st_ino
        pid = os.getpid()
        began = _state_of(pid)[1]
    except (OSError, ValueError, IndexError):
        return None
    return Process(os.uname().nodename, boot, namespace, pid, began)


def is_certainly_dead(other: Process | None, us: Process | None) -> bool:
    """Whether it is proven that `other` has ended. `us` is the calling process."""
    if other is None or us is None or other == us:
        return False
    if (other.host, other.boot, other.namespace) != (us.host, us.boot, us.namespace):
        return False
    try:
        os.kill(other.pid, 0)  # signal 0 only checks; it also works where /proc hides other users' processes
    except ProcessLookupError:
        return True
    except OSError:
        return False
    try:
        state, began = _state_of(other.pid)
    except ProcessLookupError:
        return True
    except (OSError, ValueError, IndexError):
        return False
    return began != other.began or state in ENDED


def _state_of(pid: int) -> tuple[str, int]:
    """Its state and its start time."""
    fields = (
        (PROC / str(pid) / "stat").read_text(encoding="utf-8", errors="replace").rpartition(")")[2].split()
    )
    return fields[0], int(fields[BEGAN - AFTER_NAME])
