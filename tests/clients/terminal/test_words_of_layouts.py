"""What the layouts say in words: the status line of each game, the choices in its menus, what a race is about."""

from typing import Any

import msgspec
import pytest

from photofinish.games import all_games
from photofinish_client.terminal.scene import Scene
from photofinish_client.terminal.tables import speaker_of, status, trigger
from photofinish_client.terminal.words import INK, PAINT
from photofinish_protocol.messages import OpenRace
from tests.clients.server_messages import room, view

SEVEN = {"rune": "7", "kind": "number", "colour": "blue", "value": 7}


def scene(game: str, seen: dict[str, Any], *, you: int | None = 0, **more: Any) -> Scene:
    """Ana has seat 0, Bo 1, Cy 2 and Dee 3."""
    return Scene(view(1, 0, game=game, view=seen, you=you, scores=(0, 0, 0, 0), **more), room(game=game))


STATUS: dict[str, dict[str, str]] = {
    "alaska": {
        "salmon": "place the salmon",
        "play": "cast, place anglers, send the eagle or the bear, or end the turn",
        "bear": "a bear may snatch the catch",
        "over": "",
    },
    "cauldron15": {
        "play": "play a card",
        "take": "take a card of the trick",
        "bonus": "use the bonus or not",
        "spend": "spend kept bonuses",
        "some_step": "some step",
    },
    "gravekeepers": {
        "declare": "declare a colour and move its keeper",
        "place": "place a card at the crossing",
        "effect": "use the effect of the plot, or let it pass",
        "draw": "draw a card",
        "final": "choose your final card",
        "score": "use the effect of the symbol, or leave your ghosts as they are",
        "some_step": "some step",
    },
    "hameln_cave": {
        "character": "choose your character",
        "exchange": "pass a card to your partner",
        "play": "play a card",
        "steer": "steer the ship",
        "reveal": "turn up a Surplus card",
        "second": "turn up a second card, or stop",
        "choose": "choose the card that takes effect",
        "extra": "call an extra trick, or not",
        "pause": "talk; say ready for the next deal",
        "some_step": "some step",
    },
    "jamaica": {
        "dice": "put one die on morning, the other on evening",
        "choose": "choose a card for this day",
        "load": "load the goods into a hold",
        "move": "choose where the ship goes",
        "attack": "choose whom to fight",
        "fire": "spend gunpowder for the roll",
        "sabre": "Saran's Sabre: have the roll made again, or not",
        "spoils": "the winner chooses",
        "pay": "pay for the space",
        "ghost_move": "move the Ghost Ship",
        "over": "",
    },
    "kodiak": {
        "look": "remember your cards, then say ready",
        "draw": "draw a card",
        "exchange": "keep it in place of a card",
        "over": "",
    },
    "rune_market": {
        "interest": "collect your interest",
        "purchase": "buy, play cards, or end the turn",
        "cards": "play cards, or end the turn",
        "duel": "defend, or give up",
        "theft": "choose what to steal",
        "throw": "throw scissors, stone or paper",
        "over": "",
    },
}


@pytest.mark.parametrize("game", STATUS)
def test_every_step_that_a_view_can_name_has_its_words(game: str) -> None:
    """Before, the line said only "pause" in the pause of Hameln Cave: the layout named a step that no view has."""
    fields = msgspec.inspect.type_info(all_games()[game].view_type).fields  # type: ignore[attr-defined]  # a struct
    [kind] = [it.type for it in fields if it.name in {"phase", "step"}]

    assert isinstance(kind, msgspec.inspect.LiteralType)
    assert set(kind.values) - {"over"} == STATUS[game].keys() - {"over", "some_step"}


@pytest.mark.parametrize(("game", "step"), [(game, step) for game, all_ in STATUS.items() for step in all_])
def test_the_status_line_says_what_to_do_in_each_step(game: str, step: str) -> None:
    key = "step" if game == "alaska" else "phase"
    what = STATUS[game][step]
    own = scene(game, {key: step, "turn": 0})
    other = scene(game, {key: step, "turn": 1})

    assert status(own).plain == ("Your turn: " + what if what else "Your turn")
    assert status(other).plain == ("waiting for Bo: " + what if what else "waiting for Bo")


@pytest.mark.parametrize(
    ("seen", "what"),
    [
        ({"phase": "look"}, "remember your two cards, then say ready"),
        ({"phase": "scored"}, "all cards lie open; say ready for the next round"),
        ({"phase": "turn", "drawn": {"seat": 0}, "turn": 0}, "Your turn: keep the card or discard it"),
        ({"phase": "turn", "drawn": None, "turn": 2}, "waiting for Cy: draw, or call Cambio"),
        ({"phase": "turn", "drawn": None, "turn": None}, ""),
    ],
)
def test_the_status_line_of_cambio(seen: dict[str, Any], what: str) -> None:
    assert status(scene("cambio", seen)).plain == what


