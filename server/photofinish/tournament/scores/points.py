"""T37: from places to points in 1/840."""

from collections.abc import Sequence

from photofinish.tournament.event_file.model import UNIT, EventRules


def by_place(rules: EventRules, people: int) -> tuple[int, ...]:
    """The points of places 1, 2, … at a table with this many people: the file's list, or the default."""
    row = next((row for row in rules.points if len(row) == people), None)
    if row is not None:
        return row
    most = UNIT * 2 * (rules.seats - 1)
    return tuple(most * (people - place) // (people - 1) for place in range(1, people + 1))


def shared(rules: EventRules, places: Sequence[int]) -> tuple[int, ...]:
    """The points for these places. Equal places share the mean of their points; one person alone has a bye."""
    people = len(places)
    if people == 1:
        return (rules.bye_points,)
    row = by_place(rules, people)
    return tuple(
        sum(row[place - 1 : place - 1 + places.count(place)]) // places.count(place) for place in places
    )


def competition(places: Sequence[int]) -> tuple[int, ...]:
    """Places counted again among these alone: 2, 4, 4 becomes 1, 2, 2."""
    return tuple(1 + sum(other < own for other in places) for own in places)
