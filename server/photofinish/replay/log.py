"""The log of a game: all inputs in order. Each entry is hashed together with the hash before it; the key comes
from the seed.

The key stays secret until the seed is shown, so nobody can guess hidden moves from the hashes. The newest hash
(the head) is in every view, so nobody can change the log later without being noticed.
"""

import hmac
from typing import Any, TypeAlias

import msgspec

from photofinish.engine.rng import Draw, padded
from photofinish.race.evidence import Evidence, RaceRecord
from photofinish.race.version1 import Evidence1, RaceRecord1


class Dealt(msgspec.Struct, frozen=True, tag_field="e", tag="deal"):
    """The first entry: everything that is known before the deal."""

    game: str
    rules: int
    room: str
    number: int
    seats: int
    names: tuple[str, ...]
    options: dict[str, Any]
    nonces: tuple[str, ...]
    previous: tuple[int, ...]
    chance: tuple[Draw, ...] | None = None
    """Every draw of chance in the setup, in order. None in older logs, which do not contain the draws."""
    commits: tuple[str, ...] = ()
    """The hash that each seat published before the deal. Empty in older logs, which had no such hashes."""
    v: int = 0
    """Version of the entries of this log (`VERSION`). 0 in older logs, which do not contain it."""
    withheld: tuple[int, ...] = ()
    """Seats that committed to a nonce and did not reveal it. Their nonce is empty."""


class Step(msgspec.Struct, frozen=True, tag_field="e", tag="step", omit_defaults=True):
    """One input: a seat's move or an expired clock. `at` is in µs since the deal."""

    step: int
    at: int
    seat: int | None = None
    move: dict[str, Any] | None = None
    """The room writes the typed move itself, which has the same JSON."""
    timer: str | None = None
    chance: tuple[Draw, ...] = ()
    """Every draw of chance in this step, in order."""
    evidence: Evidence | None = None
    older: Evidence1 | None = None
    """The evidence as it is in a log of version 1. Never written."""


class Refusal(msgspec.Struct, frozen=True):
    """A move that its race released and that the rules refused, so it has no step of its own."""

    ticket: int
    after: int
    """The number of the step after which it was refused."""
    move: dict[str, Any]
    clause: str


class Raced(msgspec.Struct, frozen=True, tag_field="e", tag="race", omit_defaults=True):
    """A race closed."""

    at: int
    record: RaceRecord
    refused: tuple[Refusal, ...] | None = None
    """None in logs before version 3, which do not contain the refused moves."""
    reopened: bool = False
    """True: the room changed its owner during the race. The record has only what came after that."""
    older: RaceRecord1 | None = None
    """The record as it is in a log of version 1. Never written."""


class _Step1(msgspec.Struct, frozen=True, tag_field="e", tag="step"):
    """A step whose evidence has version 1."""

    step: int
    at: int
    evidence: Evidence1
    seat: int | None = None
    move: dict[str, Any] | None = None
    timer: str | None = None
    chance: tuple[Draw, ...] = ()

    def modern(self) -> Step:
        return Step(
            self.step,
            self.at,
            self.seat,
            self.move,
            self.timer,
            self.chance,
            self.evidence.modern(),
            self.evidence,
        )


class _Raced1(msgspec.Struct, frozen=True, tag_field="e", tag="race"):
    """A race whose record has version 1."""

    at: int
    record: RaceRecord1

    def modern(self) -> Raced:
        return Raced(self.at, self.record.modern(), older=self.record)


class Ended(msgspec.Struct, frozen=True, tag_field="e", tag="end"):
    winners: tuple[int, ...]
    why: str
    scores: tuple[int, ...]
    places: tuple[int, ...] = ()
    """The place of each seat (1, 1, 3). Empty in older logs."""


Entry: TypeAlias = Dealt | Step | Raced | Ended

VERSION = 4
"""Raise it when an older release would misread an entry. The first entry says it for the whole log.

2: a draw says the hand whose stream it is from (T74). 3: a race has the moves that the rules refused. 4: each race
begins with the normalisers that follow from the race before."""

HAS_REFUSALS = 3
"""From this version on, every race entry has `refused`."""

FOLLOWS = 4
"""From this version on, the normalisers and accounts of a race follow from the records before it."""

_encode = msgspec.json.Encoder().encode
_decoder = msgspec.json.Decoder(Entry)
_version1 = msgspec.json.Decoder(_Step1 | _Raced1)
HASH = 32
"""Bytes of a hash."""


def chain_key(seed: bytes) -> bytes:
    return hmac.digest(seed, b"photofinish log", "sha256")


def coin_key(seed: bytes) -> bytes:
    """The key of the coin that decides dead heats."""
    return hmac.digest(seed, b"photofinish coin", "sha256")


def link(key: bytes, head: bytes, body: bytes) -> bytes:
    """The hash of an entry that follows `head`."""
    return hmac.digest(key, head + body, "sha256")


class Chain(msgspec.Struct, frozen=True):
    """The hash chain of one game, for its writer.

    It computes `link` as `keyed_hash` would, and keeps the two hashes itself.
    """

    inner: Any
    outer: Any
    """Hashes of `hashlib`. Only copies of them are updated."""

    @classmethod
    def of(cls, seed: bytes) -> "Chain":
        return cls(*padded(chain_key(seed)))

    def __deepcopy__(self, _memo: Any) -> "Chain":
        return self

    def write(self, head: bytes, entry: Entry) -> tuple[bytes, bytes]:
        """The stored form of the entry (hash, then JSON), and the new head."""
        body = _encode(entry)
        inner, outer = self.inner.copy(), self.outer.copy()
        inner.update(head + body)
        outer.update(inner.digest())
        new = outer.digest()
        return new + body, new


def read(stored: bytes) -> tuple[bytes, bytes, Entry]:
    """Hash, body and entry of a stored entry."""
    body = stored[HASH:]
    return stored[:HASH], body, parse(body)


def parse(body: bytes | str) -> Entry:
    """Raises `msgspec.ValidationError`, also for a log of a newer release. Race records may have version 1."""
    try:
        entry: Entry = _decoder.decode(body)
    except msgspec.ValidationError as fault:
        try:
            older: _Step1 | _Raced1 = _version1.decode(body)
            return older.modern()
        except msgspec.ValidationError:
            raise fault from None
    if isinstance(entry, Dealt) and entry.v:
        if entry.v > VERSION:
            raise msgspec.ValidationError(f"log version {entry.v}; this release reads up to {VERSION}")
        fields = msgspec.json.decode(body, type=dict[str, msgspec.Raw])
        if missing := [name for name in Dealt.__struct_fields__ if name not in fields]:
            raise msgspec.ValidationError(f"the deal of a log of version {entry.v} has no {missing[0]}")
    return entry
