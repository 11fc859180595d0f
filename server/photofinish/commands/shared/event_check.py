"""Checks the export of an event: `tournament` checks the event, `replay` checks its replays."""

from collections.abc import Mapping

import msgspec

from photofinish.engine import AnyGame
from photofinish.replay.facts import facts_of
from photofinish.replay.replay import REFUSED
from photofinish.tournament.director.outcomes import race_lines
from photofinish.tournament.log.entries import RoomOutcome
from photofinish.tournament.people.identity import is_seal
from photofinish.tournament.verify import ExportFinding, ReplayFacts, verify_archive


def check_event(raw: bytes, games: Mapping[str, AnyGame]) -> tuple[ExportFinding, ...]:
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
            None
            if facts.faults
            else RoomOutcome(facts.winners, facts.scores, facts.places, race_lines(facts.races)),
            facts.faults,
            facts.race_params,
        )

    try:
        return verify_archive(raw, games, check, is_seal)
    except (*REFUSED, msgspec.DecodeError) as fault:
        return (ExportFinding("archive", 0, f"not what a server writes: {fault!r}"),)
