"""The two numbers that are kept of the races of a player with a key, for its next room (`protocol/RACES.md`)."""

import msgspec

from photofinish.engine import Micros
from photofinish.race.params import Standing
from photofinish.room.record import RoomRecord

VERSION = 1
"""Raise it when an older release would misread what is kept."""


class _Kept(msgspec.Struct, array_like=True):
    v: int
    screen: int
    unproven: int


_decoder = msgspec.msgpack.Decoder(_Kept)


def pack(standing: Standing) -> bytes:
    """At most 12 bytes. The ledger is not kept: it describes the games of one room."""
    return msgspec.msgpack.encode(_Kept(VERSION, standing.screen, standing.unproven))


def unpack(raw: bytes) -> Standing | None:
    """None if nothing was kept, or if a newer release wrote it: then the seat starts like a new one."""
    try:
        kept = _decoder.decode(raw)
    except msgspec.DecodeError:
        return None
    return Standing(Micros(kept.screen), Micros(kept.unproven)) if kept.v == VERSION else None


def kept_of(record: RoomRecord) -> dict[str, bytes]:
    """What to keep when a game ends, by public key. Of a player's two seats the one with less left to gain counts."""
    by_screen = sorted(
        (it.standing.screen, it.player_key, pack(it.standing))
        for it in record.chairs
        if it.player_key and it.kind == "player" and it.standing is not None
    )
    return {key: raw for _screen, key, raw in by_screen}
