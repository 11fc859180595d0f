"""Scores, and who has won."""

from photofinish.engine import Outcome, Seat, all_seats
from photofinish.engine.places import ranked
from photofinish.games.jamaica.box import the_box
from photofinish.games.jamaica.state import State
from photofinish.games.jamaica.steps.cargo import points


def totals(state: State) -> tuple[int, ...]:
    """J42: for each ship the score of its space, its doubloons, and its treasures minus its curses.

    The Ghost Ship scores like a seat (J49).
    """
    chart = the_box().chart
    return tuple(
        chart.score(ship.space, ship.lap) + ship.total("gold") + points(ship) for ship in state.ships
    )


def scores(state: State) -> tuple[int, ...]:
    return totals(state)[: state.seats]


def to_go(state: State) -> tuple[int, ...]:
    """How far each ship still has to sail (J43)."""
    chart = the_box().chart
    return tuple(chart.to_go(ship.space, ship.lap) for ship in state.ships)


def best(state: State) -> tuple[int, ...]:
    """J43: the highest score wins; ties go to the ship nearest home; if still tied, all of them win."""
    reached = tuple(zip(totals(state), (-far for far in to_go(state)), strict=True))
    return tuple(ship for ship, it in enumerate(reached) if it == max(reached))


def outcome(state: State) -> Outcome | None:
    if state.phase != "over":
        return None
    first, total = best(state), totals(state)
    winners = tuple(seat for seat in all_seats(state.seats) if seat in first)
    return Outcome(winners, _why(state, winners, total[first[0]], ghost=state.ghost in first))


def _why(state: State, winners: tuple[Seat, ...], total: int, *, ghost: bool) -> str:
    if ghost:
        shared = " and shares the win" if winners else ""
        return f"The Ghost Ship has the highest score, {total}{shared}."
    if len(winners) > 1:
        return f"The highest score, {total}, just as near home: the win is shared."
    if sum(it == total for it in totals(state)) > 1:
        return f"The highest score, {total}, and nearest home of those who have it."
    return f"The highest score, {total}."


def places(state: State) -> tuple[int, ...]:
    """T36: by score, then nearest home. The Ghost Ship has no place: if it wins alone, the best seat is still first."""
    reached = list(zip(totals(state), (-far for far in to_go(state)), strict=True))
    return ranked(reached[: state.seats])
