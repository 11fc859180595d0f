"""Alaska A12–A29: casts, anglers, flow and wild cards on one's own turn."""

import pytest

from photofinish.engine.decks.cards import SHIPPED, the_deck
from photofinish.engine.decks.components import FOLDER
from photofinish.engine.offers import admits
from photofinish.games.alaska import GAME, deck
from tests.games.alaska.bank import (
    BEAR,
    EAGLE,
    FLOW,
    LOCAL,
    SALMON,
    TOURIST,
    E,
    N,
    cast,
    let_go,
    play,
    refused,
    river,
    whats,
)


def test_A12_one_number_or_the_sum_of_two_is_the_section_fished():
    state = river((cast(2), cast(3), cast(1), cast(1, 2)), gaps={5: SALMON[:1], 1: SALMON[1:2]})

    state = let_go(play(state, N, "cast", cards=[cast(2), cast(3)]), E)
    assert state.caught[N] == (SALMON[0],)
    assert state.discard == (cast(2), cast(3))
    state = let_go(play(state, N, "cast", cards=[cast(1)]), E)
    assert state.caught[N] == (SALMON[0], SALMON[1])


def test_A12_a_cast_uses_one_or_two_different_number_cards_of_the_own_hand():
    state = river((cast(2), cast(3), cast(1), BEAR[0]))

    assert refused(state, N, "cast", cards=[cast(1), cast(2), cast(3)]) == "A12"
    assert refused(state, N, "cast", cards=[cast(1), cast(1)]) == "A12"
    assert refused(state, N, "cast", cards=[BEAR[0]]) == "A12"
    assert refused(state, N, "cast", cards=[cast(7)]) == "A12"  # east's


def test_A13_two_cards_whose_sum_is_beyond_the_river_cannot_be_joined():
    state = river((cast(5), cast(6), cast(4)))

    assert refused(state, N, "cast", cards=[cast(5), cast(6)]) == "A13"
    assert not admits(GAME.offers(state, N), {"t": "cast", "cards": [cast(5), cast(6)]})
    assert admits(GAME.offers(state, N), {"t": "cast", "cards": [cast(6), cast(4)]})


def test_A14_a_single_number_beyond_the_river_catches_nothing(tmp_path, monkeypatch):
    text = SHIPPED.read_text(encoding="utf-8")
    text = text.replace(
        'id = "y10_3", class = "yellow_number", rune = "10"',
        'id = "y10_3", class = "yellow_number", rune = "12"',
    )
    (tmp_path / "the_deck.toml").write_text(text, encoding="utf-8")
    monkeypatch.setenv(FOLDER, str(tmp_path))
    try:
        the_deck.cache_clear()
        deck.faces.cache_clear()
        state = river(("y10_3", cast(1), cast(2)), gaps={1: SALMON[:1], 10: SALMON[1:2]})
        assert admits(GAME.offers(state, N), {"t": "cast", "cards": ["y10_3"]})
        state = play(state, N, "cast", cards=["y10_3"])
        assert state.discard == ("y10_3",)
        assert state.catch is None
        assert whats(state) == ["cast"]
    finally:
        the_deck.cache_clear()
        deck.faces.cache_clear()


@pytest.mark.parametrize(("section", "gap"), [(5, 4), (5, 5), (1, 10), (1, 1), (10, 9), (10, 10)])
def test_A15_a_salmon_in_a_gap_that_touches_the_section_is_caught(section, gap):
    state = play(river((cast(section), cast(2)), gaps={gap: SALMON[:2]}), N, "cast", cards=[cast(section)])

    assert state.caught[N] == (SALMON[1],)
    assert state.gaps[gap - 1] == (SALMON[0],)  # one salmon a cast


