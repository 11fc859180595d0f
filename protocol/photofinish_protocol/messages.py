"""Every message of the wire, as types. Unknown fields are ignored; unknown types are refused by name."""

from typing import Annotated, Any, Literal, TypeAlias

import msgspec
from msgspec import Meta

from photofinish_protocol.event_messages import (
    Admit,
    Appoint,
    Called,
    CheckIn,
    Correct,
    Enter,
    EventAsk,
    EventBots,
    EventCreate,
    EventDo,
    EventEdit,
    EventGot,
    EventNews,
    Extend,
    Follow,
    Forfeit,
    Identify,
    MarkRace,
    OpenHands,
    PartRows,
    Rebind,
    RemoveEntrant,
    Rest,
    Rule,
    Sit,
    Unfollow,
    Withdraw,
)  # fmt: skip
from photofinish_protocol.offers import Offer
from photofinish_protocol.parts import (
    ABSENT_SECONDS,
    AbsentSeconds,
    Ask,
    Code,
    Id,
    Part,
    Say,
    SeatNo,
    Token,
    Us,
    Word,
)  # fmt: skip
from photofinish_protocol.patterns import whole
from photofinish_protocol.reasons import Reason
from photofinish_protocol.version import MAX_CHAT, MAX_ID, MAX_NONCE, MIN_NONCE

__all__ = [
    "ABSENT_SECONDS", "AbsentSeconds", "Admit", "Appoint", "Ask", "Called", "CheckIn", "Code", "Correct",
    "Enter", "EventAsk", "EventBots", "EventCreate", "EventDo", "EventEdit", "EventGot", "EventNews",
    "Extend", "Follow", "Forfeit", "Id", "Identify", "MarkRace", "OpenHands", "Part", "PartRows", "Rebind",
    "RemoveEntrant", "Rest", "Rule", "Say", "SeatNo", "Sit", "Token", "Unfollow", "Us", "Withdraw", "Word",
]  # fmt: skip
"""Defined elsewhere, and part of this module's names."""


class Hello(Ask, frozen=True, kw_only=True):
    """Must come first, within five seconds. With a `token`: take up a seat again, having seen view `seq`."""

    v: int
    name: Annotated[str, Meta(max_length=64)] = ""
    client: Annotated[str, Meta(max_length=64)] = ""
    token: Token | None = None
    seq: Annotated[int, Meta(ge=0, le=MAX_ID)] = 0
    client_key: Annotated[str, whole("([!-~]{16,64})?", max_length=64)] = ""
    """A random word of your own. With it a `create` or `join` whose answer was lost may be sent again, by its `id`."""


class Games(Ask, frozen=True, kw_only=True):
    """Which games are on the shelf, with the schemas of their options and moves."""


class Rooms(Ask, frozen=True, kw_only=True):
    """Which open rooms are there, of one game or of all: a page of them."""

    game: Word | None = None
    limit: Annotated[int, Meta(ge=1, le=200)] = 100
    skip: Annotated[int, Meta(ge=0, le=1_000_000)] = 0


class Create(Ask, frozen=True, kw_only=True):
    """Open a room and sit down in its seat 0 as its host."""

    game: Word
    seats: SeatNo | None = None
    options: dict[str, Any] = msgspec.field(default_factory=dict)
    private: bool = False
    spectator_delay: Annotated[int, Meta(ge=0, le=600)] = 0
    max_ping_ms: Annotated[int, Meta(ge=0, le=1000)] = 0
    absent_seconds: AbsentSeconds = ABSENT_SECONDS
    """A player who is gone for so long in a running game leaves the seat to autopilot."""
    referee: Token = ""
    """A word of your choice: who watches with it sees the full record of every race at once."""
    substitutes: bool = False
    """In a running game anybody may take a seat whose player has left. Shown to all before the deal."""


class Join(Ask, frozen=True, kw_only=True):
    """Sit down: in that seat, or in the first free one."""

    room: Code
    seat: SeatNo | None = None


class Watch(Ask, frozen=True, kw_only=True):
    """Look on. With the host's `referee` word: as the table's referee.

    At a table of an event its officials are referees by their key. `seat`: see what this seat sees. Only for a referee
    to whom an organiser has opened the hands of this table (`open_hands`).
    """

    room: Code
    referee: Token = ""
    seat: Annotated[int, Meta(ge=0, le=15)] | None = None


