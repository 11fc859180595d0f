"""Lead, follow, win, and what the pair does."""

import pytest

from photofinish.engine import Seat
from photofinish.games.hameln_cave import GAME
from photofinish.games.hameln_cave.chart import Place
from photofinish.games.hameln_cave.state import Pass, Play, Steer
from tests.games.by_hand import happened
from tests.games.hameln_cave.table import (
    AREA,
    act,
    area,
    both_ready,
    card,
    cards,
    dealt,
    laid,
    lying,
    offered,
    play,
    refused,
    trick,
)


def test_H10_the_first_lead_belongs_to_the_side_the_rounds_number_stands_on() -> None:
    first = dealt("henry", "rion")
    first = act(act(first, 0, Pass(first.hands[0][0])), 1, Pass(first.hands[1][0]))
    over = trick("blue 8", "blue 4", won=(3, 0))
    second = both_ready(over)
    second = act(act(second, 0, Pass(second.hands[0][0])), 1, Pass(second.hands[1][0]))

    assert (first.round, first.turn) == (1, 0)
    assert (second.round, second.turn) == (2, 1)
    refused(first, 1, Play(first.hands[1][0]), "H10")


def test_H10_every_later_lead_belongs_to_the_winner_of_the_trick_before() -> None:
    assert trick("blue 4", "blue 9").turn == 1
    assert trick("blue 9", "blue 4").turn == 0
    assert GAME.view(trick("blue 4", "blue 9"), None).leader == 1


def test_H11_the_leader_plays_any_card_and_the_other_follows_the_colour_if_it_can() -> None:
    state = laid(("blue 4", "green 9"), ("blue 9", "blue 3", "brown 8"))
    led = play(state, (0, "blue 4"))
    free = play(state, (0, "green 9"))

    assert len(offered(state, 0)["play"]) == 2
    assert [it["number"] for it in offered(led, 1)["play"]] == [3, 9]
    assert len(offered(free, 1)["play"]) == 3
    assert "blue" in refused(led, 1, Play(card("brown 8")), "H11")
    refused(led, 0, Play(card("green 9")), "H11")
    refused(led, 1, Play(card("green 8")), "H11")


@pytest.mark.parametrize(
    ("left", "right", "leader", "winner"),
    [
        ("blue 3", "blue 8", 0, 1),
        ("blue 8", "blue 3", 0, 0),
        ("blue 8", "blue 3", 1, 0),
        ("blue 3", "brown 8", 0, 0),
        ("blue 3", "brown 8", 1, 1),
        ("brown 9", "blue 4", 1, 1),
    ],
)
def test_H12_of_one_colour_the_higher_number_wins_of_two_the_leader(
    left: str, right: str, leader: int, winner: int
) -> None:
    state = play(
        laid((left,), (right,), leader=leader, names=("aria", "clyde")),
        *sorted([(0, left), (1, right)], key=lambda it: it[0] != leader),
    )

    assert state.tricks[0].winner == winner
    assert state.won[winner] == 1


def test_H13_both_cards_go_to_the_winners_pile_for_all_to_look_through() -> None:
    state = trick("blue 4", "blue 9")

    assert state.piles == ((), cards("blue 4", "blue 9"))
    assert GAME.view(state, None).piles == GAME.view(state, Seat(0)).piles == state.piles


def test_H13_a_trick_stays_counted_when_its_ghost_has_left_the_pile() -> None:
    state = trick("blue 4", "blue 3")

    assert state.piles[0] == cards("blue 4")
    assert state.won == (1, 0)
    assert GAME.view(state, None).tricks_won == (1, 0)


@pytest.mark.parametrize(
    ("left", "right", "ship", "added", "joined"),
    [
        ("blue 8", "blue 6", (-1, 3), 0, 0),
        ("blue 6", "blue 8", (1, 3), 0, 0),
        ("blue 6", "blue 3", (-1, 3), 1, 0),
        ("blue 3", "blue 6", (1, 3), 1, 0),
        ("blue 3", "green 3", (-1, 3), 2, 0),
        ("blue 9", "brown 9", (0, 4), 1, 0),  # that space is a ghost space
        ("blue 3", "blue 4", (0, 2), 0, 1),
        ("blue 5", "green 3", (0, 2), 0, 1),
        ("blue 9", "blue 8", (0, 2), 0, 0),
        ("blue 9", "blue 4", (0, 2), 0, 0),
        ("blue 9", "blue 3", (0, 2), 0, 0),
        ("blue 8", "blue 4", (0, 2), 0, 0),
    ],
)
def test_H14_the_pair_of_patterns_takes_effect_in_either_order_and_any_colour(
    left: str, right: str, ship: tuple[int, int], added: int, joined: int
) -> None:
    state = play(laid((left,), (right,)), (0, left), (1, right))

    assert state.ship == Place(*ship)
    assert len(state.surplus) == added
    assert len(state.ghosts) == len(AREA) - added + joined


def test_H15_effects_are_compulsory_even_into_a_ghost_space() -> None:
    state = trick("blue 8", "blue 6", ship=(1, 3))

    assert state.ship == Place(0, 4)
    assert lying(state) == ["brown 1"]
    refused(state, 0, Steer("straight"), "H33")


def test_H16_the_tricks_end_with_the_effect_of_somebodys_fourth() -> None:
    third = trick("blue 8", "blue 6", won=(2, 3))
    fourth = trick("blue 8", "blue 6", won=(3, 3))

    assert third.phase == "play"
    assert fourth.phase == "pause"
    assert fourth.ship == Place(-1, 3)
    assert happened(fourth)[:5] == ["played", "took", "sailed", "tricks_over", "ghost_phase"]
    refused(fourth, 0, Play(card("green 9")), "H11")


def test_H16_nobody_runs_out_of_cards() -> None:
    state = laid(("blue 8", "green 9"), ("blue 6", "brown 7"), won=(3, 3), names=("clyde", "aria"))
    state = play(state, (0, "blue 8"), (1, "blue 6"))

    assert state.phase == "extra"  # the eighth trick is the last, and of nine cards one is left
    assert all(state.hands)


def test_H22_the_ghost_beaten_by_a_saber_goes_behind_the_call_card() -> None:
    assert area(trick("blue 4", "blue 3")) == [*AREA, "blue 3"]
