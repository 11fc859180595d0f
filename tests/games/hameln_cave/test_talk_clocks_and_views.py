"""When the seats may talk, what the clocks play, and who sees what."""

from photofinish.engine import Expired, Rng, Seat, replace
from photofinish.games.hameln_cave import GAME
from photofinish.games.hameln_cave.chart import Place
from photofinish.games.hameln_cave.state import NAMES, Character, Extra, Pass, State, by_number
from tests.games.hameln_cave.table import act, both_ready, card, dealt, fresh, laid, play, reveal, trick, wait

SABERS = ("blue 5", "blue 4")
VIEWERS = (Seat(0), Seat(1), None)


def test_H40_from_the_deal_to_the_end_of_the_tricks_the_table_is_muted() -> None:
    extra = trick("blue 8", "blue 4", won=(3, 0), names=("clyde", "aria"))
    asked = [
        dealt(),
        laid(("blue 8",), ("blue 6",)),
        trick("blue 3", "green 3", names=("henry", "aria")),
        trick(*SABERS, down=("brown 4", "green 7")),
        reveal(trick(*SABERS, names=("rick", "aria"), down=("brown 4", "green 7")), 0, 0),
        extra,
        act(extra, 0, Extra(take=True)),
    ]

    assert [state.phase for state in asked] == [
        "exchange", "play", "steer", "reveal", "second", "extra", "play",
    ]  # fmt: skip
    assert all(GAME.muted(state) for state in asked)


def test_H40_without_the_option_nobody_is_muted() -> None:
    assert not GAME.muted(dealt(mute=False))
    assert not GAME.muted(laid(("blue 8",), ("blue 6",), mute=False))


def test_H41_talk_is_open_before_the_first_deal_in_the_pause_and_after_the_end() -> None:
    pause = trick("blue 8", "blue 4", won=(3, 0))

    assert not GAME.muted(fresh())
    assert not GAME.muted(act(fresh(), 0, Character("rick")))
    assert pause.phase == "pause"
    assert not GAME.muted(pause)
    assert GAME.muted(both_ready(pause))
    assert not GAME.muted(trick("blue 8", "blue 6", ship=(1, 13)))


def test_a_late_seat_gets_a_free_character_by_lot_H3() -> None:
    one = act(fresh(), 0, Character("rick"))
    late = Expired(GAME.timers(one)[0].key)
    drawn = {GAME.apply(one, late, Rng(bytes([n]), 1)).characters[1] for n in range(40)}

    assert drawn == set(NAMES) - {"rick"}


def test_a_late_pass_is_the_lowest_number_then_brown_blue_green_H9() -> None:
    state = replace(dealt("henry", "rion"), hands=laid(("green 4", "blue 4", "brown 5"), ("blue 9",)).hands)

    assert wait(state).passes[0] == card("blue 4")
    assert min([card("green 4"), card("brown 4"), card("blue 4")], key=by_number) == card("brown 4")


def test_a_late_play_is_the_lowest_legal_card_H11() -> None:
    state = laid(("blue 8", "green 3"), ("blue 9", "blue 6", "brown 3"))

    assert wait(state).trick[0].card == card("green 3")
    assert wait(play(state, (0, "blue 8"))).tricks[0].cards[1].card == card("blue 6")


def test_a_late_steersman_steers_to_the_winner_H34() -> None:
    assert wait(trick("blue 3", "green 3", names=("henry", "aria"))).ship == Place(-1, 3)


def test_a_late_reveal_is_the_lowest_slot_then_Rick_stops_H36() -> None:
    state = wait(trick(*SABERS, names=("rick", "aria"), down=("brown 7", "green 3")))

    assert state.turned == (0,)
    assert wait(state).ship == Place(-1, 3)
    assert not wait(state).surplus[1].up


def test_a_late_choice_is_the_first_card_turned_H36() -> None:
    state = trick(*SABERS, names=("rick", "aria"), down=("green 3", "brown 7"))
    state = reveal(reveal(state, 0, 1), 0, 0)

    assert wait(state).ship == Place(-1, 3)


def test_a_late_Clyde_calls_no_extra_trick_H38() -> None:
    assert wait(trick("blue 8", "blue 4", won=(3, 0), names=("clyde", "aria"))).phase == "pause"


