"""A round: dice, cards in secret, turned up one by one, and the draw."""

from photofinish.engine import Seat, replace
from photofinish.games.jamaica import GAME
from photofinish.games.jamaica.state import Choose, Load, PlaceDice
from tests.games.jamaica.table import (
    BACKWARD_FORWARD,
    FORWARD_FOOD,
    FORWARD_FORWARD,
    GOLD_GOLD,
    POWDER_GOLD,
    awaited,
    cards_of,
    cargo,
    does,
    events,
    fresh,
    laid,
    offered,
    played,
    refuses,
    ship,
    undecided,
)


def test_J7_the_captain_puts_one_die_on_morning_and_the_other_on_evening() -> None:
    state = undecided(3, (2, 5), captain=1)

    assert awaited(state) == (1,)
    assert offered(state, 1) == ["place_dice"]
    as_rolled, turned = does(state, 1, PlaceDice(0)), does(state, 1, PlaceDice(1))
    assert (as_rolled.times, turned.times) == ((2, 5), (5, 2))
    refuses(state, 0, PlaceDice(0), "J7")
    refuses(as_rolled, 1, PlaceDice(0), "J7")


def test_J7_equal_dice_place_themselves() -> None:
    doubles = [
        state for state in (fresh(3, key=bytes([key])) for key in range(60)) if len({*state.dice}) == 1
    ]

    assert doubles
    for state in doubles:
        assert state.phase == "choose"
        assert state.times == state.dice
    others = [state for state in (fresh(3, key=bytes([key])) for key in range(60)) if len({*state.dice}) == 2]
    assert {state.phase for state in others} == {"dice"}


def test_J8_all_choose_at_once_and_a_choice_is_final_and_secret() -> None:
    state = laid([ship(0)] * 3, [GOLD_GOLD, GOLD_GOLD, GOLD_GOLD])
    assert awaited(state) == (0, 1, 2)
    state = does(state, 2, Choose(GOLD_GOLD))

    assert awaited(state) == (0, 1)
    refuses(state, 2, Choose(state.decks[2].hand[0]), "J8")
    refuses(state, 0, Choose(next(card for card in range(1, 12) if card not in state.decks[0].hand)), "J8")
    stranger, own = GAME.view(state, Seat(0)), GAME.view(state, Seat(2))
    assert stranger.players[2].chosen
    assert stranger.players[2].played is None
    assert stranger.choice is None
    assert own.choice is not None
    assert own.choice.id == GOLD_GOLD


def test_J8_no_card_before_the_dice_lie() -> None:
    state = undecided(3, (2, 5))

    refuses(state, 0, Choose(state.decks[0].hand[0]), "J8")


def test_J9_the_captain_plays_first_and_later_cards_stay_hidden() -> None:
    state = played(laid([ship(0)] * 3, [GOLD_GOLD, POWDER_GOLD, GOLD_GOLD], captain=1))

    assert awaited(state) == (1,)
    shown = [player.played.id if player.played else None for player in GAME.view(state, None).players]
    assert shown == [None, POWDER_GOLD, None]
    assert [player.chosen for player in GAME.view(state, None).players] == [True, False, True]
    state = does(does(state, 1, Load(0)), 1, Load(1))  # then clockwise
    assert awaited(state) == (2,)
    shown = [player.played.id if player.played else None for player in GAME.view(state, None).players]
    assert shown == [None, POWDER_GOLD, GOLD_GOLD]
    assert [card.id for card in GAME.view(state, Seat(0)).players[1].discard] == [POWDER_GOLD]


def test_J10_the_morning_is_done_with_its_die_before_the_evening_begins() -> None:
    state = played(laid([ship(0)] * 3, [POWDER_GOLD, GOLD_GOLD, GOLD_GOLD], dice=(4, 2)))
    assert GAME.view(state, None).half == "morning"
    state = does(state, 0, Load(0))
    assert GAME.view(state, None).half == "evening"
    refuses(state, 0, Load(0), "J12")
    state = does(state, 0, Load(3))

    assert cargo(state, 0) == ["gunpowder 4", "", "", "gold 2", ""]


def test_J10_nothing_still_to_be_loaded_can_pay() -> None:
    """Forward onto a space of 2 food, with food only in the evening: a shortage."""
    state = played(
        laid([ship(0), ship(0), ship(0)], [FORWARD_FOOD, GOLD_GOLD, GOLD_GOLD], dice=(1, 6)), "stay"
    )

    assert events(state, "shortage")
    assert cargo(state, 0) == [""] * 5
    assert offered(state, 0) == ["load"]


