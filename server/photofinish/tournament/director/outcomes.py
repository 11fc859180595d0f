"""Makes a result for the event's log from a room's replay (T20)."""

from collections.abc import Iterable, Mapping

from photofinish.engine import AnyGame
from photofinish.engine.inputs import no_race
from photofinish.replay import log as room_log
from photofinish.replay.race_moves import ReplayedRaceMove, race_moves
from photofinish.replay.replay import read_replay
from photofinish.tournament.log.entries import RaceLine, RoomOutcome


def race_lines(moves: Iterable[ReplayedRaceMove]) -> tuple[RaceLine, ...]:
    return tuple(
        RaceLine(
            it.race,
            it.seat,
            it.move,
            it.verdict,
            it.score,
            it.lo,
            it.hi,
            it.base,
            counted=it.counted,
            late=it.late,
            heat=it.heat,
        )
        for it in moves
    )


def outcome_in(raw: bytes, games: Mapping[str, AnyGame]) -> tuple[str, RoomOutcome]:
    """Head and outcome of a replay. A game with races is played again for their verdicts. False starts before any race
    is open count too (T45), so the log of such a game may have no record of a race.
    """
    replay = read_replay(raw)
    entries = [room_log.parse(line.body) for line in replay.entries]
    dealt, ended = entries[0], entries[-1]
    assert isinstance(dealt, room_log.Dealt)
    assert isinstance(ended, room_log.Ended)
    lines: tuple[RaceLine, ...] = ()
    if games[dealt.game].race is not no_race:
        lines = race_lines(race_moves(games, bytes.fromhex(replay.seed), entries))
    return replay.head, RoomOutcome(ended.winners, ended.scores, ended.places, lines)
