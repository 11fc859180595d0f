"""The command `photofinish`."""

import sys

from photofinish.commands import labs, replays, serving, tables
from photofinish.commands.base import app, console
from photofinish_client.errors import AskRefused, CutOff

__all__ = ["app", "labs", "main", "replays", "serving", "tables"]


def main() -> None:
    try:
        sys.exit(app())
    except (AskRefused, CutOff, OSError) as fault:
        console.print(f"[red]{fault}[/]")
        sys.exit(1)
    except KeyboardInterrupt:
        sys.exit(130)
