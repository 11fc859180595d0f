"""The lag ledgers: per seat the time given for its network, credited for late lines, and left uncompensated."""

from photofinish.engine import Seat
from photofinish.room.play.match import Match
from photofinish.room.record import RoomRecord
from photofinish.room.seats.presence import Presence
from photofinish_protocol import messages


def lag_lines(
    record: RoomRecord, presence: Presence, match: Match, only: Seat | None = None
) -> tuple[messages.LagLine, ...]:
    """One seat's line, or with None every seat's: for a referee, and for all when the game is over."""
    known = match.arbiter.standings
    standings = sorted(known.items()) if only is None else [(only, known[only])] if only in known else []
    return tuple(
        messages.LagLine(
            seat=seat,
            base_us=presence.path_of(record.chairs[seat].key).base(match.arbiter.params.cap),
            quota_us=standing.unproven,
            given_us=standing.given,
            uncompensated_us=standing.uncompensated,
            false_starts=standing.false_starts,
            credited_us=standing.credited,
            screen_us=standing.screen,
            proof=presence.path_of(record.chairs[seat].key).proof,
        )
        for seat, standing in standings
    )
