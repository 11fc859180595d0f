"""How it stands, how it ended, and when the seats may talk."""

from photofinish.engine import Outcome
from photofinish.games.hameln_cave.state import SEATS, State


def outcome(state: State) -> Outcome | None:
    """One team: both win, or nobody (H29, H30)."""
    if state.ended is None:
        return None
    return Outcome(SEATS if state.ended.won else (), state.ended.why)


def scores(state: State) -> tuple[int, int]:
    """The rows the ship has gained, for both seats alike. Higher is better."""
    rows = state.ship.row - state.chart.start.row
    return rows, rows


def muted(state: State) -> str:
    """H40: from the deal to the end of the tricks nothing passes between the seats but moves (H41)."""
    is_muted = state.options.mute and state.phase not in {"character", "pause", "over"}
    return "H40" if is_muted else ""
