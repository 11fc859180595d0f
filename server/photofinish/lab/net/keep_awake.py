"""Keeps a core awake: `python -m photofinish.lab.net.keep_awake CORE` spins at idle priority.

A virtual core that falls asleep is lent out by its host, and comes back late: on the machine this was made on it stood
still for over 5 ms 122 times in 25 s when it might sleep, and 9 times in the next 25 s when it was kept awake.
The lowest class of all gives way at once, so nobody of the laboratory waits for this.
The end of the input is its end.
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
