"""The event file (§2): read, check, fill in, hash."""

from photofinish.tournament.event_file.canon import canonical, rules_hash
from photofinish.tournament.event_file.faults import BadEvent, Fault
from photofinish.tournament.event_file.model import (
    EventClock,
    EventRules,
    League,
    Listed,
    Registration,
    RoomRules,
    SlapOff,
)
from photofinish.tournament.event_file.read import read_event

__all__ = [
    "BadEvent",
    "EventClock",
    "EventRules",
    "Fault",
    "League",
    "Listed",
    "Registration",
    "RoomRules",
    "SlapOff",
    "canonical",
    "read_event",
    "rules_hash",
]
