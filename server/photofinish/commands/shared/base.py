"""What all commands share."""

import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Annotated, Any

import msgspec
from cyclopts import App, Parameter, validators
from cyclopts.config import Env
from rich.console import Console

from photofinish_client.plain_text import visible

app = App(
    name="photofinish",
    help="A card-table server that decides races by reaction time, not by network speed.",
    version_flags=["--version"],
    config=Env("PHOTOFINISH_", command=False, show=False),
)
console = Console()

Url = Annotated[str, Parameter(help="Where the server is, such as ws://127.0.0.1:8765")]
Set = Annotated[tuple[str, ...], Parameter(negative=())]
Json = Annotated[bool, Parameter(negative="", help="Print JSON instead of text.")]
AtLeast0 = Annotated[int, Parameter(validator=validators.Number(gte=0))]
AtLeast1 = Annotated[int, Parameter(validator=validators.Number(gte=1))]
DEFAULT_URL = "ws://127.0.0.1:8765"


class BadUse(Exception):  # noqa: N818 - the user reads it as a sentence
    """A wrong argument. The text says what was typed and what is expected. Ends the command with exit code 2."""


def complain(text: str) -> None:
    """Print the text on stderr in one line. Without stderr `print` would use stdout."""
    if sys.stderr is not None:
        print(f"photofinish: {visible(' '.join(text.split()))}", file=sys.stderr)


def print_json(value: Any) -> None:
    print(msgspec.json.encode(value, enc_hook=str).decode())


def chosen_options(pairs: Iterable[str]) -> dict[str, Any]:
    """Options such as `target_points=10`, converted for the protocol."""
    chosen: dict[str, Any] = {}
    for pair in pairs:
        key, is_there, value = pair.partition("=")
        if not key or not is_there:
            raise BadUse(f"--set takes NAME=VALUE, such as target_points=10, not {pair!r}.")
        try:
            chosen[key] = msgspec.json.decode(value)
        except msgspec.DecodeError:
            chosen[key] = value
    return chosen


def read_text(file: Path) -> str:
    """The text of a file that the user names. Some editors write a byte order mark in front."""
    try:
        return file.read_text(encoding="utf-8-sig")
    except UnicodeDecodeError:
        raise BadUse(f"{file} is not UTF-8 text.") from None
    except OSError as fault:
        raise BadUse(f"{file} cannot be read: {fault.strerror}.") from fault


def write_file(file: Path, raw: bytes) -> None:
    try:
        file.write_bytes(raw)
    except OSError as fault:
        raise BadUse(f"{file} cannot be written: {fault.strerror}.") from fault


def need_writable(file: Path | None) -> None:
    """Check before a long run, not after it, that the result can be written."""
    if file is None:
        return
    try:
        with file.open("ab"):
            pass
    except OSError as fault:
        raise BadUse(f"{file} cannot be written: {fault.strerror}.") from fault
