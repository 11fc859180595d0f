"""Logs with race records of version 1: they load and verify by the rule of their time; forgeries are found."""

import hashlib
import json
from pathlib import Path
from typing import Any

import msgspec
import pytest

from photofinish.engine.convert import pack
from photofinish.games import all_games
from photofinish.race.version1 import RaceRecord1, recompute1
from photofinish.replay import log
from photofinish.replay.replay import Replay
from photofinish.replay.strip_content import strip_content
from photofinish.replay.verify import verify

FILE = Path(__file__).with_name("version1-replay.json")
REPLAY = msgspec.json.decode(FILE.read_bytes(), type=Replay)
RACES = [it for line in REPLAY.entries if isinstance(it := log.parse(line.body), log.Raced)]


def test_a_replay_with_version_1_records_verifies() -> None:
    report = verify(REPLAY, all_games())

    assert report.faults == []
    assert report.races == len(RACES) == 3


def test_a_version_1_record_is_shown_like_a_new_one() -> None:
    record = next(it.record for it in RACES if it.record.moves)
    strip = strip_content(record, ("Ada", "Basil"))

    assert record.version == 1
    assert any(moves for _seat, _name, moves in strip.lanes)


def raw(number: int) -> dict[str, Any]:
    bodies = [it.body for it in REPLAY.entries if json.loads(it.body)["e"] == "race"]
    found: dict[str, Any] = json.loads(bodies[number])["record"]
    return found


def resealed(plain: dict[str, Any]) -> RaceRecord1:
    """A forger seals the changed record again."""
    bare = msgspec.convert({**plain, "seal": ""}, RaceRecord1)
    return msgspec.structs.replace(bare, seal=hashlib.sha256(pack(bare)).hexdigest())


@pytest.mark.parametrize(
    "name", ["base", "lo", "hi", "give", "quota", "score", "clamped", "react_us", "arrived", "shown"]
)
def test_a_forged_number_in_a_version_1_record_is_found(name: str) -> None:
    number = next(n for n in range(3) if raw(n)["moves"])
    assert recompute1(resealed(raw(number))).is_sound
    forged = raw(number)
    move = forged["moves"][0]
    move[name] = not move[name] if name == "clamped" else (move[name] or 0) - 31_000

    assert not recompute1(resealed(forged)).is_sound


def test_the_evidence_of_a_version_1_step_must_be_that_of_the_record() -> None:
    entries = [log.parse(line.body) for line in REPLAY.entries]
    steps = [it for it in entries if isinstance(it, log.Step) and it.older is not None]

    assert steps
    assert all(any(it.older in race.older.moves for race in RACES if race.older) for it in steps)


def test_a_log_that_is_neither_version_is_refused_with_the_fault_of_the_newest() -> None:
    entry = json.loads(next(it.body for it in REPLAY.entries if json.loads(it.body)["e"] == "race"))
    del entry["record"]["nonce"]

    with pytest.raises(msgspec.ValidationError):
        log.parse(json.dumps(entry))
