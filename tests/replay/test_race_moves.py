"""T45, T47: what a slap-off counts, from a recorded game with races."""

from collections import Counter
from pathlib import Path

import msgspec

from photofinish.games import shelf
from photofinish.race.evidence import Evidence
from photofinish.replay import log
from photofinish.replay.facts import facts_of
from photofinish.replay.race_moves import race_moves
from photofinish.replay.replay import read_replay

REPLAY = Path(__file__).parents[2] / "protocol" / "transcripts" / "cambio-replay.json"


def test_a_recorded_game_says_who_won_each_race() -> None:
    facts = facts_of(REPLAY.read_bytes(), shelf())
    assert facts.faults == ()
    won = Counter(it.race for it in facts.races if it.verdict == "won")
    assert won, "the recorded game has a race that somebody won"
    assert set(won.values()) == {1}, "one winner per race"
    for it in facts.races:
        assert not it.counted or it.verdict in {"won", "heat", "beaten"}
        assert it.lo <= it.hi
    first = Counter((it.race, it.seat) for it in facts.races if it.counted)
    assert set(first.values()) <= {1}, "only the first right move of a seat counts"


def test_T47_late_flagged_and_forced_moves_are_not_counted() -> None:
    replay = read_replay(REPLAY.read_bytes())
    entries = [log.parse(line.body) for line in replay.entries]
    seed = bytes.fromhex(replay.seed)
    counted = {it.race for it in race_moves(shelf(), seed, entries) if it.counted}
    assert counted

    def changed(entry: log.Entry, **how: object) -> log.Entry:
        if not isinstance(entry, log.Raced):
            return entry
        record = entry.record
        match how:
            case {"by": by}:
                made = tuple(msgspec.structs.replace(it, by=by) for it in record.decisions)
                record = msgspec.structs.replace(record, decisions=made)
            case {"late": late}:
                made = tuple(msgspec.structs.replace(it, late=late) for it in record.decisions)
                record = msgspec.structs.replace(record, decisions=made)
            case {"flagged": flagged}:
                starts = tuple(msgspec.structs.replace(it, flagged=flagged) for it in record.starts)
                record = msgspec.structs.replace(record, starts=starts)
            case {"away": away}:
                moves: tuple[Evidence, ...] = tuple(
                    msgspec.structs.replace(it, away=away) for it in record.moves
                )
                record = msgspec.structs.replace(record, moves=moves)
        return msgspec.structs.replace(entry, record=record)

    for how in ({"by": "hard"}, {"late": True}, {"flagged": True}, {"away": True}):
        made = race_moves(shelf(), seed, [changed(it, **how) for it in entries])
        assert not any(it.counted for it in made), how


def test_a_file_that_is_no_replay_is_a_fault_and_no_exception() -> None:
    assert facts_of(b"{}", shelf()).faults
    assert facts_of(REPLAY.read_bytes().replace(b'"head"', b'"head" ', 1), shelf()).faults
