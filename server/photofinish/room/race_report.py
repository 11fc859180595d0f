"""What each receiver may know of a race that has closed: what was public, and its own."""

from photofinish.engine import Micros, Seat
from photofinish.room.broadcast import Broadcast
from photofinish.room.lobby import chair_by_key
from photofinish.room.match import ClosedRace, Match, RaceMove
from photofinish.room.out import Out
from photofinish.room.presence import Presence
from photofinish.room.record import RoomRecord
from photofinish_protocol import messages


def tell_race(
    record: RoomRecord,
    presence: Presence,
    out: Out,
    gallery: Broadcast,
    match: Match,
    finished: ClosedRace,
    now: Micros,
) -> None:
    """To each seat its own, to the host everybody's ledger, to spectators what was public, to a referee all."""
    host = chair_by_key(record, record.host)
    for seat, chair in enumerate(record.chairs):
        session = presence.session_of(chair.key)
        if session is None:
            continue
        runs = [run for run in finished.runs if run.is_public or run.evidence.seat == seat]
        if runs or chair is host:
            ledger = _ledger(record, presence, match, None if chair is host else Seat(seat))
            out.send(session, _said(record, finished, runs, ledger))
    public = [run for run in finished.runs if run.is_public]
    if public:
        gallery.to_public(_said(record, finished, public, ()), now)
    for session, watcher in presence.watchers.items():
        if watcher.is_referee:
            ledger = _ledger(record, presence, match, None)
            said = _said(record, finished, list(finished.runs), ledger, is_full=True)
            out.send(session, said)


def _said(
    record: RoomRecord,
    finished: ClosedRace,
    runs: list[RaceMove],
    ledger: tuple[messages.LagLine, ...],
    *,
    is_full: bool = False,
) -> messages.RaceSaid:
    return messages.RaceSaid(
        key=finished.record.key,
        number=record.number,
        marks=tuple(_mark(run) for run in runs if run.evidence.seat is not None),
        ledger=ledger,
        record=finished.record if is_full else None,
    )


def _mark(run: RaceMove) -> messages.Mark:
    it = run.evidence
    assert it.seat is not None
    return messages.Mark(
        seat=it.seat,
        move=run.move,
        score=it.score,
        lo=it.lo,
        hi=it.hi,
        base=it.base,
        verdict=run.verdict,
        late=it.late,
        heat=run.is_heat,
    )


def _ledger(
    record: RoomRecord, presence: Presence, match: Match, only: Seat | None
) -> tuple[messages.LagLine, ...]:
    """One seat's line, or with None everybody's."""
    lines = []
    for seat, standing in sorted(match.arbiter.standings.items()):
        if only is not None and seat != only:
            continue
        chair = record.chairs[seat]
        lines.append(
            messages.LagLine(
                seat=seat,
                base_us=presence.path_of(chair.key).base(match.arbiter.params.cap),
                quota_us=standing.quota,
                given_us=standing.given,
                uncompensated_us=standing.uncompensated,
                false_starts=standing.false_starts,
                clamped=standing.clamps.bit_count(),
                flagged=standing.flagged,
            )
        )
    return tuple(lines)
