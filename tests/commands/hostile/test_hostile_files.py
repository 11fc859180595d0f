"""Files that no server wrote: one sentence or a list of faults, never a traceback, no control codes for the
terminal.
"""

import json
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from photofinish.tournament.export.archive import packed
from photofinish.tournament.export.files import EVENT, LOG
from tests.commands.shell import Done, typed
from tests.replay.forgeries import GOLDEN, WITH_RULES, WITHOUT_RULES, bodies, forged, written

Type = Callable[[str, bytes], Done]
ODD_NAME = "[/nope][red]\x1b]0;title\x07:skull:"


@pytest.fixture
def command(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Type:
    def run(words: str, raw: bytes) -> Done:
        (tmp_path / "file.json").write_bytes(raw)
        return typed(words, tmp_path, monkeypatch, capsys)

    return run


def changed(**fields: Any) -> bytes:
    return json.dumps({**json.loads(GOLDEN.read_bytes()), **fields}).encode()


def deep() -> bytes:
    """100,000 levels of nesting in the body of a step."""
    plain = json.loads(written(bodies()[:1]))
    body = '{"e":"step","step":1,"at":1,"seat":0,"move":' + '{"a":' * 100_000 + "1" + "}" * 100_000 + "}"
    plain["entries"].append({"hash": "", "body": body})
    return json.dumps(plain).encode()


def odd_clock() -> bytes:
    entries = bodies()
    entries[1] = {"e": "step", "step": 1, "at": entries[1]["at"], "timer": ODD_NAME}
    return written(entries)


def illegal() -> bytes:
    first, *rest = bodies()
    return written([first, *rest[5:]])


HOSTILE: dict[str, bytes] = {
    **{name: forged(forge) for name, (forge, _) in {**WITHOUT_RULES, **WITH_RULES}.items()},
    "no entries": written([]),
    "a step before the deal": written(bodies()[1:]),
    "an odd seed": changed(seed="abc"),
    "no seed": changed(seed=""),
    "deep": deep(),
    "deep lists": b"[" * 1_000_000,
    "an odd clock": odd_clock(),
    "an illegal move": illegal(),
    "nothing": b"",
    "null": b"null",
    "not UTF-8": b"\xff\xfe",
    "a zip that is none": b"PK\3\4" + b"log.jsonl event.toml" * 10,
}


@pytest.mark.parametrize("name", HOSTILE)
def test_verify_names_the_fault_and_never_raises(name: str, command: Type) -> None:
    done = command("verify file.json", HOSTILE[name])

    assert done.code in {1, 2}, done
    assert done.out.startswith("✗ ") if done.code == 1 else done.err.startswith("photofinish: "), done
    assert "\x1b" not in done.out + done.err


@pytest.mark.parametrize(
    "words", ["replay file.json", "strip file.json --race 1", "strip file.json -o x.svg"]
)
@pytest.mark.parametrize("name", HOSTILE)
def test_replay_and_strip_work_or_fail_with_one_sentence(name: str, words: str, command: Type) -> None:
    done = command(words, HOSTILE[name])

    assert done.code in {0, 2}, done
    assert (done.code == 2) == done.err.startswith("photofinish: "), done
    assert len(done.err.splitlines()) == (done.code == 2), done


def test_a_name_is_plain_text_and_its_control_characters_are_written_out(command: Type) -> None:
    entries = bodies()
    entries[0]["names"] = [ODD_NAME, "Basil"]
    raw = written(entries)

    for words in ("verify file.json", "replay file.json", "strip file.json --race 1"):
        done = command(words, raw)
        assert done.code == 0, done
        assert "\x1b" not in done.out
        assert "\x07" not in done.out
    assert "[/nope][red]\\x1b]0;title\\x07:skull:" in command("replay file.json", raw).out.replace("\n", "")


def test_a_strip_of_impossible_times_is_drawn_or_refused_at_once(command: Type) -> None:
    entries = bodies()
    race = next(it for it in entries if it["e"] == "race" and it["record"]["moves"])
    race["record"]["moves"][0].update(arrived=2**62, score=2**62)
    number = 1 + [it for it in entries if it["e"] == "race"].index(race)

    for more in ("", " -o x.svg"):
        assert command(f"strip file.json --race {number}{more}", written(entries)).code in {0, 2}


@pytest.mark.parametrize(
    "row",
    [
        b"",
        b"[]\n",
        b'{"hash":"","body":"{}"}\n',
        b'{"hash":"00","body":"' + b"[" * 50_000 + b'"}\n',
        b'{"hash":7,"body":null}\n',
        b"\xff\n",
    ],
)
def test_an_export_with_a_hostile_log_is_not_verified(row: bytes, command: Type) -> None:
    done = command("verify file.json", packed({EVENT: b"a = [", LOG: row, "../../outside": b"x"}))

    assert done.code == 1, done
    assert done.out.startswith("✗ "), done


def test_a_compressed_export_is_not_unpacked(tmp_path: Path, command: Type) -> None:
    with zipfile.ZipFile(tmp_path / "bomb.zip", "w", zipfile.ZIP_DEFLATED) as bomb:
        bomb.writestr(LOG, b"\0" * 50_000_000)
    done = command("verify file.json", (tmp_path / "bomb.zip").read_bytes())

    assert done.code == 1, done
    assert "archive" in done.out
