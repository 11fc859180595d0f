"""A wrong argument gets one sentence on stderr that names it, exit code 2, and no traceback."""

import os
import pty
import subprocess
from pathlib import Path

import pytest

from tests.commands.shell import BIN, Done, photofinish, typed
from tests.system.conftest import ServerProcess

OF_A_SERVER = (
    "rooms {url}",
    "games {url}",
    "host {url} --game cambio",
    "bot {url} --room ABCDE",
    "save {url} --room ABCDE -o x.json",
    "inspect {url}",
    "tournament status ABCDE --url {url}",
    "tournament open ABCDE --url {url} --key key",
    "tournament export ABCDE --url {url} -o x.zip",
)
"""The commands that talk to a server, but for those that need a terminal."""
BAD_URLS = {"ftp://somewhere": "ftp", "ws://127.0.0.1:99999": "Port", "ws://": "no host", "ws://[::1": "IPv6"}
WITHOUT_A_SERVER = [
    ("serve --port 70000", "70000"),
    ("serve --port many", "many"),
    ("serve --port -1", "-1"),
    ("serve --workers -3", "-3"),
    ("serve --nosuch", "--nosuch"),
    ("serve --tls-cert missing.pem", "missing.pem"),
    ("serve --tls-cert text --tls-key text", "--tls-cert"),
    ("serve --tls-cert text", "text contains no private key: give --tls-key"),
    ("serve --tls-cert text --tls-key missing.pem", "missing.pem cannot be read"),
    ("serve --tls-key text", "--tls-cert"),
    ("serve --data text", "text"),
    ("serve --access-token-file missing", "missing"),
    ("serve --components missing", "missing"),
    ("serve --host nosuch.invalid", "nosuch.invalid"),
    ("serve --host " + "a" * 64, "label"),
    ("serve --data /proc/self/games", "/proc/self cannot be written to"),
    ("nosuch", "nosuch"),
    ("play --bots -1", "-1"),
    ("play --room ABCDE --game cambio", "give one of the two"),
    ("rooms --skip -1", "-1"),
    ("host --game cambio --players nobody", "nobody"),
    ("host --game cambio --games 0", "--games"),
    ("host --game cambio --set target_points", "target_points"),
    ("bot --room ABCDE --player nobody", "nobody"),
    ("bot --room ABCDE --seat -1", "-1"),
    ("arena --game nosuch", "nosuch"),
    ("arena --game cambio --players nobody", "nobody"),
    ("arena --game cambio -n -5", "-5"),
    ("arena --game cambio --seats 99", "99"),
    ("bench --rounds 0", "--rounds"),
    ("race-lab --races -1", "-1"),
    ("race-lab --real --keep text/below", "text/below cannot be used as a folder"),
    ("race-lab --short --out nowhere/figures.json", "nowhere/figures.json"),
    ("save --room ABCDE --number 0 -o x.json", "--number"),
    ("verify missing", "missing"),
    ("verify text", "text"),
    ("replay text", "text"),
    ("strip missing", "missing"),
    ("strip text --race 0", "--race"),
    ("doctor --redis-wait -1", "-1"),
    ("doctor --redis http://somewhere", "'http'"),
    ("doctor --redis redis://somewhere:99999", "Port out of range"),
    ("doctor --redis redis://:secret#x@somewhere", "%23 for #"),
    ("doctor --redis redis://somewhere?nosuch=1", "nosuch"),
    ("doctor --redis redis+cluster://somewhere:99999", "somewhere:99999"),
    ("completion tcsh", "tcsh"),
    ("serve --public-url nonsense:99999", "--public-url"),
    ("serve --drain-seconds -1", "-1"),
    ("serve --address-rooms -1", "-1"),
    ("serve --redis-wait 99", "99"),
    ("serve --metrics-port 70000", "70000"),
    ("serve --data text/below", "text is not a folder"),
    ("serve --components text", "text is not a folder"),
    ("serve --tls-cert . --tls-key text", "--tls-cert . cannot be read"),
    ("bench --seconds -1", "-1"),
    ("bench --out nowhere/figures.json", "nowhere/figures.json"),
    ("bench --plot nowhere/figures.svg", "nowhere/figures.svg"),
    ("conformance --client nosuch-program", "nosuch-program"),
    ("conformance --client 'unbalanced", "No closing quotation"),
    ("conformance --client true --only nosuch", "nosuch"),
    ("conformance --client true --junit nowhere/report.xml", "nowhere/report.xml"),
    ("conformance --client true --badge nowhere/badge.svg", "nowhere/badge.svg"),
    ("new-game NoSuch", "NoSuch"),
    ("new-game high_card --checkout nowhere", "nowhere"),
    ("verify .", ". cannot be read"),
    ("tournament create missing.toml", "missing.toml cannot be read"),
    ("tournament rehearse missing.toml", "missing.toml cannot be read"),
    ("tournament rehearse text --bots -1", "-1"),
    ("tournament key --key text", "text holds no key"),
    ("tournament key --key text/below", "text/below cannot be read"),
    ("tournament key --key .", "The key . cannot be read"),
    ("tournament extend ABCDE 1 901", "901"),
    ("tournament extend ABCDE 0", "0"),
    ("tournament appoint ABCDE", "at least one key"),
    ("tournament nosuch", "nosuch"),
    *((words.format(url=url), named) for words in OF_A_SERVER for url, named in BAD_URLS.items()),
]
WITH_A_SERVER = [
    ("host {url} --game nosuch", "--game nosuch"),
    ("host {url} --game cambio --set nosuch=1", "nosuch"),
    ("host {url} --game cambio --players house", "2 to 8"),
    ("bot {url} --room QQQQQ", "--room QQQQQ"),
    ("rooms {url} --game nosuch", "nosuch"),
    ("save {url} --room QQQQQ -o x.json", "QQQQQ"),
    ("tournament status QQQQQ --url {url}", "no event"),
    ("tournament export QQQQQ --url {url} -o x.zip", "QQQQQ cannot be exported: No such event"),
]


