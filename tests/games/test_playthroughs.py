"""The golden games: played again from their recorded inputs, they must read the same, line by line."""

import subprocess
import sys
from dataclasses import replace as with_field
from pathlib import Path
from typing import Any

import pytest

from photofinish.engine import AnyGame, IllegalMove, Rng, replace
from photofinish.engine.convert import BadMove
from photofinish.games import all_games
from tests.games.playthroughs import (
    FOLDER,
    chosen_game,
    file_of,
    game_text,
    new_game_text,
    recorded,
    tables,
    text_played_again,
)
from tests.games.sample.game import MAGPIES

TABLES = [(game, seats) for game in all_games().values() for seats in tables(game)]
LARGEST = 150_000


@pytest.mark.parametrize(("game", "seats"), TABLES, ids=[f"{game.key}-{seats}" for game, seats in TABLES])
def test_a_golden_game_matches_its_file(game: AnyGame, seats: int) -> None:
    file = file_of(game, seats)
    assert file.is_file(), f"{game.title} has no golden game for {seats} seats: run `make playthroughs`"
    golden = file.read_text(encoding="utf-8")
    again = played_again(game, seats, golden)

    for number, (was, now) in enumerate(zip(golden.splitlines(), again.splitlines(), strict=False), start=1):
        assert now == was, f"{file.name} line {number}: if this is meant, run `make playthroughs`"
    assert again == golden
    assert "won by" in golden
    assert len(golden) <= LARGEST


@pytest.mark.parametrize(("game", "seats"), TABLES, ids=[f"{game.key}-{seats}" for game, seats in TABLES])
def test_a_golden_file_is_the_output_of_the_generator(game: AnyGame, seats: int) -> None:
    """`make playthroughs` on a clean checkout changes nothing.

    The seed and the inputs are compared; that their game reads as the file does is the test above.
    """
    file = file_of(game, seats)
    golden = file.read_text(encoding="utf-8")
    played_again(game, seats, golden)
    is_same = chosen_game(game, seats) == recorded(game, golden)

    assert is_same, f"{file.name} was written by other rules: run `make playthroughs`"


def played_again(game: AnyGame, seats: int, golden: str) -> str:
    """The game of the file. If the rules do not know its moves, or refuse one, the failure says what to do."""
    try:
        return text_played_again(game, seats, golden)
    except (BadMove, IllegalMove) as fault:
        name = file_of(game, seats).name
        pytest.fail(f"{name} has a move of other rules ({fault}): if this is meant, run `make playthroughs`")


@pytest.mark.parametrize(
    ("was", "now"),
    [('"t":"bid"', '"t":"swap"'), ("— seat 0", "— seat 1")],
    ids=["a move that no longer exists", "a move that is refused now"],
)
def test_a_golden_game_of_other_rules_says_what_to_do(was: str, now: str) -> None:
    golden = new_game_text(MAGPIES, 2)
    assert was in golden

    with pytest.raises(pytest.fail.Exception, match="run `make playthroughs`"):
        played_again(MAGPIES, 2, golden.replace(was, now))


def test_the_command_writes_the_files_of_a_clean_checkout(tmp_path: Path) -> None:
    """As `make playthroughs` calls it: in a process of its own."""
    asked = ["--game", "reflex", "--folder", str(tmp_path)]
    command = [sys.executable, "-m", "tests.games.playthroughs", *asked]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)

    assert done.returncode == 0, done.stderr
    for seats in tables(all_games()["reflex"]):
        file = file_of(all_games()["reflex"], seats)
        assert (tmp_path / file.name).read_bytes() == file.read_bytes()


def test_every_golden_file_belongs_to_an_existing_game() -> None:
    wanted = {file_of(game, seats).name for game, seats in TABLES}

    assert {file.name for file in FOLDER.glob("*.txt")} <= wanted


def test_a_golden_game_written_again_is_the_same_text() -> None:
    text = new_game_text(MAGPIES, 3)

    assert text_played_again(MAGPIES, 3, text) == text
    assert "view -" in text
    assert "won by" in text


def test_a_changed_rule_shows_in_the_golden_game() -> None:
    """Also a rule without a test of its own: here every trade costs the first seat a point."""

    def apply(state: Any, event: Any, rng: Rng) -> Any:
        after = MAGPIES.apply(state, event, rng)
        fine = after.phase == "trade"
        return replace(after, points=(after.points[0] - fine, *after.points[1:]))

    text = new_game_text(MAGPIES, 2)

    assert text_played_again(with_field(MAGPIES, apply=apply), 2, text) != text


def test_a_spectator_line_never_holds_a_hand() -> None:
    lines = game_text(MAGPIES, 3, 0, []).splitlines()
    spectator = next(line for line in lines if line.startswith("view -"))
    owner = next(line for line in lines if line.startswith("view 1"))

    assert '"hand":[]' in spectator
    assert '"rune"' not in spectator
    assert '"hand.0":{"rune"' in owner
