"""Random events for the tests of pairing: the history of a field, and the contenders of the next round."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from photofinish.engine import Rng
from photofinish.tournament.pairing.pods import PodPlayer
from photofinish.tournament.pairing.swiss import Contender, Duel

WIN, DRAW = 1680, 840


@dataclass
class Field:
    """Two-seat events. `rounds` holds (first, second, result) with second 0 for a bye, result for the first."""

    n: int
    points: dict[int, int] = field(default_factory=dict)
    met: dict[int, Counter[int]] = field(default_factory=dict)
    byes: Counter[int] = field(default_factory=Counter)
    floated: dict[int, int] = field(default_factory=dict)
    balance: Counter[int] = field(default_factory=Counter)
    rounds: list[list[tuple[int, int, int]]] = field(default_factory=list)

    def __post_init__(self) -> None:
        numbers = range(1, self.n + 1)
        self.points = dict.fromkeys(numbers, 0)
        self.met = {number: Counter() for number in numbers}
        self.floated = dict.fromkeys(numbers, 0)

    def contenders(self) -> list[Contender]:
        return [
            Contender(
                number,
                self.points[number],
                self.met[number],
                self.byes[number],
                self.floated[number],
                self.balance[number],
            )
            for number in self.points
        ]

    def play(self, pairs: Iterable[tuple[int, int]], rng: Rng) -> None:
        before, self.floated = dict(self.points), dict.fromkeys(self.points, 0)
        played = []
        for first, second in pairs:
            if not second:
                self.points[first] += WIN
                self.byes[first] += 1
                self.floated[first] = -1
                played.append((first, 0, WIN))
                continue
            self.met[first][second] += 1
            self.met[second][first] += 1
            self.balance[first] += 1
            self.balance[second] -= 1
            if before[first] != before[second]:
                high, low = (first, second) if before[first] > before[second] else (second, first)
                self.floated[high], self.floated[low] = -1, 1
            got = rng.pick((WIN, WIN, 0, 0, DRAW))
            self.points[first] += got
            self.points[second] += WIN - got
            played.append((first, second, got))
        self.rounds.append(played)


def pairs_of(duels: Sequence[Duel]) -> list[tuple[int, int]]:
    return [(it.first, it.second) for it in duels]


@dataclass
class PodField:
    n: int
    seats: int
    x: dict[int, int] = field(default_factory=dict)
    met: dict[int, Counter[int]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.x = dict.fromkeys(range(1, self.n + 1), 0)
        self.met = {number: Counter() for number in self.x}

    def players(self) -> list[PodPlayer]:
        return [PodPlayer(number, self.x[number], self.met[number]) for number in self.x]

    def repeats(self, pods: Iterable[Sequence[int]]) -> int:
        return sum(self.met[a][b] for pod in pods for at, a in enumerate(pod) for b in pod[at + 1 :])

    def play(self, pods: Iterable[Sequence[int]], rng: Rng) -> None:
        for pod in pods:
            for a in pod:
                for b in pod:
                    if a != b:
                        self.met[a][b] += 1
            for place, number in enumerate(rng.shuffled(pod)):
                self.x[number] += 4 * (len(pod) - 1 - place)
