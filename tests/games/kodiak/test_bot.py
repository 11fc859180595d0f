"""The house bot: it plays the cards that it remembers, and only legal moves."""

from typing import Any

import pytest

from photofinish.engine import Rng, Seat, Strength, replace
from photofinish.engine.offers import admits
from photofinish.engine.playthrough import start
from photofinish.games.kodiak import GAME
from photofinish.games.kodiak.bot import KodiakPlayer
from photofinish.games.kodiak.moves import KodiakOptions
from tests.games.kodiak.board import CAT, MOUSE, OTHER, Board, board


def player(seat: Seat, strength: Strength = Strength.STRONG) -> KodiakPlayer:
    return KodiakPlayer(seat, strength, Rng(b"house", seat))


def asked(it: Board, who: KodiakPlayer, seat: Seat) -> dict[str, Any] | None:
    who.see(it.view(seat))
    intent = who.choose(it.view(seat), GAME.offers(it.state, seat))
    return intent.move if intent else None


def test_a_mouse_keeps_a_twin_in_the_place_of_its_twin_and_scurries_with_it() -> None:
    it = board(
        rows={MOUSE: ["peek_mine_1", "y7_1", "y6_1"], OTHER: ["y8_1", "y8_2", "y9_1"]},
        main=["y1_3", "y7_2"],
        turn=MOUSE,
    )
    mouse = player(MOUSE)
    it.discard(0)
    it.own(MOUSE, "peek_mine", 1)
    mouse.see(it.view(MOUSE))
    it.run_out("peek")
    it.state = replace(it.state, turn=MOUSE)
    it.send(MOUSE, "draw")
    move = asked(it, mouse, MOUSE)
    assert move is not None
    assert (move["t"], move["slot"]) == ("keep", 1)

    it.send(MOUSE, "keep", slot=1, mark=move["mark"])
    move = asked(it, mouse, MOUSE)

    assert move is not None
    assert (move["t"], move["slot"]) == ("scurry", 1)


def test_kodiak_pounces_on_a_card_he_saw_even_after_it_was_swapped() -> None:
    rows = {
        CAT: ["red_king_1", "y2_1", "y3_1"],
        MOUSE: ["y4_1", "y9_1", "y6_1"],
        OTHER: ["y8_1", "y5_2", "y7_1"],
    }
    it = board(rows=rows, main=["y5_1"])
    cat = player(CAT)
    it.send(CAT, "draw")
    cat.see(it.view(CAT))
    it.own(CAT, "keep", 0)
    cat.see(it.view(CAT))
    it.at(CAT, "look", OTHER, 1)
    cat.see(it.view(CAT))
    it.swap(CAT, (OTHER, 1), (MOUSE, 2))
    assert it.slot(CAT, MOUSE, 2).face is None
    move = asked(it, cat, CAT)

    assert move is not None
    assert (move["t"], move["slot"], move["seat"], move["target"]) == ("pounce", 0, MOUSE, 2)


def test_nobody_throws_a_card_it_does_not_know() -> None:
    rows = {CAT: ["y7_1", "y2_1", "y3_1"], MOUSE: ["y7_2", "y5_1", "y6_1"], OTHER: ["y7_3", "y8_1", "y9_1"]}
    it = board(rows=rows, main=["y10_1"])
    it.discard(0)

    assert asked(it, player(OTHER), OTHER) is None
    assert asked(it, player(MOUSE), MOUSE) == {"t": "draw"}


def test_a_mouse_that_was_too_slow_does_not_throw_again() -> None:
    rows = {
        CAT: ["y7_1", "y2_1", "y3_1"],
        MOUSE: ["y7_2", "y5_1", "y6_1"],
        OTHER: ["peek_mine_1", "y7_3", "y9_1"],
    }
    it = board(rows=rows, main=["y10_1", "y10_2"], turn=OTHER)
    mouse = player(OTHER)
    it.discard(0)
    it.own(OTHER, "peek_mine", 1)
    mouse.see(it.view(OTHER))
    it.discard(0)
    move = asked(it, mouse, OTHER)
    assert move is not None
    assert move["t"] == "scurry"

    it.own(MOUSE, "scurry", 0)

    assert asked(it, mouse, OTHER) is None


def test_the_same_question_gets_the_same_answer() -> None:
    it = board(main=["y10_1"])
    it.send(CAT, "draw")
    cat = player(CAT)
    cat.see(it.view(CAT))
    offers = GAME.offers(it.state, CAT)

    assert cat.choose(it.view(CAT), offers) == cat.choose(it.view(CAT), offers)


@pytest.mark.parametrize("strength", list(Strength))
@pytest.mark.parametrize("seats", [2, 3, 6])
def test_house_bots_finish_a_game_among_themselves_and_stay_within_the_offers(
    seats: int, strength: Strength
) -> None:
    play = start(GAME, seats, bytes([seats]) * 32, KodiakOptions(turn_seconds=0, pounce_actions=seats == 3))
    players = [player(seat, strength) for seat in play.seats]
    for _ in range(20_000):
        if play.is_over:
            break
        intents = []
        for seat, who in zip(play.seats, players, strict=True):
            view, offers = GAME.view(play.state, seat), GAME.offers(play.state, seat)
            who.see(view)
            intent = who.choose(view, offers)
            if intent:
                assert admits(offers, intent.move)
                intents.append((intent.after, seat, intent.move))
        if intents:
            _, seat, move = min(intents, key=lambda it: it[:2])
            play.act(seat, move)
        else:
            assert play.wait(), "nobody moves and no clock runs"

    assert play.is_over
