"""T18: everything that can happen in an event. Each entry carries all that the next state needs.

Numbers that decide something are whole numbers. Times are microseconds of the store's clock. Secrets enter only as
commitments. Beyond T18's list there are `checking_in`, `dealt`, `decided`, `voided`, `rested`, `moved_clock` and
`host_away`: the state needs these facts too.
"""

import re
from typing import Any, Literal, TypeAlias

import msgspec

Kind: TypeAlias = Literal["person", "bot"]
Role: TypeAlias = Literal["organiser", "referee"]
Ruling: TypeAlias = Literal["confirm", "replay", "adjust", "warn", "forfeit", "disqualify"]
Phase: TypeAlias = Literal["main", "cut"]
VERSION = 6
"""Of this format; in the first entry. 2: pods are paired with a look at seats (T55). 3: a result that is corrected
after its round changes the ratings from there on (T66). 4: the report says whether officials
play (T3), and a forfeit is `forfeit` for both sides in `results`. 5: a correction that makes a pairing equal is a draw
or is decided by T32, a partner that is a bot scores like a bye (T39), and `standings` has the bracket as it stood after
each round. 6: a pause stops `round_minutes` and `arena_minutes` (T22), and `paired` of an arena names who waited."""


def _tag(name: str) -> str:
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", name).lower()


class Entry(msgspec.Struct, frozen=True, kw_only=True, tag_field="e", tag=_tag, forbid_unknown_fields=True):
    """`n` from 0; `by` is a key, `director` or `clock`."""

    n: int = 0
    at: int = 0
    by: str = "director"


class RaceLine(msgspec.Struct, frozen=True):
    """One move in one race, as the slap-off and the board count it (T45, T47)."""

    race: str
    seat: int
    move: str
    verdict: Literal["won", "heat", "beaten", "wrong", "false_start", "other"]
    """`heat`: right, in a dead heat, lost by the coin. `beaten`: right but later."""
    score_us: int
    lo_us: int = 0
    hi_us: int = 0
    base_us: int = 0
    counted: bool = False
    """T47: whether the reaction is on the board."""
    late: bool = False
    heat: int = 0
    """Moves of a race with the same number were in one dead heat, or alone in theirs."""


class RoomOutcome(msgspec.Struct, frozen=True):
    """What a room's `end` entry says, by seat."""

    winners: tuple[int, ...]
    scores: tuple[int, ...]
    places: tuple[int, ...]
    races: tuple[RaceLine, ...] = ()


class Seating(msgspec.Struct, frozen=True):
    """One pairing of a round. A bye has one seat."""

    table: int
    seats: tuple[int, ...]
    """Entrant numbers, first seat first. 0 is a bot that fills in (T39)."""
    bye: bool = False
    digits: tuple[int, ...] = ()
    floats: tuple[int, ...] = ()
    """By seat: −1 down, 1 up, 0 not."""
    match: int = -1
    """In a bracket: the index of the match."""


# From the draft to the start


class Created(Entry, frozen=True):
    event: str
    rules: dict[str, Any]
    rules_hash: str
    file_hash: str
    """SHA-256 of the file as it was sent, comments included."""
    v: int = VERSION


class Edited(Entry, frozen=True):
    rules: dict[str, Any]
    rules_hash: str
    file_hash: str
    back_to_draft: bool = False


class EventOpened(Entry, frozen=True, tag="opened"):
    commitment: str
    """SHA-256 of E (T41)."""


class CheckingIn(Entry, frozen=True):
    pass


class Entered(Entry, frozen=True):
    key: str
    name: str
    kind: Kind = "person"
    team: str = ""
    nonce_hash: str = ""
    rating: int = 0
    """mu − 3·sigma in millionths (T66)."""


class Admitted(Entry, frozen=True):
    names: tuple[dict[str, Any], ...]


class CheckedIn(Entry, frozen=True):
    key: str


class NonceRevealed(Entry, frozen=True):
    key: str
    nonce: str


class Withdrew(Entry, frozen=True):
    key: str
    why: str = ""


class Removed(Entry, frozen=True):
    key: str
    reason: str


class Rebound(Entry, frozen=True):
    old: str
    new: str
    reason: str


class Appointed(Entry, frozen=True):
    role: Role
    keys: tuple[str, ...]
    away: bool = False


class Drawn(Entry, frozen=True):
    """The start: numbers by seeding (T27), N (T41), the number of rounds (T11)."""

    numbers: dict[str, int]
    mixed: str
    withheld: tuple[str, ...]
    key: str
    """K(0)."""
    rounds: int
    lowered_from: int = 0


class LateJoined(Entry, frozen=True):
    key: str
    number: int
    round: int


