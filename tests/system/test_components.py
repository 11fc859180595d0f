"""A host's own decks and boards: used if they hold, refused with file, key and reason if they do not."""

import shutil
import subprocess
from pathlib import Path

import pytest

from tests.system.conftest import BIN, ServerProcess

pytestmark = pytest.mark.system
GAMES = Path(__file__).parents[2] / "server" / "photofinish" / "games"
SHIPPED = sorted(GAMES.glob("*/components/*.toml"))


def serve(folder: Path, components: Path) -> subprocess.CompletedProcess[str]:
    ports = ("--port", "0", "--metrics-port", "0")
    return subprocess.run(
        [BIN, "serve", *ports, "--data", folder / "data", "--components", components],
        stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False, timeout=60,
    )  # fmt: skip


@pytest.mark.parametrize("shipped", SHIPPED, ids=lambda it: it.stem)
def test_a_broken_file_is_named_before_any_room_opens(tmp_path: Path, shipped: Path) -> None:
    text = shipped.read_text(encoding="utf-8")
    broken = tmp_path / shipped.name
    broken.write_text(text + "\nhalf a line =", encoding="utf-8")
    done = serve(tmp_path, tmp_path)

    assert done.returncode == 2
    assert str(broken) in done.stderr
    assert "Traceback" not in done.stderr
    assert not (tmp_path / "data").exists()


def test_a_duplicate_card_is_named_with_its_key(tmp_path: Path) -> None:
    deck = GAMES.parent / "engine" / "decks" / "the_deck.toml"
    text = deck.read_text(encoding="utf-8").replace('id = "y2_1"', 'id = "y1_1"', 1)
    (tmp_path / deck.name).write_text(text, encoding="utf-8")
    done = serve(tmp_path, tmp_path)

    assert done.returncode == 2
    assert "cards[" in done.stderr
    assert "y1_1 occurs twice" in done.stderr


def test_a_valid_deck_file_of_the_host_is_used(tmp_path: Path) -> None:
    own = tmp_path / "own"
    own.mkdir()
    for shipped in SHIPPED:
        shutil.copy(shipped, own)
    server = ServerProcess(tmp_path, "--components", str(own)).start()

    assert server.stop() == 0
