"""What just happened, as part of the state, so that it goes out by the same door as everything else."""

from typing import Any

import msgspec

from photofinish.engine.ids import Seat, Viewer
from photofinish.engine.records import replace


class Happened(msgspec.Struct, frozen=True, omit_defaults=True):
    """One thing that happened in the last step.

    `what` is a word from the game's README that clients may rely on; `detail` its facts. `text` is a sentence
    in which `{0}`, `{1}` … stand for the players in those seats: "{0} slapped {2}'s card."

    Never put a face here that is shown only for a while: faces live in the view, for as long as they may be
    seen. `last` is kept and merged for slow readers and resumed players.
    """

    what: str
    seat: Seat | None = None
    text: str = ""
    detail: dict[str, Any] = {}
    only: Seat | None = None
    """Told to this seat alone. `told` takes it off before it leaves."""


def told(last: tuple[Happened, ...], viewer: Viewer) -> tuple[Happened, ...]:
    """What this viewer hears of it."""
    return tuple(
        replace(it, only=None) if it.only is not None else it
        for it in last
        if it.only is None or it.only == viewer
    )
