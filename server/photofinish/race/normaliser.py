"""How the normaliser and the account of each seat follow from one race to the next. All of it is in the record."""

from collections.abc import Iterator

from photofinish.engine import Micros, Seat
from photofinish.race.evidence import Evidence, RaceRecord, SeatStart
from photofinish.race.params import FORGETS, Params


def starts_after(record: RaceRecord) -> tuple[SeatStart, ...]:
    """The normaliser and account of each seat after this race. A seat that claimed nothing keeps its values."""
    claims: dict[Seat, list[Evidence]] = {}
    for it in (*record.moves, *record.held):
        if it.seat is not None and it.kind == "contested" and it.react_us is not None:
            claims.setdefault(it.seat, []).append(it)
    return tuple(_after(record.params, it, claims.get(it.seat, [])) for it in record.starts)


def _after(params: Params, start: SeatStart, claims: list[Evidence]) -> SeatStart:
    """The highest `soft` moves the normaliser; the highest credit without full proof is paid from the account."""
    if not claims:
        return start
    screen = start.screen + max(it.soft for it in claims) // params.gain
    screen -= (screen - params.screen) // FORGETS
    account = start.unproven
    if unproven := [it.credit for it in claims if not it.path.has_proof]:
        account = Micros(min(account - max(unproven) + params.unproven_gain, params.unproven_most))
    return SeatStart(start.seat, Micros(screen), account)


class Normalisers:
    """Checks the starts of all races of one game, in their order."""

    def __init__(self) -> None:
        self._next: dict[Seat, SeatStart] = {}

    def check(self, record: RaceRecord) -> Iterator[str]:
        """The faults of a race that does not begin with the values after the race before it.

        Before a seat's first race only the limits are known: it may have played other games.
        """
        params = record.params
        for start in record.starts:
            known = self._next.get(start.seat)
            is_possible = (
                params.screen_least <= start.screen <= params.screen_most
                and 0 <= start.unproven <= params.unproven_most
            )
            if known is None and not is_possible:
                yield f"seat {start.seat} begins with {_values(start)}, which is outside the limits"
            elif known not in (None, start):
                yield f"seat {start.seat} begins with {_values(start)}, should be {_values(known)}"
        self._next.update((it.seat, it) for it in starts_after(record))


def _values(start: SeatStart) -> str:
    return f"a normaliser of {start.screen} and an account of {start.unproven}"
