"""§6: the values that order entrants with equal points."""

from collections.abc import Mapping, Sequence
from fractions import Fraction

import msgspec

from photofinish.tournament.scoring import Line

Lines = Mapping[int, Sequence[Line]]


class Extra(msgspec.Struct, frozen=True):
    """What does not follow from the rounds' results alone."""

    races: Mapping[int, int] = {}
    medians: Mapping[int, int | None] = {}
    false_starts: Mapping[int, int] = {}
    lots: Mapping[int, int] = {}
    left: Mapping[int, int] = {}
    """Entrant number to the round it withdrew in."""
    draw: int = 0
    """What a draw scores: an opponent's rounds after its withdrawal count as draws."""


def totals(lines: Lines) -> dict[int, int]:
    return {number: sum(line.points for line in row) for number, row in lines.items()}


def opponents_points(number: int, lines: Lines, extra: Extra) -> int:
    """An opponent's points for `buchholz`."""
    left = extra.left.get(number, 0)
    return sum(extra.draw if left and line.round > left else line.points for line in lines[number])


def buchholz_parts(number: int, lines: Lines, extra: Extra, points: Mapping[int, int]) -> list[int]:
    """One value per round; an unplayed round has a virtual opponent with one's own points."""
    parts = []
    for line in lines[number]:
        if line.how == "played" and line.mates:
            parts += [opponents_points(other, lines, extra) for other, _ in line.mates]
        else:
            parts.append(points[number])
    return parts


def value(name: str, number: int, lines: Lines, extra: Extra, points: Mapping[int, int]) -> Fraction:
    """More is better for every name: where lower is better the value is negated."""
    row = lines[number]
    mates = [(other, got) for line in row if line.how == "played" for other, got in line.mates]
    match name:
        case "buchholz":
            return Fraction(sum(buchholz_parts(number, lines, extra, points)))
        case "buchholz_cut1":
            parts = buchholz_parts(number, lines, extra, points)
            return Fraction(sum(parts) - min(parts, default=0))
        case "opponents":
            return Fraction(sum(points[other] for other, _ in mates), len(mates)) if mates else Fraction(0)
        case "sonneborn":
            return Fraction(sum(points[other] * got for other, got in mates))
        case "wins":
            return Fraction(sum(line.alone and line.how == "played" for line in row))
        case "races":
            return Fraction(extra.races.get(number, 0))
        case "reaction":
            median = extra.medians.get(number)
            return Fraction(-(1 << 62) if median is None else -median)
        case "false_starts":
            return Fraction(-extra.false_starts.get(number, 0))
        case "fewer_games":
            return Fraction(-sum(line.how == "played" for line in row))
        case "lot":
            return Fraction(-extra.lots.get(number, 0))
        case _:
            raise AssertionError(name)


def head_to_head(tied: Sequence[int], lines: Lines) -> dict[int, int] | None:
    """Points among those who are tied so far, if all of them have met each other."""
    group = set(tied)
    met = {number: {} for number in tied}  # type: dict[int, dict[int, int]]
    for number in tied:
        for line in lines[number]:
            if line.how == "played":
                for other, got in line.mates:
                    if other in group:
                        met[number][other] = met[number].get(other, 0) + got
    if any(met[number].keys() != group - {number} for number in tied):
        return None
    return {number: sum(met[number].values()) for number in tied}
