"""G27 to G35: what the ghosts cost, and who wins."""

import pytest

from photofinish.games.gravekeepers import GAME
from photofinish.games.gravekeepers.state import Declare, Decline, Drop, Final, Loss, State, TurnDown
from tests.games.by_hand import happened
from tests.games.gravekeepers.cemetery import decline, drop, ghost, laid, offered, refused, scored, turn_down

CIRCLE, TRIANGLE, WHITE_STAR = "white circle", "white triangle", "white star"
DIAMOND, SQUARE, BLACK_STAR = "black diamond", "black square", "black star"


def points(state: State, group: str) -> dict[int, int]:
    return {loss.seat: loss.points for loss in state.losses if loss.group == group}


def ended(state: State) -> State:
    """Every effect declined."""
    while state.phase == "score":
        state = decline(state, state.turn)
    return state


def winners(*rows: tuple[tuple[str, ...], int]) -> tuple[int, ...]:
    outcome = GAME.outcome(ended(scored(*rows)))
    assert outcome is not None
    return outcome.winners


def test_G27_both_stars_are_one_group_and_face_down_ghosts_another() -> None:
    state = scored(((WHITE_STAR, BLACK_STAR, CIRCLE), 2), ((SQUARE, SQUARE), 1))

    assert GAME.view(state, None).counts == ((1, 0, 0, 0, 2, 2), (0, 0, 0, 2, 0, 1))


def test_G27_face_down_cards_are_never_turned_up() -> None:
    state = ended(scored(((CIRCLE,), 3), ((SQUARE,), 1)))

    assert state.phase == "over"
    assert GAME.view(state, None).face_down == (3, 1)
    assert GAME.view(state, None).ghosts == ((ghost(CIRCLE),), (ghost(SQUARE),))


def test_G28_the_symbols_are_scored_in_order() -> None:
    mine = (CIRCLE, DIAMOND, TRIANGLE, SQUARE, WHITE_STAR)
    state = ended(scored((mine, 1), ((CIRCLE,) * 2, 0)))

    assert [loss.group for loss in state.losses] == [
        "circle",
        "diamond",
        "triangle",
        "square",
        "star",
        "face_down",
        "kinds",
    ]


def test_G28_counts_are_compared_as_they_stand_when_the_symbols_turn_comes() -> None:
    """Seat 0 turns its second triangle down after the circles, and no longer has the most triangles."""
    rows = (((CIRCLE, TRIANGLE, TRIANGLE), 0), ((TRIANGLE,), 0))
    kept, turned = ended(scored(*rows)), ended(turn_down(scored(*rows), 0, TRIANGLE))

    assert points(kept, "triangle") == {0: 4}
    assert points(turned, "triangle") == {}


@pytest.mark.parametrize(
    ("card", "group", "cost"),
    [(CIRCLE, "circle", 3), (DIAMOND, "diamond", 3), (TRIANGLE, "triangle", 4), (SQUARE, "square", 4)],
)
def test_G29_the_sole_most_of_a_symbol_costs_its_points_once(card: str, group: str, cost: int) -> None:
    for many in (1, 4):
        state = ended(scored(((card,) * many, 0), ((BLACK_STAR,), 0)))

        assert points(state, group) == {0: cost}


def test_G29_the_sole_most_stars_cost_5() -> None:
    state = ended(scored(((WHITE_STAR, BLACK_STAR), 0), ((BLACK_STAR,), 0)))

    assert points(state, "star") == {0: 5}


def test_G29_a_shared_most_costs_nothing_and_allows_nothing() -> None:
    state = scored(((CIRCLE, TRIANGLE), 0), ((CIRCLE, TRIANGLE), 0))

    assert points(state, "circle") == {}
    assert state.phase == "over"


def test_G29_a_symbol_that_no_seat_has_costs_no_points() -> None:
    assert points(ended(scored(((CIRCLE,), 0), ((CIRCLE,), 0))), "square") == {}


@pytest.mark.parametrize(
    ("card", "reach"),
    [
        (CIRCLE, {TRIANGLE, WHITE_STAR}),
        (DIAMOND, {SQUARE, BLACK_STAR}),
        (TRIANGLE, {WHITE_STAR, BLACK_STAR}),
        (SQUARE, {WHITE_STAR, BLACK_STAR}),
    ],
)
def test_G30_G31_each_symbol_turns_down_what_the_table_says(card: str, reach: set[str]) -> None:
    others = tuple(it for it in (CIRCLE, DIAMOND, TRIANGLE, SQUARE, WHITE_STAR, BLACK_STAR) if it != card)
    state = scored(((card, card, *others), 1), (others, 1))

    assert state.turn == 0
    assert offered(state, 0) == {"turn_down": reach, "decline": set()}


def test_G30_the_star_discards_a_face_down_ghost() -> None:
    state = scored(((WHITE_STAR,), 2), ((SQUARE,), 2))
    while GAME.view(state, None).scoring != "star":
        state = decline(state, state.turn)
    assert offered(state, 0) == {"drop": set(), "decline": set()}
    state = drop(state, 0)

    assert GAME.view(state, None).face_down == (1, 2)
    assert GAME.scores(state) == (2, 3)
    assert points(state, "face_down") == {1: 5}


def test_G30_the_effect_is_optional_and_used_once() -> None:
    rows = (((CIRCLE, TRIANGLE, TRIANGLE, TRIANGLE), 0), ((TRIANGLE, SQUARE, WHITE_STAR), 0))
    state = scored(*rows)
    used, declined = turn_down(state, 0, TRIANGLE), decline(state, 0)

    assert GAME.view(used, None).counts[0] == (1, 0, 2, 0, 0, 1)
    assert GAME.view(declined, None).counts[0] == (1, 0, 3, 0, 0, 0)
    assert points(declined, "triangle") == {0: 4}
    assert used.scored > state.scored
    assert declined.scored > state.scored


