"""One simulated race, event by event, through the real arbiter."""

import heapq
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from photofinish.engine import Micros, Seat
from photofinish.lab.sim.table import Shown, SimTable, micros
from photofinish.race import Claim, Evidence, RaceRecord
from photofinish.race.score import Kind

LONGEST = 4_000.0
"""Longest simulated race, in ms."""


@dataclass(frozen=True, slots=True)
class SimMove:
    """One move of a player, timed from the drawing of the trigger on its own screen."""

    seat: int
    after: float
    kind: Kind = "contested"
    right: bool = True
    says: Callable[[float, float], float] | None = None
    """What the client claims, given its reaction time and the delay of its screen. None: the truth."""
    held: float = 0.0
    """How long the client delays the move before it sends it."""


@dataclass(frozen=True, slots=True)
class Script:
    """What everybody does in one race."""

    strokes: Sequence[SimMove]
    not_before: float = 0.0
    window: float | None = None
    """When a clock closes the race, after the opening."""
    drops: Mapping[int, tuple[float, float]] = field(default_factory=dict)
    """Seats whose socket breaks: when, and when they are back, after the opening."""
    silent: frozenset[int] = frozenset()
    """Seats whose client makes no claim."""


@dataclass(slots=True)
class Finish:
    """How a race ended."""

    winner: int | None
    """The seat whose right slap came first, or None if the race was closed before any."""
    first_come: int | None
    """Who would have won if arrival decided."""
    wait: float
    """From the arrival of the first claim at the owner to the first release, in ms."""
    scores: dict[int, Micros]
    """Each seat's first score."""
    late: int
    hard: int
    ties: int
    record: RaceRecord


@dataclass(order=True, slots=True)
class _Event:
    at: float
    number: int
    act: Callable[[float], None] = field(compare=False)


