"""The messages of events (tournaments). All but `identify`, `follow` and `unfollow` need a proven key."""

from typing import Annotated, Any, Literal, TypeAlias

import msgspec
from msgspec import Meta

from photofinish_protocol.parts import Code, Part, Request, Say, Us
from photofinish_protocol.patterns import whole

Key: TypeAlias = Annotated[str, whole("[0-9a-f]{64}")]
Text: TypeAlias = Annotated[str, Meta(max_length=280)]
RoundNo: TypeAlias = Annotated[int, Meta(ge=1, le=64)]
TableNo: TypeAlias = Annotated[int, Meta(ge=1, le=100_000)]
GameNo: TypeAlias = Annotated[int, Meta(ge=1, le=64)]
Seq: TypeAlias = Annotated[int, Meta(ge=0, le=2**53 - 1)]
PartName: TypeAlias = Literal[
    "info", "entrants", "round", "tables", "standings", "bracket", "reactions", "disputes"
]
Places: TypeAlias = Annotated[tuple[int, ...], Meta(max_length=8)]


class Identify(Request, frozen=True, kw_only=True):
    """Prove that you have this Ed25519 key: sign the welcome's `challenge`. Once per connection."""

    key: Key
    name: Annotated[str, Meta(max_length=64)]
    signature: Annotated[str, whole("[0-9a-f]{128}")]


class Enter(Request, frozen=True, kw_only=True):
    """Take part in an event. `nonce_hash` commits to a nonce that `check_in` reveals for the draw."""

    event: Code
    code: Annotated[str, Meta(max_length=32)] = ""
    nonce_hash: Annotated[str, whole("([0-9a-f]{64})?")] = ""
    team: Annotated[str, Meta(max_length=24)] = ""


class CheckIn(Request, frozen=True, kw_only=True, tag="check_in"):
    """Confirm that you are there. `nonce` (hex) is the one that `enter` committed to."""

    event: Code
    nonce: Annotated[str, whole("([0-9a-f]{2})*", max_length=64)] = ""


class Withdraw(Request, frozen=True, kw_only=True):
    """Leave the event. A pairing that is running is forfeited; results stay."""

    event: Code


class Rest(Request, frozen=True, kw_only=True):
    """Arena: pause from being paired, or come back."""

    event: Code
    on: bool = True


class MarkRace(Request, frozen=True, kw_only=True, tag="mark"):
    """Ask the referee to look at a race of your game; with an empty `race`, at the whole game."""

    event: Code
    round: RoundNo
    table: TableNo
    game: GameNo
    race: Annotated[str, Meta(max_length=64)] = ""
    text: Text


class Rule(Request, frozen=True, kw_only=True):
    """Referee: decide about a mark. `places` for `adjust`; `number` names an entrant for the last three.

    A mark that is ruled on is refused (`already_decided`), unless `replaces` says that the sender knows the ruling:
    another referee or an organiser may replace it once.
    """

    event: Code
    mark: Annotated[int, Meta(ge=1, le=1_000_000)]
    ruling: Literal["confirm", "replay", "adjust", "warn", "forfeit", "disqualify"]
    reason: Text
    places: Places = ()
    number: int = 0
    replaces: bool = False


class Correct(Request, frozen=True, kw_only=True):
    """Referee: a ruling without a mark. `replaces` as in `rule`: for a game whose places were changed before."""

    event: Code
    round: RoundNo
    table: TableNo
    game: GameNo
    places: Places
    reason: Text
    replaces: bool = False


class Forfeit(Request, frozen=True, kw_only=True):
    """Referee: this entrant loses the pairing that is called or played."""

    event: Code
    round: RoundNo
    table: TableNo
    number: int
    reason: Text


class Extend(Request, frozen=True, kw_only=True):
    """Referee: wait longer for the players of this table, by this time."""

    event: Code
    table: TableNo
    seconds: int


class EventCreate(Request, frozen=True, kw_only=True, tag="event_create"):
    """A new event from an event file (TOML). You are its organiser."""

    toml: Annotated[str, Meta(max_length=12_288)]


