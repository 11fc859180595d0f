"""What a client sends becomes a typed move, or is refused before the rules are called."""

from typing import Any

import msgspec
import pytest

from photofinish.engine import Move, Rng, TableSetup, move_name, replace
from photofinish.engine.convert import BadMove, BadOptions, move, options, pack, plain, unpack_state
from tests.games.sample.game import MAGPIES, Bid, Keep, Magpie, Ref, Slap, Swap


def nested(depth: int) -> Any:
    value: Any = 0
    for _ in range(depth):
        value = [value]
    return value


@pytest.mark.parametrize(
    "sent",
    [
        None,
        [],
        "slap",
        {"t": "slap"},
        {"t": "slap", "seat": 0, "slot": 1},
        {"t": "slap", "seat": 0, "slot": 1, "mark": 2, "extra": 3},
        {"t": "slap", "seat": "0", "slot": 1, "mark": 2},
        {"t": "slap", "seat": 0.5, "slot": 1, "mark": 2},
        {"t": "slap", "seat": True, "slot": 1, "mark": 2},
        {"t": "slap", "seat": -1, "slot": 1, "mark": 2},
        {"t": "slap", "seat": 10**30, "slot": 1, "mark": 2},
        {"t": "slap", "seat": None, "slot": 1, "mark": 2},
        {"t": "slap", "seat": nested(100_000), "slot": 1, "mark": 2},
        {"t": "Slap", "seat": 0, "slot": 1, "mark": 2},
        {"t": ["slap"], "seat": 0, "slot": 1, "mark": 2},
        {"t": "swap", "a": {"seat": 0, "slot": 0, "mark": 0}},
        {"t": "swap", "a": {"seat": 0, "slot": 0, "mark": 0}, "b": {"seat": 0, "slot": 0, "mark": 0, "x": 1}},
        {"t": "swap", "a": nested(3000), "b": nested(3000)},
        {"t": "sell", "cards": [0] * 9},
        {"t": "sell", "cards": {"0": 1}},
        {"t": "bid", "gems": {"green": 1}},
        {"t": "bid", "gems": {"red": 3}},
        {"t": "bid", "gems": [["red", 1]]},
    ],
)
def test_a_message_that_is_not_a_move_is_refused_with_the_reason(sent: Any) -> None:
    with pytest.raises(BadMove) as refusal:
        move(MAGPIES, sent)

    assert str(refusal.value)


def test_a_move_arrives_as_it_was_sent() -> None:
    sent = {"t": "swap", "a": {"seat": 0, "slot": 1, "mark": 2}, "b": {"seat": 1, "slot": 0, "mark": 7}}

    assert move(MAGPIES, sent) == Swap(Ref(0, 1, 2), Ref(1, 0, 7))
    assert plain(Swap(Ref(0, 1, 2), Ref(1, 0, 7))) == sent
    assert move(MAGPIES, {"t": "keep"}) == Keep()
    assert move(MAGPIES, {"t": "bid", "gems": {}}) == Bid({})


def test_a_moves_name_is_its_class_in_small_letters() -> None:
    class PeekMine(Move, frozen=True):
        slot: int

    class K9Bark(Move, frozen=True):
        pass

    assert move_name(PeekMine) == "peek_mine"
    assert move_name(PeekMine(1)) == "peek_mine"
    assert move_name(K9Bark) == "k9_bark"


@pytest.mark.parametrize(
    "sent",
    [
        None,
        [],
        {"rounds": 0},
        {"rounds": 5},
        {"rounds": "2"},
        {"mood": "sad"},
        {"quiet": 1},
        {"colour": "red"},
    ],
)
def test_options_out_of_bounds_are_refused(sent: Any) -> None:
    with pytest.raises(BadOptions):
        options(MAGPIES, sent)


def test_options_left_out_have_their_defaults() -> None:
    assert options(MAGPIES, {"mood": "wild"}) == Magpie(mood="wild")


def test_a_state_is_the_same_after_packing_and_unpacking() -> None:
    state = MAGPIES.setup(TableSetup(3, Magpie()), Rng(b"deal", 0))

    assert unpack_state(MAGPIES, pack(state)) == state
    with pytest.raises(msgspec.ValidationError):
        unpack_state(MAGPIES, pack({"phase": "look"}))


def test_records_and_moves_cannot_be_changed_in_place() -> None:
    slap = Slap(0, 1, 2)
    with pytest.raises(AttributeError):
        slap.mark = 3  # type: ignore[misc]  # what must not work

    assert replace(slap, mark=3) == Slap(0, 1, 3)
