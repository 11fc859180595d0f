"""B23 to B26: sets, and what a set allows; the option `keep_bonus`."""

from photofinish.engine import Seat, replace
from photofinish.games.cauldron15 import GAME
from photofinish.games.cauldron15.state import Bonus, Decline, Play, Spend, State
from tests.games.by_hand import happened
from tests.games.cauldron15.table import bonus, card, cards, decline, laid, offered, play, refused, spend

FOUR_KINDS = ("plant 7", "organism 0", "liquid 4", "soul 0")
HANDS = (("ore 5", "plant 6", "plant 5"), ("ore 4", "soul 6", "soul 5"), ("ore 3", "soul 3", "soul 2"))


def set_done(**options: object) -> State:
    """Seat 0 has just taken ore 3, its fifth kind."""
    state = laid(HANDS, before=(FOUR_KINDS,), **options)
    return play(state, (0, "ore 5"), (1, "ore 4"), (2, "ore 3"))


def test_B23_the_sets_are_the_smallest_count_of_a_kind() -> None:
    before = (("ore 0", "ore 1", *FOUR_KINDS, "plant 2"), FOUR_KINDS[1:])
    state = laid((("liquid 0",), ("liquid 1",)), before=before)

    assert GAME.view(state, None).sets == (1, 0)
    assert GAME.view(state, None).gathered[0] == (2, 2, 1, 1, 1)


def test_B23_a_card_given_up_still_counts_so_the_gap_pays_only_once() -> None:
    hands = (("ore 5", "ore 6", "soul 3"), ("ore 4", "ore 2", "soul 6"), ("ore 3", "ore 1", "soul 5"))
    state = play(laid(hands, before=(FOUR_KINDS,)), (0, "ore 5"), (1, "ore 4"), (2, "ore 3"))
    state = bonus(state, 0, "ore 3")
    assert GAME.view(state, None).sets[0] == 1
    # Five kinds lie before seat 0 again, but it is no second set.
    state = play(state, (0, "ore 6"), (1, "ore 2"), (2, "ore 1"))

    assert card("ore 1") in state.before[0]
    assert state.phase == "play"
    assert "set" not in happened(state)


def test_B24_the_fifth_kind_lets_the_seat_give_up_any_card_before_it() -> None:
    state = set_done()

    assert (state.phase, state.turn) == ("bonus", 0)
    assert offered(state, 0) == {"bonus": {*FOUR_KINDS, "ore 3"}, "decline": set()}
    for text in (*FOUR_KINDS, "ore 3"):
        after = bonus(state, 0, text)
        assert card(text) not in after.before[0]
        assert len(after.before[0]) == 4
        assert after.discards[-1] == card(text)
        assert after.used == (1, 0, 0)


def test_B24_the_bonus_belongs_to_the_taker_and_to_the_cards_before_it() -> None:
    state = set_done()

    refused(state, 1, Bonus(card("plant 7")), "B24")
    refused(state, 1, Decline(), "B24")
    refused(state, 0, Bonus(card("plant 6")), "B24")
    assert offered(state, 1) == {}


def test_B24_without_a_new_set_there_is_nothing_to_give_up() -> None:
    state = laid(HANDS, before=(FOUR_KINDS,))

    refused(state, 0, Bonus(card("plant 7")), "B24")
    refused(state, 0, Decline(), "B24")


def test_B24_a_second_set_gives_a_second_card() -> None:
    twice = (
        "plant 7",
        "organism 0",
        "liquid 4",
        "soul 0",
        "plant 4",
        "organism 1",
        "liquid 1",
        "soul 1",
        "ore 0",
    )
    state = play(laid(HANDS, before=(twice,)), (0, "ore 5"), (1, "ore 4"), (2, "ore 3"))

    assert state.phase == "bonus"
    assert state.last[-1].detail == {"sets": 2}
    assert bonus(state, 0, "plant 7").used == (1, 0, 0)


def test_B24_a_card_given_up_is_dealt_again_next_round() -> None:
    ending = (("ore 5",), ("ore 4",), ("ore 3",))
    state = play(laid(ending, before=(FOUR_KINDS,)), (0, "ore 5"), (1, "ore 4"), (2, "ore 3"))
    state = bonus(state, 0, "plant 7")
    back = [*state.deck, *(it for hand in state.hands for it in hand)]

    assert state.round == 2
    assert card("plant 7") in back