def test_A15_with_salmon_in_both_gaps_the_seat_says_which():
    state = river((cast(1), cast(2), cast(4)), gaps={10: SALMON[:1], 1: SALMON[1:2]})

    assert refused(state, N, "cast", cards=[cast(1)]) == "A15"
    assert refused(state, N, "cast", cards=[cast(1)], gap=2) == "A15"
    assert refused(state, N, "cast", cards=[cast(4)], gap=4) == "A15"
    assert play(state, N, "cast", cards=[cast(1)], gap=10).caught[N] == (SALMON[0],)
    assert play(state, N, "cast", cards=[cast(1)], gap=1).caught[N] == (SALMON[1],)


def test_A16_a_cast_where_nothing_is_does_nothing():
    state = play(river((cast(4), cast(2)), gaps={5: SALMON[:1]}), N, "cast", cards=[cast(4)])

    assert (state.turn, state.catch, state.gaps[4]) == (N, None, (SALMON[0],))
    assert whats(state) == ["cast"]


def test_A17_where_an_angler_stands_no_salmon_is_caught_however_many_touch():
    state = river((cast(4), cast(2)), gaps={3: SALMON[:1], 4: SALMON[1:2]}, anglers={4: LOCAL[0]})

    assert refused(state, N, "cast", cards=[cast(4)], gap=3) == "A15"  # there is nothing to choose
    state = play(state, N, "cast", cards=[cast(4)])
    assert state.caught[N] == ()
    assert state.gaps[2:4] == ((SALMON[0],), (SALMON[1],))


def test_A17_with_dice_a_one_catches_and_anything_else_hooks():
    state = river(
        (cast(4), cast(2)),
        gaps={3: SALMON[:1], 4: SALMON[1:2]},
        anglers={4: TOURIST[0]},
        options={"dice": True},
    )
    rolls = {}
    for seed in range(40):
        rolled = play(state, N, "cast", cards=[cast(4)], gap=3, seed=b"%d" % seed)
        (die,) = [it.detail["die"] for it in rolled.last if it.what == "die"]
        rolls[die] = rolled

    assert set(rolls) == {1, 2, 3, 4, 5, 6}
    assert rolls[1].caught[N] == (SALMON[0],)
    assert rolls[1].anglers[3] == TOURIST[0]
    assert all(rolls[die].missing[N] and not rolls[die].caught[N] for die in range(2, 7))


def test_A17_with_dice_nothing_is_rolled_where_no_salmon_touches():
    state = river((cast(4), cast(2)), anglers={4: LOCAL[0]}, options={"dice": True})

    assert "die" not in whats(play(state, N, "cast", cards=[cast(4)]))


def test_A18_a_hooked_tourist_costs_the_hand_the_draw_and_the_next_turn():
    state = river(
        (cast(4), cast(2), BEAR[0]), anglers={4: TOURIST[0]}, main=[cast(n, 3) for n in range(1, 9)]
    )
    state = play(state, N, "cast", cards=[cast(4)])

    assert state.turn == E
    assert state.hands[N] == ()
    assert set(state.discard) == {cast(4), TOURIST[0], cast(2), BEAR[0]}
    assert state.anglers[3] is None
    assert state.missing == (True, False)
    assert len(state.main) == 8


def test_A18_applies_even_if_no_card_was_left():
    state = play(river((cast(4),), anglers={4: TOURIST[0]}), N, "cast", cards=[cast(4)])

    assert state.missing[N]
    assert (state.turn, state.hands[N]) == (E, ())


def test_A19_a_hooked_local_is_paid_with_a_salmon_and_leaves():
    state = river((cast(4), cast(2)), anglers={4: LOCAL[0]}, caught=[SALMON[:2], ()])
    state = play(state, N, "cast", cards=[cast(4)])

    assert state.caught[N] == (SALMON[0],)
    assert state.anglers[3] is None
    assert state.discard == (cast(4), SALMON[1], LOCAL[0])
    assert state.turn == N


