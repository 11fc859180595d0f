"""Before the first trick: the box, the characters, the deal."""

from pathlib import Path

import pytest

from photofinish.engine.convert import BadOptions, options
from photofinish.engine.decks.components import FOLDER
from photofinish.games.hameln_cave import GAME
from photofinish.games.hameln_cave.box import SHIPPED, the_box
from photofinish.games.hameln_cave.chart import Place
from photofinish.games.hameln_cave.state import CARDS, COLOURS, NAMES, Character, Pass
from tests.games.by_hand import happened
from tests.games.hameln_cave.table import act, area, dealt, fresh, offered, refused
from tests.games.own_files import broken_key


@pytest.mark.parametrize("level", [1, 2, 3, 4])
def test_H1_the_host_sets_the_level_and_everybody_sees_its_map(level: int) -> None:
    chart = the_box().chart(level)
    seen = GAME.view(fresh(level=level), None)

    assert (seen.level, seen.roman) == (level, ("I", "II", "III", "IV")[level - 1])
    assert seen.map == chart.spaces
    assert seen.collapse_lines == chart.lines
    assert {space.kind for space in seen.map} == {"start", "water", "reef", "ghost", "goal"}
    assert [stop.label for stop in seen.ghost_track] == ["S", "3", "4", "5", "DEAD"]
    assert [stop.adds for stop in seen.ghost_track] == [2, 3, 4, 5, None]
    assert seen.lead_sides == ("left", "right", "left", "right", "left")


def test_H1_the_levels_have_different_maps_and_there_is_no_fifth() -> None:
    assert len({the_box().chart(level).spaces for level in (1, 2, 3, 4)}) == 4
    with pytest.raises(BadOptions):
        options(GAME, {"level": 5})


def test_H1_the_map_of_level_1_is_the_one_of_the_file() -> None:
    kinds = the_box().chart(1).kinds

    assert len(kinds) == 8 * 3 + 7 * 4
    assert kinds[Place(0, 0)] == "start"
    assert kinds[Place(-2, 0)] == kinds[Place(0, 6)] == kinds[Place(3, 11)] == "reef"
    assert [place for place, kind in kinds.items() if kind == "ghost"] == [
        Place(0, 4),
        Place(-2, 8),
        Place(2, 8),
        Place(0, 12),
    ]
    assert [place for place, kind in kinds.items() if kind == "goal"] == [Place(n, 14) for n in (-2, 0, 2)]


def test_H2_three_colours_with_the_numbers_1_to_9_and_the_number_fixes_the_pattern() -> None:
    patterns = {number: {card.pattern for card in CARDS if card.number == number} for number in range(1, 10)}

    assert len(CARDS) == len(set(CARDS)) == 27
    assert {card.colour for card in CARDS} == set(COLOURS) == {"brown", "blue", "green"}
    assert patterns == {
        **{number: {"ghost"} for number in (1, 2, 3)},
        **{number: {"saber"} for number in (4, 5)},
        **{number: {"wheel"} for number in (6, 7, 8)},
        9: {"mermaid"},
    }
    assert {n: kind.pattern for kind in GAME.view(fresh(), None).patterns for n in kind.numbers} == {
        n: next(iter(found)) for n, found in patterns.items()
    }


def test_H3_first_come_first_served_and_a_taken_character_is_refused() -> None:
    state = act(fresh(), 1, Character("rick"))

    assert state.characters == (None, "rick")
    assert "rick" not in offered(state, 0)["character"]
    assert "Rick" in refused(state, 0, Character("rick"), "H3")
    assert len(offered(fresh(), 0)["character"]) == len(NAMES) == 6


def test_H3_a_pick_may_be_changed_until_both_seats_have_one() -> None:
    state = act(act(fresh(), 0, Character("rick")), 0, Character("aria"))
    both = act(state, 1, Character("rick"))

    assert state.phase == "character"
    assert state.characters == ("aria", None)
    refused(state, 0, Character("aria"), "H3")
    assert both.characters == ("aria", "rick")
    assert both.phase == "exchange"
    refused(both, 0, Character("clyde"), "H3")


def test_H4_the_ghost_area_is_the_six_1s_and_2s_shuffled_with_the_call_card_on_the_right() -> None:
    areas = [area(fresh(bytes([n]))) for n in range(5)]

    for found in areas:
        assert found[-1] == "call"
        assert sorted(found[:-1]) == sorted(f"{colour} {n}" for colour in COLOURS for n in (1, 2))
    assert len({tuple(found) for found in areas}) > 1
    assert GAME.view(fresh(), None).ghost_area == fresh().ghosts


def test_H5_ship_on_the_start_round_1_and_the_ghost_marker_on_S() -> None:
    seen = GAME.view(dealt(), None)

    assert seen.ship == Place(0, 0)
    assert seen.round == 1
    assert seen.ghost_track[seen.ghost_marker].label == "S"


def test_H6_nine_of_the_cards_3_to_9_each_and_three_face_down_in_the_surplus() -> None:
    state = dealt()
    everything = [*state.hands[0], *state.hands[1], *(slot.card for slot in state.surplus)]

    assert [len(hand) for hand in state.hands] == [9, 9]
    assert [slot.up for slot in state.surplus] == [False] * 3
    assert sorted(map(repr, everything)) == sorted(repr(card) for card in CARDS if card.number >= 3)
    assert state.hands != dealt(key=b"another shuffle").hands
    refused(fresh(), 0, Pass(CARDS[5]), "H9")  # nothing is dealt before both have a character


