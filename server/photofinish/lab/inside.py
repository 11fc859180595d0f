"""`python -m photofinish.lab.inside SPACE PROGRAM …`: run a program in a namespace (or in ours: -) until we end."""

import os
import sys

from photofinish.lab.tunspace import die_with_parent, enter


def main() -> None:
    space, *program = sys.argv[1:]
    die_with_parent()
    if space != "-":
        enter(space)
    os.execv(program[0], program)  # noqa: S606 - no shell is the point


if __name__ == "__main__":
    main()