class EventEdit(Request, frozen=True, kw_only=True, tag="event_edit"):
    """Organiser: another event file."""

    event: Code
    toml: Annotated[str, Meta(max_length=12_288)]


class EventDo(Request, frozen=True, kw_only=True, tag="event_do"):
    """Organiser: the next step of the event. `pause` and `cancel` need a reason, `seal` a signature over the head."""

    event: Code
    do: Literal["open", "start", "round", "pause", "resume", "cancel", "seal"]
    reason: Text = ""
    signature: Annotated[str, whole("([0-9a-f]{128})?")] = ""


class EventBots(Request, frozen=True, kw_only=True, tag="event_bots"):
    """Organiser, in a rehearsal: this many house bots enter like people."""

    event: Code
    bots: Annotated[int, Meta(ge=1, le=512)]


class Admit(Request, frozen=True, kw_only=True):
    """Organiser: more names for the list, each `{name, key?, seed?}`."""

    event: Code
    names: Annotated[tuple[dict[str, Any], ...], Meta(max_length=64)]


class RemoveEntrant(Request, frozen=True, kw_only=True, tag="remove_entrant"):
    """Organiser: remove this entrant from the event."""

    event: Code
    entrant: Key
    reason: Text


class Rebind(Request, frozen=True, kw_only=True):
    """Organiser: an entrant has lost its key. From now on the new key is the entrant."""

    event: Code
    entrant: Key
    key: Key
    reason: Text


class Appoint(Request, frozen=True, kw_only=True):
    """Organiser: name referees or organisers, or (with `away`) relieve them."""

    event: Code
    role: Literal["organiser", "referee"]
    keys: Annotated[tuple[Key, ...], Meta(max_length=8)]
    away: bool = False


class OpenHands(Request, frozen=True, kw_only=True, tag="open_hands"):
    """Organiser: let a referee see the hands of a table. It is logged and shown to its players at once."""

    event: Code
    table: TableNo
    referee: Key
    reason: Text


class Sit(Request, frozen=True, kw_only=True):
    """Take the seat that you were called to. Answered like `join`."""

    event: Code


class Follow(Request, frozen=True, kw_only=True):
    """Get parts of an event as they change, in `event` messages. No key is needed."""

    event: Code
    parts: Annotated[tuple[PartName, ...], Meta(min_length=1, max_length=8)] = ("info",)
    seq: Seq = 0


class Unfollow(Request, frozen=True, kw_only=True):
    """Stop following an event."""

    event: Code


EventRequest: TypeAlias = (
    Enter | CheckIn | Withdraw | Rest | MarkRace | Rule | Correct | Forfeit | Extend | EventCreate | EventEdit
    | EventDo | EventBots | Admit | RemoveEntrant | Rebind | Appoint | OpenHands
)  # fmt: skip
"""The requests to an event that need a proven key. They are allowed inside and outside of a room."""


class EventError(Part, frozen=True, kw_only=True):
    """One fault of an event file. `nearest` is a known key that looks like an unknown one."""

    line: int
    key: str
    found: str
    allowed: str
    nearest: str = ""


class EventGot(Part, frozen=True, kw_only=True, tag_field="got", tag="event"):
    """The event after what you asked: its state, and how many entries its log has.

    `warnings` are for the organiser: the file is accepted, but something in it may surprise (T12).
    """

    event: str
    state: str
    entries: int
    warnings: tuple[str, ...] = ()


class PartRows(Part, frozen=True, kw_only=True):
    """Rows of one part of an event, by key. A row replaces the one with the same key."""

    rows: dict[str, Any]
    gone: tuple[str, ...] = ()


class EventNews(Say, frozen=True, kw_only=True, tag="event"):
    """What has changed in an event you follow. With `from` 0 the parts are whole, else only the changed rows come."""

    event: str
    seq: int
    from_: int = msgspec.field(name="from")
    parts: dict[str, PartRows]


class Called(Say, frozen=True, kw_only=True):
    """Your table waits: join `room`. Sent to every connection of the key, and again after `identify`."""

    event: str
    round: int
    table: int
    game: int
    attempt: int
    room: str
    seat: int
    opponents: tuple[str, ...]
    no_show_in_us: Us