class Leave(Ask, frozen=True, kw_only=True):
    """Give up the seat, or stop watching. In a running game the token still takes up the seat again."""


class Ready(Ask, frozen=True, kw_only=True):
    """Say that you are (not) ready. `commit` is the hash of a nonce that you will `reveal` for the shuffle.

    `nonce` gives the nonce itself (hex). It is for clients that cannot hash: the server knows it before the deal.
    """

    ready: bool = True
    nonce: Annotated[str, whole("([0-9a-f]{2})*", max_length=MAX_NONCE)] = ""
    commit: Annotated[str, whole("([0-9a-f]{64})?")] = ""


class Reveal(Ask, frozen=True, kw_only=True):
    """After `start`: the nonce (hex) whose hash your `ready` carried. Send it when `room.dealing` names your seat."""

    nonce: Annotated[str, whole("([0-9a-f]{2})*", min_length=MIN_NONCE, max_length=MAX_NONCE)]


class Bot(Ask, frozen=True, kw_only=True):
    """Host: put a bot of the house into that seat, or the first free one."""

    seat: SeatNo | None = None
    player: Literal["house", "random"] = "house"
    strength: Literal["easy", "medium", "strong"] = "medium"


class Remove(Ask, frozen=True, kw_only=True):
    """Host: take a bot away."""

    seat: SeatNo


class Kick(Ask, frozen=True, kw_only=True):
    """Host: send a player away. It cannot come back to this room."""

    seat: SeatNo


class Host(Ask, frozen=True, kw_only=True):
    """Host: hand the room over to the player in that seat."""

    seat: SeatNo


class Configure(Ask, frozen=True, kw_only=True):
    """Host, before the game starts: other options. What is left out stays as it is."""

    options: dict[str, Any] | None = None
    absent_seconds: AbsentSeconds | None = None


class Start(Ask, frozen=True, kw_only=True):
    """Host: deal. All players must be ready; empty seats are closed up; nonces are awaited for five seconds."""


class Rematch(Ask, frozen=True, kw_only=True):
    """Host, after the game: back to the lobby with the same players and a new seed."""


class Play(Ask, frozen=True, kw_only=True):
    """Make a move. In a race, `race` is the nonce of the view that showed it, and `react_us` may tell how long
    the hand took, from drawing that view to the input event.
    """  # fmt: skip

    move: dict[str, Any]
    race: Annotated[str, Meta(max_length=32)] | None = None
    react_us: Annotated[int, Meta(ge=0, le=60_000_000)] | None = None


class Chat(Ask, frozen=True, kw_only=True):
    # Not checked by type: the room refuses with `bad_text`, which says what is wrong.
    text: Annotated[str, Meta(extra_json_schema={"minLength": 1, "maxLength": MAX_CHAT})]


class Emote(Ask, frozen=True, kw_only=True):
    emote: Word


class Ping(Ask, frozen=True, kw_only=True):
    """Answered by a `pong`, which brings `at` back unchanged."""

    at: Annotated[int, Meta(ge=-MAX_ID, le=MAX_ID)] = 0


ClientMessage: TypeAlias = (
    Hello | Games | Rooms | Create | Join | Watch | Leave | Ready | Reveal | Bot | Remove | Kick | Host |
    Configure | Start | Rematch | Play | Chat | Emote | Ping | Identify | Enter | CheckIn | Withdraw | Rest
    | MarkRace | Rule | Correct | Forfeit | Extend | EventCreate | EventEdit | EventDo | EventBots | Admit |
    RemoveEntrant | Rebind | Appoint | OpenHands | Sit | Follow | Unfollow
)  # fmt: skip


class Limits(Part, frozen=True, kw_only=True):
    frame: int
    rate: int
    burst: int
    name: int
    chat: int
    remembered: int
    emotes: tuple[str, ...]


