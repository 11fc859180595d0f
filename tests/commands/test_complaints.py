"""One sentence on stderr for every fault that a user can mend, with the exit code for its kind."""

import asyncio
import re
from pathlib import Path

import pytest

from photofinish.cli import _explain
from photofinish.commands.shared.base import BadUse, chosen_options, complain, need_writable, read_text
from photofinish_client import connect
from tests.commands.shell import Done, typed
from tests.system.conftest import ServerProcess

pytestmark = pytest.mark.timeout(120)


def check(done: Done, code: int, named: str) -> None:
    assert (done.code, done.out) == (code, ""), done
    assert done.err.startswith("photofinish: "), done
    assert done.err.count("\n") == 1, done
    assert named in done.err


def test_a_complaint_is_one_line_of_plain_text_on_stderr(capsys: pytest.CaptureFixture[str]) -> None:
    complain("first\n\n  second\tthird \x1b[2J")

    assert capsys.readouterr() == ("", "photofinish: first second third \\x1b[2J\n")


def test_options_are_names_with_values_and_texts_need_no_quotes() -> None:
    assert chosen_options(["points=10", "deck=long text", 'name="x"', "on=true", "empty="]) == {
        "points": 10, "deck": "long text", "name": "x", "on": True, "empty": "",
    }  # fmt: skip
    for wrong in ("points", "=10", "="):
        with pytest.raises(BadUse, match=re.escape(repr(wrong))):
            chosen_options([wrong])


def test_a_text_file_may_have_a_byte_order_mark_and_must_be_utf_8(tmp_path: Path) -> None:
    (tmp_path / "marked").write_bytes(b'\xef\xbb\xbftitle = "x"')
    (tmp_path / "latin").write_bytes(b"title = \xe9")

    assert read_text(tmp_path / "marked") == 'title = "x"'
    with pytest.raises(BadUse, match="latin is not UTF-8 text"):
        read_text(tmp_path / "latin")


def test_a_look_whether_a_file_can_be_written_leaves_it_as_it_is(tmp_path: Path) -> None:
    (tmp_path / "figures.json").write_text("of last week", encoding="utf-8")
    need_writable(tmp_path / "figures.json")

    assert (tmp_path / "figures.json").read_text(encoding="utf-8") == "of last week"


def test_a_bug_of_ours_keeps_its_traceback(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def broken(self: Path, *_: object, **__: object) -> bytes:
        raise ZeroDivisionError

    (tmp_path / "file").write_bytes(b"x")
    monkeypatch.setattr(Path, "read_bytes", broken)
    with pytest.raises(ZeroDivisionError):
        typed("verify file", tmp_path, monkeypatch, capsys)
    with pytest.raises(ModuleNotFoundError):
        _explain(ModuleNotFoundError("No module named 'photofinish.nosuch'", name="photofinish.nosuch"))


def test_a_command_that_is_interrupted_ends_with_130(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def interrupted(self: Path, *_: object, **__: object) -> bytes:
        raise KeyboardInterrupt

    (tmp_path / "file").write_bytes(b"x")
    monkeypatch.setattr(Path, "read_bytes", interrupted)

    assert typed("verify file", tmp_path, monkeypatch, capsys) == (130, "", "")


async def test_a_refusal_of_the_server_names_the_option_it_is_about_as_it_was_typed(
    server: ServerProcess, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    async def type_(words: str) -> Done:
        return await asyncio.to_thread(typed, words, tmp_path, monkeypatch, capsys)

    async with connect(server.url, name="Ada") as ada, connect(server.url, name="Bo") as bo:
        room = await ada.create("reflex", seats=2)
        bot = f"bot {server.url} --room {room}"
        check(await type_(f"{bot} --seat 0"), 1, "photofinish: --seat 0: ")
        check(await type_(f"{bot} --seat=7"), 2, "photofinish: --seat 7: ")
        check(await type_(f"{bot} --name {'x' * 30}"), 2, f"photofinish: --name {'x' * 30}: ")
        await bo.join(room)
        check(await type_(bot), 1, f"photofinish: --room {room}: ")
    check(await type_(f"host {server.url} --game=nosuch"), 2, "photofinish: --game nosuch: ")
    check(await type_(f"host {server.url} --game cambio --set nosuch=1"), 2, "photofinish: --set nosuch=1: ")


def test_a_server_that_is_not_there_is_no_wrong_argument(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    check(typed("inspect ws://127.0.0.1:9", tmp_path, monkeypatch, capsys), 1, "127.0.0.1:9")
    check(typed("save ws://127.0.0.1:9 --room ABCDE -o x", tmp_path, monkeypatch, capsys), 1, "refused")
    words = "tournament export ABCDEF --url ws://127.0.0.1:9 -o x.zip"
    check(typed(words, tmp_path, monkeypatch, capsys), 1, "refused")
