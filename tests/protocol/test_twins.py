"""The engine's offers and events are sent as the types of the wire: both must have the same fields."""

from typing import Any

import msgspec
import pytest

from photofinish.engine import Seat
from photofinish.engine import events as engine_last
from photofinish.engine import offers as engine
from photofinish_protocol import messages, offers

PAIRS = [
    (engine.OneOf, offers.OneOf),
    (engine.SomeOf, offers.SomeOf),
    (engine.Amounts, offers.Amounts),
    (engine.Offer, offers.Offer),
    (engine_last.Happened, messages.Happened),
]
KEPT_BACK = {"only"}
"""The seat that an event is for. `events_for` removes it before the event is sent."""


def shape(kind: Any) -> dict[str, Any]:
    return {it.encode_name: (it.default, it.required) for it in msgspec.structs.fields(kind)}


@pytest.mark.parametrize(("inner", "outer"), PAIRS, ids=lambda kind: kind.__name__)
def test_the_types_of_engine_and_wire_have_the_same_fields(inner: Any, outer: Any) -> None:
    kept_back = KEPT_BACK if outer is messages.Happened else set()
    fields = {name: it for name, it in shape(inner).items() if name not in kept_back}

    assert fields == shape(outer)
    assert list(fields) == [name for name in shape(inner) if name not in kept_back]
    assert inner.__struct_config__.tag == outer.__struct_config__.tag
    assert inner.__struct_config__.tag_field == outer.__struct_config__.tag_field
    assert inner.__struct_config__.omit_defaults
    assert outer.__struct_config__.omit_defaults


def test_an_offer_of_every_kind_arrives_as_it_was_made() -> None:
    made = (
        engine.Offer(
            "pay",
            (
                engine.OneOf(("a", "b"), ((1, "x"), (2, "y")), optional=True),
                engine.SomeOf("cards", (1, 2, 3), 1, 2, (4, 5, 6), (9,), 3),
                engine.Amounts("gems", {"red": 2}, 1, 2),
            ),
            "different_values",
            "Pay",
        ),
    )

    arrived = msgspec.msgpack.decode(msgspec.msgpack.encode(made), type=tuple[offers.Offer, ...])

    assert msgspec.to_builtins(arrived) == msgspec.to_builtins(made)


def test_an_event_for_one_seat_is_sent_to_that_seat_without_the_private_field() -> None:
    happened = engine_last.Happened("peeked", Seat(1), "You peeked.", {"slot": 1}, only=Seat(1))

    (event,) = engine_last.events_for((happened,), Seat(1))

    assert "only" not in msgspec.to_builtins(event)
    assert engine_last.events_for((happened,), Seat(0)) == ()