def test_J10_two_moves_are_two_landings() -> None:
    state = laid([ship(0, "food 9"), ship(0), ship(0)], [FORWARD_FORWARD, GOLD_GOLD, GOLD_GOLD], dice=(1, 1))
    state = played(state)

    assert state.ships[0].space == 2
    assert [it.detail["count"] for it in events(state, "paid")] == [2, 3]


def test_J10_gold_twice_fills_two_holds() -> None:
    state = played(laid([ship(0)] * 3, [GOLD_GOLD] * 3, dice=(2, 3)))
    state = does(state, 0, Load(0))

    refuses(state, 0, Load(0), "J12")
    assert cargo(does(state, 0, Load(1)), 0) == ["gold 2", "gold 3", "", "", ""]


def _next_round(treasures: tuple[str, ...] = (), hand: tuple[int, ...] = (), pile: int = 8) -> list[int]:
    """The hand sizes of seat 0 and its pile and discard after a round of loading."""
    full = ("gold 1",) * 5
    state = laid([ship(0, *full, treasures=treasures), ship(0, *full), ship(0, *full)], [GOLD_GOLD] * 3)
    deck = state.decks[0]
    extra = tuple(deck.pile[: len(hand)])
    rest = deck.pile[len(hand) :]
    deck = replace(deck, hand=(*deck.hand, *extra), pile=rest[:pile], discard=rest[pile:])
    state = played(replace(state, decks=(deck, *state.decks[1:])))
    assert state.round == 2
    return [len(state.decks[0].hand), len(state.decks[0].pile), len(state.decks[0].discard)]


def test_J11_every_seat_draws_to_three() -> None:
    assert _next_round() == [3, 7, 1]


def test_J11_the_whole_discard_pile_is_shuffled_when_a_card_is_needed() -> None:
    assert _next_round(pile=0) == [3, 8, 0]


def test_J11_J38_with_morgans_map_a_hand_has_four_cards() -> None:
    assert _next_round(treasures=("morgans_map",)) == [4, 6, 1]


def test_J38_losing_the_map_costs_no_card() -> None:
    """A fourth card in hand and no map: one is played, three are left, none is drawn and none goes."""
    assert _next_round(hand=(0,)) == [3, 7, 1]
    assert _next_round(hand=(0, 0)) == [4, 6, 1]


def test_J9_a_card_turned_up_is_seen_until_its_seat_chooses_again_though_the_round_is_over() -> None:
    full = ("gold 1",) * 5
    state = played(laid([ship(0, *full)] * 3, [GOLD_GOLD] * 3))
    assert state.round == 2
    shown = [player.played.id if player.played else None for player in GAME.view(state, None).players]
    assert shown == [GOLD_GOLD] * 3
    state = replace(state, phase="choose", times=(1, 1))
    state = does(state, 1, Choose(state.decks[1].hand[0]))

    assert [player.played is None for player in GAME.view(state, None).players] == [False, True, False]


def test_J6_the_compass_passes_to_the_left() -> None:
    full = ("gold 1",) * 5
    for captain in range(3):
        state = played(laid([ship(0, *full)] * 3, [GOLD_GOLD] * 3, captain=captain))

        assert state.round == 2
        assert state.captain == (captain + 1) % 3


def test_J5_the_bank_never_runs_out() -> None:
    """Four ships of five holds load sixes: more gunpowder than the box has tokens."""
    powder = ("gunpowder 6",) * 4
    state = played(laid([ship(0, *powder)] * 4, [POWDER_GOLD] * 4, dice=(6, 6)))
    for seat in range(3):
        state = does(state, seat, Load(0))

    assert sum(it.total("gunpowder") for it in state.ships) > 45
    assert cargo(state, 3)[4] == "gunpowder 6"


def test_J17_backward_as_the_first_movement() -> None:
    state = laid([ship(0, "food 9"), ship(0), ship(0)], [BACKWARD_FORWARD, GOLD_GOLD, GOLD_GOLD], dice=(2, 1))
    state = played(state)

    assert (state.ships[0].space, state.ships[0].lap) == (49, -1)
    assert cards_of(state, 0) == []
