"""The score of one move: how long after its own trigger a hand moved, as far as that can be known."""

from typing import Literal, TypeAlias

from photofinish.engine import Micros, Record
from photofinish.race.params import Params

Kind: TypeAlias = Literal["contested", "closer", "anytime", "other", "clock"]


class Score(Record, frozen=True):
    """The outcome of the formulae of `protocol/RACES.md`. `void`: no hand could have been so quick."""

    lo: Micros
    hi: Micros
    give: Micros
    score: Micros
    clamped: bool
    void: bool


def judge(
    params: Params,
    kind: Kind,
    *,
    elapsed: Micros,
    base: Micros,
    react_us: int | None,
    quota: Micros,
    race_left: Micros,
    flagged: bool,
    least: Micros,
) -> Score:
    """The score of a move that came back `elapsed` after its trigger left.

    `quota` and `race_left` bound what may be borrowed; `least` is what the seat's earlier moves force.
    """
    hi = Micros(elapsed - base)
    lo = Micros(hi - (params.flagged_g if flagged else params.g))
    claim = Micros(hi - params.unclaimed if react_us is None else react_us)
    clamped = claim < hi - params.g
    floor = params.floor if kind == "contested" else Micros(0)
    if hi < floor and kind == "contested":
        return Score(lo, hi, Micros(0), hi, clamped, void=True)
    give = Micros(min(max(0, lo - claim), quota, race_left))
    score = Micros(max(min(max(claim, floor, lo - give), max(hi, floor)), least))
    return Score(lo, hi, give, score, clamped, void=False)
