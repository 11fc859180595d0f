"""The keyboard menu: every key press is one step, a slap is one press, and only offered moves are sent."""

import random
from typing import Any

import msgspec
import pytest

from photofinish.engine import Rng, Seat, move_name
from photofinish.engine import offers as engine
from photofinish.engine.playthrough import Playthrough, random_steps, start
from photofinish.games import all_games
from photofinish_client.terminal.menus.menu import BACK, DONE, LEAVE_OUT, NO, TICK, YES, Menu
from photofinish_client.terminal.words import Speaker
from photofinish_protocol import messages as m
from photofinish_protocol.offers import Amounts, Offer, OneOf, SomeOf
from tests.clients.server_messages import CALL, DRAW, NAMES, RACE, SLAP, view

PAY = Offer("pay", (Amounts("coins", {"gold": 2, "silver": 1}, 1, 2),), text="Pay")
MELD = Offer("meld", (SomeOf("cards", ("x", "y", "z"), 2, 2, (1, 2, 4), (5,)),), text="Meld")
A, B = ({"seat": 0, "slot": 1, "mark": 5}, {"seat": 1, "slot": 0, "mark": 6})
SWAP = Offer("swap", (OneOf(("a",), ((A,), (B,))), OneOf(("b",), ((A,), (B,)))), "different_seats", "Swap")
GIVE = Offer(
    "give", (OneOf(("to",), ((1,), (2,)), optional=True), OneOf(("slot",), ((0,), (1,)))), text="Give"
)


def menu_of(*offers: Offer, race: m.OpenRace | None = None, **more: Any) -> Menu:
    menu = Menu()
    menu.show(view(1, 0, offers=offers, race=race, **more), Speaker(NAMES))
    return menu


def said(menu: Menu) -> dict[str, str]:
    return {entry.key: entry.text.plain for entry in menu.entries()}


def pressed(menu: Menu, *keys: str) -> Any:
    *first, last = keys
    assert [menu.press(key) for key in first] == [None] * len(first)
    return menu.press(last)


def test_a_short_menu_has_one_key_per_move() -> None:
    menu = menu_of(DRAW, CALL)

    assert said(menu) == {"1": "Draw a card: main", "2": "Draw a card: discard", "3": "Call Cambio"}
    assert menu.press("2") == {"t": "draw", "from": "discard"}


def test_a_slap_is_one_key() -> None:
    menu = menu_of(SLAP, DRAW, race=RACE)

    assert said(menu)["c"] == "slap Bo #3"
    assert menu.press("c") == {"t": "slap", "seat": 1, "slot": 3, "mark": 9}


def test_a_card_keeps_its_letter_when_another_is_gone() -> None:
    menu = menu_of(SLAP, race=RACE)
    fewer = Offer("slap", (OneOf(("seat", "slot", "mark"), ((0, 1, 8), (1, 3, 9))),))
    menu.show(view(2, 1, offers=(fewer,), race=RACE), Speaker(NAMES))

    assert said(menu) == {"b": "slap Ana #1", "c": "slap Bo #3"}
    assert menu.press("a") is None
    assert menu.press("b") == {"t": "slap", "seat": 0, "slot": 1, "mark": 8}


def test_the_letters_stand_on_the_cards_they_slap() -> None:
    assert menu_of(SLAP, race=RACE).slot_keys() == {(0, 0): "a", (0, 1): "b", (1, 3): "c"}


def test_letters_are_used_in_races_only() -> None:
    assert set(said(menu_of(SLAP, DRAW))) == {"1", "2", "3", "4", "5"}


def test_q_is_never_the_key_of_an_entry() -> None:
    many = Offer("slap", (OneOf(("slot",), tuple((n,) for n in range(30))),))

    assert "q" not in said(menu_of(many, race=RACE))


def test_a_swap_asks_for_one_card_and_then_only_for_those_of_other_seats() -> None:
    menu = menu_of(SWAP, CALL)

    assert menu.press("1") is None
    assert said(menu) == {"1": "Ana #1", "2": "Bo #0"}
    assert menu.press("1") is None
    assert said(menu) == {"1": "Bo #0"}
    assert menu.press("1") == {"t": "swap", "a": A, "b": B}