# Rounds


class Paired(Entry, frozen=True):
    round: int
    key: str
    """K(r), so that anybody can pair the round again (T44)."""
    tables: tuple[Seating, ...]
    phase: Phase = "main"
    starts_at: int | None = None
    """None: by hand."""
    tick: int = 0
    """In an arena: the tick that adds these tables to its only round."""
    waiting: tuple[int, ...] | msgspec.UnsetType = msgspec.UNSET
    """With a tick (since version 6): who was connected, free and not resting. So anybody can pair the tick again."""


class TableCalled(Entry, frozen=True, tag="called"):
    round: int
    table: int
    game: int
    attempt: int
    room: str
    seats: tuple[int, ...]
    no_show_at: int
    commitment: str = ""
    """In duplicate rounds, of D(r, h, a) (T42)."""


class RoomOpened(Entry, frozen=True):
    room: str
    commitment: str


class TableDealt(Entry, frozen=True, tag="dealt"):
    """A table plays. `seats` are the entrants present; with `fill = bots` a bot (0) has the seat of an absent one."""

    room: str
    seats: tuple[int, ...]


class NoShow(Entry, frozen=True):
    round: int
    table: int
    numbers: tuple[int, ...]


class Forfeited(Entry, frozen=True):
    round: int
    table: int
    numbers: tuple[int, ...]
    """Who forfeits."""
    why: str


class GameResult(Entry, frozen=True, tag="result"):
    room: str
    head: str
    outcome: RoomOutcome
    ignored: str = ""
    conflict: bool = False


class PairingDecided(Entry, frozen=True, tag="decided"):
    """A pairing is won or drawn. `step` is the step of T32 that decided it, if one was needed."""

    round: int
    table: int
    winner: int = 0
    step: str = ""


class Voided(Entry, frozen=True):
    round: int
    table: int
    reason: str


class RoundClosed(Entry, frozen=True):
    round: int
    standings: tuple[tuple[int, int, int], ...]
    """Rank, number, points in 1/840, in the order of the standings."""


class SeedRevealed(Entry, frozen=True):
    round: int
    deal: int
    attempt: int
    seed: str


class Rated(Entry, frozen=True):
    key: str
    game: str
    round: int
    before: tuple[int, int]
    after: tuple[int, int]
    """mu and sigma in millionths."""
    games: int = 1
    """How many rated games this change adds; 0: it follows from a correction alone (T66)."""


# Disputes


class Marked(Entry, frozen=True):
    mark: int
    round: int
    table: int
    game: int
    race: str
    text: str


class Ruled(Entry, frozen=True):
    mark: int
    ruling: Ruling
    round: int
    table: int
    game: int
    reason: str
    places: tuple[int, ...] = ()
    number: int = 0
    """The entrant of `warn`, `forfeit` or `disqualify`."""


class Corrected(Entry, frozen=True):
    round: int
    table: int
    game: int
    places: tuple[int, ...]
    reason: str


class Replayed(Entry, frozen=True):
    """The game is played again as the next attempt; the old result is void."""

    round: int
    table: int
    game: int
    attempt: int


class HandsOpened(Entry, frozen=True):
    referee: str
    round: int
    table: int
    reason: str


# The course of the event


class Paused(Entry, frozen=True):
    reason: str


class EventResumed(Entry, frozen=True, tag="resumed"):
    pass


class MovedClock(Entry, frozen=True):
    """T21 and `extend`: no-show clocks move on. Table 0 is every table."""

    table: int
    micros: int
    why: str


class Rested(Entry, frozen=True):
    key: str
    on: bool


class HostAway(Entry, frozen=True):
    """T2: no organiser is connected; rounds start by themselves from now on."""

    away: bool


class Cancelled(Entry, frozen=True):
    reason: str


class Finished(Entry, frozen=True):
    secret: str
    """E, which opens the commitment (T43)."""
    why: str = ""


class Sealed(Entry, frozen=True):
    head: str
    signature: str = ""
    """Of an organiser, over the head before this entry."""


AnyEntry: TypeAlias = (
    Created | Edited | EventOpened | CheckingIn | Entered | Admitted | CheckedIn | NonceRevealed | Withdrew | Removed
    | Rebound | Appointed | Drawn | LateJoined | Paired | TableCalled | RoomOpened | TableDealt | NoShow | Forfeited
    | GameResult | PairingDecided | Voided | RoundClosed | SeedRevealed | Rated | Marked | Ruled | Corrected
    | Replayed | HandsOpened | Paused | EventResumed | MovedClock | Rested | HostAway | Cancelled | Finished | Sealed
)  # fmt: skip