def test_B25_a_declined_bonus_is_gone() -> None:
    state = decline(set_done(), 0)

    assert (state.phase, state.kept, state.used) == ("play", (0, 0, 0), (0, 0, 0))
    assert "declined" in happened(state)
    refused(state, 0, Bonus(card("plant 7")), "B24")
    refused(state, 0, Spend(cards("plant 7")), "B25")


def test_B26_the_next_lead_waits_for_the_bonus() -> None:
    state = set_done()

    refused(state, 0, Play(card("plant 6")), "B26")
    assert offered(bonus(state, 0, "ore 3"), 0).keys() == {"play"}


def test_B26_standing_over_15_before_the_end_costs_nothing() -> None:
    state = laid(HANDS, before=(("plant 7", "liquid 7", "soul 7"),))
    state = play(state, (0, "ore 5"), (1, "ore 4"), (2, "ore 3"))

    assert GAME.scores(state)[0] == 24
    assert GAME.outcome(state) is None
    assert offered(state, 0).keys() == {"play"}


def kept_by_two() -> State:
    """The last trick of the game is over; seats 0 and 1 kept a bonus each."""
    hands = (("ore 5",), ("ore 4",), ("ore 3",))
    before = (FOUR_KINDS, ("plant 6", "organism 6", "liquid 6", "soul 6", "ore 6"))
    state = laid(hands, before=before, round_=3, keep_bonus=True)
    state = play(_kept(state, 1), (0, "ore 5"), (1, "ore 4"), (2, "ore 3"))
    return decline(state, 0)


def _kept(state: State, seat: int) -> State:
    return replace(state, kept=tuple(int(it == seat) for it in range(state.seats)))


def test_B25_keep_bonus_keeps_a_declined_one() -> None:
    state = decline(set_done(keep_bonus=True), 0)

    assert state.kept == (1, 0, 0)
    assert GAME.view(state, None).bonuses_kept == (1, 0, 0)
    refused(state, 0, Spend(cards("plant 7")), "B25")


def test_B25_after_the_last_trick_all_who_kept_one_choose_at_the_same_time() -> None:
    state = kept_by_two()

    assert state.phase == "spend"
    assert GAME.view(state, None).awaited == (0, 1)
    assert offered(state, 0) == {"spend": {*FOUR_KINDS, "ore 3"}}
    assert offered(state, 2) == {}
    refused(state, 2, Spend(()), "B25")
    refused(state, 0, Play(card("ore 5")), "B25")


def test_B25_one_card_at_most_for_each_bonus_kept_and_only_ones_own() -> None:
    state = kept_by_two()

    refused(state, 0, Spend(cards("plant 7", "liquid 4")), "B25")
    refused(state, 0, Spend(cards("plant 7", "plant 7")), "B25")
    refused(state, 0, Spend(cards("plant 6")), "B24")


def test_B25_the_answers_are_hidden_until_all_have_come() -> None:
    first = kept_by_two()
    one, other = spend(first, 1, "plant 6"), spend(first, 1)

    assert one.before == first.before
    for viewer in (Seat(0), Seat(2), None):
        assert GAME.view(one, viewer) == GAME.view(other, viewer)
        assert GAME.view(one, viewer).answered == (False, True, False)
    assert GAME.view(one, Seat(1)).spend == cards("plant 6")
    refused(one, 1, Spend(()), "B25")
    assert offered(one, 1) == {}


def test_B25_then_all_are_discarded_at_once_and_the_game_ends() -> None:
    state = spend(spend(kept_by_two(), 1, "plant 6"), 0)

    assert state.phase == "over"
    assert state.before[0] == cards(*FOUR_KINDS, "ore 3")
    assert state.before[1] == cards("organism 6", "liquid 6", "soul 6", "ore 6")
    assert (state.used, state.kept) == ((0, 1, 0), (1, 0, 0))
    assert happened(state) == ["answered", "spent", "spent", "game_over"]


def test_B25_without_a_kept_bonus_the_game_ends_at_the_last_trick() -> None:
    hands = (("ore 5",), ("ore 4",), ("ore 3",))
    state = play(laid(hands, round_=3, keep_bonus=True), (0, "ore 5"), (1, "ore 4"), (2, "ore 3"))

    assert state.phase == "over"
