"""T53 to T55: pods by threshold accepting in whole numbers. Anybody with the key can run it again."""

from collections.abc import Mapping, Sequence

import msgspec

from photofinish.engine import Rng
from photofinish.tournament.course.chance import WORD

TRIES = 60_000
REPEAT = 1_000_000
MOST_X = 200
_STEPS = (-2, -1, 1, 2)


class PodPlayer(msgspec.Struct, frozen=True):
    """`x`: points in half points, or a slap-off's total div (20 · deals played)."""

    number: int
    x: int
    met: Mapping[int, int] = {}


def pod_sizes(n: int, seats: int) -> tuple[int, ...]:
    """T53: ⌈n/s⌉ pods, of `n div m` or one more, the larger first."""
    m = -(-n // seats)
    return tuple(n // m + (pod < n % m) for pod in range(m))


def pair_pods(field: Sequence[PodPlayer], seats: int, key: bytes) -> tuple[tuple[int, ...], ...]:
    """T54. The pods as entrant numbers, best first, each in ascending order. T55 decides the seats."""
    if not field:
        return ()
    rng = Rng(key, 0)
    lot = {it.number: rng.below(WORD) for it in sorted(field, key=lambda it: it.number)}
    lowest = min(it.x for it in field)
    x = {it.number: min(MOST_X, it.x - lowest) for it in field}
    order = sorted(field, key=lambda it: (-x[it.number], lot[it.number]))
    pods: list[list[int]] = []
    start = 0
    for size in pod_sizes(len(order), seats):
        pods.append(list(range(start, start + size)))
        start += size
    costs = _pair_costs(order, [x[it.number] for it in order])
    best = _search(pods, costs, seats, max(x.values()) - min(x.values()), rng)
    return tuple(tuple(sorted(order[index].number for index in pod)) for pod in best)


def _pair_costs(order: Sequence[PodPlayer], x: Sequence[int]) -> list[list[int]]:
    """By index: 10⁶·((met+1)² − 1) + (x_i − x_j)²."""
    index = {it.number: at for at, it in enumerate(order)}
    costs = [[(own - other) ** 2 for other in x] for own in x]
    for at, it in enumerate(order):
        for number, met in it.met.items():
            if number in index:
                costs[at][index[number]] += REPEAT * ((met + 1) ** 2 - 1)
    return costs


def pod_cost(pod: Sequence[int], costs: Sequence[Sequence[int]]) -> int:
    return sum(costs[a][b] for at, a in enumerate(pod) for b in pod[at + 1 :])


def _search(
    pods: list[list[int]], costs: list[list[int]], seats: int, spread: int, rng: Rng
) -> list[list[int]]:
    """The loop of T54, step by step as in the text."""
    cost = sum(pod_cost(pod, costs) for pod in pods)
    best, least = [list(pod) for pod in pods], cost
    k, below = len(pods), rng.below
    if k < 2 or cost == 0:
        return best
    hottest = max(1, seats * spread * spread // 8)
    for t in range(TRIES):
        a, y = below(k), below(16)
        b = a + _STEPS[y % 4] if y < 12 else below(k)
        if b < 0 or b >= k or b == a:
            continue
        own, other = pods[a], pods[b]
        i, j = below(len(own)), below(len(other))
        mine, theirs = own[i], other[j]
        of_mine, of_theirs = costs[mine], costs[theirs]
        rise = 0
        for it in own:
            rise += of_theirs[it] - of_mine[it]
        for it in other:
            rise += of_mine[it] - of_theirs[it]
        # Each sum counted the two that change places with themselves and with each other.
        rise -= 2 * of_mine[theirs]
        if rise <= hottest * (TRIES - t) ** 2 // TRIES**2:
            own[i], other[j] = theirs, mine
            cost += rise
            if cost < least:
                best, least = [list(pod) for pod in pods], cost
                if cost == 0:
                    break
    return best


def pair_cost(a: PodPlayer, b: PodPlayer) -> int:
    """T54's cost of two people in one pod."""
    return REPEAT * ((a.met.get(b.number, 0) + 1) ** 2 - 1) + (a.x - b.x) ** 2


def seat_cost(pod: Sequence[int], sat: Mapping[int, Sequence[int]]) -> int:
    """The least sum of T55 for this pod."""
    return _seat_costs(sorted(pod), sat)[1][-1]


def _seat_costs(people: Sequence[int], sat: Mapping[int, Sequence[int]]) -> tuple[list[list[int]], list[int]]:
    """What each seat costs each person, and by mask the least cost of filling the last seats with its people."""
    seats = len(people)
    price = []
    for person in people:
        times = sat.get(person, ())
        price.append([2 * (times[seat] if seat < len(times) else 0) + 1 for seat in range(seats)])
    least = [0] * (1 << seats)
    for mask in range(1, 1 << seats):
        seat = seats - mask.bit_count()
        least[mask] = min(price[at][seat] + least[mask & ~(1 << at)] for at in range(seats) if mask >> at & 1)
    return price, least


def seated(pod: Sequence[int], sat: Mapping[int, Sequence[int]]) -> tuple[int, ...]:
    """T55: who sits in seat 0, 1, …: the least Σ (times e sat in seat c)² after seating; of equal ones the
    lexicographically first by entrant number. `sat[e][c]` is how often e sat in seat c.
    """
    people, seats = sorted(pod), len(pod)
    price, least = _seat_costs(people, sat)
    made: list[int] = []
    mask = (1 << seats) - 1
    for seat in range(seats):
        at = next(
            at
            for at in range(seats)
            if mask >> at & 1 and price[at][seat] + least[mask & ~(1 << at)] == least[mask]
        )
        made.append(people[at])
        mask &= ~(1 << at)
    return tuple(made)
