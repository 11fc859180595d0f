"""Orders the moves while a race is open, with a watermark. It knows no cards and no sockets.

The room opens a race, passes on what each node has measured and every move of every seat, and calls `next` until it
returns None. It passes each released move to the rules before it calls `next` again. Nothing here reads a clock: times
are arguments, in microseconds of the owner's clock unless a docstring says that they are of a node's clock.
"""

from collections.abc import Collection, Mapping, Sequence

from photofinish.engine import Micros, Seat, replace
from photofinish.race.claims import NOTHING, Claim, Closed, Release, Void
from photofinish.race.evidence import (
    VERSION,
    By,
    Decision,
    Evidence,
    RaceRecord,
    SeatStart,
    SeatWait,
    Throw,
    sealed,
)
from photofinish.race.lanes import Lane, NextRelease, RunningRace
from photofinish.race.move_evidence import clock_evidence, move_evidence
from photofinish.race.normaliser import starts_after
from photofinish.race.order import dead_heat, hard_at, is_settled, sorted_by, toss
from photofinish.race.params import Params, Path, Standing, newcomer

__all__ = ["Arbiter", "Claim", "Closed", "Release", "Void"]

SOONEST = Micros(1_000)
"""The shortest time until `next` is called again: a shorter one brings nothing."""


