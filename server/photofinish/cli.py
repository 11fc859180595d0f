"""The command `photofinish`. Imports only what the given command needs: players wait for the start of the server."""

import gc
import sys
from importlib import import_module

COMMANDS = {
    "serve": "serve",
    "play": "play", "watch": "play",
    "bot": "seat_bots", "host": "seat_bots",
    "rooms": "show_lists", "games": "show_lists",
    "save": "replay", "verify": "replay", "replay": "replay", "strip": "replay",
    "tournament": "tournament",
    "conformance": "conformance", "inspect": "conformance",
    "arena": "measure", "race-lab": "measure",
    "bench": "bench",
    "doctor": "doctor",
    "completion": "complete",
    "new-game": "develop",
}  # fmt: skip
"""Every command, and the module of `photofinish.commands` that holds it."""

WRONG = 2
"""Exit code for wrong arguments; 1 is for all other failures."""

TYPED = {
    "unknown_game": "--game", "bad_options": "--set", "no_such_room": "--room", "room_full": "--room",
    "no_such_seat": "--seat", "seat_taken": "--seat", "bad_name": "--name",
}  # fmt: skip
"""Which option a refusal of the server is about."""


def main() -> None:
    gc.disable()  # imported modules stay: collecting garbage among them took a tenth of the start time
    try:
        import_commands(*sys.argv[1:2])
    except ModuleNotFoundError as missing:
        _explain(missing)
    from cyclopts import CycloptsError  # noqa: PLC0415 - as above

    from photofinish.commands.shared.base import BadUse, app, complain  # noqa: PLC0415 - likewise

    gc.enable()
    try:
        sys.exit(app(sys.argv[1:], exit_on_error=False, print_error=False))
    except (CycloptsError, BadUse) as fault:
        complain(str(fault))
        sys.exit(WRONG)
    except KeyboardInterrupt:
        sys.exit(130)
    except Exception as fault:
        code = _print_fault(fault)
        if code is None:
            raise
        sys.exit(code)


def import_commands(word: str = "") -> None:
    """Import the module of one command, or all of them: for `--help`, `completion` and a word that is no command."""
    modules = set(COMMANDS.values())
    if word in COMMANDS and word != "completion":
        modules = {COMMANDS[word]}
    for module in sorted(modules):
        import_module(f"photofinish.commands.{module}")


def _print_fault(fault: Exception) -> int | None:
    """Print a fault that the user can fix, in one sentence. Returns the exit code, or None for a bug of ours."""
    from http.client import HTTPException  # noqa: PLC0415 - as above

    from photofinish.commands.shared.base import complain  # noqa: PLC0415 - likewise
    from photofinish_client.connection.address import BadAddress  # noqa: PLC0415 - likewise
    from photofinish_client.errors import CutOff, NoTerminal, RequestRefused  # noqa: PLC0415 - likewise

    while isinstance(fault, ExceptionGroup):
        fault = fault.exceptions[0]
    if isinstance(fault, ModuleNotFoundError):
        _explain(fault)
    if isinstance(fault, RequestRefused):
        complain(f"{_typed(TYPED.get(fault.reason.value, ''))}{fault}")
        return 1 if fault.retry else WRONG
    if isinstance(fault, BadAddress | NoTerminal):
        complain(str(fault))
        return WRONG
    if isinstance(fault, CutOff | OSError):
        complain(str(fault))
        return 1
    if isinstance(fault, HTTPException):  # no HTTP, or a page that ends too early
        complain(f"The server's answer cannot be read: {fault!r}.")
        return 1
    return None


def _typed(option: str) -> str:
    """`--game chess: ` as it was typed; empty if the option was not given."""
    for n, word in enumerate(sys.argv):
        if option and word.split("=")[0] == option:
            value = word.partition("=")[2] or "".join(sys.argv[n + 1 : n + 2])
            return f"{option} {value}: "
    return ""


def _explain(missing: ModuleNotFoundError) -> None:
    """`pip install photofinish` installs only the SDK; the commands need more."""
    if (missing.name or "").startswith("photofinish"):
        raise missing
    print(
        f"photofinish: the package {missing.name} is not installed. "
        "The commands need: pip install 'photofinish[server,terminal]'",
        file=sys.stderr,
    )
    sys.exit(WRONG)
