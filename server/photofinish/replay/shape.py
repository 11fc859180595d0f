"""What every log must look like, whatever its game: one deal, one end, times in order, seats that exist."""

from collections.abc import Iterator, Sequence

from photofinish.race.order import MOST_SEATS
from photofinish.replay import log


def shape_faults(entries: Sequence[log.Entry]) -> list[str]:
    """Without faults the first entry is the only deal and the last is the only end."""
    dealt = entries[0] if entries else None
    if not isinstance(dealt, log.Dealt):
        return ["the game has no deal"]
    faults = list(_deal(dealt))
    if not isinstance(entries[-1], log.Ended):
        faults.append("the game has no end")
    newest = 0
    for number, entry in enumerate(entries):
        where = f"entry {number}"
        if isinstance(entry, log.Dealt) and number > 0:
            faults.append(f"{where}: a second deal")
        if isinstance(entry, log.Ended):
            if number < len(entries) - 1:
                faults.append(f"{where}: the end is not the last entry")
            if not _are_seats(entry.winners, dealt.seats):
                faults.append(f"{where}: the winners are not seats of this game")
        if isinstance(entry, log.Step | log.Raced):
            if entry.at < newest:
                faults.append(f"{where}: its time is {entry.at}, after {newest}")
            newest = max(newest, entry.at)
        if isinstance(entry, log.Step):
            faults += [f"{where}: {fault}" for fault in _step(entry, dealt.seats)]
        if isinstance(entry, log.Raced) and not _are_seats(entry.record.seats, dealt.seats):
            faults.append(f"{where}: the race is not between seats of this game")
    return faults


def _deal(dealt: log.Dealt) -> Iterator[str]:
    if not 0 < dealt.seats < MOST_SEATS:
        yield f"a game of {dealt.seats} seats"
    if len(dealt.names) != dealt.seats:
        yield f"{len(dealt.names)} names at {dealt.seats} seats"
    if len(dealt.nonces) != dealt.seats:
        yield f"{len(dealt.nonces)} nonces at {dealt.seats} seats"
    if not _are_seats(dealt.previous, dealt.seats):
        yield "the winners of the game before are not seats of this game"
    if not _are_seats(dealt.withheld, dealt.seats):
        yield "the seats that withheld a nonce are not seats of this game"
    if dealt.v < 0 or dealt.number < 1:
        yield "a number of the deal is outside its range"
    if dealt.v and dealt.chance is None:
        yield f"the deal of a log of version {dealt.v} has no chance"
    if dealt.v and len(dealt.commits) != dealt.seats:
        yield f"{len(dealt.commits)} hashes at {dealt.seats} seats"


def _step(step: log.Step, seats: int) -> Iterator[str]:
    if (step.seat is None) != (step.move is None) or (step.seat is None) == (step.timer is None):
        yield "not either a move of a seat or a clock"
    elif step.seat is not None and not 0 <= step.seat < seats:
        yield f"there is no seat {step.seat}"
    elif step.evidence is not None and step.evidence.seat != step.seat:
        yield "its evidence is of another seat"


def _are_seats(seats_named: Sequence[int], seats: int) -> bool:
    return len(set(seats_named)) == len(seats_named) and all(0 <= seat < seats for seat in seats_named)
