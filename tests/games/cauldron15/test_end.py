"""B27 to B30: who wins."""

import pytest

from photofinish.engine import Outcome, replace
from photofinish.games.cauldron15 import GAME
from photofinish.games.cauldron15.state import Decline, Play, Spend
from tests.games.cauldron15.table import card, laid, offered, play, refused

LAST = (("ore 2",), ("ore 1",), ("ore 0",))
"""Played out in order, seat 0 takes the 0."""


def ended(*before: tuple[str, ...], **options: object) -> Outcome:
    state = play(laid(LAST, before=before, round_=3, **options), (0, "ore 2"), (1, "ore 1"), (2, "ore 0"))
    outcome = GAME.outcome(state)
    assert outcome is not None
    return outcome


def test_B27_more_than_15_loses_and_exactly_15_does_not() -> None:
    assert ended(("plant 7", "soul 7", "ore 3"), ("plant 1",)).winners == (1,)
    assert ended(("plant 7", "soul 7", "plant 1"), ("soul 6",)).winners == (0,)


def test_B27_nothing_is_decided_before_round_three_is_over() -> None:
    state = play(laid(LAST, round_=2), (0, "ore 2"), (1, "ore 1"), (2, "ore 0"))

    assert GAME.outcome(state) is None
    assert state.round == 3


def test_B27_after_the_end_every_move_is_refused() -> None:
    state = play(laid(LAST, round_=3), (0, "ore 2"), (1, "ore 1"), (2, "ore 0"))

    for move in (Play(card("ore 2")), Decline(), Spend(())):
        refused(state, 0, move, "B27")
    assert offered(state, 0) == {}
    assert GAME.timers(state) == ()


def test_B28_the_highest_total_wins() -> None:
    assert ended(("plant 4",), ("plant 5",), ("plant 6",)).winners == (2,)


def test_B28_between_equal_totals_more_cards_win() -> None:
    assert ended(("plant 5",), ("soul 5",), ("liquid 2",)).winners == (0,)  # seat 0 took the 0 as well
    assert ended(("plant 5",), ("soul 1", "plant 1", "plant 3")).winners == (1,)


def test_B28_with_equal_totals_and_cards_the_win_is_shared() -> None:
    assert ended(("plant 5",), ("soul 2", "plant 3"), ("liquid 0", "soul 5")).winners == (0, 1, 2)


def test_B28_a_card_given_up_does_not_count() -> None:
    state = laid(LAST, before=(("plant 5",), ("soul 5", "liquid 0")), round_=3)
    state = replace(state, gathered=((9, 9, 9, 9, 0), (0, 0, 0, 1, 1), (0,) * 5), used=(4, 0, 0))
    state = play(state, (0, "ore 2"), (1, "ore 1"), (2, "ore 0"))
    outcome = GAME.outcome(state)

    assert outcome is not None
    assert outcome.winners == (0, 1)


def test_B29_a_seat_with_no_cards_can_win() -> None:
    assert ended(("plant 7", "soul 7", "ore 3"), (), ("liquid 7", "organism 7", "soul 6")).winners == (1,)


OVER = (("plant 7", "soul 7", "ore 4"), ("liquid 7", "organism 7", "soul 3"), ("ore 7", "ore 6", "ore 5"))


def test_B30_if_all_are_over_15_nobody_wins() -> None:
    outcome = ended(*OVER)

    assert outcome.winners == ()
    assert "nobody" in outcome.why


def test_B30_all_over_lowest_lets_the_lowest_total_win() -> None:
    assert ended(*OVER, all_over="lowest").winners == (1,)
    assert ended(("plant 1",), *OVER[1:], all_over="lowest").winners == (0,)


def test_B30_a_tie_for_the_lowest_goes_by_cards() -> None:
    before = (OVER[0], OVER[1], ("ore 7", "ore 6", "ore 3", "liquid 1"))

    assert ended(*before, all_over="lowest").winners == (2,)


@pytest.mark.parametrize("before", [(("plant 4",), ("plant 5",)), OVER])
def test_the_view_names_the_winners_and_the_scores_are_the_totals(
    before: tuple[tuple[str, ...], ...],
) -> None:
    state = play(laid(LAST, before=before, round_=3), (0, "ore 2"), (1, "ore 1"), (2, "ore 0"))
    outcome = GAME.outcome(state)

    assert outcome is not None
    assert GAME.view(state, None).winners == outcome.winners
    assert GAME.scores(state) == GAME.view(state, None).totals
