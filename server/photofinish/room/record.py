"""What is stored of a room: everything a new owner needs to go on in the middle of a hand."""

from typing import Any, Literal, TypeAlias

import msgspec

from photofinish.race.params import Standing
from photofinish.room.answers import Answers
from photofinish_protocol.messages import ABSENT_SECONDS

Phase: TypeAlias = Literal["lobby", "dealing", "playing", "over"]
"""`dealing`: the deal is called, the nonces are awaited. On the wire that is `playing` with `dealing`."""


class Chair(msgspec.Struct, omit_defaults=True):
    """A seat of the room and whoever sits in it. Its number is its place in the list."""

    key: int
    """Stays the same when empty chairs are closed up; tokens name it."""
    kind: Literal["empty", "player", "bot"] = "empty"
    name: str = ""
    next_name: str = ""
    """What it is called as soon as the rules let a seat change its name again."""
    owner: str = ""
    """While a bot plays on for a player who has left: that player's name. The token stays good."""
    called: str = ""
    """The player's name as it was sent, before it was told apart from the others."""
    origin: bytes = b""
    """Hash of the player's address."""
    is_ready: bool = False
    commit: str = ""
    """Hash of the nonce this player will reveal when the deal is called."""
    nonce: bytes = b""
    """The nonce, once revealed."""
    token: bytes = b""
    """Hash of the token that takes this seat up again."""
    spare: bytes = b""
    """Hash of the next token, sent but not yet known to have arrived. Either is good until it has."""
    claim: bytes = b""
    """Hash of the claim that this seat was given to, until it is known that the answer has arrived."""
    strength: str = "medium"
    plays: Literal["house", "random"] = "house"
    wins: int = 0
    missed: int = 0
    is_autopilot: bool = False
    is_vacant: bool = False
    """Its player left in the middle of a game. The token takes it up again; a stranger only with `substitutes`."""
    was_here: bool = False
    """Connected when the room was last stored: whom a reopened race waits for."""
    seq: int = 0
    answers: Answers = msgspec.field(default_factory=Answers)
    standing: Standing | None = None
    bound_key: str = ""
    """In a room of an event: the only public key that may sit here (T1)."""
    bound_name: str = ""
    """What that entrant is called."""

    @property
    def is_empty(self) -> bool:
        return self.kind == "empty"


class RunningGame(msgspec.Struct, omit_defaults=True):
    """The game on the table."""

    state: bytes
    step: int
    key: bytes
    head: bytes
    nonces: list[bytes]
    """What each seat added to the shuffle."""
    commits: list[str] = []
    """What each seat had published before the deal."""
    withheld: list[int] = []
    """Seats that committed to a nonce and did not reveal it."""
    elapsed: int = 0
    """µs since the deal."""
    left: dict[str, int] = {}
    """What is left of each clock, in µs."""
    tickets: int = 0
    """Given out so far: one that was used before a crash must not come up again in the same race."""


class RoomRecord(msgspec.Struct, omit_defaults=True):
    """The whole room."""

    code: str
    game: str
    rules: int
    options: dict[str, Any]
    capacity: int
    host: int
    """Key of the host's chair."""
    seed: bytes
    chairs: list[Chair]
    private: bool = False
    spectator_delay: int = 0
    max_ping_ms: int = 0
    substitutes: bool = False
    """Strangers may take over seats whose players left in the middle of a game."""
    absent_seconds: int = ABSENT_SECONDS
    """A player who is gone for so long in a running game leaves the seat to autopilot."""
    phase: Phase = "lobby"
    number: int = 0
    """Which game at this table."""
    running: RunningGame | None = None
    public_seq: int = 0
    next_key: int = 0
    previous: list[int] = []
    """Chair keys of those who won the last game, for rules that care."""
    referee: bytes = b""
    """Hash of the word that makes a spectator a referee."""
    kicked: list[bytes] = []
    """Marks of those who were sent away (`kicked.py`): they cannot come back."""
    opener: bytes = b""
    """Marks the address that opened the room (a hash); empty if it is not known."""
    is_touched: bool = False
    """A person has made a move in this game."""
    v: int = 0
    """Version of this record (`VERSION`)."""
    event: str = ""
    """The event this room belongs to: its director deals, nobody is host (T1)."""
    is_duplicate: bool = False
    """Its seed is that of other tables too: nonces are not used, and the seed stays hidden (T42, T43)."""
    races: dict[str, int] = {}
    """Race parameters that an event has pinned (T49)."""
    quarantine: str = ""
    """Why this room stands still. Empty: it does not."""


VERSION = 2
"""Of what is stored of a room. Raise it when an older release would misread a record.

0: before it was written. 2: standings have a normaliser and an account in place of quota and flags; older ones are
read as those of newcomers, with their ledgers."""


class Unreadable(Exception):  # noqa: N818 - a fact about what is stored
    """Stored by a newer release, or damaged. It is left as it is."""


class _Head(msgspec.Struct):
    v: int = 0


_encoder = msgspec.msgpack.Encoder()
_decoder = msgspec.msgpack.Decoder(RoomRecord)
_head = msgspec.msgpack.Decoder(_Head)


def pack(record: RoomRecord) -> bytes:
    record.v = VERSION
    return _encoder.encode(record)


def unpack(raw: bytes) -> RoomRecord:
    """Raises `Unreadable`."""
    try:
        version = _head.decode(raw).v
        if version > VERSION:
            raise Unreadable(f"version {version}; this release reads up to {VERSION}")
        return _decoder.decode(raw)
    except (msgspec.DecodeError, UnicodeDecodeError) as fault:  # a ValidationError is a DecodeError
        raise Unreadable(f"not a room: {fault}") from fault
