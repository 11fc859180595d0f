"""Checks the export of an event: the event by `tournament`, its replays by `replay`."""

from collections.abc import Mapping

from photofinish.engine import AnyGame
from photofinish.replay.facts import Facts, facts_of
from photofinish.tournament.identity import is_seal
from photofinish.tournament.log.entries import Outcome, RaceLine
from photofinish.tournament.verify import Finding, ReplayFacts, verify_archive


def outcome_of(facts: Facts) -> Outcome:
    """The result that an event logs for a finished game (T20)."""
    lines = tuple(
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
        for it in facts.races
    )
    return Outcome(facts.winners, facts.scores, facts.places, lines)


def check_event(raw: bytes, games: Mapping[str, AnyGame]) -> tuple[Finding, ...]:
    def check(replay: bytes) -> ReplayFacts:
        facts = facts_of(replay, games)
        return ReplayFacts(
            facts.room,
            facts.head,
            facts.commitment,
            facts.seed,
            facts.names,
            facts.options,
            facts.game,
            None if facts.faults else outcome_of(facts),
            facts.faults,
        )

    return verify_archive(raw, games, check, is_seal)
