"""The standings (§6). The lot separates all ties, so no two entrants share a rank, except in brackets."""

from collections.abc import Sequence
from fractions import Fraction

import msgspec

from photofinish.tournament.course.chance import lots
from photofinish.tournament.scores import reactions
from photofinish.tournament.scores.points import by_place
from photofinish.tournament.scores.scoring import lines_of
from photofinish.tournament.scores.slapoff import twice_median
from photofinish.tournament.scores.tiebreaks import Extra, Lines, Values, head_to_head, totals, values
from photofinish.tournament.state import brackets_state
from photofinish.tournament.state.model import State

AS_IT_WAS = 5
"""The version of the log since which the standings after a round have brackets and cuts as they stood then."""


class EntrantStanding(msgspec.Struct, frozen=True):
    rank: int
    number: int
    points: int
    ties: tuple[str, ...]
    """One per tie-break of the file: a whole number, or a fraction `a/b`; empty where it does not apply."""


def standings(state: State, upto: int | None = None) -> tuple[EntrantStanding, ...]:
    """The table after a round (all rounds, if none is named)."""
    if not state.numbers:
        return ()
    if upto is not None and state.version >= AS_IT_WAS:
        state = msgspec.structs.replace(state, rounds=state.rounds[:upto])
    if state.rules.is_elimination:
        return _by_bracket(state)
    lines = lines_of(state, upto)
    rows = ranked(lines, state.rules.tiebreaks, extra_of(state, lines, upto))
    if state.rules.cut and any(it.phase == "cut" for it in state.rounds):
        return _after_cut(state, rows)
    return rows


def ranked(lines: Lines, names: Sequence[str], extra: Extra) -> tuple[EntrantStanding, ...]:
    """Points, then each tie-break in its order; `head_to_head` looks only at those still tied."""
    points = totals(lines)
    groups: list[list[int]] = _split(sorted(lines), points)
    shown: dict[int, list[str]] = {number: [] for number in lines}
    for name in names:
        made: list[list[int]] = []
        same = values(name, lines, extra, points) if name != "head_to_head" else {}
        for group in groups:
            found = same or (head_to_head(group, lines) if len(group) > 1 else None)
            for number in group:
                shown[number].append("" if found is None else str(found[number]))
            made += [group] if found is None or len(group) == 1 else _split(group, found)
        groups = made
    rows = []
    rank = 1
    for group in groups:
        rows += [EntrantStanding(rank, number, points[number], tuple(shown[number])) for number in group]
        rank += len(group)
    return tuple(rows)


def _split(group: Sequence[int], found: Values) -> list[list[int]]:
    """The group in order of value, equal ones together and by entrant number."""
    made: dict[Fraction | int, list[int]] = {}
    for number in sorted(group):
        made.setdefault(found[number], []).append(number)
    return [made[it] for it in sorted(made, reverse=True)]


def extra_of(state: State, lines: Lines, upto: int | None = None) -> Extra:
    tallies = reactions.tallies(state, upto)
    times = reactions.race_lines(state, upto) if "reaction" in state.rules.tiebreaks else {}
    pair = by_place(state.rules, 2)
    return Extra(
        races={number: it.won for number, it in tallies.items()},
        medians={
            number: twice_median([it.score_us for it in found if it.counted])
            for number, found in times.items()
        },
        false_starts={number: it.false_starts for number, it in tallies.items()},
        lots=lots(bytes.fromhex(state.lot_key), lines) if state.lot_key else {},
        left={it.number: it.left_round for it in state.entrants.values() if it.left_round},
        draw=sum(pair) // 2,
    )


def _by_bracket(state: State) -> tuple[EntrantStanding, ...]:
    places = brackets_state.places(state)
    rows = [
        EntrantStanding(place, number, 0, ("",) * len(state.rules.tiebreaks))
        for number, place in places.items()
    ]
    return tuple(sorted(rows, key=lambda it: (it.rank, it.number)))


def _after_cut(state: State, rows: tuple[EntrantStanding, ...]) -> tuple[EntrantStanding, ...]:
    """Entrants of the cut are ranked by it, the others by the standings before it."""
    places = brackets_state.cut_places(state)
    order = sorted(rows, key=lambda it: (it.number not in places, places.get(it.number, 0), it.rank))
    return tuple(
        msgspec.structs.replace(it, rank=places.get(it.number, at + 1)) for at, it in enumerate(order)
    )