IN_A_PROCESS = [
    ("serve --port 70000", "70000"),
    ("serve --redis http://somewhere", "http"),
    ("serve --redis redis://somewhere:99999", "Port out of range"),
    ("serve --trust-proxy nobody", "nobody"),
    ("host ws://127.0.0.1:99999 --game cambio", "Port"),
    ("verify text", "text"),
]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "text").write_text("no certificate, no replay, no folder\n", encoding="utf-8")
    return tmp_path


def check(done: Done, named: str) -> None:
    assert done.code == 2, done
    assert done.out == ""
    assert done.err.startswith("photofinish: ")
    assert done.err.count("\n") == 1, done.err
    assert named in done.err


@pytest.mark.parametrize(("words", "named"), WITHOUT_A_SERVER)
def test_a_wrong_argument_is_named_in_one_sentence(
    words: str, named: str, folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    check(typed(words, folder, monkeypatch, capsys), named)


@pytest.mark.parametrize(("words", "named"), WITH_A_SERVER)
def test_an_argument_that_the_server_refuses_is_named_too(
    words: str,
    named: str,
    folder: Path,
    server: ServerProcess,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    check(typed(words.format(url=server.url), folder, monkeypatch, capsys), named)


@pytest.mark.parametrize(("words", "named"), IN_A_PROCESS)
def test_a_wrong_argument_in_a_real_shell_gets_one_sentence_and_exit_code_2(
    words: str, named: str, folder: Path
) -> None:
    check(photofinish(*words.split(), folder=folder), named)


@pytest.mark.parametrize("lacking", ["<&-", "2>&-", "</dev/null"])
def test_play_needs_a_terminal_for_both_its_input_and_its_screen(lacking: str) -> None:
    """Everything else is a terminal, and the command ends before it looks for a server."""
    other, terminal = pty.openpty()
    try:
        done = subprocess.run(
            ["sh", "-c", f'exec "$0" play ws://127.0.0.1:9 {lacking}', BIN],
            stdin=terminal, stdout=subprocess.PIPE, stderr=terminal, timeout=60, check=False,
        )  # fmt: skip
        said = b"" if lacking == "2>&-" else os.read(other, 4096)
    finally:
        os.close(other)
        os.close(terminal)

    assert (done.returncode, done.stdout) == (2, b"")
    assert said.count(b"\n") == bool(said)
    assert (b"needs a terminal" in said) == bool(said)


@pytest.mark.parametrize("words", ["play", "watch --room ABCDE"])
def test_a_command_with_a_screen_ends_with_a_message_if_there_is_no_terminal(
    words: str, tmp_path: Path
) -> None:
    done = photofinish(*words.split(), folder=tmp_path)

    assert done.code == 2
    assert "needs a terminal" in done.err
    assert done.err.count("\n") == 1


def test_a_replay_for_a_place_that_cannot_be_written_is_refused(
    server: ServerProcess, tmp_path: Path
) -> None:
    room = photofinish("host", server.url, "--game", "cauldron15", "--players", "random,random", "--json").out
    code = room.split('"room":"')[1].split('"')[0]
    done = photofinish("save", server.url, "--room", code, "-o", tmp_path / "nowhere" / "x.json")

    assert done.code == 2
    assert "nowhere/x.json cannot be written" in done.err
    assert done.err.count("\n") == 1


def test_a_server_that_does_not_answer_is_not_a_wrong_argument() -> None:
    done = photofinish("rooms", "ws://127.0.0.1:9")

    assert done.code == 1
    assert done.err.count("\n") == 1
    assert "127.0.0.1:9" in done.err
