"""The message about a closed race. Each receiver gets the public moves and its own."""

from collections.abc import Sequence

from photofinish.engine import Micros, Seat, replace
from photofinish.room.play.lag_ledger import lag_lines
from photofinish.room.play.match import Match
from photofinish.room.play.moves import ClosedRace, RaceMove
from photofinish.room.record import RoomRecord
from photofinish.room.seats.presence import Presence
from photofinish.room.sending.broadcast import Broadcast
from photofinish.room.sending.out import Out
from photofinish_protocol import messages


def tell_race(
    record: RoomRecord,
    presence: Presence,
    out: Out,
    broadcast: Broadcast,
    match: Match,
    finished: ClosedRace,
    now: Micros,
) -> None:
    """Send each seat its own moves and ledger, spectators the public moves, and a referee everything.

    The host gets no more than other seats: a ledger changes when its seat acts in secret or is refused.
    A receiver that may not know of any move of the race gets no message.
    """
    public = [run for run in finished.runs if run.is_public]
    said = _said(record, finished, public, ())
    for seat, chair in enumerate(record.chairs):
        session = presence.session_of(chair.key)
        known = [run for run in finished.runs if run.is_public or run.evidence.seat == seat]
        if session is not None and known:
            own = said if len(known) == len(public) else _said(record, finished, known, ())
            out.send(session, replace(own, ledger=lag_lines(record, presence, match, only=Seat(seat))))
    if public:
        broadcast.to_public(said, now)
    for session, watcher in presence.watchers.items():
        if watcher.is_referee:
            ledger = lag_lines(record, presence, match)
            out.send(session, _said(record, finished, list(finished.runs), ledger, is_full=True))


def _said(
    record: RoomRecord,
    finished: ClosedRace,
    known: list[RaceMove],
    ledger: tuple[messages.LagLine, ...],
    *,
    is_full: bool = False,
) -> messages.RaceReport:
    """`known`: the moves that the receiver may know of, in the order of the decisions."""
    return messages.RaceReport(
        key=finished.record.key,
        number=record.number,
        marks=tuple(_mark(run, known) for run in known if run.evidence.seat is not None),
        ledger=ledger,
        record=finished.record if is_full else None,
    )


def _mark(run: RaceMove, known: Sequence[RaceMove]) -> messages.Mark:
    """One move. `heat` and `late` compare it with another seat's move, so the receiver must know of that one too:
    a winner whose mark says `heat` would learn that somebody else tried (A31).
    """
    it = run.evidence
    assert it.seat is not None
    others = [other for other in known if other.evidence.seat != it.seat]
    is_late = it.late and any(
        other.evidence.score > it.score and known.index(other) < known.index(run) for other in others
    )
    return messages.Mark(
        seat=it.seat,
        move=run.move,
        score=it.score,
        lo=it.lo,
        hi=it.hi,
        base=it.base,
        verdict=run.verdict,
        late=is_late,
        heat=run.heat is not None and any(other.heat == run.heat for other in others),
    )
