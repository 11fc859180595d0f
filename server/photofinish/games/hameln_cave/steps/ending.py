"""Scores, outcome, and when the seats may talk."""

from photofinish.engine import Outcome
from photofinish.games.hameln_cave.state import SEATS, State


def outcome(state: State) -> Outcome | None:
    """One team: both win or both lose (H29, H30)."""
    if state.ended is None:
        return None
    return Outcome(SEATS if state.ended.won else (), state.ended.why)


def scores(state: State) -> tuple[int, int]:
    """The rows that the ship has gained, the same for both seats. Higher is better."""
    rows = state.ship.row - state.chart.start.row
    return rows, rows


def muted(state: State) -> str:
    """H40: from the deal to the end of the tricks the seats exchange only moves (H41)."""
    is_muted = state.options.mute and state.phase not in {"character", "pause", "over"}
    return "H40" if is_muted else ""