def test_G30_the_effect_belongs_to_the_seat_that_lost_and_to_its_own_ghosts() -> None:
    state = scored(((CIRCLE, TRIANGLE), 1), ((TRIANGLE, WHITE_STAR), 1))

    refused(state, 1, TurnDown(ghost(TRIANGLE)), "G30")
    refused(state, 0, TurnDown(ghost(WHITE_STAR)), "G30")
    refused(state, 0, Drop(), "G30")
    refused(state, 1, Decline(), "G30")
    refused(state, 0, Final(ghost(CIRCLE)), "G26")
    assert offered(state, 1) == {}


def test_G30_nothing_is_turned_down_before_the_scoring() -> None:
    state = laid((WHITE_STAR, BLACK_STAR), (WHITE_STAR, BLACK_STAR))

    refused(state, 0, TurnDown(ghost(WHITE_STAR)), "G30")
    refused(state, 0, Drop(), "G30")


def test_G31_without_such_a_card_there_is_no_effect() -> None:
    state = scored(((CIRCLE, CIRCLE), 0), ((CIRCLE,), 0))

    assert points(state, "circle") == {0: 3}
    assert state.phase == "over"


def test_G31_a_card_turned_down_changes_group_and_a_discarded_one_counts_for_nothing() -> None:
    state = scored(((TRIANGLE, WHITE_STAR), 0), ((SQUARE, SQUARE), 0))
    turned = turn_down(state, 0, WHITE_STAR)

    assert GAME.view(turned, None).counts[0] == (0, 0, 1, 0, 0, 1)
    assert points(ended(turned), "star") == {}
    assert points(ended(turned), "face_down") == {0: 5}
    assert GAME.scores(turned) == (2, 2)


def test_G32_the_sole_most_face_down_ghosts_cost_5() -> None:
    assert points(ended(scored(((CIRCLE,), 2), ((CIRCLE,), 1))), "face_down") == {0: 5}
    assert points(ended(scored(((CIRCLE,), 2), ((CIRCLE,), 2))), "face_down") == {}


@pytest.mark.parametrize(
    ("cards", "down", "cost"),
    [
        ((CIRCLE,), 0, 0),
        ((CIRCLE,), 1, 1),
        ((CIRCLE, DIAMOND), 1, 3),
        ((CIRCLE, DIAMOND, TRIANGLE), 1, 6),
        ((CIRCLE, DIAMOND, TRIANGLE, SQUARE), 1, 8),
        ((CIRCLE, DIAMOND, TRIANGLE, SQUARE, BLACK_STAR), 1, 9),
        ((WHITE_STAR, BLACK_STAR), 0, 0),
    ],
)
def test_G33_the_number_of_kinds_costs(cards: tuple[str, ...], down: int, cost: int) -> None:
    state = ended(scored((cards, down), (cards, down)))

    assert state.losses == ((Loss(0, "kinds", cost), Loss(1, "kinds", cost)) if cost else ())
    assert GAME.view(state, None).lost == (cost, cost)


def test_G34_the_seat_with_the_greatest_loss_alone_is_out() -> None:
    rows = (((CIRCLE,) * 5, 0), ((SQUARE, TRIANGLE), 0), ((SQUARE, TRIANGLE), 0))
    state = ended(scored(*rows))

    assert GAME.view(state, None).lost == (3, 1, 1)
    assert GAME.view(state, None).out == 0
    assert winners(*rows) == (1, 2)  # though seat 0 has the most ghosts


def test_G34_with_a_shared_greatest_loss_nobody_is_out() -> None:
    rows = (((CIRCLE,) * 5, 0), ((DIAMOND,), 0), ((BLACK_STAR,), 0), ((WHITE_STAR,), 0))
    state = ended(scored(*rows))

    assert GAME.view(state, None).lost == (3, 3, 0, 0)
    assert GAME.view(state, None).out is None
    assert winners(*rows) == (0,)


def test_G35_of_those_not_out_the_most_ghosts_win_face_down_ones_included() -> None:
    rows = (((CIRCLE, CIRCLE, SQUARE), 3), ((SQUARE, SQUARE), 1), ((SQUARE, SQUARE), 0))

    assert GAME.view(ended(scored(*rows)), None).out == 0
    assert winners(*rows) == (1,)


def test_G35_equal_ghosts_go_by_the_smaller_loss() -> None:
    rows = (
        ((CIRCLE, CIRCLE, DIAMOND), 0),
        ((BLACK_STAR, SQUARE), 0),
        ((SQUARE, SQUARE), 0),
        ((BLACK_STAR,), 0),
    )
    state = ended(scored(*rows))

    assert GAME.view(state, None).out == 0
    assert GAME.view(state, None).lost[1:3] == (1, 4)
    assert winners(*rows) == (1,)


def test_G35_still_equal_they_share_the_win() -> None:
    assert winners(((CIRCLE,), 0), ((CIRCLE,), 0)) == (0, 1)


def test_G35_after_the_end_every_move_is_refused() -> None:
    state = ended(scored(((CIRCLE,), 0), ((CIRCLE,), 0)))

    for move in (Declare("white", 1), Decline(), Final(ghost(CIRCLE)), Drop()):
        refused(state, 0, move, "G35")
    assert offered(state, 0) == {}
    assert GAME.timers(state) == ()
    assert happened(state)[-1] == "game_over"
