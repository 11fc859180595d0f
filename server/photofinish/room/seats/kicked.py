"""Who was sent away from a room and cannot come back.

There are no accounts: such a player is known again by connection, by name and by address.
"""

import hashlib

from photofinish.room.facts import Joined, Looked, SessionId
from photofinish.room.record import Chair, RoomRecord
from photofinish.room.seats.lobby import No
from photofinish.room.seats.talk import folded
from photofinish_protocol.reasons import Reason

MOST = 256
"""Most marks that a room keeps; the oldest are dropped first."""


def origin_of(record: RoomRecord, address: str) -> bytes:
    """A hash of the address that is different in every room."""
    return _mark(record, "address", address) if address else b""


def ban(record: RoomRecord, chair: Chair, session: SessionId | None) -> None:
    """Ban this player. An address that another player at the table shares is not banned."""
    marks = [_mark(record, "name", folded(chair.called or chair.name))]
    if session is not None:
        marks.append(_mark(record, "session", session))
    others = [it for it in record.chairs if it is not chair and it.kind == "player"]
    if chair.origin and all(it.origin != chair.origin for it in others):
        marks.append(chair.origin)
    record.kicked = [it for it in record.kicked if it not in marks][-MOST:] + marks


def check(record: RoomRecord, fact: Joined | Looked) -> None:
    """Raises `No` for a banned player."""
    if is_banned(record, fact.session, fact.name, origin_of(record, fact.address)):
        raise No(Reason.KICKED)


def is_banned(record: RoomRecord, session: SessionId, name: str, origin: bytes) -> bool:
    if not record.kicked:
        return False
    marks = {_mark(record, "name", folded(name)), _mark(record, "session", session), origin}
    return bool(marks & set(record.kicked))


def _mark(record: RoomRecord, kind: str, value: str) -> bytes:
    return hashlib.sha256(f"{record.code} {kind} {value}".encode("utf-8", "replace")).digest()[:16]