def test_A19_a_local_stays_when_the_caster_has_no_salmon():
    state = play(river((cast(4), cast(2)), anglers={4: LOCAL[0]}), N, "cast", cards=[cast(4)])

    assert state.anglers[3] == LOCAL[0]
    assert state.turn == N


def test_A20_an_angler_stands_where_the_seat_says_and_catches_nothing_by_arriving():
    state = river((TOURIST[0], LOCAL[0], cast(2)), gaps={5: SALMON[:1]})
    state = play(state, N, "angler", card=TOURIST[0], section=5)
    state = play(state, N, "angler", card=LOCAL[0], section=1)

    assert (state.anglers[4], state.anglers[0]) == (TOURIST[0], LOCAL[0])
    assert state.gaps[4] == (SALMON[0],)
    assert refused(state, N, "angler", card=cast(2), section=2) == "A20"
    assert refused(river((TOURIST[0], cast(2))), N, "angler", card=TOURIST[0]) == "A20"


def test_A21_only_a_tourist_may_be_placed_on_a_local_and_both_leave():
    state = river((TOURIST[0], LOCAL[0], cast(2)), anglers={3: LOCAL[1], 4: TOURIST[1]})

    assert refused(state, N, "angler", card=LOCAL[0], section=3) == "A21"
    assert refused(state, N, "angler", card=LOCAL[0], section=4) == "A21"
    assert refused(state, N, "angler", card=TOURIST[0], section=4) == "A21"
    state = play(state, N, "angler", card=TOURIST[0], section=3)
    assert state.anglers[2] is None
    assert set(state.discard) == {TOURIST[0], LOCAL[1]}


def test_A22_an_angler_without_a_section_that_could_take_him_is_discarded():
    full = {section: TOURIST[section % 5] for section in range(1, 11)}
    state = river((LOCAL[0], cast(2), cast(3)), anglers=full)

    assert admits(GAME.offers(state, N), {"t": "angler", "card": LOCAL[0]})
    assert refused(state, N, "angler", card=LOCAL[0], section=3) == "A21"
    state = play(state, N, "angler", card=LOCAL[0])
    assert state.discard == (LOCAL[0],)
    assert all(state.anglers)


def test_A23_anglers_never_move_with_the_flow():
    state = river(
        (cast(1),),
        (FLOW[0], cast(2), cast(3), cast(4)),
        anglers={3: TOURIST[0], 7: LOCAL[0]},
        gaps={4: SALMON[:1]},
    )
    state = play(state, N, "end_turn")

    assert (state.anglers[2], state.anglers[6]) == (TOURIST[0], LOCAL[0])
    assert sum(angler is not None for angler in state.anglers) == 2


def flowing(gaps, anglers, flows=1):
    hand = (*FLOW[:flows], cast(2), cast(3))
    return play(river((cast(1),), hand, gaps=gaps, anglers=anglers), N, "end_turn")


def test_A24_every_salmon_moves_one_gap_on_and_from_ten_to_one():
    state = flowing({10: SALMON[:2], 4: SALMON[2:3], 5: SALMON[3:4]}, {})

    assert state.gaps[0] == tuple(SALMON[:2])
    assert (state.gaps[4], state.gaps[5]) == ((SALMON[2],), (SALMON[3],))
    assert state.gaps[9] == state.gaps[3] == ()


@pytest.mark.parametrize(("gap", "passed"), [(4, 5), (9, 10), (10, 1)])
def test_A24_leaving_a_gap_the_salmon_swims_past_the_section_after_it(gap, passed):
    assert SALMON[0] in flowing({gap: SALMON[:1]}, {passed: LOCAL[0]}).discard
    for section in {*range(1, 11)} - {passed}:
        assert SALMON[0] not in flowing({gap: SALMON[:1]}, {section: LOCAL[0]}).discard


def test_A25_a_tourist_catches_one_and_goes_home():
    state = flowing({4: SALMON[:3]}, {5: TOURIST[0]})

    assert len(state.gaps[4]) == 2
    assert state.anglers[4] is None
    assert {TOURIST[0]} < {*state.discard}
    assert len({*state.discard} & {*SALMON}) == 1


