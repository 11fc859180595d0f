"""G1 to G7: the cards, the cemetery, the piles; and the file a host may replace."""

from collections import Counter
from pathlib import Path

import pytest

from photofinish.engine import Rng, Seat
from photofinish.engine.decks.components import FOLDER, BrokenComponents
from photofinish.engine.playthrough import random_steps, start
from photofinish.games.gravekeepers import GAME
from photofinish.games.gravekeepers.box import SHIPPED, the_box
from photofinish.games.gravekeepers.state import Ghost, State
from tests.games.gravekeepers.cemetery import fresh, laid
from tests.games.own_files import broken_key


def everything(state: State) -> Counter[Ghost]:
    found = Counter(state.out)
    for part in (*state.piles, *state.hands, *state.shown, *state.down):
        found.update(it for it in part if it is not None)
    found.update(grave.ghost for grave in state.graves if grave)
    return found


def test_G1_there_are_19_ghosts_of_each_colour_in_five_symbols() -> None:
    assert everything(fresh(4)) == {
        Ghost("white", "circle"): 6,
        Ghost("white", "triangle"): 8,
        Ghost("white", "star"): 5,
        Ghost("black", "diamond"): 6,
        Ghost("black", "square"): 8,
        Ghost("black", "star"): 5,
    }
    assert [rule.symbol for rule in the_box().rules] == ["circle", "diamond", "triangle", "square", "star"]


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_G1_no_ghost_is_ever_lost_or_doubled(seats: int) -> None:
    whole = everything(fresh(seats))
    for seed in range(5):
        game = start(GAME, seats, bytes([seed]))
        for _ in random_steps(game, Rng(bytes([seed]), 1 << 40)):
            assert everything(game.state) == whole


def test_G2_the_back_of_a_card_shows_its_colour_and_nothing_else() -> None:
    state = laid(("white star", "black star"), ("white star", "black star"), down={(2, 2): "black diamond"})
    plot = GAME.view(state, Seat(0)).board[2][2]

    assert (plot.ghost, plot.back) == (None, "black")


def test_G3_the_sixteen_cemetery_cards_lie_open_in_four_rows() -> None:
    board = GAME.view(fresh(), None).board
    orders = {fresh(2, bytes([n])).plots for n in range(10)}

    assert sorted(plot.card for row in board for plot in row) == list(range(1, 17))
    assert [[(plot.row, plot.col) for plot in row] for row in board] == [
        [(row, col) for col in range(4)] for row in range(4)
    ]
    assert len(orders) == 10
    for row in board:
        for plot in row:
            card = the_box().plot(plot.card)
            assert (plot.icon, plot.white_effect, plot.black_effect) == (
                card.setup_icon,
                card.white_effect,
                card.black_effect,
            )


def test_G4_each_keeper_starts_at_the_card_with_its_icon_on_its_own_axis() -> None:
    for seed in range(20):
        view = GAME.view(fresh(2, bytes([seed])), None)
        icons = {plot.icon: plot for row in view.board for plot in row}

        assert view.white_row == icons["keeper_white"].row
        assert view.black_col == icons["keeper_black"].col


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_G5_one_card_of_each_colour_per_hand_and_the_dawn_card_among_the_lowest_five(seats: int) -> None:
    depths = set()
    for seed in range(40):
        state = fresh(seats, bytes([seed]))
        assert [[ghost.colour for ghost in hand] for hand in state.hands] == [["white", "black"]] * seats
        for pile in state.piles:
            assert pile.count(None) == 1
            assert len(pile) == 19 - seats - 3 + 1
            depths.add(len(pile) - pile.index(None))

    assert depths == {1, 2, 3, 4, 5}


def test_G6_every_ghost_icon_has_an_open_ghost_of_its_colour_on_it() -> None:
    for row in GAME.view(fresh(), None).board:
        for plot in row:
            wanted = {"ghost_white": "white", "ghost_black": "black"}.get(plot.icon or "")
            assert (plot.ghost.colour if plot.ghost else None) == wanted
            assert plot.back is None


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_G7_the_start_seat_is_drawn_by_lot(seats: int) -> None:
    assert {fresh(seats, bytes([n])).starter for n in range(60)} == set(range(seats))


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_G7_turns_go_clockwise_from_the_start_seat(seats: int) -> None:
    game = start(GAME, seats, b"clockwise")
    turns = {}
    for _ in random_steps(game, Rng(b"clockwise", 1 << 40)):
        if game.state.phase in {"declare", "place", "effect", "draw"}:
            turns[game.state.turns] = game.state.turn

    assert all(turn == (game.state.starter + number) % seats for number, turn in turns.items())


@pytest.mark.parametrize(
    ("old", "new", "key"),
    [
        ('{ id = "circle"', '{ id = "square"', "ghost_symbols"),
        ('{ id = "circle"', '{ id = "moon"', "ghost_symbols[0].id"),
        ('mark = "○", colour = "white"', 'mark = "○", colour = "black"', "ghost_symbols[0].colour"),
        ("penalty = 3, order = 2", "penalty = 3, order = 1", "ghost_symbols[1].order"),
        ('targets = ["square", "star_black"]', "targets = []", "ghost_symbols[1].targets"),
        (
            'colour = "black", count = 5, penalty = 5',
            'colour = "black", count = 5, penalty = 4',
            "ghost_symbols",
        ),
        ("{ id = 16,", "{ id = 15,", "cemetery"),
        ('"keeper_black"', '"keeper_white"', "cemetery"),
        ('white_effect = "flip_white"', 'white_effect = "eat_white"', "cemetery[9].white_effect"),
        ('cards = ["white", "black"]', 'cards = ["white", "white"]', "dawn.cards"),
        ("face_down_order = 6", "face_down_order = 1", "scoring.face_down_order"),
        ("kinds_penalty = [0, 0, 1, 3, 6, 8, 9]", "kinds_penalty = [0, 0, 1]", "scoring.kinds_penalty"),
        ("ghosts_on_board = 6", "ghosts_on_board = 7", "setup.ghosts_on_board"),
        ("rows = 4", "rows = 5", "setup.rows"),
    ],
)
def test_a_broken_card_file_of_the_host_is_refused_with_its_key(
    old: str, new: str, key: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert broken_key(the_box, SHIPPED, old, new, tmp_path, monkeypatch) == key


def test_G6_a_file_with_too_few_ghosts_for_its_icons_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = SHIPPED.read_text(encoding="utf-8")
    for count in ("6", "8"):
        text = text.replace(f'colour = "white", count = {count}', 'colour = "white", count = 2')
    (tmp_path / SHIPPED.name).write_text(text, encoding="utf-8")
    monkeypatch.setenv(FOLDER, str(tmp_path))
    with pytest.raises(BrokenComponents) as broken:
        the_box.__wrapped__()

    assert broken.value.key == "cemetery"


def test_a_host_may_change_how_many_ghosts_there_are(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    text = SHIPPED.read_text(encoding="utf-8")
    text = text.replace('"○", colour = "white", count = 6', '"○", colour = "white", count = 4')
    (tmp_path / SHIPPED.name).write_text(text, encoding="utf-8")
    monkeypatch.setenv(FOLDER, str(tmp_path))

    assert len(the_box.__wrapped__().ghosts) == 36
