"""The house bot sees what its seat sees, and plays better than chance."""

import pytest

from photofinish.engine import Rng, Seat, Strength, settle
from photofinish.engine.offers import admits, sample
from photofinish.engine.playthrough import Playthrough, start
from photofinish.games.cauldron15 import GAME
from photofinish.games.cauldron15.bot import Witch
from photofinish.games.cauldron15.state import Cauldron15Options, State
from tests.games.cauldron15.table import laid, play
from tests.games.cauldron15.test_bonus import kept_by_two


def chosen(state: State, seat: int, strength: Strength = Strength.STRONG) -> dict[str, object]:
    witch = Witch(Seat(seat), strength, Rng(b"witch", 0))
    view, offers = GAME.view(state, Seat(seat)), GAME.offers(state, Seat(seat))
    witch.see(view)
    intent = settle(witch.choose(view, offers))
    assert intent is not None
    assert admits(offers, intent.move)
    assert 600 <= intent.after <= 1800
    assert settle(witch.choose(view, offers)) == intent
    return intent.move


def test_the_house_player_keeps_out_of_a_seven_that_would_ruin_it() -> None:
    hands = (("ore 0", "ore 5"), ("ore 6", "ore 1"))
    before = (("plant 5",), ("plant 6", "soul 7"))
    state = play(laid(hands, before=before, lead="ore 7", round_=3), (0, "ore 5"))

    assert chosen(state, 1) == {"t": "play", "card": {"kind": "ore", "number": 1}}


def test_the_house_player_makes_15_and_takes_what_brings_it_there() -> None:
    hands = (("ore 7",), ("plant 7",), ("ore 1",))
    state = play(laid(hands, before=((), (), ("soul 7", "liquid 1")), round_=3), (0, "ore 7"), (1, "plant 7"))
    state = play(state, (2, "ore 1"))
    card = chosen(state, 2)["card"]

    assert isinstance(card, dict)
    assert card["number"] == 7


def test_the_house_player_spends_a_kept_bonus_only_where_it_helps() -> None:
    state = kept_by_two()

    assert chosen(state, 0) == {"t": "spend", "cards": []}  # it stands at 14


@pytest.mark.parametrize("strength", list(Strength))
@pytest.mark.parametrize("seats", [2, 3, 5])
def test_house_players_finish_a_game_among_themselves(seats: int, strength: Strength) -> None:
    game = start(GAME, seats, b"among witches", Cauldron15Options(keep_bonus=True, open_discards=False))
    witches = {seat: Witch(seat, strength, Rng(b"witch", seat)) for seat in game.seats}
    while not game.is_over:
        _one_move(game, witches, Rng(b"nobody else", 0))

    assert GAME.outcome(game.state) is not None


def test_the_strong_house_player_beats_chance() -> None:
    won, chance = 0, Rng(b"chance", 0)
    for number in range(60):
        game = start(GAME, 2, bytes([number]) * 32)
        seat = Seat(number % 2)
        witch = {seat: Witch(seat, Strength.STRONG, Rng(b"witch", number))}
        while not game.is_over:
            _one_move(game, witch, chance)
        outcome = GAME.outcome(game.state)
        assert outcome is not None
        won += outcome.winners == (seat,)

    assert won >= 40  # about four games in five on the long run


def _one_move(game: Playthrough, witches: dict[Seat, Witch], chance: Rng) -> None:
    for seat in game.seats:
        offers = GAME.offers(game.state, seat)
        if not offers:
            continue
        if seat in witches:
            intent = settle(witches[seat].choose(GAME.view(game.state, seat), offers))
            assert intent is not None
            assert admits(offers, intent.move)
            game.act(seat, intent.move)
        else:
            sent = sample(offers, chance)
            assert sent is not None
            game.act(seat, sent)
        return
