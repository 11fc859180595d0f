"""Play a game without a room, in virtual time: clocks expire in order, the caller gives the moves.

The promises of all games, the golden files, the arena and the soak test use it. No real time passes.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from photofinish.engine.convert import move
from photofinish.engine.game import AnyGame, TableSetup
from photofinish.engine.ids import Seat, all_seats
from photofinish.engine.inputs import Act, Expired, Input
from photofinish.engine.offers import Sent, sample
from photofinish.engine.records import Options
from photofinish.engine.rng import Rng


@dataclass
class Playthrough:
    """A game in play. `clocks` holds the remaining time, in ms, of each clock that the state asks for."""

    game: AnyGame
    table: TableSetup[Any]
    key: bytes
    state: Any = None
    step: int = 0
    clocks: dict[str, int] = field(default_factory=dict)
    rung: set[str] = field(default_factory=set)
    """Clocks that have expired and that the state still lists: a clock expires only once (A32)."""
    inputs: list[Input[Any]] = field(default_factory=list)

    def __post_init__(self) -> None:
        if self.state is None:
            self.state = self.game.setup(self.table, Rng(self.key, 0))
        self._wind()

    @property
    def seats(self) -> tuple[Seat, ...]:
        return all_seats(self.table.seats)

    @property
    def is_over(self) -> bool:
        return self.game.outcome(self.state) is not None

    def apply(self, event: Input[Any]) -> None:
        """Apply one input. After an `IllegalMove` nothing has changed."""
        self.state = self.game.apply(self.state, event, Rng(self.key, self.step + 1))
        self.step += 1
        self.inputs.append(event)
        if isinstance(event, Expired):
            self.rung.add(event.timer)
        self._wind()

    def act(self, seat: Seat, sent: Sent) -> None:
        self.apply(Act(seat, move(self.game, sent)))

    def wait(self) -> bool:
        """Advance the time until the next running clock expires. False if none is running."""
        due = self.next_clock()
        if due is None:
            return False
        key, left = due
        self.pass_time(left)
        self.apply(Expired(key))
        return True

    def next_clock(self) -> tuple[str, int] | None:
        """The running clock that expires first, and its remaining ms."""
        key = min(self._running(), key=lambda key: self.clocks[key], default=None)
        return None if key is None else (key, self.clocks[key])

    def pass_time(self, millis: int) -> None:
        """Only advance the clocks; call `wait` to let one expire."""
        for key in self._running():
            self.clocks[key] = max(0, self.clocks[key] - millis)

    def _wind(self) -> None:
        wanted = () if self.is_over else self.game.timers(self.state)
        self.clocks = {
            timer.key: self.clocks.get(timer.key, int(timer.after))
            for timer in wanted
            if timer.after is not None
        }
        self.rung &= {timer.key for timer in wanted}

    def _running(self) -> list[str]:
        """The running clocks in the game's order: of two that are due at the same time the same one is always first."""
        timers = self.game.timers(self.state)
        return [
            timer.key
            for timer in timers
            if timer.after is not None and timer.running and timer.key not in self.rung
        ]

    def stand_in(self) -> bool:
        """Answer for the first seat that has no time limit, as autopilot does. False if there is none."""
        for timer in self.game.timers(self.state):
            if timer.after is None and timer.running and timer.key not in self.rung:
                self.apply(Expired(timer.key))
                return True
        return False


def start(game: AnyGame, seats: int, key: bytes, options: Options | None = None) -> Playthrough:
    return Playthrough(game, TableSetup(seats, options if options is not None else game.options()), key)


def random_steps(play: Playthrough, rng: Rng, *, patience: int = 8) -> Iterator[Input[Any]]:
    """Random legal play to the end, one input at a time. On average one of `patience` inputs is an expired clock."""
    while not play.is_over:
        able = [seat for seat in play.seats if play.game.offers(play.state, seat)]
        if (not able or rng.below(patience) == 0) and play.wait():
            yield play.inputs[-1]
            continue
        assert able, "no seat can move and no clock is running"
        seat = rng.pick(able)
        sent = sample(play.game.offers(play.state, seat), rng)
        assert sent is not None
        play.act(seat, sent)
        yield play.inputs[-1]
