"""The log of a game: what happened, in order, each entry hashed onto the one before with a key from the seed.

The key stays secret until the seed is shown, so hidden moves cannot be guessed from the hashes; the newest hash
(the head) is in every view, so the log cannot be rewritten later.
"""

import hmac
from typing import Any, TypeAlias

import msgspec

from photofinish.engine.rng import Draw
from photofinish.race.evidence import Evidence, RaceRecord


class Dealt(msgspec.Struct, frozen=True, tag_field="e", tag="deal"):
    """The first entry: everything that was settled before the deal."""

    game: str
    rules: int
    room: str
    number: int
    seats: int
    names: tuple[str, ...]
    options: dict[str, Any]
    nonces: tuple[str, ...]
    previous: tuple[int, ...]
    chance: tuple[Draw, ...]
    """Every draw of chance in the setup, in order."""
    commits: tuple[str, ...] = ()
    """What each seat had published before the deal; empty in logs from before nonces were committed to."""
    withheld: tuple[int, ...] = ()
    """Seats that committed to a nonce and did not reveal it: their nonce is the empty one."""


class Step(msgspec.Struct, frozen=True, tag_field="e", tag="step", omit_defaults=True):
    """One input. Either a seat's move or a clock that ran out. `at` is µs since the deal."""

    step: int
    at: int
    seat: int | None = None
    move: dict[str, Any] | None = None
    timer: str | None = None
    chance: tuple[Draw, ...] = ()
    """Every draw of chance in this step, in order."""
    evidence: Evidence | None = None


class Raced(msgspec.Struct, frozen=True, tag_field="e", tag="race"):
    """A race closed."""

    at: int
    record: RaceRecord


class Ended(msgspec.Struct, frozen=True, tag_field="e", tag="end"):
    winners: tuple[int, ...]
    why: str
    scores: tuple[int, ...]
    places: tuple[int, ...] = ()
    """The place of each seat (1, 1, 3). Empty in logs written before places were told."""


Entry: TypeAlias = Dealt | Step | Raced | Ended

_encode = msgspec.json.Encoder().encode
_decoder = msgspec.json.Decoder(Entry)
HASH = 32


def chain_key(seed: bytes) -> bytes:
    return hmac.digest(seed, b"photofinish log", "sha256")


def coin_key(seed: bytes) -> bytes:
    """What tosses dead heats."""
    return hmac.digest(seed, b"photofinish coin", "sha256")


def link(key: bytes, head: bytes, body: bytes) -> bytes:
    """The hash of an entry that follows `head`."""
    return hmac.digest(key, head + body, "sha256")


def write(key: bytes, head: bytes, entry: Entry) -> tuple[bytes, bytes]:
    """The entry as it is stored (hash, then JSON), and the new head."""
    body = _encode(entry)
    new = link(key, head, body)
    return new + body, new


def read(stored: bytes) -> tuple[bytes, bytes, Entry]:
    """Hash, body and entry of a stored entry."""
    body = stored[HASH:]
    return stored[:HASH], body, _decoder.decode(body)


def parse(body: bytes | str) -> Entry:
    entry: Entry = _decoder.decode(body)
    return entry
