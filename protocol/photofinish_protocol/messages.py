"""Every message of the protocol, as types. Unknown fields are ignored; unknown types are refused by name."""

from typing import Any, Literal, TypeAlias

import msgspec

from photofinish_protocol.event_messages import (
    Admit,
    Appoint,
    Called,
    CheckIn,
    Correct,
    Enter,
    EventBots,
    EventCreate,
    EventDo,
    EventEdit,
    EventError,
    EventGot,
    EventNews,
    EventRequest,
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
    Code,
    Id,
    Part,
    Request,
    Say,
    SeatNo,
    Token,
    Us,
    Word,
)  # fmt: skip
from photofinish_protocol.reasons import Reason
from photofinish_protocol.requests import (
    Bot,
    Chat,
    Configure,
    Create,
    Emote,
    Games,
    Hello,
    Host,
    Join,
    Kick,
    Leave,
    Ping,
    Play,
    Ready,
    Rematch,
    Remove,
    Reveal,
    Rooms,
    Start,
    Watch,
)  # fmt: skip

__all__ = [
    "ABSENT_SECONDS", "AbsentSeconds", "Admit", "Appoint", "Bot", "Called", "Chat", "CheckIn",
    "Code", "Configure", "Correct", "Create", "Emote", "Enter", "EventBots", "EventCreate",
    "EventDo", "EventEdit", "EventError", "EventGot", "EventNews", "EventRequest", "Extend", "Follow", "Forfeit",
    "Games", "Hello", "Host", "Id", "Identify", "Join", "Kick", "Leave", "MarkRace", "OpenHands", "Part",
    "PartRows", "Ping", "Play", "Ready", "Rebind", "Rematch", "Remove", "RemoveEntrant", "Request", "Rest", "Reveal",
    "Rooms", "Rule", "Say", "SeatNo", "Sit", "Start", "Token", "Unfollow", "Us", "Watch", "Withdraw", "Word",
]  # fmt: skip
"""Defined in other modules and exported from here too."""


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
    """You have this seat. `token` resumes it after a cut; it works once and is replaced each time."""

    room: str
    seat: int
    token: str
    name: str = ""
    """What you are called at this table."""
    home: str = ""
    """The address of the node that owns this room, if it is another one. You may reconnect there or stay."""
    next_id: int = 0
    """The next `id` to use for this seat."""


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
    """`total` counts all rooms, not only those on this page."""

    rooms: tuple[RoomLine, ...]
    total: int


class GameInfo(Part, frozen=True, kw_only=True):
    """A game of this server. `options` and `moves` are JSON Schemas."""

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
    """For `identify`: 32 random bytes, hex, valid for one proof on this connection."""


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
    errors: tuple[EventError, ...] = ()
    """With `bad_event`: each fault of the file with its line. `text` has the same as sentences."""


class Pending(Say, frozen=True, kw_only=True):
    """Your move is held in the race; the answer follows. The move may still be refused."""

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
    """The host has started the deal. `seats` have not yet revealed their nonces; after `left_us` they are left out."""

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
    """The host has set a referee password. A watcher who sends it gets the full record of every race at once."""
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
    """A clock and its remaining time when this view was made.

    `seats`: everybody it waits for. `seat`: the one seat that misses it when it expires.
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
    """A seat's lag ledger in this game: time given for its network, time claimed but not given.

    `quota_us`: what may still be credited for late lines without kernel proof. `credited_us`: what was credited for
    lines that were late in their race. `screen_us`: how long the seat's screen seems to take, by its claims. `proof`:
    what the server's kernel proves of late lines on the seat's connection; unless it is `full`, `quota_us` bounds the
    credit.
    """

    seat: int
    base_us: Us
    quota_us: Us
    given_us: Us
    uncompensated_us: Us
    false_starts: int = 0
    credited_us: Us = 0
    screen_us: Us = 0
    proof: Literal["full", "partial", "none"] = "none"


class Over(Part, frozen=True, kw_only=True):
    """How the game ended, and what the commitments were made from: the seed and each seat's nonce, in hex.

    `places` is the place of each seat (1, 1, 3). Rank only by this: what `scores` mean differs from game to game.
    `ledger` has the line of every seat that was in a race: after the game nothing has to stay hidden.
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
    """Everything you may know. `seq` counts the changes of your view; `from` is the `seq` of the view sent before."""

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
    time that was subtracted. `refused`: the rules refused it; `void`: a false start; `held`: too late. `late` and
    `heat` refer only to moves that this receiver may know of.
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


class RaceReport(Say, frozen=True, kw_only=True, tag="race"):
    """What this receiver may know of a race that has closed: public moves and its own.

    `ledger` has the receiver's own line, for a referee the lines of all seats; everybody gets all lines with `over`.
    `record`, the full evidence, is sent to a referee at once; everybody gets it with the replay.
    """

    key: str
    number: int
    marks: tuple[Mark, ...]
    ledger: tuple[LagLine, ...] = ()
    record: Any = None


class Said(Say, frozen=True, kw_only=True):
    """A chat message. `seat` is missing for spectators, and their `name` ends in "(watching)"."""

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
    | RaceReport
    | Said
    | Emoted
    | Left
    | Bye
    | Called
    | EventNews
)
