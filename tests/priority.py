"""Gives processes priority over all others, for tests that measure times: other load must not change the figures."""

import os
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

PROC = Path("/proc")


@contextmanager
def ahead_of_others(*pids: int) -> Iterator[None]:
    """Give all threads of these processes and of this one real-time priority, where that is allowed.

    Threads and processes that they start meanwhile inherit it; at the end all of them lose it.
    """
    own = os.getpid()
    with suppress(PermissionError):
        _schedule((own, *pids), os.SCHED_RR, 1)
    try:
        yield
    finally:
        with suppress(PermissionError):
            _schedule((own, *pids, *descendants(own)), os.SCHED_OTHER, 0)


def _schedule(pids: Iterable[int], policy: int, priority: int) -> None:
    for pid in pids:
        for thread in _threads(pid):
            with suppress(ProcessLookupError):
                os.sched_setscheduler(thread, policy, os.sched_param(priority))


def descendants(pid: int) -> list[int]:
    """The processes that this one has started, and those that they have started; none where there is no /proc."""
    found: list[int] = []
    for thread in _threads(pid):
        with suppress(OSError):
            children = (PROC / str(pid) / "task" / str(thread) / "children").read_text("ascii").split()
            for child in map(int, children):
                found += [child, *descendants(child)]
    return found


def kept_waiting(*pids: int) -> float:
    """Seconds for which the main threads of these processes were ready to run while the scheduler ran others.

    0.0 where the kernel does not tell.
    """
    nanoseconds = 0
    for pid in pids:
        with suppress(OSError):
            nanoseconds += int((PROC / str(pid) / "schedstat").read_text("ascii").split()[1])
    return nanoseconds / 1e9


def _threads(pid: int) -> Iterable[int]:
    try:
        return [int(it.name) for it in (PROC / str(pid) / "task").iterdir()]
    except OSError:
        return [pid]
