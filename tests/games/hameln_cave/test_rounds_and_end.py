"""Between the rounds, and how it ends."""

import pytest

from photofinish.engine import Outcome, replace
from photofinish.games.hameln_cave import GAME
from photofinish.games.hameln_cave.chart import Place
from photofinish.games.hameln_cave.state import CARDS, Character, Extra, Play, Ready
from tests.games.by_hand import happened
from tests.games.hameln_cave.table import AREA, act, area, both_ready, card, laid, lying, play, refused, trick

WHEELS = ("blue 8", "blue 6")
NOTHING = ("blue 8", "blue 4")
FOURTH = (3, 0)


def test_H25_the_marker_gives_the_number_of_cards_added() -> None:
    assert lying(trick(*NOTHING, won=FOURTH)) == ["brown 1", "brown 2"]
    assert lying(trick(*NOTHING, won=FOURTH, marker=1)) == ["brown 1", "brown 2", "blue 1"]


def test_H25_the_number_is_read_once_as_the_phase_begins() -> None:
    state = trick(*NOTHING, won=FOURTH, ghosts=("call", "brown 1", "brown 2", "blue 1"))

    assert state.marker == 1  # 3 from the next phase on
    assert lying(state) == ["brown 1"]
    assert area(state) == ["brown 2", "blue 1", "call"]


def test_H25_after_the_fifth_round_there_is_no_ghost_phase() -> None:
    state = trick(*NOTHING, won=FOURTH, round_=5, ship=(0, 12))

    assert "ghost_phase" not in happened(state)
    assert state.surplus == ()


@pytest.mark.parametrize(
    ("round_", "ship", "lost"),
    [
        (1, (0, 2), False),
        (2, (-1, 3), True),
        (2, (-2, 4), False),
        (3, (-2, 4), False),
        (4, (0, 8), True),
        (4, (-1, 9), False),
    ],
)
def test_H26_reaching_3_or_5_the_ship_must_stand_beyond_the_line(
    round_: int, ship: tuple[int, int], lost: bool
) -> None:
    state = trick(*NOTHING, won=FOURTH, round_=round_, ship=ship)

    assert state.round == round_ + 1
    assert (state.phase == "over") is lost


def test_H26_each_level_has_its_own_lines() -> None:
    state = trick(*NOTHING, won=FOURTH, round_=2, ship=(2, 4), level=4)

    assert state.phase == "over"


def test_H27_the_pause_lasts_until_both_say_ready() -> None:
    state = trick(*NOTHING, won=FOURTH)
    one = act(state, 1, Ready())

    assert (state.phase, one.phase) == ("pause", "pause")
    assert GAME.view(one, None).ready == (False, True)
    refused(one, 1, Ready(), "H27")
    assert act(one, 0, Ready()).phase == "exchange"
    refused(laid(("blue 8",), ("blue 4",)), 0, Ready(), "H27")


def test_H28_all_cards_outside_the_ghost_area_are_dealt_again() -> None:
    pause = trick("blue 4", "blue 3", won=FOURTH)
    state = both_ready(pause)
    out = {queued.card for queued in state.ghosts}
    held = [*state.hands[0], *state.hands[1], *(slot.card for slot in state.surplus)]

    assert area(state) == area(pause) == [*AREA[2:], "blue 3"]
    assert [len(hand) for hand in state.hands] == [9, 9]
    assert len(state.surplus) == 9 - 5  # five ghosts are in the area
    assert not any(slot.up for slot in state.surplus)
    assert sorted(map(repr, held)) == sorted(repr(it) for it in CARDS if it not in out)
    assert (state.piles, state.won, state.tricks, state.gave) == (((), ()), (0, 0), (), None)


def test_H28_with_all_nine_ghosts_in_the_area_the_surplus_is_empty() -> None:
    nine = [f"{colour} {n}" for colour in ("brown", "blue", "green") for n in (1, 2, 3)]
    pause = trick(*NOTHING, won=FOURTH)
    state = both_ready(replace(pause, ghosts=laid((), (), ghosts=[*nine, "call"]).ghosts))

    assert state.surplus == ()


