"""Players who were kicked from a room and cannot come back.

There are no accounts. Such a player is known again by connection, by a token of the seat, by name, by the key that the
connection had proved, and by an address that nobody else at the table has.
"""

import hashlib

from photofinish.room.facts import Joined, Looked, SessionId
from photofinish.room.record import Chair, RoomRecord
from photofinish.room.seats import tokens
from photofinish.room.seats.lobby import RequestRefusal
from photofinish.room.seats.talk import folded
from photofinish_protocol.reasons import Reason

MOST = 256
"""Most marks that a room keeps; the oldest are dropped first."""


def origin_of(record: RoomRecord, address: str) -> bytes:
    """A hash of the address that is different in every room."""
    return _mark(record, "address", address) if address else b""


def proof_of(record: RoomRecord, key: str) -> bytes:
    """A hash of the proved public key that is different in every room."""
    return _mark(record, "key", key) if key else b""


def ban(record: RoomRecord, chair: Chair, session: SessionId | None) -> None:
    """Ban this player. An address that another player at the table shares is not banned."""
    marks = [_mark(record, "name", folded(chair.called or chair.name))]
    if session is not None:
        marks.append(_mark(record, "session", session))
    if chair.proved:
        marks.append(chair.proved)
    marks += [_mark(record, "token", it.hex()) for it in (chair.token, chair.spare) if it]
    others = [it for it in record.chairs if it is not chair and it.kind == "player"]
    if chair.origin and all(it.origin != chair.origin for it in others):
        marks.append(chair.origin)
    _keep(record, marks)


def note_token(record: RoomRecord, session: SessionId, token: str) -> bool:
    """Ban a connection that shows a token of a banned player. False: it is not such a token."""
    if _mark(record, "token", tokens.digest(token).hex()) not in record.kicked:
        return False
    _keep(record, [_mark(record, "session", session)])
    return True


def check(record: RoomRecord, fact: Joined | Looked) -> None:
    """Raises `RequestRefusal` for a banned player."""
    origin, proved = origin_of(record, fact.address), proof_of(record, fact.key)
    if is_banned(record, fact.session, fact.name, origin, proved):
        raise RequestRefusal(Reason.KICKED)


def is_banned(record: RoomRecord, session: SessionId, name: str, origin: bytes, proved: bytes) -> bool:
    if not record.kicked:
        return False
    marks = {_mark(record, "name", folded(name)), _mark(record, "session", session), origin, proved}
    return bool(marks & set(record.kicked))


def _keep(record: RoomRecord, marks: list[bytes]) -> None:
    record.kicked = [it for it in record.kicked if it not in marks][-MOST:] + marks


def _mark(record: RoomRecord, kind: str, value: str) -> bytes:
    return hashlib.sha256(f"{record.code} {kind} {value}".encode("utf-8", "replace")).digest()[:16]