def test_the_pause_ends_for_a_silent_seat_after_talk_seconds_and_that_is_no_missed_clock_H27() -> None:
    state = trick("blue 8", "blue 4", won=(3, 0), talk_seconds=7, turn_seconds=0)
    clocks = GAME.timers(state)

    assert [(it.seat, it.after, it.is_answer) for it in clocks] == [(0, 7000, True), (1, 7000, True)]
    assert wait(state).phase == "pause"
    assert wait(wait(state)).phase == "exchange"


def test_each_seat_has_its_own_clock_for_the_pass_and_it_does_not_start_again_H9() -> None:
    state = dealt("henry", "rion")
    one = act(state, 0, Pass(state.hands[0][0]))

    assert [it.seat for it in GAME.timers(state)] == [0, 1]
    assert GAME.timers(one) == GAME.timers(state)[1:]


def test_the_clock_of_Aria_starts_when_she_is_shown_the_card_H35() -> None:
    state = dealt("aria", "rion")
    shown = act(state, 1, Pass(state.hands[1][0]))

    assert [it.seat for it in GAME.timers(state)] == [1]
    assert [it.seat for it in GAME.timers(shown)] == [0]


def test_every_move_has_a_clock_of_its_own_for_turn_seconds_and_none_with_0() -> None:
    state = laid(("blue 8",), ("blue 6",), turn_seconds=12)
    (first,) = GAME.timers(state)
    (second,) = GAME.timers(play(state, (0, "blue 8")))

    assert (first.after, first.seat, second.seat) == (12_000, 0, 1)
    assert first.key != second.key
    (untimed,) = GAME.timers(laid(("blue 8",), ("blue 6",), turn_seconds=0))
    assert untimed.after is None
    assert all(it.after is None for it in GAME.timers(dealt(turn_seconds=0)))
    assert all(it.after is None for it in GAME.timers(fresh(turn_seconds=0)))


def test_a_seat_sees_its_hand_and_of_the_other_only_the_size() -> None:
    state = dealt()
    left, right, watching = (GAME.view(state, viewer) for viewer in VIEWERS)

    assert (left.hand, right.hand, watching.hand) == (*state.hands, None)
    assert left.hand_sizes == watching.hand_sizes == (9, 9)
    assert left.hands is right.hands is watching.hands is None
    assert all(slot.card is None for seen in (left, right, watching) for slot in seen.surplus)


def test_after_the_end_all_hands_and_the_surplus_lie_open() -> None:
    state = trick("blue 8", "blue 6", ship=(1, 13), down=("brown 4", "brown 7"))

    for viewer in VIEWERS:
        seen = GAME.view(state, viewer)
        assert seen.hands == state.hands
        assert [slot.card for slot in seen.surplus] == [card("brown 4"), card("brown 7")]


def test_a_resampled_table_keeps_the_card_the_viewer_gave_in_the_partners_hand() -> None:
    state = dealt("henry", "rion")
    mine = state.hands[0][0]
    state = act(act(state, 0, Pass(mine)), 1, Pass(state.hands[1][0]))
    others = [GAME.resample(state, Seat(0), Rng(bytes([n]), 0)) for n in range(10)]

    assert all(mine in other.hands[1] for other in others)
    assert len({other.hands[1] for other in others}) > 1
    assert len({tuple(slot.card for slot in other.surplus) for other in others}) > 1
    assert all(_all_there(other) == _all_there(state) for other in others)


def test_for_a_spectator_any_card_may_have_changed_hands() -> None:
    state = dealt("henry", "rion")
    state = act(act(state, 0, Pass(state.hands[0][0])), 1, Pass(state.hands[1][0]))
    others = [GAME.resample(state, None, Rng(bytes([n]), 0)) for n in range(10)]

    assert len({other.gave for other in others}) > 1
    for other in others:
        assert other.gave is not None
        assert other.gave[0] in other.hands[1]
        assert other.gave[1] in other.hands[0]


def _all_there(state: State) -> list[str]:
    return sorted(map(repr, (*state.hands[0], *state.hands[1], *(slot.card for slot in state.surplus))))
