"""Follows the races that the rules open while a log is replayed. Each must have its record, at the right place."""

from collections.abc import Iterator
from typing import Any

from photofinish.engine import Act, AnyGame, IllegalMove, Race, Seat, convert
from photofinish.engine.convert import BadMove
from photofinish.engine.rng import Rng
from photofinish.race.kinds import kind_of
from photofinish.replay import log
from photofinish.replay.released import RaceStep, release_faults


class RaceTracker:
    """Takes the entries of one log in order, each with the state after it."""

    def __init__(self, game: AnyGame, version: int) -> None:
        self._game, self._version = game, version
        self._race: Race[Any] | None = None
        self._closed: Race[Any] | None = None
        """The race that the last step closed: its record comes next."""
        self._wishes: list[Race[Any]] = []
        """The race that the rules had open, after each step of the race."""
        self._states: dict[int, Any] = {}
        """The state before the race's first move, and after each of its steps."""
        self._done: list[RaceStep] = []
        self._thrown: list[int | None] = []
        self._state: Any = None

    def deal(self, state: Any) -> None:
        self._follow(0, state, None)

    def step(self, step: log.Step, state: Any) -> Iterator[str]:
        yield from self.unclosed()
        yield from self._move(step)
        if step.evidence is not None:
            self._done.append(RaceStep(step.step, step.evidence, step.older))
        self._follow(step.step, state, step.evidence.ticket if step.evidence else None)

    def unclosed(self) -> Iterator[str]:
        """Call it before any entry but a record."""
        if self._closed is not None:
            yield f"race {self._closed.key}: it has no record"
            self._forget()

    def raced(self, raced: log.Raced) -> Iterator[str]:
        record, race = raced.record, self._closed
        if race is None:
            yield f"race {record.key}: the rules close no race here"
            return
        wishes = self._wishes if raced.reopened or self._version < log.HAS_REFUSALS else self._wishes[:1]
        recorded = (record.key, record.seats, record.opener, record.not_before)
        if recorded not in [(it.key, it.seats, it.opener, it.not_before * 1000) for it in wishes]:
            yield f"race {record.key}: not the race that the rules opened"
        faults = [
            *release_faults(raced, self._done, self._version),
            *self._throws(raced),
            *self._refusals(raced),
        ]
        yield from (f"race {record.key}: {fault}" for fault in faults)
        self._forget()

    def _follow(self, number: int, state: Any, ticket: int | None) -> None:
        """Which race the rules have open after a step: the same, another one or none."""
        self._state = state
        wish = self._game.race(state) if self._game.outcome(state) is None else None
        race = self._race
        if race is not None and (wish is None or wish.key != race.key):
            self._closed = race
        elif race is not None and wish is not None and wish.throws != race.throws:
            self._thrown.append(ticket)
        if wish is not None and self._closed is None:
            self._wishes.append(wish)
        self._states[number] = state
        if race is None:  # only the state in which the race opens counts
            self._states = {number: state}
        self._race = wish

    def _forget(self) -> None:
        """The race is over. The step that closed it may have opened the next one."""
        newest = max(self._states)
        self._states = {newest: self._states[newest]}
        self._closed, self._done, self._thrown = None, [], []
        self._wishes = [] if self._race is None else [self._race]

    def _move(self, step: log.Step) -> Iterator[str]:
        """A step has evidence exactly if the race had to sort it."""
        race, where = self._race, f"step {step.step}"
        if race is None:
            if step.evidence is not None:
                yield f"{where}: evidence of a race, and the rules have none open"
            return
        if step.timer is not None:
            timer = next((it for it in self._game.timers(self._state) if it.key == step.timer), None)
            is_sorted = timer is not None and (timer.seat is not None or timer.ends_race)
            kind = "clock"
        else:
            is_sorted = step.seat in race.seats
            kind = kind_of(race, convert.move(self._game, step.move))
        if is_sorted != (step.evidence is not None):
            yield f"{where}: {'no evidence' if is_sorted else 'evidence'} in race {race.key}"
        elif step.evidence is not None and step.evidence.kind != kind:
            yield f"{where}: a move of the kind {kind}, recorded as {step.evidence.kind}"

    def _throws(self, raced: log.Raced) -> Iterator[str]:
        """The throws of the record are those that succeed by the rules."""
        moves = raced.record.moves
        own = {it.ticket for it in moves}
        found = [it for it in self._thrown if it is None or it in own]
        recorded = [
            moves[it.after - 1].ticket if 0 < it.after <= len(moves) else None for it in raced.record.throws
        ]
        if [it for it in found if it is not None] != [it for it in recorded if it is not None]:
            yield f"the throws {recorded} succeeded by the record, {found} by the rules"

    def _refusals(self, raced: log.Raced) -> Iterator[str]:
        """The rules must refuse every move that the log says was refused, at that place and by that clause."""
        moves = {it.ticket: it for it in raced.record.moves}
        for refusal in raced.refused or ():
            where, evidence = f"ticket {refusal.ticket}", moves.get(refusal.ticket)
            state, race = self._states.get(refusal.after), self._wishes[0]
            if state is None or evidence is None or evidence.seat is None:
                yield f"{where}: not refused in this race"
                continue
            try:
                move = convert.move(self._game, refusal.move)
                if kind_of(race, move) != evidence.kind:
                    yield f"{where}: a move of another kind than recorded"
                self._game.apply(state, Act(Seat(evidence.seat), move), Rng(b"", 0))
            except IllegalMove as no:
                if no.clause != refusal.clause:
                    yield f"{where}: refused by {no.clause}, recorded as {refusal.clause}"
            except BadMove:
                yield f"{where}: not a move of this game"
            else:
                yield f"{where}: recorded as refused, and the rules allow it"
