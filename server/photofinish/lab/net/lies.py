"""What lying clients claim over real sockets. `lab/sim/liars.py` has many more, simulated."""

from collections.abc import Callable

FORGED = 1_000
"""A claim nobody believes, in µs."""
EVERY = 10

LIES: dict[str, Callable[[int, int], int | None]] = {
    "shave 15 ms": lambda _race, pressed: pressed - 15_000,
    "shave 25.5 ms in 9 races of 10": lambda race, pressed: pressed - 25_500 * (race % EVERY != 0),
    "forge every claim": lambda _race, _pressed: FORGED,
    "hoard, bite in every 10th race": lambda race, pressed: FORGED if bites("hoard", race) else pressed,
    "claim nothing": lambda _race, _pressed: None,
}
"""Given the number of the race and the true reaction in µs: the claim."""


def claim(lie: str, race: int, pressed: int) -> int | None:
    """What the client says. An honest one has no lie."""
    return LIES[lie](race, pressed) if lie else pressed


def bites(lie: str, race: int) -> bool:
    """Whether the liar means to win this race. Races count from 1."""
    return not lie.startswith("hoard") or race % EVERY == 0
