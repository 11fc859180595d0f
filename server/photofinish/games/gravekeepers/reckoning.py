"""The house bot's estimate of losses and ghosts."""

from typing import TypeAlias

from photofinish.games.gravekeepers.state import SIDE, SYMBOLS, Colour
from photofinish.games.gravekeepers.view import PlotView, View

Counts: TypeAlias = tuple[tuple[int, ...], ...]
"""By seat: the five symbols and the face-down ghosts."""

FACE_DOWN = len(SYMBOLS)
_CHANCE = (4, 10, 22, 36, 62, 82, 94)
"""In percent, while ghosts are left: how often a seat with a lead of −3 … +3 alone has the most at the end."""
_LATE = 10
"""With fewer cards in the piles than this, the weight of the lead grows."""

_SAFE, _GHOST = 250, 200
"""With more than two seats: the margin beyond which a smaller loss does not help, and the worth of a ghost."""


def group(plot: PlotView) -> int | None:
    """The group that the ghost on this place counts for."""
    if plot.ghost:
        return SYMBOLS.index(plot.ghost.symbol)
    return FACE_DOWN if plot.back else None


def line(view: View, colour: Colour, index: int) -> tuple[PlotView, ...]:
    if colour == "white":
        return view.board[index]
    return tuple(view.board[row][index] for row in range(SIDE))


def with_more(counts: Counts, seat: int, groups: list[int]) -> Counts:
    row = list(counts[seat])
    for it in groups:
        row[it] += 1
    return (*counts[:seat], tuple(row), *counts[seat + 1 :])


def with_less(counts: Counts, seat: int, it: int) -> Counts:
    row = list(counts[seat])
    row[it] -= 1
    return (*counts[:seat], tuple(row), *counts[seat + 1 :])


def losses(view: View, counts: Counts, left: int, first: int = 0) -> list[int]:
    """The expected loss of each seat, times 100, from this symbol on. `left`: cards left in the piles."""
    costs = [*(cost.points for cost in view.costs), view.face_down_cost]
    late = min(left, _LATE)
    found = []
    for seat, row in enumerate(counts):
        loss = 100 * view.kinds_costs[sum(number > 0 for number in row)]
        for it in range(first, len(costs)):
            lead = row[it] - max(other[it] for place, other in enumerate(counts) if place != seat)
            sure = 100 if lead > 0 else 0
            guess = _CHANCE[max(-3, min(3, lead)) + 3]
            loss += costs[it] * (late * guess + (_LATE - late) * sure) // _LATE
        found.append(loss)
    return found


def standing(view: View, counts: Counts, seat: int, left: int, first: int = 0) -> int:
    """The value for the seat: first not to have the greatest loss, then ghosts (G34, G35)."""
    lost = [100 * was + now for was, now in zip(view.lost, losses(view, counts, left, first), strict=True)]
    ghosts = [sum(row) for row in counts]
    margin = max(loss for place, loss in enumerate(lost) if place != seat) - lost[seat]
    ahead = ghosts[seat] - max(number for place, number in enumerate(ghosts) if place != seat)
    if len(counts) == 2:  # one of the two is out, unless both lose the same
        return margin + 8 * ahead
    return min(margin, _SAFE) + _GHOST * ahead