class Arbiter:
    """The races of one room, one open at a time.

    `coin` is the secret key of the tosses, committed to before the game. `standings` are those stored with the
    room's state; read them back from `standings` at every commit.
    """

    def __init__(self, params: Params, coin: bytes, standings: Mapping[Seat, Standing] | None = None) -> None:
        self.params = params
        self.standings = {seat: it.within(params) for seat, it in (standings or {}).items()}
        self._coin = coin
        self._paths: dict[Seat, Path] = {}
        self._race: RunningRace | None = None

    @property
    def is_open(self) -> bool:
        return self._race is not None

    @property
    def is_holding(self) -> bool:
        """Whether a move waits for its release."""
        return self._race is not None and bool(self._race.held)

    @property
    def key(self) -> str | None:
        return self._race.key if self._race else None

    def open(
        self,
        key: str,
        seats: Collection[Seat],
        *,
        now: Micros,
        not_before: Micros = NOTHING,
        opener: Seat | None = None,
        present: Collection[Seat],
        nonce: str = "",
    ) -> None:
        """A race opens. Call `shown` for each seat whose socket got the view, `lost` where that failed.

        `present` are the seats that are connected: they are waited for. The others are scored without
        compensation. `not_before` counts from the opening.
        """
        assert self._race is None, "one race at a time"
        for seat in seats:
            self.standings.setdefault(seat, newcomer(self.params))
        lanes = {
            seat: Lane(self._path(seat), away=seat not in present, waited_for=seat in present)
            for seat in seats
        }
        self._race = RunningRace(
            key,
            nonce,
            tuple(seats),
            opener,
            now,
            not_before,
            lanes,
            {seat: self.standings[seat] for seat in seats},
            closers_from=not_before,
            touched=now,
        )

    def shown(self, seat: Seat, at: Micros) -> None:
        """The first view that shows the race was handed to this seat's socket, by its node's clock.

        Only the first counts: later views of the same race do not restamp.
        """
        lane = self._lane(seat)
        if lane.shown is None and not lane.away:
            lane.shown = at

    def path(self, seat: Seat, path: Path) -> None:
        """The line to this seat was measured again. May be called at any time, with or without an open race."""
        self._paths[seat] = path
        if self._race and seat in self._race.lanes:
            self._race.lanes[seat].path = path

    def lost(self, seat: Seat, now: Micros) -> None:
        """The seat's socket is gone, or the trigger could not be handed to it. Nobody waits for it."""
        if self._race:
            lane = self._lane(seat)
            lane.away, lane.waited_for = True, False
            self._race.touched = now

    def back(self, seat: Seat, now: Micros) -> None:
        """The seat has a socket again: in this race it stays uncompensated, and nobody waits for it."""
        self.lost(seat, now)

    def take(self, claim: Claim) -> Void | None:
        """A move came in. It is held, unless it is a false start or has a wrong nonce."""
        race = self._the_race()
        if claim.seat is None:
            evidence = clock_evidence(race, claim)
        else:
            lane = self._lane(claim.seat)
            evidence = move_evidence(self.params, race, lane, race.standings[claim.seat], claim)
            self._book(race, claim.seat, lane, evidence)
            lane.taken += 1
        race.taken += 1
        if evidence.void:
            race.void.append(evidence)
            return Void(claim, evidence.why, evidence)
        race.front = None
        race.claims[claim.ticket] = claim
        race.tops[claim.ticket] = race.top
        race.held.append(evidence)
        if claim.seat not in race.coins:
            race.coins[claim.seat] = toss(self._coin, race.key, claim.seat)
        return None

    def holds(self, seat: Seat, by: Micros) -> bool:
        """Whether a move of this seat is held that reached the owner by then."""
        race = self._race
        return race is not None and any(it.seat == seat and it.reached <= by for it in race.held)

    def taken(self, seat: Seat) -> int:
        """The number of moves of this seat in the open race, void ones included."""
        race = self._race
        return race.lanes[seat].taken if race is not None and seat in race.lanes else 0

    def thrown(self, now: Micros) -> None:
        """A throw succeeded: the time before which no closing move takes effect starts again."""
        race = self._the_race()
        race.closers_from, race.front = Micros(now - race.opened + race.not_before), None
        race.throws.append(Throw(len(race.decisions), now))

    def next(self, now: Micros, clocks: Mapping[Seat, Micros]) -> Release | None:
        """The next move that nobody can beat any more, or that has been held long enough.

        `clocks` says how far each seat's node is known to have come, by that node's clock: everything it
        received earlier has been taken. A seat that is missing is not known to have come anywhere.
        """
        race = self._the_race()
        race.touched = now
        race.clocks = dict(clocks)
        if not race.held:
            return None
        front = self._front(race)
        if front.first.kind == "closer" and now < race.opened + front.score:
            return None
        marks = self._marks(race, front.first.seat, clocks)
        if all(is_settled(mark, front.lowest, self.params) for mark in marks):
            by: By = "watermark"
        elif now >= front.hard:
            # The moves that score no higher than one that has waited long enough go before it.
            by = "hard"
        else:
            return None
        return self._release(race, front, by=by, at=now, marks=marks)

    def wakes_at(self) -> Micros | None:
        """When to call `next` again, if nothing comes in before. None: nothing is held."""
        race = self._race
        if race is None or not race.held:
            return None
        front = self._front(race)
        lowest, longest = front.lowest, 0
        # As in `_marks`, but without making a record per lane: this runs with every ping in a race.
        for seat, lane in race.lanes.items():
            shown, clock = lane.shown, race.clocks.get(seat)
            if not lane.waited_for or seat == front.first.seat or shown is None or clock is None:
                continue
            if lane.own_last is None or lane.last < lowest:
                longest = max(longest, shown + lowest + lane.path.patience(self.params) + 1 - clock)
        soon = Micros(race.touched + longest)
        if front.first.kind == "closer":
            soon = max(soon, Micros(race.opened + lowest))
        return max(min(soon, front.hard), Micros(race.touched + SOONEST))

    def awaited_clocks(self) -> dict[Seat, Micros]:
        """For each seat: the time that its node's clock must reach before a held move can be released."""
        race = self._race
        if race is None or not race.held:
            return {}
        front = self._front(race)
        return {
            mark.seat: Micros(mark.shown + front.lowest + mark.path.patience(self.params) + 1)
            for mark in self._marks(race, front.first.seat, race.clocks)
            if mark.shown is not None and not is_settled(mark, front.lowest, self.params)
        }

    def close(self, now: Micros) -> Closed:
        """The rules closed the race. Updates every seat's standing by this race."""
        race = self._the_race()
        record = RaceRecord(
            version=VERSION,
            key=race.key,
            nonce=race.nonce,
            params=self.params,
            seats=race.seats,
            opener=race.opener,
            opened=race.opened,
            closed=now,
            not_before=race.not_before,
            coins=tuple(sorted(race.coins.items(), key=lambda it: (it[0] is None, it[0] or 0))),
            starts=tuple(
                SeatStart(seat, standing.screen, standing.unproven)
                for seat, standing in race.standings.items()
            ),
            decisions=tuple(race.decisions),
            throws=tuple(race.throws),
            moves=tuple(race.released),
            void=tuple(race.void),
            held=tuple(race.held),
        )
        for start in starts_after(record):
            self.standings[start.seat] = replace(
                self.standings[start.seat], screen=start.screen, unproven=start.unproven
            )
        scores = sorted_by(race.held, race.closers_from, race.drawn)
        order = sorted(range(len(scores)), key=lambda place: (scores[place], place))
        heats = {ticket: tie.number for ticket, tie in race.ties.items()}
        held = self.abandon()
        return Closed(sealed(record), tuple(held[place] for place in order), heats)

    def abandon(self) -> tuple[Claim, ...]:
        """The race is given up undecided (a drained or quarantined room). What was held, in order of arrival:
        it gets `refused: race_reopened`. Normalisers and accounts stay as they are.
        """
        race, self._race = self._the_race(), None
        return tuple(race.claims[it.ticket] for it in race.held)

    def _book(self, race: RunningRace, seat: Seat, lane: Lane, it: Evidence) -> None:
        """Record the move in its lane and in the seat's ledger."""
        standing = self.standings[seat]
        if it.void:
            if it.why == "false_start":
                lane.least = Micros(self.params.floor + self.params.after_void)
                if seat != race.opener:
                    self.standings[seat] = replace(standing, false_starts=standing.false_starts + 1)
            return
        lane.last = it.score
        claimed = it.score if it.react_us is None else it.react_us
        self.standings[seat] = replace(
            standing,
            credited=Micros(standing.credited + it.credit),
            given=Micros(standing.given + max(0, it.arrived - it.shown - it.score)),
            uncompensated=Micros(standing.uncompensated + max(0, it.score - claimed)),
        )

    def _release(
        self, race: RunningRace, front: NextRelease, *, by: By, at: Micros, marks: tuple[SeatWait, ...]
    ) -> Release:
        first, score, tie = front.first, front.score, front.tie
        for ticket in front.joining:
            race.ties[ticket] = tie
        late = score < race.tops[first.ticket]
        tied = {race.claims[ticket].seat for ticket, other in race.ties.items() if other == tie}
        order = sorted(tied, key=lambda seat: race.coins[seat])
        race.top = max(race.top, score)
        if first.kind == "closer":
            race.drawn[first.seat] = score
        race.decisions.append(Decision(first.ticket, at, score, by, late, tie.number, race.taken, marks))
        del race.held[front.place]
        race.front = None
        evidence = replace(first, late=late) if late else first
        race.released.append(evidence)
        return Release(race.claims[first.ticket], evidence, late, tuple(order) if len(order) > 1 else (), by)

    def _marks(
        self, race: RunningRace, seat: Seat | None, clocks: Mapping[Seat, Micros]
    ) -> tuple[SeatWait, ...]:
        """The state of every other seat that has to be waited for."""
        return tuple(
            SeatWait(other, lane.shown, lane.path, lane.own_last, clocks.get(other))
            for other, lane in race.lanes.items()
            if lane.waited_for and other != seat
        )

    def _front(self, race: RunningRace) -> NextRelease:
        """The held move that is released next. Computed once per move that comes in or is released."""
        if race.front is None:
            scores = sorted_by(race.held, race.closers_from, race.drawn)
            eps, fresh = self.params.eps, len(race.decisions)
            ties = dict(race.ties)
            tie, group = dead_heat(race.held, scores, race.coins, ties, eps, fresh)
            # Only a release begins a heat: until then those that join it are noted here.
            joining = tuple([ticket for ticket, it in ties.items() if race.ties.get(ticket) is not it])
            first, score = race.held[group[0]], scores[group[0]]
            hard = self._hard(race, scores)
            race.front = NextRelease(first, score, min(scores), hard, group[0], tie, joining)
        return race.front

    def _hard(self, race: RunningRace, scores: Sequence[Micros]) -> Micros:
        """When the first of the held moves has waited long enough."""
        return min(
            hard_at(self.params, race.opened, it, score) for it, score in zip(race.held, scores, strict=True)
        )

    def _the_race(self) -> RunningRace:
        assert self._race is not None, "no race is open"
        return self._race

    def _path(self, seat: Seat) -> Path:
        return self._paths.get(seat, Path())

    def _lane(self, seat: Seat) -> Lane:
        """The seat's lane. A seat that the race did not name gets one when it first moves; nobody waits for it."""
        race = self._the_race()
        if seat not in race.lanes:
            standing = self.standings.setdefault(seat, newcomer(self.params))
            race.standings[seat] = standing
            race.lanes[seat] = Lane(self._path(seat), away=False, waited_for=False)
        return race.lanes[seat]
