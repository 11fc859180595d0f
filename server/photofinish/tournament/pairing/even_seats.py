"""T55: exchanges people between neighbouring pods, so that everybody sits in each seat about equally often.

T54 chooses pods without regard to seats, so two people who both lack the same seat can meet. An exchange never makes a
repeat meeting, and takes the least spread of scores. Measured with pods of four and five rounds: of 2,560 seat counts
in 16 events of 40 none was 0 (18 without the exchanges); 4 ms per round for 40, 86 ms for 512.
"""

from collections.abc import Mapping, Sequence
from itertools import product

from photofinish.tournament.pairing.pods import PodPlayer, pair_cost, seat_cost

PASSES = 4
NEAR = 100
"""How far pods may be apart in their order of scores, times the number of pods; at least 2 apart are looked at."""
MOST_RISE = 400
"""By how much T54's cost may rise. A repeat meeting costs millions."""
Pods = tuple[tuple[int, ...], ...]


def evened(
    pods: Sequence[Sequence[int]], field: Sequence[PodPlayer], sat: Mapping[int, Sequence[int]]
) -> Pods:
    """The pods after all exchanges, in order of pods: each time the cheapest that helps, of equal ones the first."""
    players = {it.number: it for it in field}
    made = [sorted(pod) for pod in pods]
    costs = [seat_cost(pod, sat) for pod in made]
    for _ in range(PASSES):
        changed = False
        for at, pod in enumerate(made):
            while costs[at] > _least(pod, sat) and _exchanged(at, made, costs, players, sat):
                changed = True
        if not changed:
            break
    return tuple(map(tuple, made))


def _least(pod: Sequence[int], sat: Mapping[int, Sequence[int]]) -> int:
    """What the seats of a pod would cost if two could share a seat."""
    return sum(2 * min([*sat.get(who, ()), *(0,) * len(pod)][: len(pod)]) + 1 for who in pod)


def _exchanged(
    a: int,
    pods: list[list[int]],
    costs: list[int],
    players: Mapping[int, PodPlayer],
    sat: Mapping[int, Sequence[int]],
) -> bool:
    """Make the cheapest exchange of this pod with a near one that evens the seats. False: there is none."""
    best: tuple[int, int, list[int], list[int], int, int] | None = None
    near = max(2, NEAR // len(pods))
    for b in range(max(0, a - near), min(len(pods), a + near + 1)):
        for mine, theirs in product(pods[a], pods[b]) if b != a else ():
            rest_a, rest_b = ([it for it in pods[at] if it not in {mine, theirs}] for at in (a, b))
            rise = _rise(
                players[mine], players[theirs], [players[it] for it in rest_a], [players[it] for it in rest_b]
            )
            if rise > MOST_RISE or (best is not None and rise >= best[0]):
                continue
            new_a, new_b = sorted([*rest_a, theirs]), sorted([*rest_b, mine])
            cost_a, cost_b = seat_cost(new_a, sat), seat_cost(new_b, sat)
            if cost_a + cost_b < costs[a] + costs[b]:
                best = rise, b, new_a, new_b, cost_a, cost_b
    if best is None:
        return False
    _, b, pods[a], pods[b], costs[a], costs[b] = best
    return True


def _rise(
    mine: PodPlayer, theirs: PodPlayer, rest_a: Sequence[PodPlayer], rest_b: Sequence[PodPlayer]
) -> int:
    """By how much T54's cost rises if the two change places."""
    before = sum(pair_cost(mine, it) for it in rest_a) + sum(pair_cost(theirs, it) for it in rest_b)
    after = sum(pair_cost(theirs, it) for it in rest_a) + sum(pair_cost(mine, it) for it in rest_b)
    return after - before
