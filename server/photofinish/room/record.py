"""The stored room: everything that a new owner needs to continue in the middle of a hand."""

from typing import Any, Literal, TypeAlias

import msgspec

from photofinish.race.params import Standing
from photofinish.room.answers import Answers
from photofinish_protocol.messages import ABSENT_SECONDS

Phase: TypeAlias = Literal["lobby", "dealing", "playing", "over"]
"""`dealing`: the deal has started and the room waits for nonces. On the wire it is `playing` with `dealing`."""


class Chair(msgspec.Struct, omit_defaults=True):
    """A seat and its player. The seat number is the position in the list."""

    key: int
    """Does not change when empty chairs are removed. Tokens contain it."""
    kind: Literal["empty", "player", "bot"] = "empty"
    name: str = ""
    next_name: str = ""
    """The name from the moment when the rules allow a new name."""
    owner: str = ""
    """While a bot plays for a player who has left: that player's name. The token stays valid."""
    called: str = ""
    """The player's name as it was sent, before a number was added."""
    origin: bytes = b""
    """Hash of the player's address."""
    proved: bytes = b""
    """Hash of the public key that the player's connection had proved."""
    is_ready: bool = False
    commit: str = ""
    """Hash of the nonce that this player reveals when the deal starts."""
    nonce: bytes = b""
    """The nonce, once revealed."""
    token: bytes = b""
    """Hash of the token for this seat."""
    spare: bytes = b""
    """Hash of the next token, which is sent but not confirmed. Both are valid until it is used."""
    claim: bytes = b""
    """Hash of the request that got this seat, until the answer is known to have arrived."""
    strength: str = "medium"
    plays: Literal["house", "random"] = "house"
    wins: int = 0
    missed: int = 0
    is_autopilot: bool = False
    is_vacant: bool = False
    """Its player left during a game and can return with the token. Others can take it only with `substitutes`."""
    was_here: bool = False
    """Connected when the room was last stored. A reopened race waits for these seats."""
    seq: int = 0
    answers: Answers = msgspec.field(default_factory=Answers)
    standing: Standing | None = None
    player_key: str = ""
    """The public key that the player had proved when it sat down before a game. Its standing is kept under this key."""
    bound_key: str = ""
    """In a room of an event: the only public key that may sit here (T1)."""
    bound_name: str = ""
    """The name of that entrant."""

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
    """The nonce of each seat."""
    commits: list[str] = []
    """The hash that each seat published before the deal."""
    withheld: list[int] = []
    """Seats that committed to a nonce and did not reveal it."""
    elapsed: int = 0
    """µs since the deal."""
    left: dict[str, int] = {}
    """What is left of each clock, in µs."""
    tickets: int = 0
    """Number of tickets used so far. None may be used twice in a race, not even after a crash."""


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
    """Others may take seats whose players left during a game."""
    absent_seconds: int = ABSENT_SECONDS
    """After this absence in a running game autopilot takes the seat."""
    phase: Phase = "lobby"
    number: int = 0
    """Number of the game in this room, from 1."""
    running: RunningGame | None = None
    public_seq: int = 0
    next_key: int = 0
    previous: list[int] = []
    """Chair keys of the winners of the last game. Some rules use them."""
    referee: bytes = b""
    """Hash of the referee password."""
    kicked: list[bytes] = []
    """Marks of kicked players (`kicked.py`), who cannot return."""
    opener: bytes = b""
    """Hash of the address that opened the room. Empty if it is not known."""
    is_touched: bool = False
    """A person has made a move in this game."""
    v: int = 0
    """Version of this record (`VERSION`)."""
    event: str = ""
    """The event of this room. Its director deals, and nobody is host (T1)."""
    is_duplicate: bool = False
    """Other tables have the same seed: nonces are not used, and the seed stays hidden (T42, T43)."""
    races: dict[str, int] = {}
    """Race parameters that an event has fixed (T49)."""
    quarantine: str = ""
    """The error that stopped this room. Empty: none."""


VERSION = 3
"""Version of the record. Raise it when an older release would misread a record.

0: records without a version. 2: standings have a normaliser and an account instead of quota and flags. Older standings
are read as those of a new seat, with their ledgers. 3: kept acks have one byte each. Older ones are read."""


class Unreadable(Exception):  # noqa: N818 - a fact about what is stored
    """The record is damaged or of a newer release. It is not changed."""


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