def test_escape_takes_back_one_step() -> None:
    menu = menu_of(SWAP, CALL)
    pressed(menu, "1", "2", "escape")

    assert len(said(menu)) == 2
    assert pressed(menu, "escape", "2", YES) == {"t": "call"}


def test_several_cards_are_selected_and_only_an_allowed_sum_is_accepted() -> None:
    menu = menu_of(MELD, CALL)

    assert pressed(menu, "1", "1", "2", DONE) is None
    assert [entry.is_on for entry in menu.entries()] == [True, True, False]
    assert pressed(menu, "2", "3", DONE) == {"t": "meld", "cards": ["x", "z"]}


def test_amounts_count_up_and_restart_at_zero() -> None:
    menu = menu_of(PAY, CALL)

    assert pressed(menu, "1", DONE) is None
    assert pressed(menu, "1", "1", "2", DONE) is None  # three are too many
    assert pressed(menu, "1", DONE) == {"t": "pay", "coins": {"silver": 1}}


def test_an_optional_choice_can_be_left_out() -> None:
    assert pressed(menu_of(GIVE, CALL), "1", LEAVE_OUT, "2") == {"t": "give", "slot": 1}


def test_an_unfinished_choice_is_kept_only_if_the_next_view_still_offers_it() -> None:
    menu = menu_of(SWAP, CALL)
    pressed(menu, "1", "1")
    menu.show(view(2, 1, offers=(CALL, SWAP)), Speaker(NAMES))
    assert said(menu) == {"1": "Bo #0"}

    menu.show(view(3, 2, offers=(CALL,)), Speaker(NAMES))
    # The call keeps the number that it had in the menu with the swap.
    assert pressed(menu, "2", YES) == {"t": "call"}


def test_a_call_asks_before_it_ends_the_round() -> None:
    menu = menu_of(DRAW, CALL)

    assert menu.press("3") is None
    assert menu.title == "Call Cambio: are you sure?"
    assert said(menu) == {YES: "Yes: Call Cambio", NO: "No"}
    assert menu.press(NO) is None
    assert pressed(menu, "3", BACK, "1") == {"t": "draw", "from": "main"}
    assert pressed(menu, "3", YES) == {"t": "call"}


def test_the_text_of_an_offer_names_the_players_in_the_menu_and_in_its_questions() -> None:
    ask = Offer("ask", (OneOf(("card",), tuple((f"c{n}",) for n in range(12))),), text="Ask {1}")
    menu = menu_of(ask, Offer("call", text="Call before {2}"))

    assert said(menu) == {"1": "Ask Bo …", "2": "Call before Cy"}
    menu.press("1")
    assert menu.title == "Ask Bo: which card? Esc back"
    pressed(menu, BACK, "2")
    assert menu.title == "Call before Cy: are you sure?"


def test_the_question_about_a_call_closes_when_the_call_is_no_longer_offered() -> None:
    menu = menu_of(DRAW, CALL)
    menu.press("3")
    menu.show(view(2, 1, offers=(DRAW,)), Speaker(NAMES))

    assert menu.press(YES) is None
    assert menu.press("1") == {"t": "draw", "from": "main"}


def test_entries_keep_their_numbers_from_turn_to_turn() -> None:
    menu = menu_of(DRAW, CALL)
    frozen = Offer("draw", (OneOf(("from",), (("main",),)),), text="Draw a card")
    keep = Offer("keep", (OneOf(("slot", "mark"), ((0, 4), (1, 5))),), text="Keep it")
    menu.show(view(2, 1, offers=(frozen, CALL)), Speaker(NAMES))
    assert said(menu) == {"1": "Draw a card: main", "3": "Call Cambio"}

    menu.show(view(3, 2, offers=(keep,)), Speaker(NAMES))
    assert list(said(menu)) == ["1", "2"]  # never in one menu with a draw: it may begin at 1

    menu.show(view(4, 3, offers=(CALL, DRAW)), Speaker(NAMES))
    assert said(menu) == {"1": "Draw a card: main", "2": "Draw a card: discard", "3": "Call Cambio"}


