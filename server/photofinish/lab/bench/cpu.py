"""The processor time and memory of processes. Unlike elapsed time, processor time hardly changes on a busy machine."""

import os
from pathlib import Path


def cpu_seconds(pid: int) -> float:
    """Processor time of all threads of this process, to the nanosecond where the kernel reports it."""
    total = 0
    for thread in Path(f"/proc/{pid}/task").iterdir():
        total += int((thread / "schedstat").read_text(encoding="ascii").split()[0])
    return total / 1e9


def memory_bytes(pid: int) -> int:
    """Memory that the process holds alone (without shared pages of libraries)."""
    resident, shared = (Path(f"/proc/{pid}/statm").read_text(encoding="ascii").split()[n] for n in (1, 2))
    return (int(resident) - int(shared)) * os.sysconf("SC_PAGE_SIZE")


def pin(pid: int, core: int) -> None:
    """Keep the process on one core. On a machine with one core everything shares it."""
    cores = sorted(os.sched_getaffinity(0))
    os.sched_setaffinity(pid, {cores[core % len(cores)]})
