"""A message to many sockets is encoded once."""

import json

import msgspec

from photofinish.gateway.sockets.shared_frames import SharedFrames
from photofinish_protocol import messages
from photofinish_protocol.codec import CODECS
from photofinish_protocol.publish.examples import EXAMPLES
from photofinish_protocol.version import JSON


def test_a_view_is_encoded_once_for_all_watchers_who_saw_the_one_before() -> None:
    shared = SharedFrames(CODECS[JSON])
    view = msgspec.structs.replace(_view(), seq=8)

    assert shared.view(view, 7) is shared.view(view, 7)
    assert json.loads(shared.view(view, 7))["from"] == 7
    assert json.loads(shared.view(view, 3))["from"] == 3


def _view() -> messages.View:
    """A public view, from the protocol's examples."""
    return next(
        it.message for it in EXAMPLES if isinstance(it.message, messages.View) and it.message.you is None
    )


def test_each_message_is_encoded_once() -> None:
    shared = SharedFrames(CODECS[JSON])
    one, other = messages.Said(seat=0, name="Ada", text="one"), messages.Said(seat=0, name="Ada", text="two")

    assert shared.message(one) is shared.message(one)
    assert json.loads(shared.message(other))["text"] == "two"


def test_the_view_of_a_seat_is_never_shared() -> None:
    shared = SharedFrames(CODECS[JSON])
    own = msgspec.structs.replace(_view(), you=1, seq=8)

    assert json.loads(shared.view(own, 7))["you"] == 1
    assert shared.view(own, 7) is not shared.view(own, 7)
