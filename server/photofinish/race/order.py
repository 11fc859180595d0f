"""Which of the held moves comes next. Shared by the arbiter and the verifier."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from photofinish.engine import Micros, Seat
from photofinish.engine.rng import keyed_hash
from photofinish.race.evidence import Evidence, SeatWait
from photofinish.race.params import Params

MOST_SEATS = 255
"""A seat is one byte in a toss."""


def toss(coin: bytes, key: str, seat: Seat | None, *, room: bytes = b"") -> str:
    """`HMAC(coin, race ‖ 0 ‖ seat)`, seat as one byte. In a dead heat the lower goes first.

    The room (None), whose moves are clocks, has no byte. In version 1 it had `room`.
    """
    place = room if seat is None else bytes((seat,))
    return keyed_hash(coin, key.encode() + b"\0" + place).hex()


def sorted_by(
    held: Sequence[Evidence], not_before: Micros, drawn: Mapping[Seat | None, Micros]
) -> list[Micros]:
    """The score each held move is sorted by. `held` is in the order in which the moves came in.

    A closer counts from `not_before`, and its seat's other moves (a swap after the draw) stay behind it.
    `drawn` has the score at which each seat's last closer was released.
    """
    behind = dict(drawn)
    scores = []
    for it in held:
        score = it.score
        if it.kind == "closer":
            score = behind[it.seat] = max(score, not_before, behind.get(it.seat, Micros(0)))
        elif it.kind == "other":
            score = max(score, behind.get(it.seat, Micros(0)))
        scores.append(score)
    return scores


class Tie(NamedTuple):
    """A dead heat that has begun: its number, and the lowest score in it."""

    number: int
    base: Micros


def dead_heat(
    held: Sequence[Evidence],
    scores: Sequence[Micros],
    coins: Mapping[Seat | None, str],
    ties: dict[int, Tie],
    eps: Micros,
    fresh: int,
) -> tuple[Tie, list[int]]:
    """The lowest score and all within `eps` of it: their places in `held`, in the order of the toss.

    `ties` has the tickets of the heats that have begun, and gets the new ones. A heat is finished before its window
    moves on, or one near tie after another would let a slow hand pass.
    """
    lowest = min(range(len(held)), key=lambda place: (scores[place], place))
    tie = ties.get(held[lowest].ticket)
    if tie is None or scores[lowest] > tie.base + eps:
        tie = Tie(fresh, scores[lowest])
        ties[held[lowest].ticket] = tie
    group = [place for place, score in enumerate(scores) if score <= tie.base + eps]
    for place in group:
        ties.setdefault(held[place].ticket, tie)
    return tie, sorted(group, key=lambda place: (coins[held[place].seat], place))


def is_settled(mark: SeatWait, score: Micros, params: Params) -> bool:
    """Whether no further move of this seat can have a lower score than this."""
    if mark.last is not None and mark.last >= score:
        return True
    if mark.shown is None or mark.clock is None:
        return False
    return mark.clock > mark.shown + score + mark.path.patience(params)


def hard_at(params: Params, opened: Micros, it: Evidence, score: Micros) -> Micros:
    """When this move, sorted by that score, is released whatever is still awaited, by the owner's clock.

    A move lifted to `not_before`, or behind one that is, waits from there.
    """
    start = max(it.reached, Micros(opened + score)) if score > it.score else it.reached
    return Micros(start + params.hard)
