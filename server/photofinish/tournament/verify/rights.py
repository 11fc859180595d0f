"""T73 (8): §1 allows every entry to the key in `by`. Checked against the state before the entry."""

from photofinish.tournament.log import entries as log
from photofinish.tournament.state.model import State

_SERVER = frozenset({"director", "clock"})
_ORGANISER = (
    log.Edited, log.EventOpened, log.CheckingIn, log.Admitted, log.Rebound, log.Appointed, log.Drawn, log.HandsOpened,
    log.Cancelled,
)  # fmt: skip
_REFEREE = (
    log.Paused,
    log.EventResumed,
    log.MovedClock,
    log.Voided,
)
_OWN = (log.Entered, log.CheckedIn, log.NonceRevealed, log.Withdrew, log.LateJoined, log.Rested)


def is_entitled(state: State | None, entry: log.AnyEntry) -> bool:
    if state is None:
        return isinstance(entry, log.Created) and len(entry.by) == 64
    by_server = entry.by in _SERVER
    organiser, official = entry.by in state.organisers, entry.by in (*state.organisers, *state.referees)
    match entry:
        case log.Marked():
            return entry.by in state.entrants
        case log.Sealed():
            return entry.by == "clock" or organiser
        case log.Removed():
            return official
        case log.TableCalled():
            return by_server or organiser
        case log.Ruled() | log.Corrected():
            return official and not _at_own_table(state, entry)
        case log.Forfeited() | log.Replayed():
            return by_server or (official and not _at_own_table(state, entry))
        case _ if isinstance(entry, _OWN):
            return by_server or entry.by == entry.key or organiser
        case _ if isinstance(entry, _ORGANISER):
            return organiser or (
                by_server and not isinstance(entry, log.Edited | log.Appointed | log.HandsOpened)
            )
        case _ if isinstance(entry, _REFEREE):
            return official or by_server
        case _:
            return by_server


def _at_own_table(state: State, entry: log.Ruled | log.Corrected | log.Forfeited | log.Replayed) -> bool:
    own = state.entrants.get(entry.by)
    if own is None or not 1 <= entry.round <= len(state.rounds):
        return False
    table = state.rounds[entry.round - 1].table(entry.table)
    return table is not None and own.number in table.seats