def test_a_card_keeps_its_number_in_the_hand_while_others_are_played() -> None:
    play = Offer("play", (OneOf(("card",), tuple((f"c{n}",) for n in range(12))),), text="Playthrough")
    menu = menu_of(play, CALL)
    menu.press("1")
    before = said(menu)
    menu.press(BACK)
    fewer = Offer("play", (OneOf(("card",), tuple((f"c{n}",) for n in (1, 5, 11))),), text="Playthrough")
    menu.show(view(2, 1, offers=(fewer, CALL)), Speaker(NAMES))
    menu.press("1")

    assert len(before) == 12
    assert said(menu).items() <= before.items()


def test_the_arrow_keys_mark_an_entry_and_enter_chooses_it() -> None:
    menu = menu_of(DRAW, CALL)
    menu.step(1)
    menu.step(1)

    assert [entry.is_at for entry in menu.entries()] == [False, True, False]
    assert menu.press(DONE) == {"t": "draw", "from": "discard"}


def test_space_selects_the_marked_entry_and_enter_still_means_done() -> None:
    menu = menu_of(MELD, CALL)
    menu.press("1")
    menu.step(1)
    assert menu.press(TICK) is None
    menu.step(2)
    assert menu.press(TICK) is None

    assert menu.press(DONE) == {"t": "meld", "cards": ["x", "z"]}


def test_space_makes_the_only_move_with_a_race_and_without() -> None:
    """In Reflex the light comes while a finger is on the key."""
    press = Offer("press", text="Press")
    menu = menu_of(press)
    assert menu.press(TICK) == {"t": "press"}

    menu.show(
        view(2, 1, offers=(press,), race=m.OpenRace(key="r", nonce="n", moves=("press",))), Speaker(NAMES)
    )
    assert menu.press(TICK) == {"t": "press"}
    assert menu_of(DRAW, CALL).press(TICK) is None
    assert menu_of(CALL).press(TICK) is None, "a call asks"


def test_the_text_of_a_move_contains_the_players_names() -> None:
    menu = menu_of(Offer("give", text="Give {1} a card"), Offer("wait"))

    assert said(menu)["1"] == "Give Bo a card"


def wire_view(play: Playthrough, seat: Seat, seq: int = 1) -> m.View:
    """What the server would send this seat, without a server."""
    game, state = play.game, play.state
    race = game.race(state)
    return view(
        seq,
        seq - 1,
        game=game.key,
        you=int(seat),
        view=msgspec.to_builtins(game.view(state, seat)),
        offers=msgspec.convert(msgspec.to_builtins(game.offers(state, seat)), tuple[Offer, ...]),
        race=race
        and m.OpenRace(
            key=race.key,
            nonce=race.key,
            moves=tuple(map(move_name, race.contested)),
            closers=tuple(map(move_name, race.closers)),
            anytime=tuple(map(move_name, race.anytime)),
        ),
        last=msgspec.convert(msgspec.to_builtins(game.view(state, seat).last), tuple[m.Happened, ...]),
    )


@pytest.mark.parametrize("key", all_games())
def test_random_keys_produce_only_offered_moves_in_every_game(key: str) -> None:
    game, chance = all_games()[key], random.Random(11)
    play, menu, made = start(game, game.seats[0], b"menu" * 8), Menu(), 0
    for step, _ in enumerate(random_steps(play, Rng(b"keys", 1))):
        if play.is_over or step == 60:
            break
        for seat in play.seats:
            shown = wire_view(play, seat)
            menu.show(shown, Speaker(NAMES, shown.view))
            for _ in range(12):
                keys = [entry.key for entry in menu.entries()] + [DONE]
                move = menu.press(chance.choice(keys))
                if move is not None:
                    made += 1
                    assert engine.admits(game.offers(play.state, seat), move), move

    assert made > 30
