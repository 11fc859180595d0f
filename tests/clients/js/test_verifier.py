"""The second verifier gives the same answers as `photofinish verify`: on honest replays, on forged ones, on races."""

import hashlib
import json
import random
from pathlib import Path
from typing import Any

import msgspec
import pytest

from photofinish.engine.convert import pack
from photofinish.games import all_games
from photofinish.race import RaceRecord, recompute
from photofinish.race.version1 import RaceRecord1
from photofinish.replay.replay import read_replay
from photofinish.replay.verify import Report, verify
from tests.clients.js.conftest import node
from tests.clients.js.replays import FORGERIES, Plain, race_of, rechained, replay_of, touched
from tests.replay.forgeries import WITHOUT_RULES, bodies, forged, written
from tests.replay.test_normalisers import another_start

pytestmark = pytest.mark.timeout(900)

VERSION_1 = Path(__file__).parents[2] / "replay" / "version1-replay.json"
EACH = 12
"""Games of each kind; 108 replays together."""


def in_node(compiled: Path, folder: Path) -> dict[str, Any]:
    ran = node("node", compiled / "system" / "verify.js", folder)
    assert ran.returncode == 0, ran.stderr
    found: dict[str, Any] = json.loads(ran.stdout)
    return found


def ours(raw: bytes) -> Report | None:
    """What `photofinish verify` finds, or None for a file that is no replay."""
    try:
        return verify(read_replay(raw), all_games())
    except msgspec.DecodeError:
        return None
    except ValueError:  # a nonce that is not hex
        return None


@pytest.fixture(scope="module")
def honest() -> dict[str, bytes]:
    return {
        f"{key}-{n}": replay_of(key, random.Random(f"{key} {n}")) for key in all_games() for n in range(EACH)
    }


def test_both_verify_108_honest_replays_with_the_same_counts(
    honest: dict[str, bytes], compiled: Path, tmp_path: Path
) -> None:
    for name, raw in honest.items():
        (tmp_path / f"{name}.json").write_bytes(raw)
    theirs = in_node(compiled, tmp_path)

    assert len(theirs) == len(honest) >= 100
    races = 0
    for name, raw in honest.items():
        report, found = ours(raw), theirs[f"{name}.json"]
        assert report is not None
        assert report.faults == found["faults"] == [], name
        assert found["isTrue"], name
        counted = ("steps", "shuffles", "draws", "races", "committed")
        assert [getattr(report, it) for it in counted] == [found[it] for it in counted], name
        assert list(report.withheld) == found["withheld"], name
        races += report.races
    assert races > 200


def test_both_notice_every_forgery_that_needs_no_rules_to_be_noticed(
    honest: dict[str, bytes], compiled: Path, tmp_path: Path
) -> None:
    expected: dict[str, bool] = {}
    for n, (name, raw) in enumerate(honest.items()):
        forge = FORGERIES[n % len(FORGERIES)]
        plain: Plain = json.loads(raw)
        forge(plain, random.Random(f"{name} {forge.__name__}"))
        forged = json.dumps(plain).encode()
        file = f"{name}-{forge.__name__}.json"
        (tmp_path / file).write_bytes(forged)
        report = ours(forged)
        expected[file] = report is not None and report.is_true
    theirs = in_node(compiled, tmp_path)

    assert {file: found["isTrue"] for file, found in theirs.items()} == expected
    assert sum(not it for it in expected.values()) > 0.9 * len(expected)


def test_both_notice_the_same_forged_logs_by_the_same_faults(compiled: Path, tmp_path: Path) -> None:
    for name, (forge, _) in WITHOUT_RULES.items():
        (tmp_path / f"{name}.json").write_bytes(forged(forge))
    (tmp_path / "honest.json").write_bytes(written(bodies()))
    theirs = in_node(compiled, tmp_path)

    assert theirs.pop("honest.json")["faults"] == []
    for name, (forge, fault) in WITHOUT_RULES.items():
        report = ours(forged(forge))
        assert report is not None
        assert any(fault in it for it in report.faults), (name, report.faults)
        found = theirs[f"{name}.json"]["faults"]
        assert any(fault in it for it in found), (name, found)


def test_a_move_that_only_the_rules_can_refute_is_reported_as_unchecked(
    compiled: Path, tmp_path: Path
) -> None:
    plain: Plain = json.loads(replay_of("jamaica", random.Random("jamaica 0")))
    end = json.loads(plain["entries"][-1]["body"])
    plain["entries"][-1]["body"] = json.dumps({**end, "why": "because"})
    forged = json.dumps(rechained(plain)).encode()
    (tmp_path / "forged.json").write_bytes(forged)
    report = ours(forged)

    assert report is not None
    assert not report.is_true
    assert "result" in in_node(compiled, tmp_path)["forged.json"]["unchecked"]


def test_both_judge_600_races_alike_half_of_them_forged(compiled: Path, tmp_path: Path) -> None:
    expected: dict[str, int] = {}
    for n in range(600):
        chance = random.Random(n)
        coin = chance.randbytes(32)
        record = race_of(chance, coin)
        for _ in range(4 * (n % 2)):
            record = msgspec.convert(touched(msgspec.to_builtins(record), chance), RaceRecord)
        text = {"record": msgspec.to_builtins(record), "coin": coin.hex()}
        (tmp_path / f"{n}.race").write_text(json.dumps(text), encoding="utf-8")
        expected[f"{n}.race"] = len(recompute(record, None, coin).mismatches)
    theirs = in_node(compiled, tmp_path)

    assert {name: len(found) for name, found in theirs.items()} == expected
    assert sum(bool(it) for it in expected.values()) > 100


def test_both_verify_a_replay_with_races_of_version_1_and_find_its_forgeries(
    compiled: Path, tmp_path: Path
) -> None:
    """Each forgery changes one number of a record, seals the record and chains the log again."""
    raw = VERSION_1.read_bytes()
    (tmp_path / "honest.json").write_bytes(raw)
    forgeries = ("base", "lo", "hi", "give", "quota", "score", "react_us", "arrived", "shown")
    for name in forgeries:
        plain: Plain = json.loads(raw)
        entry, body = next(
            (it, body)
            for it in plain["entries"]
            if (body := json.loads(it["body"]))["e"] == "race" and body["record"]["moves"]
        )
        move = body["record"]["moves"][0]
        move[name] = (move[name] or 0) - 31_000
        record = msgspec.convert({**body["record"], "seal": ""}, RaceRecord1)
        body["record"]["seal"] = hashlib.sha256(pack(record)).hexdigest()
        entry["body"] = json.dumps(body)
        (tmp_path / f"{name}.json").write_bytes(json.dumps(rechained(plain)).encode())
    theirs = in_node(compiled, tmp_path)

    assert theirs["honest.json"]["faults"] == []
    assert theirs["honest.json"]["isTrue"]
    assert theirs["honest.json"]["races"] == 3
    for name in forgeries:
        report = ours((tmp_path / f"{name}.json").read_bytes())
        assert report is not None
        assert (report.is_true, theirs[f"{name}.json"]["isTrue"]) == (False, False), name


def test_both_notice_a_normaliser_that_does_not_follow_by_the_same_fault(
    compiled: Path, tmp_path: Path
) -> None:
    for field in ("screen", "unproven"):
        (tmp_path / f"{field}.json").write_bytes(another_start(field))
    theirs = in_node(compiled, tmp_path)

    for field in ("screen", "unproven"):
        report = ours(another_start(field))
        assert report is not None
        assert "begins with a normaliser" in report.faults[0]
        assert theirs[f"{field}.json"]["faults"] == report.faults
