"""The house bot sees what its seat sees, and plays better than chance."""

import pytest

from photofinish.engine import Rng, Seat, Strength, settle
from photofinish.engine.offers import admits, sample
from photofinish.engine.playthrough import Playthrough, start
from photofinish.games.gravekeepers import GAME
from photofinish.games.gravekeepers.bot import Guide
from photofinish.games.gravekeepers.state import State
from tests.games.gravekeepers.cemetery import laid, scored


def chosen(state: State, seat: int) -> dict[str, object]:
    guide = Guide(Seat(seat), Strength.STRONG, Rng(b"guide", 0))
    view, offers = GAME.view(state, Seat(seat)), GAME.offers(state, Seat(seat))
    guide.see(view)
    intent = settle(guide.choose(view, offers))
    assert intent is not None
    assert admits(offers, intent.move)
    assert 600 <= intent.after <= 1800
    assert settle(guide.choose(view, offers)) == intent
    return intent.move


def test_the_house_player_walks_round_a_row_full_of_face_down_ghosts() -> None:
    down = {(0, col): "white star" for col in range(3)}
    hand = ("white star", "white circle")
    state = laid(hand, ("black star", "black star"), keepers=(1, 3), down=down)

    assert chosen(state, 0)["to"] != 0


def test_the_house_player_turns_down_the_ghost_that_would_cost_it() -> None:
    state = scored(
        (("white circle", "white circle", "white triangle", "white triangle"), 0),
        (("white triangle", "black square"), 2),
    )

    assert chosen(state, 0) == {"t": "turn_down", "card": {"colour": "white", "symbol": "triangle"}}


@pytest.mark.parametrize("strength", list(Strength))
@pytest.mark.parametrize("seats", [2, 3, 4])
def test_house_players_finish_a_game_among_themselves(seats: int, strength: Strength) -> None:
    game = start(GAME, seats, b"among guides")
    guides = {seat: Guide(seat, strength, Rng(b"guide", seat)) for seat in game.seats}
    while not game.is_over:
        _one_move(game, guides, Rng(b"nobody else", 0))

    assert GAME.outcome(game.state) is not None


def test_the_strong_house_player_beats_chance() -> None:
    won, chance = 0, Rng(b"chance", 0)
    for number in range(30):
        game = start(GAME, 2, bytes([number]) * 32)
        seat = Seat(number % 2)
        guide = {seat: Guide(seat, Strength.STRONG, Rng(b"guide", number))}
        while not game.is_over:
            _one_move(game, guide, chance)
        outcome = GAME.outcome(game.state)
        assert outcome is not None
        won += outcome.winners == (seat,)

    assert won >= 25  # nearly all of them on the long run


def _one_move(game: Playthrough, guides: dict[Seat, Guide], chance: Rng) -> None:
    for seat in game.seats:
        offers = GAME.offers(game.state, seat)
        if not offers:
            continue
        if seat in guides:
            intent = settle(guides[seat].choose(GAME.view(game.state, seat), offers))
            assert intent is not None
            assert admits(offers, intent.move)
            game.act(seat, intent.move)
        else:
            sent = sample(offers, chance)
            assert sent is not None
            game.act(seat, sent)
        return