def test_the_status_line_of_reflex() -> None:
    assert status(scene("reflex", {"phase": "dark", "out": []})).plain == "wait for the light"
    assert status(scene("reflex", {"phase": "lit", "out": [1]})).plain == ""
    missed = "you pressed in the dark and miss the next light"
    assert status(scene("reflex", {"phase": "dark", "out": [0]})).plain == missed


def test_the_status_line_of_a_game_without_a_layout_or_with_another_view_names_the_seats_at_least() -> None:
    assert status(scene("chess", {"phase": "end_game", "turn": [0, 1]})).plain == "Your turn: end game"
    assert (
        status(scene("chess", {"step": "opening", "turn": [1, 3]}, you=2)).plain
        == "waiting for Bo, Dee: opening"
    )
    assert status(scene("kodiak", {"turn": 1})).plain == "waiting for Bo"
    assert status(scene("kodiak", {"phase": "draw"}, you=None)).plain == "draw a card"


FACES = {
    "table": [[{"face": None}, {"face": SEVEN}], [{"face": None}]],
    "discard": {"top": SEVEN},
    "phase": "turn",
}
BOARD = [
    {"kind": "port_royal", "cost": 0},
    {"kind": "port", "cost": 3},
    {"kind": "sea", "cost": 2},
    {"kind": "pirate_lair", "cost": 0},
]
JAMAICA = {
    "board": BOARD,
    "tokens": [3],
    "dice": [2, 5],
    "hand": [{"id": 9, "morning": "forward", "evening": "gold"}],
    "ships": [
        {"ship": 0, "space": 2, "holds": [{"resource": None, "count": 0}, {"resource": "food", "count": 4}]},
        {"ship": "ghost", "space": 2, "holds": []},
        {"ship": 1, "space": 0, "holds": []},
    ],
}
SURPLUS = {"surplus": [{"card": None}, {"card": {"colour": "brown", "number": 4}}]}
GAPS = {
    "gaps": [{"gap": 1, "sections": [2, 3], "salmon": [1, 2]}, {"gap": 2, "sections": [3, 4], "salmon": []}]
}
RUNE = {"colour": "red", "place": "boat1"}
LABELS: list[tuple[str, dict[str, Any], str, str, Any, str]] = [
    ("alaska", GAPS, "cast", "gap", 1, "gap 1 between 2 and 3, 2 salmon"),
    ("alaska", GAPS, "cast", "gap", 2, "gap 2 between 3 and 4"),
    ("alaska", {"sections": [{"angler": None}]}, "place", "section", 1, "section 1"),
    ("alaska", {"sections": [{"angler": None}, {"angler": SEVEN}]}, "place", "section", 2, "section 2 with  7 "),
    ("alaska", GAPS, "cast", "bears", 2, "bears 2"),
    ("cambio", FACES, "slap", "what", {"seat": 1, "slot": 0}, "Bo's card 1"),
    ("cambio", FACES, "keep", "what", {"slot": 1}, "your card 2  7 "),
    ("cambio", FACES, "draw", "from", "discard", "discard  7 "),
    ("cambio", FACES, "draw", "from", "main", "main pile"),
    ("cambio", FACES, "look", "until", "turn", "turn"),
    ("gravekeepers", {}, "final", "card", {"colour": "black", "symbol": "moth"}, " Bmoth "),
    ("gravekeepers", {}, "place", "at", {"row": 0, "col": 3}, "row 0, column 3"),
    ("gravekeepers", {}, "declare", "what", {"colour": "white", "to": 2}, "white keeper to row 2"),
    ("gravekeepers", {}, "declare", "what", {"colour": "black", "to": 1}, "black keeper to column 1"),
    ("gravekeepers", {}, "move", "col", 4, "col 4"),
    ("hameln_cave", {"courses": {"left": {"row": 3}, "right": None}}, "steer", "to", "left", "left, to row 3"),
    ("hameln_cave", {"courses": {"left": {"row": 3}, "right": None}}, "steer", "to", "right", "right: no way there"),
    ("hameln_cave", {}, "play", "card", {"colour": "brown", "number": 4}, " br4 "),
    ("hameln_cave", {}, "extra", "take", True, "yes"),
    ("hameln_cave", {}, "extra", "take", False, "no"),
    ("hameln_cave", SURPLUS, "reveal", "at", {"slot": 0}, "slot 1 ▒▒▒"),
    ("hameln_cave", SURPLUS, "choose", "at", {"slot": 1}, "slot 2  br4 "),
    ("jamaica", JAMAICA, "choose", "card", 9, " forward ▶│gold "),
    ("jamaica", JAMAICA, "dice", "morning", 1, "5 in the morning, 2 in the evening"),
    ("jamaica", JAMAICA, "move", "to", 0, "space 0: Port Royal"),
    ("jamaica", JAMAICA, "move", "to", 1, "space 1: port, costs 3 gold"),
    ("jamaica", JAMAICA, "move", "to", 2, "space 2: sea, costs 2 food, with you and the Ghost Ship"),
    ("jamaica", JAMAICA, "move", "to", 3, "space 3: pirate lair, a treasure"),
    ("jamaica", JAMAICA, "attack", "ship", "ghost", "the Ghost Ship"),
    ("jamaica", JAMAICA, "attack", "ship", 1, "Bo"),
    ("jamaica", JAMAICA, "load", "hold", 0, "hold 0 empty"),
    ("jamaica", JAMAICA, "load", "hold", 1, "hold 1 4 food"),
    ("jamaica", JAMAICA, "spoils", "hold", 1, "hold 1"),
    ("jamaica", JAMAICA, "spoils", "treasure", 2, "treasure 2"),
    ("jamaica", JAMAICA, "spoils", "what", {"hold": 2, "into": 4}, "hold 2 into your hold 4"),
    ("jamaica", JAMAICA, "ghost", "what", {"direction": "back", "to": 1}, "back to space 1: port, costs 3 gold"),
    ("kodiak", FACES, "pounce", "what", {"seat": 1, "slot": 0}, "Bo's card 1"),
    ("kodiak", FACES, "grab", "what", {"seat": 0, "target": 1}, "your card 2  7 "),
    ("kodiak", FACES, "give", "what", {"seat": 2}, "a card of Cy"),
    ("kodiak", FACES, "show", "what", {"card": SEVEN}, " 7 "),
    ("rune_market", {}, "buy", "into", "boat1", "boat 1"),
    ("rune_market", {}, "buy", "boat_into", "boat1", "boat 1"),
    ("rune_market", {}, "pay", "price", 3, "price 3"),
    ("rune_market", {}, "buy", "place", "red", "red shelter"),
    ("rune_market", {}, "buy", "into", {"red": "boat2", "blue": "loose"}, "red into boat 2, blue into loose"),
    ("rune_market", {}, "buy", "into", {}, "wherever there is space"),
    ("rune_market", {}, "pay", "what", {"red": 2, "blue": 1}, "2 red and 1 blue"),
    ("rune_market", {}, "steal", "what", {"seat": 1, "rune": RUNE}, "Bo's red rune in boat 1"),
    ("rune_market", {}, "steal", "what", {"seat": 1, "rune": {"place": "blue"}}, "Bo's rune in blue shelter"),
    ("rune_market", {}, "steal", "what", {"seat": 2, "place": "boat2"}, "Cy's boat 2"),
    ("rune_market", {}, "take", "what", {"colour": "red", "runes": 2, "place": "red"}, "2 red into the red shelter"),
    ("rune_market", {}, "ransom", "runes", [RUNE, "loose"], "red from boat 1, loose"),
]  # fmt: skip


