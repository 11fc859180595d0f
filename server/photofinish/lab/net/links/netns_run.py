"""`python -m photofinish.lab.net.links.netns_run SPACE PLACE PROGRAM …`: run a program in a namespace (-: ours).

PLACE is its real-time priority, where that is allowed; 0 means normal priority.
"""

import os
import sys

from photofinish.lab.net.links.netns import die_with_parent, enter, go_ahead


def main() -> None:
    space, place, *program = sys.argv[1:]
    die_with_parent()
    if int(place):
        go_ahead(int(place))
    if space != "-":
        enter(space)
    os.execv(program[0], program)  # noqa: S606 - no shell is the point


if __name__ == "__main__":
    main()
