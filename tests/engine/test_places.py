"""T36: the places of a finished game."""

from typing import Any

import pytest

from photofinish.engine import Rng
from photofinish.engine.places import places, ranked
from photofinish.engine.playthrough import random_steps, start
from photofinish.games import all_games
from photofinish.games.cauldron15 import GAME as CAULDRON
from photofinish.games.gravekeepers import GAME as GRAVEKEEPERS
from photofinish.games.rune_market.holdings import Boat
from tests.games.cauldron15.table import laid
from tests.games.cauldron15.table import play as tricks
from tests.games.gravekeepers.cemetery import decline, scored
from tests.games.jamaica.table import ship
from tests.games.jamaica.test_end import over as sailed
from tests.games.rune_market.stall import num, own
from tests.games.rune_market.test_end import sell_last


def test_T36_places_count_competition_style() -> None:
    assert ranked([5, 9, 9, 1]) == (3, 1, 1, 4)
    assert ranked([]) == ()


@pytest.mark.parametrize("key", sorted(all_games()))
def test_T36_in_every_game_exactly_the_winners_are_first(key: str) -> None:
    game = all_games()[key]
    for seed in range(3):
        rng = Rng(f"places {key}".encode(), seed)
        seats = game.seats[seed % len(game.seats)]
        play = start(game, seats, f"places {key} {seed}".encode())
        for _ in random_steps(play, rng):
            pass
        outcome, found = game.outcome(play.state), places(game, play.state)
        assert outcome is not None
        assert len(found) == seats
        assert min(found) == 1
        first = tuple(seat for seat, place in enumerate(found) if place == 1)
        assert not outcome.winners or first == tuple(outcome.winners)
        assert all(place == 1 + sum(other < place for other in found) for place in found)


def test_T36_fewer_points_are_better_in_cambio_and_kodiak() -> None:
    assert all_games()["cambio"].lower_is_better
    assert all_games()["kodiak"].lower_is_better
    play = start(all_games()["cambio"], 4, b"direction")
    for _ in random_steps(play, Rng(b"direction", 1)):
        pass
    totals = play.game.scores(play.state)
    assert places(play.game, play.state) == ranked([-total for total in totals])


def test_T36_a_seat_that_is_out_in_gravekeepers_is_last_even_with_the_most_ghosts() -> None:
    pair, squares = ("black square", "white triangle"), ("black square", "black square")
    shared = scored((("white circle",) * 5, 0), (pair, 0), (pair, 0))
    alone = scored((("white circle", "white circle", "black square"), 3), (squares, 1), (squares, 0))
    for state, expected in ((shared, (3, 1, 1)), (alone, (3, 1, 2))):
        over = state
        while over.phase == "score":
            over = decline(over, over.turn)
        assert GRAVEKEEPERS.view(over, None).out == 0
        assert places(GRAVEKEEPERS, over) == expected


def cauldron(*before: tuple[str, ...], **options: Any) -> tuple[int, ...]:
    last = (("ore 2",), ("ore 1",), ("ore 0",))
    state = laid(last, before=before, round_=3, **options)
    return places(CAULDRON, tricks(state, (0, "ore 2"), (1, "ore 1"), (2, "ore 0")))


def test_T36_all_over_15_share_the_last_place() -> None:
    over = ("plant 7", "soul 7", "plant 6")
    assert cauldron(over, ("plant 5",), over) == (2, 1, 2)
    assert cauldron(("plant 4",), ("plant 5",), ("plant 6",)) == (3, 2, 1)


def test_T36_everybody_over_15_is_a_draw() -> None:
    over = ("plant 7", "soul 7", "plant 6")
    assert cauldron(over, over, (*over, "soul 6"), all_over="nobody") == (1, 1, 1)


def test_T36_in_jamaica_equal_scores_go_to_the_ship_nearest_home_and_the_ghost_ship_has_no_place() -> None:
    jamaica = all_games()["jamaica"]
    tied = sailed(ship(44, "gold 10"), ship(0, lap=1), ship(20))  # 15 each, the last less
    assert places(jamaica, tied) == (2, 1, 3)
    shared = sailed(ship(0, lap=1), ship(0, lap=1), ship(20))
    assert places(jamaica, shared) == (1, 1, 3)
    ghost = sailed(ship(48, "gold 5"), ship(20), ghost=ship(0, "gold 40", lap=1))
    outcome = jamaica.outcome(ghost)
    assert outcome is not None
    assert outcome.winners == ()
    assert places(jamaica, ghost) == (1, 2), "the best seat is first though the Ghost Ship has won"


def test_T36_in_the_rune_market_the_winner_of_a_tie_is_alone_first() -> None:
    market = all_games()["rune_market"]
    state = sell_last((num(10),), (num(1),), holdings=[own(loose_red=1), own(boat1=Boat("red", 1))])
    assert len(set(market.scores(state))) == 1
    assert places(market, state) == (2, 1), "more boats (R39)"
