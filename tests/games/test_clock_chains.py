"""A seat that always answers at the last moment delays the table by a few clocks in a row, at any table size."""

import pytest

from photofinish.engine import AnyGame, Rng, Seat
from photofinish.engine.offers import sample
from photofinish.engine.playthrough import Playthrough, start
from photofinish.games import all_games

MOST = {
    "alaska": 4,
    "cambio": 3,
    "cauldron15": 4,
    "gravekeepers": 3,
    "hameln_cave": 5,
    "jamaica": 8,
    "kodiak": 5,
    "reflex": 0,
    "rune_market": 8,
}
"""Clocks of one seat in a row, none of them answered by another seat or expired."""

MOST_OF_A_NEW_GAME = 8
"""For a game without a row above: a new game needs no edit of this file."""


def awaited(play: Playthrough) -> tuple[str, Seat] | None:
    """The clock that is waited for, and its seat."""
    due = play.next_clock()
    timers = {it.key: it for it in play.game.timers(play.state)}
    seat = timers[due[0]].seat if due is not None else None
    return None if due is None or seat is None else (due[0], seat)


@pytest.mark.parametrize("game", all_games().values(), ids=lambda game: game.key)
def test_a_seat_cannot_renew_its_clock_again_and_again(game: AnyGame) -> None:
    """Every seat answers only when it is waited for, with anything it may send."""
    longest, rng = 0, Rng(f"chains {game.key}".encode(), 0)
    for number in range(12):
        play = start(game, game.seats.stop - 1, f"chains {game.key} {number}".encode())
        holder, keys = None, set[str]()
        for _ in range(600):
            if play.is_over:
                break
            wanted = awaited(play)
            offers = play.game.offers(play.state, wanted[1]) if wanted is not None else ()
            if wanted is None or not offers:
                holder, keys = None, set()
                if not play.wait():
                    break
                continue
            key, seat = wanted
            if seat != holder:
                holder, keys = seat, set()
            keys.add(key)
            longest = max(longest, len(keys))
            sent = sample(offers, rng)
            assert sent is not None
            play.act(seat, sent)

    assert longest <= MOST.get(game.key, MOST_OF_A_NEW_GAME), f"{longest} clocks of one seat in a row"
