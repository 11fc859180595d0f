"""Commit, then reveal: what each seat adds to the shuffle (FAIRNESS.md).

`ready` publishes the hash of a nonce. When the deal starts the table is fixed, everybody sees all hashes, and only
then the nonces follow. A seat that does not reveal in time is left out, and the log names it.
"""

from typing import NamedTuple

from photofinish.engine import Micros
from photofinish.engine.rng import nonce_commit
from photofinish.room.record import Chair, RoomRecord
from photofinish.room.seats.lobby import RequestRefusal
from photofinish_protocol import messages
from photofinish_protocol.reasons import Reason
from photofinish_protocol.version import REVEAL_SECONDS

PATIENCE = Micros(REVEAL_SECONDS * 1_000_000)
"""How long the deal waits for the nonces. The wait starts again after an adoption."""


class Nonces(NamedTuple):
    """What goes into the shuffle and into the log, by seat."""

    nonces: list[bytes]
    commits: list[str]
    withheld: list[int]


def promise(chair: Chair, ready: messages.Ready) -> None:
    """`ready`: keep the hash. A nonce sent in clear is committed to and revealed at once. Raises `RequestRefusal`."""
    if ready.nonce and ready.commit:
        raise RequestRefusal(
            Reason.BAD_MESSAGE, "Send the hash of a nonce (`commit`) or the nonce itself, not both."
        )
    chair.is_ready = ready.ready
    chair.nonce = bytes.fromhex(ready.nonce)
    chair.commit = nonce_commit(chair.nonce) if chair.nonce else ready.commit


def reveal(record: RoomRecord, chair: Chair, nonce: bytes) -> None:
    """A nonce arrives. Raises `RequestRefusal`; a wrong one may be followed by the right one."""
    if record.phase != "dealing":
        raise RequestRefusal(Reason.NOT_STARTED if record.phase == "lobby" else Reason.ALREADY_STARTED)
    if not chair.commit or nonce_commit(nonce) != chair.commit:
        raise RequestRefusal(Reason.WRONG_REVEAL)
    chair.nonce = nonce


def awaited(record: RoomRecord) -> list[int]:
    """The seats whose nonces the deal still waits for. Nobody waits for a player who has left."""
    if record.phase != "dealing":
        return []
    return [seat for seat, chair in enumerate(record.chairs) if _is_owed(chair) and not chair.is_vacant]


def collect(record: RoomRecord) -> Nonces:
    chairs = record.chairs
    withheld = [seat for seat, chair in enumerate(chairs) if _is_owed(chair)]
    return Nonces([chair.nonce for chair in chairs], [chair.commit for chair in chairs], withheld)


def _is_owed(chair: Chair) -> bool:
    return bool(chair.commit) and not chair.nonce
