"""§6: the values that order entrants with equal points."""

from collections.abc import Mapping, Sequence
from fractions import Fraction

import msgspec

from photofinish.tournament.scores.scoring import RoundLine

Lines = Mapping[int, Sequence[RoundLine]]
Values = Mapping[int, int] | Mapping[int, Fraction]
"""By entrant number. Fractions only where a tie-break needs them: whole numbers are ten times as fast."""


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


def buchholz_parts(
    number: int, lines: Lines, opponents: Mapping[int, int], points: Mapping[int, int]
) -> list[int]:
    """One value per round; an unplayed round has a virtual opponent with one's own points."""
    parts = []
    for line in lines[number]:
        if line.how == "played" and line.mates:
            parts += [opponents[other] for other, _ in line.mates]
        else:
            parts.append(points[number])
    return parts


def values(name: str, lines: Lines, extra: Extra, points: Mapping[int, int]) -> Values:
    """The value of each entrant. More is better for every name: where lower is better the value is negated."""
    match name:
        case "buchholz" | "buchholz_cut1":
            opponents = {number: opponents_points(number, lines, extra) for number in lines}
            parts = {number: buchholz_parts(number, lines, opponents, points) for number in lines}
            if name == "buchholz":
                return {number: sum(it) for number, it in parts.items()}
            return {number: sum(it) - min(it, default=0) for number, it in parts.items()}
        case "opponents":
            return {
                number: _mean([points[other] for other, _ in _mates(row)]) for number, row in lines.items()
            }
        case "sonneborn":
            return {
                number: sum(points[other] * got for other, got in _mates(row))
                for number, row in lines.items()
            }
        case "wins":
            return {
                number: sum(line.alone and line.how == "played" for line in row)
                for number, row in lines.items()
            }
        case "races":
            return {number: extra.races.get(number, 0) for number in lines}
        case "reaction":
            return {number: _negated(extra.medians.get(number)) for number in lines}
        case "false_starts":
            return {number: -extra.false_starts.get(number, 0) for number in lines}
        case "fewer_games":
            return {number: -sum(line.how == "played" for line in row) for number, row in lines.items()}
        case "lot":
            return {number: -extra.lots.get(number, 0) for number in lines}
        case _:
            raise AssertionError(name)


def _mates(row: Sequence[RoundLine]) -> list[tuple[int, int]]:
    """Each opponent at a table, with the result."""
    return [mate for line in row if line.how == "played" for mate in line.mates]


def _mean(found: Sequence[int]) -> Fraction:
    return Fraction(sum(found), len(found)) if found else Fraction(0)


def _negated(median: int | None) -> int:
    """An entrant without reactions is last."""
    return -(1 << 62) if median is None else -median


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
