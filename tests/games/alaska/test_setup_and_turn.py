"""Alaska A1–A11: the deal, and the four steps of a turn."""

from collections import Counter

import pytest

from photofinish.engine import Rng, TableSetup, move_name
from photofinish.engine.decks.cards import SHIPPED, the_deck
from photofinish.engine.decks.components import FOLDER, BrokenComponents
from photofinish.engine.offers import admits
from photofinish.games.alaska import GAME, deck
from photofinish.games.alaska.state import Setting
from tests.games.alaska.bank import (
    BEAR,
    FLOW,
    LOCAL,
    SALMON,
    TOURIST,
    E,
    N,
    S,
    W,
    cast,
    play,
    refused,
    river,
    with_hand,
)


def deal(seats, seed=b"deal"):
    return GAME.setup(TableSetup(seats, Setting()), Rng(seed, 0))


def all_cards(state):
    rows = (*state.hands, *state.caught, *state.gaps, state.main, state.discard, state.salmon, state.flow)
    return Counter([card for row in rows for card in row] + [card for card in state.anglers if card])


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_A1_A3_the_river_cards_take_no_part_and_each_seat_gets_four_of_the_others(seats):
    state = deal(seats)
    others = [card.id for card in the_deck().cards if card.kind != "blue_number"]

    assert all_cards(state) == Counter(others)
    assert len(others) == 66
    in_front = len(state.hand) + len(state.salmon) + len(state.flow)
    assert [len(hand) for seat, hand in enumerate(state.hands) if seat != state.turn] == [4] * (seats - 1)
    assert in_front <= 4
    assert GAME.view(state, None).main == len(state.main) == 66 - 4 * seats


def test_A1_a_host_may_bring_another_deck_but_not_another_ring(tmp_path, monkeypatch):
    text = SHIPPED.read_text(encoding="utf-8")
    (tmp_path / "the_deck.toml").write_text(text.replace("ring = [1, 2,", "ring = [2, 1,"), encoding="utf-8")
    monkeypatch.setenv(FOLDER, str(tmp_path))

    with pytest.raises(BrokenComponents, match=r"alaska_river\.ring"):
        deck.faces.__wrapped__()


def test_A2_the_view_draws_the_ring_of_sections_and_the_gaps_between_them():
    view = GAME.view(river(gaps={10: SALMON[:1]}, anglers={1: LOCAL[0]}), None)

    assert [gap.sections for gap in view.gaps] == [*((n, n + 1) for n in range(1, 10)), (10, 1)]
    assert view.sections[0].gaps == (10, 1)
    assert view.sections[4].gaps == (4, 5)
    assert view.sections[0].angler.id == LOCAL[0]
    assert [card.id for card in view.gaps[9].salmon] == SALMON[:1]


def test_A2_A3_the_river_and_the_discard_pile_start_empty_but_for_what_falls_out_of_the_first_hand():
    for seed in range(20):
        state = deal(2, b"%d" % seed)
        if not state.salmon and not state.flow and not state.discard:
            assert state.gaps == ((),) * 10
            assert state.anglers == (None,) * 10
            assert state.discard == ()
            return
    pytest.fail("every first hand held salmon or flow")


def test_A4_the_first_seat_is_drawn_at_random_and_turns_go_clockwise():
    assert {deal(4, b"%d" % seed).turn for seed in range(40)} == {N, E, S, W}

    state = river((cast(1),), (cast(2),), (cast(3),), main=[cast(n, 2) for n in range(1, 11)])
    state = play(state, N, "end_turn")
    assert state.turn == E


def test_A5_salmon_then_flow_run_by_themselves_before_the_seat_may_play():
    state = river(
        (cast(1),), (SALMON[0], FLOW[0], cast(4), cast(6)), (cast(2), cast(3)), anglers={6: LOCAL[0]}
    )
    state = play(state, N, "end_turn")

    assert (state.turn, state.salmon, state.flow) == (E, (SALMON[0],), (FLOW[0],))
    assert refused(state, E, "cast", cards=[cast(4)]) == "A6"
    state = play(state, N, "place", gap=3)
    assert state.gaps[3] == (SALMON[0],)  # placed in 3, then the flow took it to 4
    assert GAME.view(state, E).step == "play"
    assert refused(state, S, "cast", cards=[cast(2)]) == "A5"


