"""The score of one move: how long after its own trigger a hand moved, as far as that can be known.

We compensate networks, not screens: `protocol/RACES.md` has the formulae and the reasons.
"""

from typing import Literal, TypeAlias

from photofinish.engine import Micros, Record
from photofinish.race.params import Params, Path, Standing

Kind: TypeAlias = Literal["contested", "closer", "anytime", "other", "clock"]


class Score(Record, frozen=True):
    """The outcome of the formulae. `void`: no hand could have been so quick."""

    lo: Micros
    """The lowest score that any claim could have got."""
    hi: Micros
    jitter: Micros
    behind: Micros
    """How late the line was in this very race, as far as the kernel bears it out."""
    soft: Micros
    credit: Micros
    score: Micros
    void: bool


class Granted(Record, frozen=True):
    """What the seat's first claim in this race was granted: its later ones get no more."""

    soft: Micros
    credit: Micros


def judge(
    params: Params,
    kind: Kind,
    *,
    elapsed: Micros,
    path: Path,
    react_us: int | None,
    start: Standing,
    first: Granted | None,
    least: Micros,
) -> Score:
    """The score of a move that came back `elapsed` after its trigger left.

    `start` is the seat's standing at the opening, `first` what its first claim was granted; `least` is what its
    earlier moves force. Only contested moves have claims that count: others would be a way to bank time for nothing.
    """
    base = path.base(params.cap)
    hi = Micros(elapsed - base)
    jitter, behind = path.jitter(params), path.behind(params)
    if hi < params.floor and kind == "contested":
        return Score(hi, hi, jitter, behind, Micros(0), Micros(0), hi, void=True)
    usual = jitter + start.level(params)
    soft = credit = most = 0
    if react_us is not None and kind == "contested":
        swing = params.swing + jitter // 2
        top = min(swing + min(behind, params.late_free), params.gain * (params.screen_most - start.screen))
        low = max(-swing, params.gain * (params.screen_least - start.screen))
        room = min(path.seen(params), start.purse_in(params, path))
        if first is not None:
            top, room = min(top, first.soft), min(room, first.credit)
        over = hi - react_us - jitter - start.screen
        soft = min(max(low, min(over, top)), top)
        credit = min(max(0, over - soft), room) if over > 0 else 0
        most = max(top, soft) + room
    floor = params.floor if kind == "contested" else Micros(0)
    ceiling = max(hi, floor)

    def at(taken_off: int) -> Micros:
        return Micros(min(max(hi - max(0, usual + taken_off), floor), ceiling))

    score = max(at(soft + credit), least)
    return Score(at(most), hi, jitter, behind, Micros(soft), Micros(credit), score, void=False)