class Seated(Part, frozen=True, kw_only=True, tag_field="got", tag="seated"):
    """You have this seat. `token` takes it up again after a cut; it works once and is replaced each time."""

    room: str
    seat: int
    token: str
    name: str = ""
    """What you are called at this table."""
    home: str = ""
    """Where this room lives, if that is another address: you may come back there, or stay."""
    next_id: int = 0
    """Count the `id`s of this seat from here."""


class Watching(Part, frozen=True, kw_only=True, tag_field="got", tag="watching"):
    room: str


class RoomLine(Part, frozen=True, kw_only=True):
    """A room in the list."""

    room: str
    game: str
    phase: Literal["lobby", "playing", "over"]
    seats: int
    free: int
    host: str
    watchers: int = 0


class RoomList(Part, frozen=True, kw_only=True, tag_field="got", tag="rooms"):
    """`total` counts all of them, on this page or not."""

    rooms: tuple[RoomLine, ...]
    total: int


class GameInfo(Part, frozen=True, kw_only=True):
    """A game on the shelf. `options` and `moves` are JSON Schemas."""

    key: str
    title: str
    blurb: str
    least: int
    most: int
    house: bool
    options: dict[str, Any]
    moves: dict[str, Any]


class GameList(Part, frozen=True, kw_only=True, tag_field="got", tag="games"):
    games: tuple[GameInfo, ...]


class BotIn(Part, frozen=True, kw_only=True, tag_field="got", tag="bot"):
    seat: int


class Pong(Part, frozen=True, kw_only=True, tag_field="got", tag="pong"):
    at: int
    now: Us


Got: TypeAlias = Seated | Watching | RoomList | GameList | BotIn | Pong | EventGot


class Welcome(Say, frozen=True, kw_only=True):
    """The answer to `hello`. `resumed`: you have your seat again, with a new token. Count `id`s from `next_id`."""

    id: Id
    v: int
    name: str
    limits: Limits
    next_id: int
    server: str
    resumed: Seated | None = None
    challenge: str = ""
    """For `identify`: 32 random bytes, hex, good for one proof on this connection."""


class Ack(Say, frozen=True, kw_only=True):
    """Done and stored. To a move: views with this `seq` or a higher one contain it."""

    id: Id
    seq: int | None = None
    got: Got | None = None


class Refused(Say, frozen=True, kw_only=True):
    """Not done; nothing has changed. `clause` names the rule of the game, `retry` says if trying again helps."""

    id: Id
    reason: Reason
    text: str
    clause: str = ""
    retry: bool = False


class Pending(Say, frozen=True, kw_only=True):
    """Your move is held in the race; the answer follows. A notice that promises nothing."""

    id: Id


class Place(Part, frozen=True, kw_only=True):
    """A seat as everybody sees it."""

    seat: int
    kind: Literal["empty", "player", "bot"]
    name: str = ""
    ready: bool = False
    connected: bool = False
    autopilot: bool = False
    wins: int = 0
    commit: str = ""
    """Until the deal: the hash of this seat's nonce."""


class Dealing(Part, frozen=True, kw_only=True):
    """The deal is called: `seats` have yet to reveal their nonces. Who has not after `left_us` is left out."""

    seats: tuple[int, ...]
    left_us: Us


class Room(Say, frozen=True, kw_only=True):
    """The room itself: who sits where. Sent whenever it changes."""

    room: str
    game: str
    phase: Literal["lobby", "playing", "over"]
    number: int
    host: int
    seats: tuple[Place, ...]
    options: dict[str, Any]
    private: bool
    commitment: str
    watchers: int = 0
    spectator_delay: int = 0
    max_ping_ms: int = 0
    substitutes: bool = False
    referee: bool = False
    """The host has given a referee word: who watches with it sees the full record of every race at once."""
    dealing: Dealing | None = None
    withheld: tuple[int, ...] = ()
    """Seats that committed to a nonce for this game and did not reveal it."""
    absent_seconds: int = ABSENT_SECONDS


class OpenRace(Part, frozen=True, kw_only=True):
    """The race that is open: answer its moves with this `nonce`. `anytime` moves need none."""

    key: str
    nonce: str
    moves: tuple[str, ...]
    closers: tuple[str, ...] = ()
    anytime: tuple[str, ...] = ()


