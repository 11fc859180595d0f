"""The same room again in a world of its own, without the cost of a deep copy."""

from collections import deque
from copy import copy
from dataclasses import replace
from typing import Any

from photofinish.engine import Viewer
from photofinish.race.arbiter import Arbiter
from photofinish.race.lanes import RunningRace
from photofinish.room.answers import AckRun, Answers
from photofinish.room.core import Room
from photofinish.room.play.clocks import Clocks
from photofinish.room.play.dealing import Dealer
from photofinish.room.play.match import Match
from photofinish.room.play.moves import RaceNotes
from photofinish.room.record import RoomRecord
from photofinish.room.seats.presence import Presence
from photofinish.room.sending.broadcast import Broadcast
from photofinish.room.sending.out import Out
from photofinish.room.sending.views import ViewerState
from photofinish_protocol import messages
from tests.room.bench import Entropy


class OneViewerBroadcast(Broadcast):
    """Makes views for one viewer only, because in this world nobody reads the others."""

    eye: Viewer

    def look(self, match: Match, over: messages.Over | None) -> list[Viewer]:
        if self.eye is None and not self.is_public_wanted:
            return []
        return [self.eye] if self._viewer_state(self.eye).look(match, self.eye, over) else []


def fork(room: Room, entropy: Entropy, eye: Viewer, *, is_one_eyed: bool = True) -> Room:
    """Copy a room between two batches. The copy shares no changeable object with it (`test_fork`)."""
    record, presence = _record(room.record), _presence(room.presence)
    new: Room = _like(room)
    new.record, new.presence, new.out = record, presence, Out(presence)
    new.watcher_limits = _like(room.watcher_limits)
    new.watcher_limits._talk = copy(room.watcher_limits._talk)
    new._entropy = entropy
    new._dealer = Dealer(record, room.game, presence, room._dealer._params, new._new_nonce)
    new._awaited = set(room._awaited)
    broadcast = _like(room._broadcast)
    if is_one_eyed:
        broadcast.__class__, broadcast.eye = OneViewerBroadcast, eye
    broadcast._record, broadcast._presence, broadcast._out = record, presence, new.out
    broadcast._viewers = {
        viewer: _viewer_state(viewer_state) for viewer, viewer_state in room._broadcast._viewers.items()
    }
    broadcast.delayed = list(room._broadcast.delayed)
    new._broadcast = broadcast
    new.match = _match(room.match, new) if room.match is not None else None
    return new


def _like(it: Any) -> Any:
    """A new object of the same class with the same attributes."""
    new = object.__new__(type(it))
    new.__dict__.update(it.__dict__)
    return new


def _record(record: RoomRecord) -> RoomRecord:
    new = copy(record)
    new.running = copy(record.running)
    new.chairs = [copy(chair) for chair in record.chairs]
    for chair in new.chairs:
        chair.answers = _answers(chair.answers)
    return new


def _answers(it: Answers) -> Answers:
    return Answers(
        it.highest, dict(it.kept), [], [AckRun(run.first, run.seq, run.steps[:]) for run in it.runs]
    )


def _presence(presence: Presence) -> Presence:
    new: Presence = _like(presence)
    for name, value in presence.__dict__.items():
        setattr(new, name, dict(value))
    new.watchers = {session: copy(it) for session, it in presence.watchers.items()}
    for watcher in new.watchers.values():
        watcher.answers = _answers(watcher.answers)
    return new


def _viewer_state(viewer_state: ViewerState) -> ViewerState:
    new = copy(viewer_state)
    new.past = deque(viewer_state.past, viewer_state.past.maxlen)
    return new


def _match(match: Match, room: Room) -> Match:
    new: Match = _like(match)
    for name in ("verdicts", "entries", "races", "steps_unseen"):
        setattr(new, name, list(getattr(match, name)))
    notes = match._notes
    new._notes = RaceNotes(list(notes.moves), list(notes.refused), notes.is_reopened)
    new.seats = {seat: copy(it) for seat, it in match.seats.items()}
    new.reoffered = set(match.reoffered)
    new._held, new._ticking = dict(match._held), dict(match._ticking)
    new.arbiter, new.clocks = _arbiter(match.arbiter), _clocks(match.clocks)
    new._rules = replace(match._rules, new_nonce=room._new_nonce)
    return new


def _clocks(clocks: Clocks) -> Clocks:
    new: Clocks = _like(clocks)
    new._carried = dict(clocks._carried)
    new._clocks = {key: copy(clock) for key, clock in clocks._clocks.items()}
    return new


def _arbiter(arbiter: Arbiter) -> Arbiter:
    new: Arbiter = _like(arbiter)
    new.standings, new._paths = dict(arbiter.standings), dict(arbiter._paths)
    new._race = _race(arbiter._race) if arbiter._race is not None else None
    return new


def _race(race: RunningRace) -> RunningRace:
    new = copy(race)
    for name in race.__slots__:
        value = getattr(race, name)
        if isinstance(value, dict | list):
            setattr(new, name, copy(value))
    new.lanes = {seat: copy(lane) for seat, lane in race.lanes.items()}
    return new
