"""The board and the cards are data: a host may replace them, and a broken file is refused by name."""

from pathlib import Path

import pytest

from photofinish.engine.decks.components import FOLDER, BrokenComponents
from photofinish.games.jamaica.box import BOARD, CARDS, Box, the_box
from tests.games.own_files import broken_key, loaded


def test_J1_a_host_may_set_other_prices(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    price = 'id = 5, kind = "port", cost = '
    box: Box = loaded(the_box, BOARD, f"{price}3", f"{price}8", tmp_path, monkeypatch)

    assert box.chart.spaces[5].cost == 8


def test_J44_a_host_may_make_the_ghost_richer(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    box: Box = loaded(the_box, CARDS, "doubloons = [5, 3]", "doubloons = [9]", tmp_path, monkeypatch)

    assert box.ghost_gold == (9,)


BROKEN_BOARDS = [
    ('id = 5, kind = "port"', 'id = 6, kind = "port"', "spaces[5].id"),
    ('id = 5, kind = "port"', 'id = 5, kind = "swamp"', "spaces[5].kind"),
    ("next = [6], lane", "next = [60], lane", "spaces[5].next"),
    ("next = [6], lane", "next = [6, 6], lane", "spaces[5].next"),
    ("next = [6], lane", "next = [6, 9], lane", "spaces[9].prev"),
    ("prev = [12, 14]", "prev = [12]", "spaces[15].prev"),
    ("prev = [12, 14]", "prev = [12, 14, 3]", "spaces[3].next"),
    ('id = 4, kind = "lair", cost = 0', 'id = 4, kind = "lair", cost = 1', "spaces[4].cost"),
    ('id = 1, kind = "sea", cost = 2', 'id = 1, kind = "port_royal", cost = 0', "spaces"),
    (
        'next = [7, 13], lane = "main", prev = [5]',
        'next = [7, 13, 5], lane = "main", prev = [5]',
        "spaces[5].prev",
    ),
    ('id = 4, kind = "lair"', 'id = 4, kind = "sea"', "meta.sea"),
    ("shortest_lap = 32", "shortest_lap = 31", "meta.shortest_lap"),
    ("longest_lap = 44", "longest_lap = 45", "meta.longest_lap"),
    ("forks = [6, 19, 32]", "forks = [6, 19]", "meta.forks"),
    ("red_line_between = [[38, 41], [40, 41]]", "red_line_between = [[38, 41]]", "meta.red_line_between"),
    ("score = 2,", 'score = "two",', "spaces[41].score"),
    ("[meta]", "[[meta", ""),
]
BROKEN_CARDS = [
    ("{ id = 2, morning", "{ id = 1, morning", "action_cards"),
    (
        'morning = "food", evening = "forward"',
        'morning = "rum", evening = "forward"',
        "action_cards[0].morning",
    ),
    ('{ id = "t3b"', '{ id = "t3a"', "treasure_cards"),
    ('id = "lady_beth", type', 'id = "lady_anne", type', "treasure_cards"),
    ('type = "treasure", points = 5', 'type = "treasure", points = -5', "treasure_cards[6].points"),
    ('type = "cursed", points = -2', 'type = "cursed"', "treasure_cards[9].points"),
    ("hand_size = 4", "hand_size = 2", "treasure_cards[0].hand_size"),
    (", hand_size = 4", "", "treasure_cards[0].hand_size"),
    (", combat_bonus = 2", "", "treasure_cards[2].combat_bonus"),
    ('combat = "8"', 'combat = "many"', "combat_shortage_die[3].combat"),
    ("back_to_lair", "back_to_bed", "combat_shortage_die[4].shortage"),
    ("action_dice = 2", "action_dice = 3", "dice.action_dice"),
    ("action_faces = [1,", "action_faces = [0,", "dice.action_faces[0]"),
    ("treasure_tokens = 9", "treasure_tokens = 8", "tokens.treasure_tokens"),
    ('id = "c2", type', 'id = "c2", curse = true, type', "treasure_cards[9]"),
    ("holds = 5", "holds = 4", "setup.holds"),
    ("start_food = 3", "start_food = 4", "setup.start_food"),
    ("treasure_cards_in_play = 9", "treasure_cards_in_play = 8", "setup.treasure_cards_in_play"),
    ("returned_unseen = 3", "returned_unseen = 2", "setup.treasure_cards_returned_unseen"),
    ("has_lady_beth = true", "has_lady_beth = false", "two_player_ghost_ship.has_lady_beth"),
    ("treasure_cards_left = 11", "treasure_cards_left = 12", "two_player_ghost_ship.treasure_cards_left"),
    ("doubloons = [5, 3]", "doubloons = [5, 0]", "two_player_ghost_ship.doubloons[1]"),
]


@pytest.mark.parametrize(("before", "after", "key"), BROKEN_BOARDS)
def test_J1_a_board_that_cannot_be_sailed_is_refused(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, before: str, after: str, key: str
) -> None:
    assert broken_key(the_box, BOARD, before, after, tmp_path, monkeypatch) == key


@pytest.mark.parametrize(("before", "after", "key"), BROKEN_CARDS)
def test_J4_cards_that_cannot_be_played_with_are_refused(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, before: str, after: str, key: str
) -> None:
    assert broken_key(the_box, CARDS, before, after, tmp_path, monkeypatch) == key


def test_J1_a_circuit_that_misses_port_royal_is_refused(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    text = BOARD.read_text(encoding="utf-8")
    text = text.replace("next = [11], lane", "next = [11, 8], lane").replace(
        "prev = [7] }", "prev = [7, 10] }"
    )
    (tmp_path / BOARD.name).write_text(text, encoding="utf-8")
    monkeypatch.setenv(FOLDER, str(tmp_path))
    with pytest.raises(BrokenComponents, match="never comes to Port Royal"):
        the_box.__wrapped__()


def test_J16_dice_with_which_a_ship_could_reach_one_space_on_two_laps_are_refused(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """On a ring of three spaces a six could reach one space on two laps."""
    (tmp_path / BOARD.name).write_text(
        """
spaces = [
  { id = 0, kind = "port_royal", cost = 0, score = 15, next = [1, 2], prev = [2] },
  { id = 1, kind = "sea", cost = 1, score = -5, next = [2], prev = [0] },
  { id = 2, kind = "sea", cost = 1, score = 3, next = [0], prev = [0, 1] },
]
[meta]
spaces = 3
sea = 2
ports = 0
lairs = 0
port_royal = 0
shortest_lap = 2
longest_lap = 3
red_line_between = [[1, 2]]
forks = [0]
merges = [2]
""",
        encoding="utf-8",
    )
    monkeypatch.setenv(FOLDER, str(tmp_path))
    with pytest.raises(BrokenComponents, match="on two laps"):
        the_box.__wrapped__()
