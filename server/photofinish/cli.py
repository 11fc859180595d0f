"""The command `photofinish`. Imports nothing before it knows what is asked: who waits for a seat waits for that too."""

import gc
import sys
from importlib import import_module

SERVE = "serve"
OTHERS = ("develop", "doctor", "measure", "play", "replay")
"""The files of all other commands. A server that starts again does without them, and is up in half the time."""


def main() -> None:
    gc.disable()  # all that is imported stays: to look for garbage in it took a tenth of the start
    faults: tuple[type[Exception], ...] = (OSError,)
    try:
        import_module(f"photofinish.commands.{SERVE}")
    except ModuleNotFoundError as missing:
        _explain(missing)
    if sys.argv[1:2] != ["serve"]:
        from photofinish_client.errors import AskRefused, CutOff  # noqa: PLC0415 - as above

        faults = (AskRefused, CutOff, OSError)
        for name in OTHERS:
            import_module(f"photofinish.commands.{name}")
    from photofinish.commands.base import app, console  # noqa: PLC0415 - likewise

    gc.enable()
    try:
        sys.exit(app())
    except faults as fault:
        console.print(f"[red]{fault}[/]")
        sys.exit(1)
    except KeyboardInterrupt:
        sys.exit(130)


def _explain(missing: ModuleNotFoundError) -> None:
    """`pip install photofinish` alone brings the SDK; the commands need more."""
    if (missing.name or "").startswith("photofinish"):
        raise missing
    print(
        f"photofinish: the package {missing.name} is not installed. "
        "The commands need: pip install 'photofinish[server,terminal]'",
        file=sys.stderr,
    )
    sys.exit(2)
