"""The score of one move: how long after its own trigger the hand moved, as far as the server can know.

We compensate networks, not screens: `protocol/RACES.md` has the formulae and the reasons.
"""

from typing import Literal, TypeAlias

from photofinish.engine import Micros, Record
from photofinish.race.params import Params, Path, Standing

Kind: TypeAlias = Literal["contested", "closer", "anytime", "other", "clock"]


class Score(Record, frozen=True):
    """The result of the formulae. `void`: faster than any human hand."""

    base: Micros
    lo: Micros
    """A bound: no claim on this line could have scored less. It does not depend on what the seat did before."""
    hi: Micros
    jitter: Micros
    behind: Micros
    soft: Micros
    credit: Micros
    score: Micros
    void: bool


def judge(
    params: Params,
    kind: Kind,
    *,
    elapsed: Micros,
    path: Path,
    react_us: int | None,
    start: Standing,
    least: Micros,
    has_doubt: bool = True,
) -> Score:
    """The score of a move that arrived `elapsed` after its trigger was sent.

    `start` is the seat's standing at the opening. `least` is the lower limit from its earlier moves. Only contested
    moves have claims that count. `has_doubt` is false for records of version 2, which credited every claim.
    """
    base, jitter, behind, proven, credit_most = path.times(params)
    hi = Micros(elapsed - base)
    if hi < params.floor and kind == "contested":
        return Score(base, hi, hi, jitter, behind, Micros(0), Micros(0), hi, void=True)
    soft = credit = widest = 0
    common = jitter + params.screen
    if react_us is not None and kind == "contested":
        swing = params.swing + jitter // 2
        over = hi - react_us - jitter - start.screen
        top = min(swing, params.gain * (params.screen_most - start.screen))
        # Not below `-common`: a claim later than `hi` scores `hi`, and only what it costs moves the normaliser.
        low = max(-swing, -common, params.gain * (params.screen_least - start.screen))
        soft = max(low, min(over, top))
        credit = min(max(0, over - soft), start.limit(path, credit_most))
        # A claim that asks for far more than the line can explain is a lie, and a late ACK must not pay for it.
        if has_doubt and path.proof != "none" and over - soft > proven + 2 * swing:
            credit = 0
        widest = swing + credit_most
    floor = params.floor if kind == "contested" else Micros(0)

    def at(granted: int) -> Micros:
        return Micros(max(hi - common - granted, floor))

    return Score(
        base,
        at(widest),
        hi,
        jitter,
        behind,
        Micros(soft),
        Micros(credit),
        max(at(soft + credit), least),
        void=False,
    )
