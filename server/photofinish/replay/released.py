"""Compares a race's record with the steps of the log, both ways: what was released was carried out or refused."""

from collections.abc import Iterator, Sequence
from itertools import pairwise

from photofinish.engine import Record
from photofinish.race.evidence import Evidence
from photofinish.race.version1 import Evidence1
from photofinish.replay import log


class RaceStep(Record, frozen=True):
    """A step that was carried out in a race."""

    step: int
    evidence: Evidence
    older: Evidence1 | None


def release_faults(raced: log.Raced, done: Sequence[RaceStep], version: int) -> Iterator[str]:
    """`done`: the steps with evidence since the race before. `version`: that of the log."""
    moves = raced.record.moves
    if version >= log.HAS_REFUSALS and raced.refused is None:
        yield "the refused moves are not recorded"
    place = {it.ticket: number for number, it in enumerate(moves)}
    if len(place) != len(moves):
        yield "a move is there twice"
        return
    first = next((n for n, it in enumerate(done) if it.evidence.ticket in place), len(done))
    if first and version >= log.HAS_REFUSALS and not raced.reopened:
        yield f"the move of step {done[0].step} is not in the record"
    own = done[first:]
    if any(not _is_in(raced, it) for it in own):
        yield "a move's evidence is not that of the record"
        return
    order = [place[it.evidence.ticket] for it in own]
    if any(one >= two for one, two in pairwise(order)):
        yield "the moves were not carried out in the order of the record"
    yield from _missing(raced, own, place)


def _is_in(raced: log.Raced, done: RaceStep) -> bool:
    if raced.older is not None:
        return done.older in raced.older.moves
    return done.evidence in raced.record.moves


def _missing(raced: log.Raced, own: Sequence[RaceStep], place: dict[int, int]) -> Iterator[str]:
    """Every released move has its step or its refusal. A clock that was stopped before its turn has neither."""
    record = raced.record
    step_of = {it.evidence.ticket: it.step for it in own}
    for throw in record.throws:
        if not 0 < throw.after <= len(record.moves):
            continue  # not after a released move; `recompute` judges the times
        ticket = record.moves[throw.after - 1].ticket
        if ticket not in step_of:
            yield f"ticket {ticket}: it succeeded by the record, and no step carries it out"
    if raced.refused is None:
        return
    refused = {it.ticket: it for it in raced.refused}
    if len(refused) != len(raced.refused) or any(it not in place or it in step_of for it in refused):
        yield "a refusal is not of a released move without a step"
    for it in record.moves:
        if it.ticket in step_of:
            continue
        if it.ticket not in refused:
            if it.kind != "clock" or it.seat is not None:
                yield f"ticket {it.ticket}: released, and neither carried out nor refused"
            continue
        after, mine = refused[it.ticket].after, place[it.ticket]
        if any((step <= after) != (place[ticket] < mine) for ticket, step in step_of.items()):
            yield f"ticket {it.ticket}: not refused at its place in the order"
