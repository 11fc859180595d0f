"""Which process a node is, so that a neighbour on the same machine can know, not guess, that it is dead.

A process number alone says little: numbers are used again, every container has a process 1, and all containers of
a host share its boot. So only a process of the same boot, host name and process namespace may conclude anything,
and only if the number is free or belongs to a process that began at another time. Whoever cannot tell says no: then
the lease has to run out. (Were it ever wrong, epochs fence: players would be sent on once for nothing.)
"""

import os
from pathlib import Path

import msgspec

PROC = Path("/proc")
AFTER_NAME = 3
"""Fields of `stat` up to and with the state; those of proc(5) count from 1, and the name may hold anything."""
BEGAN = 22
ENDED = ("Z", "X")
"""Killed, and only its parent has not looked yet."""


class Process(msgspec.Struct, frozen=True, array_like=True):
    host: str
    boot: str
    namespace: int
    """Which process namespace its number is from."""
    pid: int
    began: int
    """In the kernel's ticks since the boot."""


def this_process() -> Process | None:
    """None where the kernel does not tell: nobody can then conclude anything about us."""
    try:
        boot = (PROC / "sys/kernel/random/boot_id").read_text(encoding="ascii").strip()
        namespace = (PROC / "self/ns/pid").stat().st_ino
        pid = os.getpid()
        began = _state_of(pid)[1]
    except (OSError, ValueError, IndexError):
        return None
    return Process(os.uname().nodename, boot, namespace, pid, began)


def is_certainly_dead(other: Process | None, us: Process | None) -> bool:
    """Whether that process has ended for certain, as seen from ours."""
    if other is None or us is None or other == us:
        return False
    if (other.host, other.boot, other.namespace) != (us.host, us.boot, us.namespace):
        return False
    try:
        os.kill(other.pid, 0)  # asks, and does nothing; also where /proc hides the processes of others
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
    """What it is doing, and when it began."""
    fields = (
        (PROC / str(pid) / "stat").read_text(encoding="utf-8", errors="replace").rpartition(")")[2].split()
    )
    return fields[0], int(fields[BEGAN - AFTER_NAME])
