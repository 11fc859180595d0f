"""What a client sends, except for events (`event_messages.py`)."""

from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta

from photofinish_protocol.parts import ABSENT_SECONDS, AbsentSeconds, Code, Request, SeatNo, Token, Word
from photofinish_protocol.patterns import whole
from photofinish_protocol.version import MAX_CHAT, MAX_ID, MAX_NONCE, MIN_NONCE


class Hello(Request, frozen=True, kw_only=True):
    """Must come first, within five seconds. With a `token`: resume a seat; `seq` is the last view that you saw."""

    v: int
    name: Annotated[str, Meta(max_length=64)] = ""
    client: Annotated[str, Meta(max_length=64)] = ""
    token: Token | None = None
    seq: Annotated[int, Meta(ge=0, le=MAX_ID)] = 0
    client_key: Annotated[str, whole("([!-~]{16,64})?", max_length=64)] = ""
    """A random word of your own. With it a `create` or `join` whose answer was lost may be sent again, by its `id`."""


class Games(Request, frozen=True, kw_only=True):
    """List the games of this server, with the schemas of their options and moves."""


class Rooms(Request, frozen=True, kw_only=True):
    """List open rooms, of one game or of all, one page at a time."""

    game: Word | None = None
    limit: Annotated[int, Meta(ge=1, le=200)] = 100
    skip: Annotated[int, Meta(ge=0, le=1_000_000)] = 0


class Create(Request, frozen=True, kw_only=True):
    """Open a room and sit down in its seat 0 as its host."""

    game: Word
    seats: SeatNo | None = None
    options: dict[str, Any] = msgspec.field(default_factory=dict)
    private: bool = False
    spectator_delay: Annotated[int, Meta(ge=0, le=600)] = 0
    max_ping_ms: Annotated[int, Meta(ge=0, le=1000)] = 0
    absent_seconds: AbsentSeconds = ABSENT_SECONDS
    """Autopilot takes the seat of a player who is away for this long in a running game."""
    referee: Token = ""
    """A word of your choice. Anybody who watches with it sees the full record of every race at once."""
    substitutes: bool = False
    """In a running game anybody may take a seat whose player has left. Shown to all before the deal."""


class Join(Request, frozen=True, kw_only=True):
    """Sit down: in that seat, or in the first free one."""

    room: Code
    seat: SeatNo | None = None


class Watch(Request, frozen=True, kw_only=True):
    """Watch a room. With the host's `referee` password: as the table's referee.

    At a table of an event its officials are referees by their key. `seat`: see what this seat sees. Only for a referee
    to whom an organiser has opened the hands of this table (`open_hands`).
    """

    room: Code
    referee: Token = ""
    seat: Annotated[int, Meta(ge=0, le=15)] | None = None


class Leave(Request, frozen=True, kw_only=True):
    """Give up the seat, or stop watching. In a running game the token still resumes the seat."""


class Ready(Request, frozen=True, kw_only=True):
    """Say that you are (not) ready. `commit` is the hash of a nonce that you will `reveal` for the shuffle.

    `nonce` gives the nonce itself (hex). It is for clients that cannot hash: the server knows it before the deal.
    """

    ready: bool = True
    nonce: Annotated[str, whole("([0-9a-f]{2})*", max_length=MAX_NONCE)] = ""
    commit: Annotated[str, whole("([0-9a-f]{64})?")] = ""


class Reveal(Request, frozen=True, kw_only=True):
    """After `start`: the nonce (hex) whose hash your `ready` carried. Send it when `room.dealing` names your seat."""

    nonce: Annotated[str, whole("([0-9a-f]{2})*", min_length=MIN_NONCE, max_length=MAX_NONCE)]


class Bot(Request, frozen=True, kw_only=True):
    """Host: put a house bot into that seat, or into the first free one."""

    seat: SeatNo | None = None
    player: Literal["house", "random"] = "house"
    strength: Literal["easy", "medium", "strong"] = "medium"


class Remove(Request, frozen=True, kw_only=True):
    """Host: remove a bot."""

    seat: SeatNo


class Kick(Request, frozen=True, kw_only=True):
    """Host: remove a player, who cannot come back to this room."""

    seat: SeatNo


class Host(Request, frozen=True, kw_only=True):
    """Host: hand the room over to the player in that seat."""

    seat: SeatNo


class Configure(Request, frozen=True, kw_only=True):
    """Host, before the game starts: other options. What is left out stays as it is."""

    options: dict[str, Any] | None = None
    absent_seconds: AbsentSeconds | None = None


class Start(Request, frozen=True, kw_only=True):
    """Host: deal. All players must be ready. Empty seats are removed. The server waits five seconds for nonces."""


class Rematch(Request, frozen=True, kw_only=True):
    """Host, after the game: back to the lobby with the same players and a new seed."""


class Play(Request, frozen=True, kw_only=True):
    """Make a move. In a race, `race` is the nonce of the view that showed it, and `react_us` may tell how long
    the hand took, from drawing that view to the input event.
    """  # fmt: skip

    move: dict[str, Any]
    race: Annotated[str, Meta(max_length=32)] | None = None
    react_us: Annotated[int, Meta(ge=0, le=60_000_000)] | None = None


class Chat(Request, frozen=True, kw_only=True):
    # Not checked by type: the room refuses with `bad_text`, which says what is wrong.
    text: Annotated[str, Meta(extra_json_schema={"minLength": 1, "maxLength": MAX_CHAT})]


class Emote(Request, frozen=True, kw_only=True):
    emote: Word


class Ping(Request, frozen=True, kw_only=True):
    """Answered by a `pong` with the same `at`."""

    at: Annotated[int, Meta(ge=-MAX_ID, le=MAX_ID)] = 0
