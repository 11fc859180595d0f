"""What just happened. It is part of the state, so clients get it only through `view`, like everything else."""

from typing import Any

import msgspec

from photofinish.engine.ids import Seat, Viewer
from photofinish.engine.records import replace


class Happened(msgspec.Struct, frozen=True, omit_defaults=True):
    """One thing that happened in the last step.

    `what` is a stable word that the game's README lists; `detail` has its facts. `text` is a sentence
    in which `{0}`, `{1}` … stand for the players in those seats: "{0} slapped {2}'s card."

    Never put a face here that is shown only for a while. Put it in the view, for as long as it may be
    seen: `last` is kept and merged for slow clients and for players who reconnect.
    """

    what: str
    seat: Seat | None = None
    text: str = ""
    detail: dict[str, Any] = {}
    only: Seat | None = None
    """Only this seat gets the event. `events_for` removes this field before the event is sent."""


def events_for(last: tuple[Happened, ...], viewer: Viewer) -> tuple[Happened, ...]:
    """The events that this viewer gets."""
    for event in last:
        if event.only is not None:
            break
    else:
        return last  # nearly always
    return tuple(
        replace(it, only=None) if it.only is not None else it
        for it in last
        if it.only is None or it.only == viewer
    )
