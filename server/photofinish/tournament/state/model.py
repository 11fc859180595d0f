"""The state of an event. Everything here follows from the log; nothing is stored beside it."""

from typing import Literal, TypeAlias

import msgspec

from photofinish.tournament.event_file.model import EventRules, Listed
from photofinish.tournament.log.entries import RoomOutcome

Status: TypeAlias = Literal[
    "draft", "open", "check_in", "running", "paused", "finished", "sealed", "cancelled"
]
TableStatus: TypeAlias = Literal["set", "called", "playing", "done", "forfeit", "disputed", "void"]
RoundStatus: TypeAlias = Literal["paired", "playing", "settling", "closed"]
BOT = 0
"""The number of a bot that fills in (T39)."""
OPEN_WHEN_PLAYED = 6
"""The version of the log since which a deal is open when its last table is done. Before, when its round was closed."""


class Entrant(msgspec.Struct, frozen=True):
    key: str
    name: str
    kind: Literal["person", "bot"] = "person"
    entered_at: int = 0
    number: int = 0
    """1 … n from the start on (T27)."""
    team: str = ""
    checked_in: bool = False
    nonce_hash: str = ""
    nonce: str = ""
    rating: int = 0
    joined_round: int = 1
    left_round: int = 0
    """The round it withdrew in; 0 while it takes part."""
    no_shows: int = 0
    """In a row (T23)."""
    resting: bool = False
    rests: int = 0
    """How often it began or ended a rest."""
    rebound_in: int = -1
    old_keys: tuple[str, ...] = ()

    @property
    def is_in(self) -> bool:
        return self.left_round == 0


class Played(msgspec.Struct, frozen=True):
    """One game of a pairing, one attempt. `seats` are the entrant numbers that were dealt in."""

    game: int
    attempt: int
    room: str
    seats: tuple[int, ...]
    no_show_at: int = 0
    commitment: str = ""
    dealt: bool = False
    head: str = ""
    outcome: RoomOutcome | None = None
    ended_at: int = 0
    how: Literal["played", "ruled", "void"] = "played"

    @property
    def is_over(self) -> bool:
        return self.outcome is not None

    @property
    def counts(self) -> bool:
        return self.outcome is not None and self.how != "void"


class RoundTable(msgspec.Struct, frozen=True):
    table: int
    seats: tuple[int, ...]
    bye: bool = False
    digits: tuple[int, ...] = ()
    floats: tuple[int, ...] = ()
    match: int = -1
    status: TableStatus = "set"
    games: tuple[Played, ...] = ()
    forfeits: tuple[int, ...] = ()
    """Who forfeited the pairing."""
    absent: tuple[int, ...] = ()
    """No-shows of a pod that played without them."""
    winner: int = 0
    step: str = ""
    done_at: int = 0

    @property
    def people(self) -> tuple[int, ...]:
        return tuple(number for number in self.seats if number != BOT)

    @property
    def is_over(self) -> bool:
        return self.bye or self.status in {"done", "forfeit", "disputed", "void"}

    @property
    def now(self) -> Played | None:
        """The game that is called or played now."""
        return self.games[-1] if self.games and not self.games[-1].is_over else None


class Round(msgspec.Struct, frozen=True):
    number: int
    key: str
    phase: Literal["main", "cut"] = "main"
    status: RoundStatus = "paired"
    tables: tuple[RoundTable, ...] = ()
    starts_at: int | None = None
    began_at: int = 0
    ticks: int = 0
    """In an arena: the last tick that paired somebody."""
    over_at: int = 0
    """When its last table ended; 0 while one plays."""
    public_upto: int = 0
    """The entries of the log before this number were public when a table was ordered to play again (T43)."""
    stopped: int = 0
    """By how many µs pauses have put off the end of its time (T22)."""
    keys: dict[int, str] = {}
    """Entrant number to key as it was when the round closed: ratings stay with the key that played (T8)."""

    def table(self, number: int) -> RoundTable | None:
        return self.tables[number - 1] if 1 <= number <= len(self.tables) else None


class DisputeMark(msgspec.Struct, frozen=True):
    """A dispute (§8)."""

    mark: int
    by: str
    round: int
    table: int
    game: int
    race: str
    text: str
    at: int
    ruling: str = ""
    ruled_by: str = ""
    reason: str = ""
    replaced: bool = False

    @property
    def is_open(self) -> bool:
        return not self.ruling


class State(msgspec.Struct, frozen=True):
    event: str
    rules: EventRules
    rules_hash: str
    file_hash: str
    version: int = 1
    """Of the log: older events are paired as they were."""
    status: Status = "draft"
    organisers: tuple[str, ...] = ()
    referees: tuple[str, ...] = ()
    admitted: tuple[Listed, ...] = ()
    entrants: dict[str, Entrant] = {}
    """By key, in order of entry."""
    times_entered: dict[str, int] = {}
    """By key, also of those who withdrew before the start."""
    numbers: dict[int, str] = {}
    """Entrant number to key."""
    commitment: str = ""
    mixed: str = ""
    lot_key: str = ""
    """K(0)."""
    secret: str = ""
    planned: int = 0
    """How many main rounds there are."""
    rounds: tuple[Round, ...] = ()
    rooms: dict[str, tuple[int, int, int]] = {}
    """Room code to round, table, and index of the game."""
    ignored: frozenset[str] = frozenset()
    """Rooms of abandoned games whose late result is in the log (T19)."""
    conflicts: dict[str, tuple[str, ...]] = {}
    """Room code to the heads of the other results that its room gave after one was taken (T19)."""
    marks: tuple[DisputeMark, ...] = ()
    corrections: dict[str, tuple[str, ...]] = {}
    """Room code to the keys that changed the places of its game, in order (T62, T63)."""
    rated: dict[str, tuple[tuple[int, int], tuple[int, int]]] = {}
    """By key: mu and sigma when it entered the event, and now (T65)."""
    opened: tuple[tuple[tuple[int, int], str], ...] = ()
    """T4: round and table whose hands were opened, and the referee's key."""
    paused_at: int = 0
    host_away: bool = False
    ended_at: int = 0
    last_at: int = 0
    reason: str = ""
    next_n: int = 0

    @property
    def round(self) -> Round | None:
        return self.rounds[-1] if self.rounds else None

    def entrant(self, number: int) -> Entrant:
        return self.entrants[self.numbers[number]]

    @property
    def is_running(self) -> bool:
        return self.status in {"running", "paused"}

    def is_sealed(self, round_: int) -> bool:
        """T43: the deals of this round are the same at all tables, and a table still plays one of them."""
        status = self.rounds[round_ - 1].status
        is_played = status == "closed" or (status == "settling" and self.version >= OPEN_WHEN_PLAYED)
        return self.rules.is_duplicate and not is_played

    def still_in(self) -> list[Entrant]:
        return [it for it in self.entrants.values() if it.number and it.is_in]
