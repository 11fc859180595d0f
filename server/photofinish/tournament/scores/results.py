"""T19, T20: a room's result, taken once."""

from photofinish.tournament.log import entries as log
from photofinish.tournament.state.model import State


def take(state: State, room: str, head: str, outcome: log.RoomOutcome) -> tuple[log.AnyEntry, ...]:
    """The entries for a room's result. The same result again gives none; another head pauses the event."""
    if room not in state.rooms:
        return ()
    round_, table_number, index = state.rooms[room]
    held = state.rounds[round_ - 1]
    table = held.tables[table_number - 1]
    game = table.games[index]
    if game.head == head or room in state.ignored or head in state.conflicts.get(room, ()):
        return ()
    if game.head and game.how != "void":
        conflict = log.GameResult(room=room, head=head, outcome=outcome, conflict=True)
        if state.status != "running":
            return (conflict,)
        reason = f"two results for room {room}: {game.head[:8]} and {head[:8]} (T19)"
        return (conflict, log.Paused(reason=reason))
    why = ""
    if held.status == "closed":
        why = "the round is closed"
    elif game.how == "void":
        why = "an old attempt"
    elif table.is_over:
        why = f"the pairing is {table.status}"
    elif state.status not in {"running", "paused"}:
        why = f"the event is {state.status}"
    return (log.GameResult(room=room, head=head, outcome=outcome, ignored=why),)


def quarantined(state: State, room: str) -> tuple[log.AnyEntry, ...]:
    """§13: if a room fails during a game, the game is replayed once. After a second failure the pairing is void and the
    referee is told.
    """
    if room not in state.rooms:
        return ()
    round_, table_number, index = state.rooms[room]
    table = state.rounds[round_ - 1].tables[table_number - 1]
    game = table.games[index]
    if game.outcome is not None or table.is_over:
        return ()
    if game.attempt == 1:
        return (log.Replayed(round=round_, table=table_number, game=game.game, attempt=2),)
    return (log.Voided(round=round_, table=table_number, reason="its room broke twice"),)
