"""What the clocks answer, and what a viewer is shown: nothing that is hidden from it."""

from typing import Any

import pytest

from photofinish.engine import Rng, Seat, all_seats, replace
from photofinish.engine.playthrough import random_steps, start
from photofinish.games.jamaica import GAME
from photofinish.games.jamaica.box import the_box
from photofinish.games.jamaica.state import JamaicaOptions, Leave, Load, Ship
from photofinish.games.jamaica.steps.cargo import take_treasure, with_ship
from tests.games.jamaica.table import (
    FORWARD_FOOD,
    GOLD_GOLD,
    cargo,
    does,
    events,
    laid,
    played,
    refuses,
    rings,
    ship,
    undecided,
)

AWAY = ship(0, "gold 1", "gold 1")
FULL = ("gold 1",) * 5


def forward(own: Ship, other: Ship = AWAY, *rolls: str, **rest: Any):
    return played(laid([own, other, AWAY], [FORWARD_FOOD, GOLD_GOLD, GOLD_GOLD], **rest), *rolls)


def test_J7_the_clock_leaves_the_dice_as_rolled() -> None:
    state = undecided(3, (2, 5), captain=1)

    assert [(it.seat, it.after) for it in GAME.timers(state)] == [(1, 60_000)]
    assert rings(state).times == (2, 5)


def test_J8_the_clock_chooses_the_leftmost_card_of_each_seat() -> None:
    state = laid([ship(0)] * 3, [FORWARD_FOOD, GOLD_GOLD, GOLD_GOLD], choose_seconds=20)

    assert [(it.seat, it.after) for it in GAME.timers(state)] == [(seat, 20_000) for seat in range(3)]
    after = rings(state)
    assert after.decks[0].chosen == FORWARD_FOOD
    assert [it.key for it in GAME.timers(after)] == [it.key for it in GAME.timers(state)[1:]]


def test_J12_the_clock_loads_the_lowest_empty_hold_else_the_smallest_other_one() -> None:
    empty = played(laid([ship(0, "food 1"), AWAY, AWAY], [GOLD_GOLD] * 3, dice=(4, 4)))
    full = ship(0, "gold 1", "food 3", "food 2", "food 2", "gunpowder 4")
    crowded = played(laid([full, AWAY, AWAY], [GOLD_GOLD] * 3, dice=(4, 4)))

    assert [(it.seat, it.after) for it in GAME.timers(empty)] == [(0, 30_000)]
    assert cargo(rings(empty), 0) == ["food 1", "gold 4", "", "", ""]
    assert cargo(rings(crowded), 0)[2:4] == ["gold 4", "food 2"]


def test_J16_J23_the_clock_sails_and_attacks_by_the_lowest_number() -> None:
    fork = forward(ship(5, "food 9", "gold 9"), dice=(3, 1))
    several = played(laid([ship(3), ship(4), ship(4)], [FORWARD_FOOD, GOLD_GOLD, GOLD_GOLD]))

    assert rings(fork).ships[0].space == 8
    assert events(rings(several, "2", "2"), "attacked")[0].detail["target"] == 1


def test_J24_J28_J29_the_clock_spends_no_powder_lets_rolls_stand_and_leaves_the_loser() -> None:
    powder = forward(ship(3, "gunpowder 5"), ship(4))
    sabre = forward(ship(3, treasures=["sarans_sabre"]), ship(4), "2")
    won = forward(ship(3), ship(4, "gold 9"), "8", "2")

    assert cargo(rings(powder, "2", "4"), 0)[0] == "gunpowder 5"
    assert events(rings(sabre, "4"), "accepted")
    assert events(rings(won), "left")


def test_J19_the_clock_pays_from_the_lowest_holds() -> None:
    state = forward(ship(5, "gold 3", "food 1", "gold 4"))

    assert cargo(rings(state), 0) == ["", "food 1", "gold 2", "", ""]


def test_J45_the_clock_moves_the_ghost_forward_if_that_is_free() -> None:
    state = played(laid([ship(20, *FULL), ship(5, *FULL)], [GOLD_GOLD] * 2, ghost=ship(20)))
    forced = played(laid([ship(3, *FULL)] * 2, [GOLD_GOLD] * 2, ghost=ship(16), dice=(3, 3)))

    assert events(rings(state), "sailed")[0].detail["to"] == 21  # not 19, though that is lower
    assert events(rings(forced), "sailed")[0].detail["to"] == 11  # backward, and of 11 and 13 the lower


