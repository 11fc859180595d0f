"""Checks a `hello` and makes the `welcome`."""

from photofinish.room.seats.talk import name_of
from photofinish_protocol import messages
from photofinish_protocol.limits import LIMITS
from photofinish_protocol.reasons import Reason
from photofinish_protocol.version import MAX_NAME, VERSION


def fault(hello: messages.Hello) -> Reason | None:
    """Why this hello is refused; None if it is not. With a token the name comes from the seat."""
    if hello.v != VERSION:
        return Reason.BAD_VERSION
    if not 1 <= len(name_of(hello.name)) <= MAX_NAME and hello.token is None:
        return Reason.BAD_NAME
    return None


def welcome(
    hello: messages.Hello, name: str, challenge: str, resumed: messages.Seated | None
) -> messages.Welcome:
    """The answer to `hello`. `resumed`: the seat that its token gave back, as the room says.

    The room acks a return to a seat as it acks a `join`. It does not know the limits and the challenge of the
    connection, which may be on another node; so the welcome is made here, and only here.
    """
    return messages.Welcome(
        id=hello.id,
        v=VERSION,
        name=name,
        limits=LIMITS,
        next_id=max(hello.id + 1, resumed.next_id if resumed is not None else 0),
        server="photofinish",
        resumed=resumed,
        challenge=challenge,
    )