def test_A26_a_local_catches_all_that_pass_and_stays():
    state = flowing({4: SALMON[:3]}, {5: LOCAL[0]})

    assert state.gaps[4] == ()
    assert state.anglers[4] == LOCAL[0]
    assert {*state.discard} >= {*SALMON[:3]}


def test_A26_each_flow_card_is_a_step_of_its_own():
    state = flowing({3: SALMON[:1], 4: SALMON[1:3]}, {5: TOURIST[0]}, flows=2)

    # First step: one of two passing is caught and the tourist leaves; second step: nobody is there.
    assert (len(state.gaps[4]), len(state.gaps[5])) == (1, 1)


def test_A26_salmon_caught_by_anglers_belong_to_nobody_and_open_no_race():
    state = flowing({4: SALMON[:3]}, {5: LOCAL[0]})

    assert state.caught == ((), ())
    assert GAME.race(state) is None


def test_A27_the_eagle_takes_a_salmon_next_to_an_angler():
    state = river((EAGLE[0], cast(2)), gaps={4: SALMON[:1]}, anglers={4: TOURIST[0], 5: LOCAL[0]})
    state = play(state, N, "eagle", card=EAGLE[0], salmon=4)

    assert state.caught[N] == (SALMON[0],)
    assert state.discard == (EAGLE[0],)


def test_A27_the_eagle_chases_one_angler():
    state = river((EAGLE[0], cast(2)), gaps={4: SALMON[:1]}, anglers={4: TOURIST[0], 5: LOCAL[0]})
    state = play(state, N, "eagle", card=EAGLE[0], angler=4)

    assert state.anglers[3:5] == (None, LOCAL[0])
    assert set(state.discard) == {TOURIST[0], EAGLE[0]}


def test_A27_the_eagle_must_take_what_is_there_and_one_thing_only():
    state = river((EAGLE[0], cast(2)), gaps={4: SALMON[:1]}, anglers={4: TOURIST[0]})

    assert refused(state, N, "eagle", card=EAGLE[0]) == "A27"
    assert refused(state, N, "eagle", card=EAGLE[0], salmon=5) == "A27"
    assert refused(state, N, "eagle", card=EAGLE[0], angler=5) == "A27"
    assert refused(state, N, "eagle", card=EAGLE[0], salmon=4, angler=4) == "A27"
    assert refused(state, N, "eagle", card=cast(2), salmon=4) == "A27"
    empty = river((EAGLE[0], cast(2)))
    assert play(empty, N, "eagle", card=EAGLE[0]).discard == (EAGLE[0],)


def test_A28_a_salmon_taken_by_the_eagle_can_be_snatched():
    state = river((EAGLE[0], cast(2)), (BEAR[0], cast(3), cast(6), cast(7)), gaps={4: SALMON[:1]})
    state = play(state, N, "eagle", card=EAGLE[0], salmon=4)

    assert GAME.race(state) is not None
    assert play(state, E, "snatch", card=BEAR[0]).caught[N] == ()


def test_A29_the_bear_clears_the_river_of_all_anglers():
    state = river((BEAR[0], cast(2)), gaps={4: SALMON[:1]}, anglers={1: TOURIST[0], 5: LOCAL[0]})
    state = play(state, N, "bear", card=BEAR[0])

    assert state.anglers == (None,) * 10
    assert set(state.discard) == {BEAR[0], TOURIST[0], LOCAL[0]}
    assert state.gaps[3] == (SALMON[0],)
    assert refused(state, N, "bear", card=cast(2)) == "A29"


def test_A29_the_bear_may_be_played_for_nothing():
    assert play(river((BEAR[0], cast(2))), N, "bear", card=BEAR[0]).discard == (BEAR[0],)