def test_H29_the_ship_enters_a_goal_space_and_both_win() -> None:
    state = trick(*WHEELS, ship=(1, 13))

    assert state.ship == Place(0, 14)
    assert GAME.outcome(state) == Outcome((0, 1), "The ship has reached the end of the cave: both win.")
    assert GAME.scores(state) == (14, 14)
    assert GAME.view(state, None).winners == (0, 1)
    refused(state, 0, Play(card("green 9")), "H29")
    refused(state, 1, Character("rick"), "H29")
    refused(state, 1, Ready(), "H29")
    assert [GAME.offers(state, seat) for seat in (0, 1)] == [(), ()]
    assert GAME.timers(state) == ()


def test_H29_the_rest_of_the_trick_has_no_effect() -> None:
    state = trick("blue 3", "green 3", ship=(1, 13))

    assert state.ended is not None
    assert state.ended.won
    assert state.surplus == ()


@pytest.mark.parametrize(
    ("state", "why"),
    [
        (trick(*NOTHING, won=FOURTH, round_=5, ship=(0, 12)), "Five rounds"),
        (trick(*NOTHING, won=FOURTH, round_=2, ship=(0, 2)), "collapses"),
        (trick("blue 6", "blue 3", ghosts=("brown 1", "call")), "No ghost"),
        (trick("blue 6", "blue 3", ghosts=("call", "brown 1", "blue 1"), marker=3), "DEAD"),
    ],
    ids=["the fifth round is over", "collapse", "no ghost left", "DEAD"],
)
def test_H30_there_are_four_ways_to_lose(state: object, why: str) -> None:
    outcome = GAME.outcome(state)

    assert outcome is not None
    assert outcome.winners == ()
    assert why in outcome.why
    assert GAME.offers(state, 0) == GAME.offers(state, 1) == ()
    assert GAME.timers(state) == ()
    refused(state, 0, Play(card("green 9")), "H30")


def test_H30_the_extra_trick_of_the_fifth_round_may_still_save_the_ship() -> None:
    hands = ("blue 8", "green 8"), ("blue 4", "green 6")
    state = laid(*hands, won=FOURTH, round_=5, ship=(1, 13), names=("clyde", "aria"))
    state = act(play(state, (0, "blue 8"), (1, "blue 4")), 0, Extra(take=True))
    saved = play(state, (0, "green 8"), (1, "green 6"))
    lost = play(replace(state, ship=Place(1, 11)), (0, "green 8"), (1, "green 6"))

    assert GAME.outcome(state) is None
    assert GAME.outcome(saved).winners == (0, 1)
    assert GAME.outcome(lost).winners == ()


def test_H31_the_first_condition_met_ends_the_game_there() -> None:
    """Two are to be added and the second would be the Call Card: it is not touched any more."""
    state = trick("blue 3", "green 3", ghosts=("brown 1", "call"))

    assert area(state) == ["call"]
    assert state.marker == 0
    assert happened(state)[-2:] == ["added", "game_over"]


def test_H31_a_ghost_space_may_lose_the_game_before_the_tricks_own_additions() -> None:
    state = trick("blue 3", "green 3", ghosts=("brown 1", "call", "blue 1"), ship=(1, 3), marker=3)

    assert lying(state) == ["brown 1"]  # the ghost space's; then the Call Card came
    assert state.marker == 4
    assert area(state) == ["call", "blue 1"]


def test_H31_the_ghost_phase_is_checked_card_by_card_and_before_the_collapse() -> None:
    state = trick(*NOTHING, won=FOURTH, ghosts=("brown 1", "call"), round_=2, ship=(0, 2))

    assert "No ghost" in GAME.outcome(state).why
    assert state.round == 2


def test_H31_a_ship_that_reaches_the_goal_wins_even_if_the_additions_would_have_lost() -> None:
    state = trick("blue 3", "green 3", ghosts=("brown 1", "call"), ship=(1, 13), won=FOURTH, round_=5)

    assert GAME.outcome(state).winners == (0, 1)
