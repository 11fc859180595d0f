"""What `verify` prints beside its verdict: notes about what a true replay does not prove, many faults, an event."""

import json
from pathlib import Path

import pytest

from photofinish.commands import replay
from photofinish.replay.log import HAS_REFUSALS
from photofinish.replay.verify import Report
from photofinish.tournament.export.archive import packed, unpacked
from photofinish.tournament.export.files import LOG
from tests.commands.shell import typed
from tests.replay.forgeries import GOLDEN
from tests.tournament.export.test_export import swiss


def printed(report: Report, folder: Path, patch: pytest.MonkeyPatch, said: pytest.CaptureFixture[str]) -> str:
    patch.setattr(replay, "verify_replay", lambda *_: report)
    done = typed(f"verify {GOLDEN}", folder, patch, said)
    assert done.code == (1 if report.faults else 0)
    return " ".join(done.out.split())


def test_withheld_nonces_reopened_races_and_an_old_log_are_reported(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    report = Report(races=3, reopened=2, withheld=("Ada [/x]",), version=HAS_REFUSALS - 1)
    old = printed(report, tmp_path, monkeypatch, capsys)
    new = printed(Report(races=3, version=HAS_REFUSALS), tmp_path, monkeypatch, capsys)

    assert "! Ada [/x] committed to a nonce and did not reveal it" in old
    assert "! 2 races were reopened" in old
    assert f"! a log of version {HAS_REFUSALS - 1}" in old
    assert "!" not in new


def test_fifty_faults_are_printed_and_the_others_counted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    report = Report(faults=[f"fault {n}" for n in range(60)])
    shown = printed(report, tmp_path, monkeypatch, capsys)

    assert shown.count("✗ fault ") == 50
    assert shown.endswith("✗ and 10 more")


def test_a_file_beyond_the_limit_is_refused_unread(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(replay, "MOST_BYTES", 1 << 20)
    (tmp_path / "large").write_bytes(b"x" * ((1 << 20) + 1))
    done = typed("verify large", tmp_path, monkeypatch, capsys)

    assert (done.code, done.out) == (2, "")
    assert done.err == "photofinish: large is larger than 1 MiB, the limit for replays and exports.\n"


def test_the_export_of_an_event_is_verified_as_json_too(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    raw = swiss().export()
    files = unpacked(raw)
    (tmp_path / "event.zip").write_bytes(raw)
    (tmp_path / "forged.zip").write_bytes(
        packed({**files, LOG: files[LOG].replace(b'"hash":"', b'"hash":"00', 1)})
    )
    true = typed("verify event.zip --json", tmp_path, monkeypatch, capsys)
    forged = typed("verify forged.zip --json", tmp_path, monkeypatch, capsys)

    assert (true.code, json.loads(true.out)) == (0, {"file": "event.zip", "is_true": True, "faults": []})
    assert forged.code == 1
    assert json.loads(forged.out)["faults"]
    assert typed("verify event.zip", tmp_path, monkeypatch, capsys).code == 0
    assert typed("verify forged.zip", tmp_path, monkeypatch, capsys).code == 1