def test_A6_the_right_hand_seat_places_every_salmon_one_after_the_other():
    state = river((cast(1),), (cast(2),), (SALMON[0], SALMON[1], cast(4), cast(6)), turn=E)
    state = play(state, E, "end_turn")

    assert GAME.view(state, N).placer == E
    assert [card.id for card in GAME.view(state, None).to_place] == SALMON[:2]
    assert refused(state, N, "place", gap=1) == "A6"
    assert refused(state, S, "place", gap=1) == "A6"
    state = play(state, E, "place", gap=1)
    assert refused(state, S, "end_turn") == "A6"
    state = play(state, E, "place", gap=1)
    assert state.gaps[0] == (SALMON[0], SALMON[1])
    assert refused(state, E, "place", gap=1) == "A6"


def test_A7_any_gap_will_do_and_placing_catches_nothing():
    state = river(
        (cast(1),), (SALMON[0], cast(4), cast(6), cast(3)), gaps={2: SALMON[1:2]}, anglers={3: TOURIST[0]}
    )
    state = play(state, N, "end_turn")
    offers = GAME.offers(state, N)

    assert all(admits(offers, {"t": "place", "gap": gap}) for gap in range(1, 11))
    state = play(state, N, "place", gap=2)
    assert state.gaps[1] == (SALMON[1], SALMON[0])
    assert state.anglers[2] == TOURIST[0]
    assert state.catch is None


def test_A8_flow_cards_are_discarded_though_the_river_is_empty():
    state = play(river((cast(1),), (FLOW[0], FLOW[1], cast(4), cast(6))), N, "end_turn")

    assert state.turn == E
    assert state.hands[E] == (cast(4), cast(6))
    assert state.discard[-2:] == (FLOW[0], FLOW[1])


def test_A8_each_flow_card_is_one_step():
    state = play(river((cast(1),), (FLOW[0], FLOW[1], cast(4), cast(6)), gaps={9: SALMON[:1]}), N, "end_turn")

    assert state.gaps[0] == (SALMON[0],)


def test_A9_a_turn_may_end_with_one_card_left_and_not_with_two():
    state = river((cast(1), cast(2)))

    assert refused(state, N, "end_turn") == "A9"
    assert not admits(GAME.offers(state, N), {"t": "end_turn"})
    state = play(state, N, "cast", cards=[cast(1)])
    assert admits(GAME.offers(state, N), {"t": "end_turn"})
    assert play(state, N, "end_turn").turn == E


def test_A9_a_turn_ends_by_itself_with_an_empty_hand():
    assert play(river((cast(1),)), N, "cast", cards=[cast(1)]).turn == E


def test_A9_salmon_and_flow_count_as_played():
    state = play(river((cast(1),), (FLOW[0], FLOW[1], FLOW[2], cast(6))), N, "end_turn")

    assert admits(GAME.offers(state, E), {"t": "end_turn"})


def test_A9_a_seat_whose_whole_hand_falls_out_draws_at_once():
    state = play(river((cast(1),), tuple(FLOW[:4])), N, "end_turn")

    assert state.turn == N or len(state.hands[E]) == 4
    assert "drew" in [it.what for it in state.last if it.seat == E]


def test_A10_no_card_is_thrown_away_but_every_card_can_be_played():
    state = river((cast(3), LOCAL[0], TOURIST[0], BEAR[0]))
    names = {offer.move for offer in GAME.offers(state, N)}

    assert names == {"cast", "angler", "bear"}
    assert not any("discard" in move_name(move) for move in GAME.moves)
    for eagle_hand in ((BEAR[0], "peek_mine_1"),):
        names = {offer.move for offer in GAME.offers(with_hand(state, N, *eagle_hand), N)}
        assert names == {"bear", "eagle"}


def test_A11_a_seat_draws_back_to_four_the_saved_card_included():
    main = [cast(n, 2) for n in range(1, 9)]
    state = play(river((cast(1),), main=main), N, "end_turn")

    assert state.hands[N] == (cast(1), *main[:3])
    assert state.main == tuple(main[3:])
    assert state.turn == E
