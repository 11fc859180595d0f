"""Which seats the table waits for, and which offers answer it."""

from collections.abc import Iterable

from photofinish.engine.ids import Seat
from photofinish.engine.inputs import Timer
from photofinish.engine.offers import Offer
from photofinish.engine.records import replace


def awaited_seats(timers: Iterable[Timer]) -> frozenset[Seat]:
    """The seats that a running clock waits for. A clock without a limit (`turn_seconds` 0) counts too."""
    found = set()
    for timer in timers:
        if timer.running:
            found |= {*timer.waits_for} if timer.seat is None else {timer.seat}
    return frozenset(found)


def marked(offers: tuple[Offer, ...], seat: Seat, timers: Iterable[Timer]) -> tuple[Offer, ...]:
    """The offers for this seat. `awaited` becomes False if the table does not wait for the seat."""
    # The same condition as in `awaited_seats`. It builds no sets, because it is asked for every view.
    for timer in timers:
        if timer.running and (seat in timer.waits_for if timer.seat is None else timer.seat == seat):
            return offers
    return tuple(replace(it, awaited=False) if it.awaited else it for it in offers)
