"""Who plays in the laboratory, and what they do in a race."""

from collections.abc import Callable, Mapping, Sequence
from random import Random

from photofinish.lab.sim.noise import CLEAN, NOISY, reaction
from photofinish.lab.sim.screens import SCREENS
from photofinish.lab.sim.sim_race import Script, SimMove
from photofinish.lab.sim.simulate import Mix
from photofinish.lab.sim.table import ClientHabit


def mix_a(_rng: Random) -> Sequence[float]:
    """Five seats with round trips, in ms, from the same city to the other side of the world."""
    return (10.0, 40.0, 80.0, 150.0, 300.0)


def one_region(rng: Random) -> Sequence[float]:
    return tuple(rng.uniform(20, 40) for _ in range(5))


def plain(rng: Random, seats: int) -> Script:
    """Everybody slaps once, with a right card."""
    return Script([SimMove(seat, reaction(rng)) for seat in range(seats)])


def led_by(lead: float) -> Callable[[Random, int], Script]:
    """The last seat is faster than the second fastest by this many ms, and than the others by up to 100 ms more."""

    def script(rng: Random, seats: int) -> Script:
        first = reaction(rng)
        others = [first + lead + rng.uniform(0, 100) for _ in range(seats - 1)]
        others[rng.randrange(seats - 1)] = first + lead
        return Script([SimMove(seat, after) for seat, after in enumerate((*others, first))])

    return script


def lively(rng: Random, seats: int) -> Script:
    """Everything that makes a race difficult: second moves, draws, clocks, swaps, broken sockets, clients
    without claims.
    """
    strokes = []
    for seat in range(seats):
        if rng.random() < 0.15:
            continue
        at = reaction(rng)
        if rng.random() < 0.25:
            strokes.append(SimMove(seat, at, right=False))
            at += rng.uniform(120, 400)
        strokes.append(SimMove(seat, at))
        if rng.random() < 0.2:
            strokes.append(SimMove(seat, at + rng.uniform(80, 300)))
        if rng.random() < 0.2:
            strokes.append(SimMove(seat, rng.uniform(100, 700), kind="other"))
    ending = rng.random()
    not_before, window = 0.0, None
    if ending < 0.5:
        not_before = rng.choice((0.0, 300.0, 500.0))
        strokes.append(SimMove(rng.randrange(seats), rng.uniform(200, 700), kind="closer"))
    else:
        window = rng.uniform(250, 700)
    drops = {}
    if rng.random() < 0.1:
        broken = rng.uniform(50, 400)
        drops[rng.randrange(seats)] = (broken, broken + rng.uniform(100, 600))
    silent = frozenset(seat for seat in range(seats) if rng.random() < 0.05)
    return Script(strokes, not_before, window, drops, silent)


def all_screens(rng: Random, seats: int) -> Mapping[int, ClientHabit]:
    """Players with all kinds of screens at one table."""
    return {seat: ClientHabit(rng.choice(SCREENS)) for seat in range(seats)}


def behind_proxy(_rng: Random, seats: int) -> Mapping[int, ClientHabit]:
    """Nobody has kernel proof."""
    return {seat: ClientHabit(is_blind=True) for seat in range(seats)}


def unforced(_rng: Random, seats: int) -> Mapping[int, ClientHabit]:
    """The server may not force ACKs."""
    return {seat: ClientHabit(is_unforced=True) for seat in range(seats)}


MIX_A_CLEAN = Mix("mix A, clean", mix_a, CLEAN, plain)
MIX_A = Mix("mix A, noisy", mix_a, NOISY, plain)
REGION = Mix("one region, noisy", one_region, NOISY, plain)
LIVELY = Mix("mix A, noisy, lively", mix_a, NOISY, lively)
PROXY = Mix("mix A, noisy, behind a proxy", mix_a, NOISY, plain, behind_proxy)
UNFORCED = Mix("mix A, noisy, ACKs not forced", mix_a, NOISY, plain, unforced)
SCRIPTED = tuple(
    Mix(f"mix A, clean, slowest network faster by {lead} ms", mix_a, CLEAN, led_by(lead))
    for lead in (5, 10, 20, 50)
)
SCREENS_MIXED = Mix("mix A, noisy, all screens", mix_a, NOISY, plain, all_screens)
