"""Keeps a core awake: `python -m photofinish.lab.net.keep_awake CORE` spins at idle priority.

The host gives an idle virtual core to others and returns it late. On the machine where this was developed, a core
that could sleep stalled for more than 5 ms 122 times in 25 s; kept awake, 9 times in the next 25 s.
A process at idle priority is preempted at once, so no process of the laboratory waits for this one.
It ends when its standard input ends.
"""

import os
import sys
import threading

from photofinish.lab.net.links.netns import die_with_parent


def main() -> None:
    die_with_parent()
    os.sched_setaffinity(0, {int(sys.argv[1])})
    os.sched_setscheduler(0, os.SCHED_IDLE, os.sched_param(0))
    threading.Thread(target=_end_with_input, daemon=True).start()
    while True:
        pass


def _end_with_input() -> None:
    while os.read(sys.stdin.fileno(), 4096):
        pass
    os._exit(0)


if __name__ == "__main__":
    main()
