"""An event without a server: the pure core with a clock that the test sets; games have random results.

Everybody is at the table as soon as it is called unless a test says otherwise. Each entry goes through the chain and
the fold exactly as in the director.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Self, TypeVar

from photofinish.engine import Rng
from photofinish.games import all_games
from photofinish.tournament.course.due import World, due
from photofinish.tournament.event_file import read_event
from photofinish.tournament.log import chain
from photofinish.tournament.log import entries as log
from photofinish.tournament.people import officials, players
from photofinish.tournament.scores import results
from photofinish.tournament.scores.ratings import Rating
from photofinish.tournament.state.fold import after
from photofinish.tournament.state.model import BOT, Played, RoundTable, State

E = TypeVar("E", bound=log.Entry)
SECOND = 1_000_000
HOST = "0" * 63 + "1"
SECRET = bytes(range(32))


def key_of(number: int) -> str:
    return f"{number:064x}"


Decide = Callable[[RoundTable, Played, Rng], tuple[int, ...]]


def by_lot(table: RoundTable, game: Played, rng: Rng) -> tuple[int, ...]:
    """Places by seat: any order; now and then the first two are equal."""
    order = rng.shuffled(range(1, len(game.seats) + 1))
    if rng.below(6) == 0 and len(order) > 1:
        return tuple(1 if place <= 2 else place for place in order)
    return order


def better_number(table: RoundTable, game: Played, rng: Rng) -> tuple[int, ...]:
    """The lower entrant number wins."""
    order = sorted(it for it in game.seats if it != BOT) + [BOT] * game.seats.count(BOT)
    return tuple(order.index(it) + 1 for it in game.seats)


@dataclass
class Course:
    toml: str
    now: int = 1_000_000 * SECOND
    decide: Decide = by_lot
    seed: int = 0
    absent: set[int] = field(default_factory=set)
    """Entrants who do not come to their table."""
    stuck: set[int] = field(default_factory=set)
    """Tables whose game does not end."""
    resting: set[int] = field(default_factory=set)
    races: Callable[[Played, Rng], tuple[log.RaceLine, ...]] = lambda game, rng: ()
    lasts: Callable[[Rng], int] = lambda rng: 30
    """How many seconds a game takes."""
    entries: list[log.AnyEntry] = field(default_factory=list)
    lines: list[chain.ChainLine] = field(default_factory=list)
    head: bytes = chain.GENESIS
    held: State | None = None
    ends: dict[str, int] = field(default_factory=dict)
    ratings: dict[str, Rating] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.rng = Rng(b"course", self.seed)
        rules = read_event(self.toml.encode(), all_games())
        self.add(officials.created("E1", rules, self.toml.encode(), HOST))

    @property
    def state(self) -> State:
        assert self.held is not None
        return self.held

    def add(self, made: Iterable[log.AnyEntry]) -> None:
        for it in made:
            stamped = chain.stamped(
                it, len(self.entries), self.now, self.entries[-1].at if self.entries else 0
            )
            body, self.head = chain.write(stamped, self.head)
            entry = chain.parse(body)
            self.held = after(self.held, entry)
            self.entries.append(entry)
            self.lines.append(chain.ChainLine(self.head.hex(), body.decode()))
            if isinstance(entry, log.Rated):
                self.ratings[entry.key] = Rating(*entry.after)

    def open(self, n: int, *, check_in: bool = True) -> Self:
        self.add(officials.open_event(self.state, HOST, SECRET))
        for number in range(1, n + 1):
            team = f"team {(number + 1) // 2}" if self.state.rules.teams == 2 else ""
            key = key_of(number + 1000)
            self.add(players.enter(self.state, key, f"player {number}", self.now, team=team, rating=-number))
            if check_in:
                self.add(players.check_in(self.state, key))
        return self

    def start(self) -> Self:
        self.add(officials.start_event(self.state, HOST, SECRET))
        return self

    def world(self) -> World:
        ready: dict[str, frozenset[int]] = {}
        busy: set[int] = set()
        round_ = self.state.round
        for table in round_.tables if round_ else ():
            if table.now is not None:
                ready[table.now.room] = frozenset(set(table.now.seats) - self.absent)
                busy |= set(table.seats)
        free = frozenset(set(self.state.numbers) - busy - self.resting)
        return World(SECRET, ready, free, {}, self.now, self.ratings, self.head.hex())

    def settle(self) -> None:
        """Everything that is due now."""
        for _ in range(100_000):
            made = due(self.state, self.now, self.world())
            if not made:
                return
            self.add(made)
        raise AssertionError("the core never comes to rest")

    def play_games(self) -> None:
        """Games that have taken their time end."""
        round_ = self.state.round
        for table in round_.tables if round_ else ():
            game = table.now
            if game is None or not game.dealt or table.table in self.stuck:
                continue
            ends = self.ends.setdefault(game.room, self.now + self.lasts(self.rng) * SECOND)
            if self.now >= ends:
                self.end(table, game)

    def end(self, table: RoundTable, game: Played, places: tuple[int, ...] | None = None) -> None:
        places = self.decide(table, game, self.rng) if places is None else places
        winners = tuple(seat for seat, place in enumerate(places) if place == 1)
        scores = tuple(10 * (len(places) - place) for place in places)
        outcome = log.RoomOutcome(winners, scores, places, self.races(game, self.rng))
        head = f"{len(self.entries):064x}"
        self.add(results.take(self.state, game.room, head, outcome))

    def step(self, seconds: int = 5) -> None:
        self.now += seconds * SECOND
        self.settle()
        if self.state.status in {"running", "paused"}:
            self.play_games()
            self.settle()

    def run(self, most: int = 20_000, until: Callable[[State], bool] | None = None) -> Self:
        """Let time pass until the event is finished, or the condition holds."""
        self.settle()
        for _ in range(most):
            if until is not None and until(self.state):
                return self
            if self.state.status in {"finished", "sealed", "cancelled"}:
                assert until is None, "the event ended first"
                return self
            self.step()
        raise AssertionError(f"not finished: {self.state.status}, round {len(self.state.rounds)}")

    def of(self, kind: type[E]) -> list[E]:
        return [it for it in self.entries if isinstance(it, kind)]


def toml(game: str = "cambio", kind: str = "swiss", *more: str, clock: str = "", tail: str = "") -> str:
    """An event file with the keys at the top first."""
    head = [f'title = "Test"\ngame = "{game}"\nformat = "{kind}"', *more]
    return "\n".join(head) + f"\n[clock]\ncheck_in_minutes = 0\n{clock}\n{tail}\n"
