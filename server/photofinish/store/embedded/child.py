"""A child process that ends when its parent does, however the parent ends."""

import ctypes
import os
import signal
import sys
from collections.abc import Callable

PR_SET_PDEATHSIG = 1
"""Linux: the signal that the kernel sends to this process when its parent ends."""


def die_with_us(parent: int) -> Callable[[], None] | None:
    """A `preexec_fn` that makes the Linux kernel end the child when we end.

    None on other systems: there the next start stops a child that is left over (`datafolder.py`).
    """
    if sys.platform != "linux":
        return None
    prctl = ctypes.CDLL(None).prctl  # loaded before the fork: a child must not load libraries

    def request_signal() -> None:
        prctl(PR_SET_PDEATHSIG, signal.SIGTERM)
        if os.getppid() != parent:  # the parent ended before prctl was called
            os._exit(1)

    return request_signal
