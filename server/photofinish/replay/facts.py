"""The facts of a verified replay, for code that keeps results: names, scores, places, races."""

from collections.abc import Mapping
from typing import Any

import msgspec
from msgspec import field

from photofinish.engine import AnyGame, Record
from photofinish.replay import log
from photofinish.replay.race_moves import ReplayedRaceMove, race_moves
from photofinish.replay.replay import read_replay
from photofinish.replay.verify import verify


class Facts(Record, frozen=True):
    room: str = ""
    head: str = ""
    commitment: str = ""
    seed: str = ""
    names: tuple[str, ...] = ()
    options: dict[str, Any] = field(default_factory=dict)
    game: str = ""
    winners: tuple[int, ...] = ()
    scores: tuple[int, ...] = ()
    places: tuple[int, ...] = ()
    races: tuple[ReplayedRaceMove, ...] = ()
    race_params: tuple[dict[str, int], ...] = ()
    """Of each race, in order."""
    faults: tuple[str, ...] = ()


def facts_of(raw: bytes, games: Mapping[str, AnyGame]) -> Facts:
    """Never raises for a bad file: the faults are in the result."""
    try:
        replay = read_replay(raw)
    except (msgspec.DecodeError, UnicodeError, RecursionError) as no:
        return Facts(faults=(f"not a replay: {no}",))
    report = verify(replay, games)
    if msgspec.json.format(msgspec.json.encode(replay), indent=1) != raw:
        report.faults.append("not written as the server writes it")
    if report.faults:
        return Facts(head=replay.head, commitment=replay.commitment, faults=tuple(report.faults))
    entries = [log.parse(line.body) for line in replay.entries]
    dealt, ended = entries[0], entries[-1]
    assert isinstance(dealt, log.Dealt)
    assert isinstance(ended, log.Ended)
    return Facts(
        dealt.room,
        replay.head,
        replay.commitment,
        replay.seed,
        dealt.names,
        dealt.options,
        dealt.game,
        ended.winners,
        ended.scores,
        ended.places,
        race_moves(games, bytes.fromhex(replay.seed), entries),
        tuple(msgspec.structs.asdict(it.record.params) for it in entries if isinstance(it, log.Raced)),
    )