class Clock(Part, frozen=True, kw_only=True):
    """A clock and what was left of it when this view was made.

    `seats`: everybody it waits for. `seat`: the one seat that misses it when it runs out.
    """

    key: str
    left_us: Us
    seat: int | None = None
    seats: tuple[int, ...] = ()
    running: bool = True


class Happened(Part, frozen=True, kw_only=True):
    """One thing that happened. `{0}`, `{1}` … in `text` stand for the players in those seats."""

    what: str
    seat: int | None = None
    text: str = ""
    detail: dict[str, Any] = msgspec.field(default_factory=dict)


class LagLine(Part, frozen=True, kw_only=True):
    """A seat's lag ledger in this game: time given for its network, time claimed and not given.

    `quota_us`: what may still be credited for late lines without kernel proof. `credited_us`: what was credited for
    lines that were late in their race. `screen_us`: how long the seat's screen seems to take, by its claims.
    """

    seat: int
    base_us: Us
    quota_us: Us
    given_us: Us
    uncompensated_us: Us
    false_starts: int = 0
    credited_us: Us = 0
    screen_us: Us = 0


class Over(Part, frozen=True, kw_only=True):
    """How it ended, and what opens the commitments: the seed and each seat's nonce, in hex.

    `places` is the place of each seat (1, 1, 3). It alone ranks: what `scores` mean differs from game to game.
    `ledger` has the line of every seat that was in a race: with the game over there is nothing left to hide.
    """

    winners: tuple[int, ...]
    why: str
    scores: tuple[int, ...]
    places: tuple[int, ...] = ()
    seed: str
    nonces: tuple[str, ...]
    commits: tuple[str, ...] = ()
    withheld: tuple[int, ...] = ()
    ledger: tuple[LagLine, ...] = ()


class View(Say, frozen=True, kw_only=True):
    """All you may know, complete. `seq` counts the changes of your view; `from` is the one you were sent before."""

    room: str
    game: str
    number: int
    seq: int
    from_: int = msgspec.field(name="from")
    you: int | None
    view: Any
    scores: tuple[int, ...]
    head: str
    commitment: str
    offers: tuple[Offer, ...] = ()
    race: OpenRace | None = None
    clocks: tuple[Clock, ...] = ()
    last: tuple[Happened, ...] = ()
    over: Over | None = None


class Mark(Part, frozen=True, kw_only=True):
    """One move in a race: how long after this seat's own trigger the hand moved.

    `score` is what it was sorted by, between `lo` and `hi` as far as that could be known; `base` is the network
    time that was taken off. `refused`: the rules did not take it; `void`: a false start; `held`: too late. `late`
    and `heat` are said only in relation to moves that this receiver may know of.
    """

    seat: int
    move: str
    score: Us
    lo: Us
    hi: Us
    base: Us
    verdict: Literal["done", "refused", "void", "held"] = "done"
    late: bool = False
    heat: bool = False


class RaceSaid(Say, frozen=True, kw_only=True, tag="race"):
    """What this receiver may know of a race that has closed: what was public, and its own.

    `ledger` has one's own line, for a referee every seat's; all get every seat's with `over`. `record`, the full
    evidence, goes to a referee at once; to everybody with the replay.
    """

    key: str
    number: int
    marks: tuple[Mark, ...]
    ledger: tuple[LagLine, ...] = ()
    record: Any = None


class Said(Say, frozen=True, kw_only=True):
    """Somebody talks. `seat` is missing for spectators, and their `name` ends in "(watching)"."""

    name: str
    text: str
    seat: int | None = None


class Emoted(Say, frozen=True, kw_only=True):
    seat: int
    emote: str


class Left(Say, frozen=True, kw_only=True):
    """You are no longer in the room, and why."""

    room: str
    reason: Literal["left", "kicked", "closed", "quarantined", "taken_over"]
    text: str


class Bye(Say, frozen=True, kw_only=True):
    """The connection is about to be closed, and why."""

    code: int
    text: str
    retry: bool = False
    retry_after_ms: int = 0


ServerMessage: TypeAlias = (
    Welcome
    | Ack
    | Refused
    | Pending
    | Room
    | View
    | RaceSaid
    | Said
    | Emoted
    | Left
    | Bye
    | Called
    | EventNews
)
