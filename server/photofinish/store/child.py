"""A child process that ends when its parent does, however the parent ends."""

import ctypes
import os
import signal
import sys
from collections.abc import Callable

PR_SET_PDEATHSIG = 1
"""Linux: the signal that the kernel sends to this process when its parent ends."""


def die_with_us(parent: int) -> Callable[[], None] | None:
    """On Linux the kernel tells the child of our end. Elsewhere the next start sees it off (`datafolder.py`)."""
    if sys.platform != "linux":
        return None
    prctl = ctypes.CDLL(None).prctl  # looked up before the fork

    def ask() -> None:
        prctl(PR_SET_PDEATHSIG, signal.SIGTERM)
        if os.getppid() != parent:  # we ended in between
            os._exit(1)

    return ask