def test_J12_every_question_has_a_clock_of_its_own_and_none_if_the_host_wants_none() -> None:
    state = played(laid([ship(0), AWAY, AWAY], [GOLD_GOLD] * 3))
    after = rings(state)

    assert GAME.timers(state)[0].key != GAME.timers(after)[0].key
    untimed = played(laid([ship(0), AWAY, AWAY], [GOLD_GOLD] * 3, turn_seconds=0))
    assert [it.after for it in GAME.timers(untimed)] == [None]


@pytest.mark.parametrize("seats", range(2, 7))
def test_J41_the_race_ends_even_if_no_seat_ever_answers(seats: int) -> None:
    play = start(GAME, seats, b"asleep")
    while not play.is_over:
        assert play.wait()
        assert play.step < 5_000


def test_J8_J37_nobody_sees_another_hand_a_pile_or_a_face_down_treasure() -> None:
    state = laid([ship(20, treasures=["t7a"]), ship(21), ship(22)], [GOLD_GOLD] * 3)
    seen, public = GAME.view(state, Seat(1)), GAME.view(state, None)

    assert [(it.hand_size, it.draw_size) for it in seen.players] == [(3, 8)] * 3
    assert [card.id for card in seen.hand or ()] == list(state.decks[1].hand)
    assert public.hand is None
    assert public.choice is None
    assert (public.treasure_pile, public.left_out) == (len(state.pile), len(state.left_out))


@pytest.mark.parametrize(("seats", "ghost"), [(2, "auto"), (3, "on"), (4, "auto"), (5, "on"), (6, "auto")])
def test_J40_no_viewer_can_tell_a_state_from_one_with_everything_hidden_dealt_anew(
    seats: int, ghost: str
) -> None:
    play = start(GAME, seats, b"hidden", JamaicaOptions(ghost_ship=ghost))
    rng = Rng(b"dealt anew", seats)
    for step, _ in enumerate(random_steps(play, Rng(b"players", seats))):
        for viewer in (*all_seats(seats), None) if step % 5 == 0 else ():
            other = GAME.resample(play.state, viewer, rng)
            assert GAME.view(other, viewer) == GAME.view(play.state, viewer)
            if viewer is not None:
                assert GAME.offers(other, viewer) == GAME.offers(play.state, viewer)
            every = [*other.pile, *other.left_out, *(it.card for at in other.ships for it in at.treasures)]
            assert sorted(every) == sorted(card.id for card in the_box().treasures)


def test_J32_what_was_given_away_stays_a_curse_however_it_is_dealt() -> None:
    state = laid([ship(20, treasures=["c2", "t5"]), ship(21), ship(22)], [GOLD_GOLD] * 3)
    known = replace(state.ships[0].treasures[0], curse=True)
    own = replace(state.ships[0], treasures=(known, state.ships[0].treasures[1]))
    state = with_ship(state, 0, own)
    dealt = [GAME.resample(state, Seat(1), Rng(b"deal", step)).ships[0].treasures for step in range(60)]

    assert {lying[0].card for lying in dealt} == {"c2", "c3", "c4"}
    assert {lying[1].card for lying in dealt} >= {"t3a", "t3b", "t5", "t7a", "t7b"}
    assert not {lying[1].card for lying in dealt} & {"lady_beth", "sixth_hold", "sarans_sabre", "morgans_map"}


def test_J46_what_the_ghost_found_may_be_anything_even_a_power() -> None:
    state = laid([ship(20), ship(21)], [GOLD_GOLD] * 2, ghost=ship(22), pile=["t5"])
    found = take_treasure(state.ships[2], "t5", up=False)
    state = replace(with_ship(state, 2, found), pile=state.pile[1:])
    dealt = {GAME.resample(state, None, Rng(b"deal", step)).ships[2].treasures[1].card for step in range(80)}

    assert dealt >= {"morgans_map", "t5", "c2"}


def test_J29_a_refused_move_changes_nothing() -> None:
    state = played(laid([ship(0), AWAY, AWAY], [GOLD_GOLD] * 3))
    before = GAME.view(state, Seat(0))
    refuses(state, 0, Leave(), "J29")

    assert GAME.view(state, Seat(0)) == before
    assert does(state, 0, Load(2)) != state
