"""An event as its file describes it, with every default filled in. This is what is hashed (T10)."""

from typing import Any, Literal, TypeAlias

import msgspec

Format: TypeAlias = Literal["swiss", "roundrobin", "single", "double", "arena", "slapoff"]
Seeding: TypeAlias = Literal["rating", "list", "lot"]

UNIT = 840
"""T37: points are kept in units of 1/840, so that equal places can share them without a remainder."""


class Listed(msgspec.Struct, frozen=True):
    """A name on the organiser's list (T7). An empty key: bound to the first key that enters with the code."""

    name: str
    key: str = ""
    seed: int = 0


class Registration(msgspec.Struct, frozen=True):
    mode: Literal["open", "code", "list"] = "open"
    code_hash: str = ""
    """The entry code is never stored: `code_hash` in `canon.py` says how it is hashed."""
    names: tuple[Listed, ...] = ()
    opens: int | None = None
    """µs since 1970, UTC. None: at once."""
    closes: int | None = None


class EventClock(msgspec.Struct, frozen=True):
    starts: int | None = None
    check_in_minutes: int = 15
    rounds_start: Literal["auto", "hand"] = "auto"
    break_seconds: int = 60
    no_show_seconds: int = 180
    round_minutes: int = 0
    arena_minutes: int = 60
    tick_seconds: int = 5
    dispute_seconds: int = 120


class RoomRules(msgspec.Struct, frozen=True):
    spectator_delay: int = 60
    max_ping_ms: int = 0


class SlapOff(msgspec.Struct, frozen=True):
    deals: int = 4
    barrier: bool = True


class League(msgspec.Struct, frozen=True):
    """T35. `points` by final rank, the first first."""

    events: tuple[str, ...]
    counted: int
    points: tuple[int, ...]


class EventRules(msgspec.Struct, frozen=True):
    title: str
    game: str
    format: Format
    seats: int
    rounds: int | None
    """None: ⌈log₂ n⌉, or what the format fixes."""
    teams: int
    min_entrants: int
    max_entrants: int
    best_of: tuple[int, ...]
    """From the final backwards; the last repeats."""
    points: tuple[tuple[int, ...], ...]
    """In 1/840, one list per table size that the file names."""
    bye_points: int
    tiebreaks: tuple[str, ...]
    seeding: Seeding
    cut: int
    third_place: bool
    fill: Literal["none", "bots"]
    late_join_until: int
    officials_play: bool
    hands: Literal["never", "logged"]
    rated: bool
    rehearsal: bool
    host_away_minutes: int
    options: dict[str, Any]
    is_coop: bool
    """By the game: all seats of a table are one team (T38)."""
    room: RoomRules
    races: dict[str, int]
    registration: Registration
    clock: EventClock
    slapoff: SlapOff
    league: League | None = None

    @property
    def is_rated(self) -> bool:
        return self.rated and not self.rehearsal

    @property
    def is_elimination(self) -> bool:
        return self.format in {"single", "double"}

    @property
    def is_pods(self) -> bool:
        return self.seats > 2 or self.format == "slapoff"

    @property
    def is_duplicate(self) -> bool:
        """Every table of a deal has the same seed (T38, T42)."""
        return self.format == "slapoff" or self.is_coop