@pytest.mark.parametrize(("game", "seen", "move", "key", "value", "said"), LABELS)
def test_each_choice_of_a_menu_is_named_in_words(
    game: str, seen: dict[str, Any], move: str, key: str, value: Any, said: str
) -> None:
    assert speaker_of(scene(game, seen)).pick(move, key, value).plain == said


def test_a_choice_that_the_layout_does_not_fit_is_still_said() -> None:
    assert "gap 7" in speaker_of(scene("alaska", {})).pick("cast", "gap", 7).plain
    assert "gap 7" in speaker_of(scene("alaska", GAPS)).pick("cast", "gap", 7).plain
    assert "card 7" in speaker_of(scene("jamaica", JAMAICA)).pick("choose", "card", 7).plain
    assert "left" in speaker_of(scene("hameln_cave", {})).pick("steer", "to", "left").plain


RACE = OpenRace(key="r", nonce="n", moves=("slap", "draw"), closers=("draw",))


def test_the_line_of_a_race_says_what_it_is_about() -> None:
    def line(game: str, seen: dict[str, Any], **more: Any) -> str:
        return trigger(scene(game, seen, race=RACE, **more)).plain

    assert line("cambio", FACES) == "RACE: slap!   7   press the letter at an identical card"
    assert line("cambio", {"discard": {"top": None}}) == "RACE: slap!  "
    race = {"race": {"card": SEVEN}, "kodiak": 1}
    assert line("kodiak", race) == "RACE: slap!   7   press the letter at an identical card"
    assert line("kodiak", {"race": None, "kodiak": 1}) == "RACE: slap!  "
    assert line("kodiak", race, you=1) == "RACE: slap!   7   pounce or grab"
    assert line("alaska", {"catch": {"seat": 1}}) == "RACE: slap!  Bo caught a salmon"
    assert line("alaska", {"catch": None}) == "RACE: slap!  "
    assert line("chess", {}) == "RACE: slap!  "


@pytest.mark.parametrize(
    ("light", "line", "colour"),
    [
        ({"sign": "go"}, "RACE: press!   GREEN ", PAINT["green"]),
        ({"sign": "stop"}, "RACE: do not press!   RED ", PAINT["red"]),
        (None, "RACE: press!  ", ""),
    ],
)
def test_the_line_of_a_light_has_its_colour(light: dict[str, str] | None, line: str, colour: str) -> None:
    drawn = trigger(scene("reflex", {"light": light}, race=RACE))

    assert drawn.plain == line
    assert [str(it.style) for it in drawn.spans] == ([f"bold {INK} on {colour}"] if colour else [])