class SimRace:
    """Drives one race. Afterwards `finish` has the result."""

    def __init__(self, table: SimTable, key: str, script: Script) -> None:
        self._table = table
        self._arbiter = table.arbiter
        self._key = key
        self._script = script
        self._events: list[_Event] = []
        self._tickets: dict[int, SimMove | None] = {}
        self._released: list[Evidence] = []
        self._reached: list[tuple[float, SimMove | None]] = []
        self._winner: int | None = None
        self._closed = False
        self._first_release: float | None = None
        self._screens: dict[int, float] = {}

    def run(self) -> Finish:
        start = self._table.now
        seats = self._table.seats
        self._arbiter.open(
            self._key,
            seats,
            now=micros(start),
            not_before=micros(self._script.not_before),
            present=seats,
            nonce=self._key,
        )
        for seat in seats:
            self._player(seat, start)
        if self._script.window is not None:
            self._at(start + self._script.window, self._clock_runs_out)
        now = start
        while not self._closed and (self._events or self._arbiter.wakes_at() is not None):
            now = self._step(now)
        record = self._arbiter.close(micros(now)).record
        # Always the same, so that two runs that differ in one lie can be compared.
        self._table.now = max(now, start + LONGEST)
        return self._finish(record)

    def _step(self, now: float) -> float:
        wake = self._arbiter.wakes_at()
        due = self._events[0].at if self._events else None
        if wake is not None and (due is None or wake / 1000 < due):
            now = max(now, wake / 1000)
        elif due is not None:
            now = due
            heapq.heappop(self._events).act(now)
        clocks = {
            seat: place.node.clock(now - place.node.relay)
            for seat, place in zip(self._table.seats, self._table.places, strict=True)
        }
        while not self._closed and (release := self._arbiter.next(micros(now), clocks)):
            self._released.append(release.evidence)
            if self._first_release is None:
                self._first_release = now
            self._judge(self._tickets[release.claim.ticket], now)
        return now

    def _judge(self, move: SimMove | None, now: float) -> None:
        """The rules of the laboratory's game: the first right slap wins, a draw or a clock closes."""
        if move is None or move.kind == "closer":
            self._closed = True
        elif move.kind == "contested" and move.right and self._winner is None:
            self._winner = move.seat
            self._arbiter.thrown(micros(now))

    def _player(self, seat: Seat, start: float) -> None:
        place = self._table.places[seat]
        handed = start + place.node.relay
        stamp = place.node.clock(handed)
        self._at(handed + place.node.relay, lambda _now: self._arbiter.shown(seat, stamp))
        shown = place.show(handed)
        drawn, answered, back, trip = shown.drawn, shown.answered, shown.back, shown.trip
        self._screens[seat] = shown.screen
        place.lag.triggered(has_proof=shown.acked is not None, is_delayable=place.is_delayable)
        self._arbiter.path(seat, place.lag.path(stamp))
        self._at(handed + trip / 1000 + place.node.relay, lambda _now: self._echoed(seat, shown))
        drop = self._script.drops.get(seat)
        if drop:
            self._at(start + drop[0], lambda now: self._arbiter.lost(seat, micros(now)))
            self._at(start + drop[1], lambda now: self._arbiter.back(seat, micros(now)))
        latest = 0.0
        first = float("inf")
        mine = sorted((it for it in self._script.strokes if it.seat == seat), key=lambda it: it.after)
        for move in mine:
            sent = drawn + move.after + move.held
            (came,) = place.wire.up(sent)
            if sent >= answered:
                came = max(came, back)  # a message sent after the pong does not arrive before it
            if drop and came > start + drop[0]:
                # The client sends it again when it is back.
                (came,) = place.wire.up(max(sent, start + drop[1]))
            latest = max(latest, came)
            first = min(first, latest)
            self._claim(seat, move, latest)
        if shown.acked is not None:
            acked = min(shown.acked, first)
            took = micros(acked - handed)
            # Shortly before the claim arrives, because the packet of the claim carries the ACK.
            self._at(acked + place.node.relay - 0.001, lambda _now: self._acked(seat, took))

    def _acked(self, seat: Seat, took: Micros) -> None:
        """The kernel has the ACK of the trigger."""
        place = self._table.places[seat]
        place.look(took)
        self._arbiter.path(seat, place.lag.path(place.node.clock(self._table.now)))

    def _echoed(self, seat: Seat, shown: Shown) -> None:
        """The ping behind the trigger has come back."""
        place = self._table.places[seat]
        place.lag.echoed(shown.trip)
        self._arbiter.path(seat, place.lag.path(place.node.clock(self._table.now)))

    def _claim(self, seat: Seat, move: SimMove, came: float) -> None:
        node = self._table.places[seat].node
        said = move.says(move.after, self._screens[seat]) if move.says else move.after
        react_us = None if seat in self._script.silent else round(said * 1000)
        arrived = node.clock(came)

        def take(now: float) -> None:
            ticket = self._ticket(move, now)
            claim = Claim(ticket, seat, move.kind, arrived, micros(now), react_us, self._key)
            self._arbiter.take(claim)

        self._at(came + node.relay, take)

    def _clock_runs_out(self, now: float) -> None:
        ticket = self._ticket(None, now)
        due = micros(now)
        self._arbiter.take(Claim(ticket, None, "clock", due, due, due=due))

    def _ticket(self, move: SimMove | None, now: float) -> int:
        ticket = len(self._tickets)
        self._tickets[ticket] = move
        self._reached.append((now, move))
        return ticket

    def _at(self, at: float, act: Callable[[float], None]) -> None:
        heapq.heappush(self._events, _Event(at, len(self._events) + len(self._tickets) * 1000, act))

    def _finish(self, record: RaceRecord) -> Finish:
        first_come = None
        for _at, move in self._reached:
            if move is None or move.kind == "closer":
                break
            if move.kind == "contested" and move.right:
                first_come = move.seat
                break
        scores: dict[int, Micros] = {}
        for it in sorted(self._released, key=lambda it: it.number):
            if it.seat is not None:
                scores.setdefault(it.seat, it.score)
        return Finish(
            winner=self._winner,
            first_come=first_come,
            wait=(self._first_release or self._reached[0][0]) - self._reached[0][0],
            scores=scores,
            late=sum(it.late for it in record.decisions),
            hard=sum(it.by == "hard" for it in record.decisions),
            ties=len(record.heats),
            record=record,
        )