def test_H7_seat_0_is_on_the_left_and_seat_1_on_the_right() -> None:
    seen = GAME.view(dealt(), None)

    assert seen.sides == ("left", "right")
    assert seen.courses.left == Place(-1, 1)
    assert seen.courses.right == Place(1, 1)
    assert seen.courses.straight == Place(0, 2)


def test_H8_a_round_begins_with_the_exchange_and_there_are_five_at_most() -> None:
    state = dealt()

    assert happened(state) == ["picked", "dealt"]
    assert state.phase == "exchange"
    assert GAME.view(state, None).rounds == 5


@pytest.mark.parametrize(
    ("old", "new", "key"),
    [
        ('id = "near_B"', 'id = "near_A"', "faces[0].id"),
        ('"R S R", "R . . R", ". . ."', '"R S R", "R . . R", ". . . ."', "faces[0].rows"),
        ('". G ."]', '". X ."]', "faces[0].rows"),
        ("levels = [1, 2, 3]", "levels = [1, 2]", "faces[0].levels"),
        ("collapse_round = 3\ncollapse_after_row = 3", "collapse_after_row = 3", "faces[0].collapse_after_row"),
        ("collapse_round = 3", "collapse_round = 4", "faces[0].collapse_round"),
        ('board = "mid"', 'board = "middle"', "faces[2].board"),
        ("level = 2", "level = 7", "faces[0].levels"),
        ('faces = ["near_A", "mid_A", "far_A"]', 'faces = ["near_A", "mid_A", "far_C"]', "faces[4].levels"),
        ("first_row = 10", "first_row = 12", "levels[0].faces"),
        ("round_3_if_row_at_most = 3", "round_3_if_row_at_most = 2", "levels[0].lose_at_round_3_if_row_at_most"),
        ("collapse_after_row = 8", "collapse_after_row = 9", "levels[0].lose_at_round_5_if_row_at_most"),
        ("advances_needed = 14", "advances_needed = 13", "levels[0].advances_needed"),
        ("bot_win_rate = 0.49", "bot_win_rate = 49", "levels[0].bot_win_rate"),
        ('"R S R", "R . . R", ". . ."', '"R . R", "R . . R", ". . ."', "levels[0].faces"),
        ('"R S R", "R . . R", ". . ."', '"S S R", "R . . R", ". . ."', "levels[0].faces"),
        ('"* * *"', '". . ."', "levels[0].faces"),
        ('"R S R", "R . . R", ". . ."', '"R S R", "R R R R", "R R R"', "levels[0].faces"),
        ('spaces = ["S", "3", "4", "5", "DEAD"]', 'spaces = ["S", "3", "4", "5"]', "ghost_track.spaces"),
        ('spaces = ["S", "3", "4", "5", "DEAD"]', 'spaces = ["S", "3", "4", "6", "DEAD"]', "ghost_track.spaces"),
        ("cards_added = [2, 3, 4, 5]", "cards_added = [0, 3, 4, 5]", "ghost_track.cards_added"),
        ("rounds = [1, 2, 3, 4, 5]", "rounds = [1, 2, 3, 4]", "round_track.rounds"),
        ('"left", "right", "left", "right", "left"', '"left", "right", "left", "right"', "round_track.lead_side"),
        ('["left", "right", "left",', '["left", "up", "left",', "round_track.lead_side[1]"),
        ("rockfall = [3, 5]", "rockfall = [2, 5]", "round_track.rockfall"),
        ("saber = [4, 5]", "saber = [4]", "deck.saber"),
        ('call_card_end = "right"', 'call_card_end = "left"', "deck.call_card_end"),
        ("[deck]", "[deck]\njokers = 2", "deck"),
        ("[deck]", "[deck", ""),
    ],
)  # fmt: skip
def test_H1_a_broken_file_of_the_hosts_is_refused_with_file_key_and_reason(
    old: str, new: str, key: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert broken_key(the_box, SHIPPED, old, new, tmp_path, monkeypatch) == key


def test_H17_a_map_that_only_a_straight_move_gets_through_is_a_map(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = SHIPPED.read_text(encoding="utf-8").replace('". . . .", "* * *"', '"R R R R", "* * *"')
    (tmp_path / SHIPPED.name).write_text(text, encoding="utf-8")
    monkeypatch.setenv(FOLDER, str(tmp_path))

    assert the_box.__wrapped__().chart(1).kinds[Place(1, 13)] == "reef"


def test_H1_a_host_may_bring_another_map(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    text = SHIPPED.read_text(encoding="utf-8").replace(
        '". . .", ". . . .", ". G ."', '". . .", ". . . .", ". . ."'
    )
    (tmp_path / SHIPPED.name).write_text(text, encoding="utf-8")
    monkeypatch.setenv(FOLDER, str(tmp_path))

    assert the_box.__wrapped__().chart(1).kinds[Place(0, 4)] == "water"
    assert the_box().chart(1).kinds[Place(0, 4)] == "ghost"
