"""T33: everybody meets everybody. Berger tables for two seats; an exact scheme for pods where one exists."""


def berger_rounds(n: int) -> int:
    """An even field of n takes n − 1 rounds, an odd one n."""
    return n - 1 + n % 2


def berger(n: int, round_: int) -> tuple[tuple[int, int], ...]:
    """The pairs of a round (from 1) by entrant number, first seat first; 0 sits out with the other one."""
    size = n + n % 2
    turn, half = size - 1, size // 2
    lead = (round_ - 1) * half % turn
    top = (lead + 1, size) if round_ % 2 else (size, lead + 1)
    pairs = [top]
    pairs += [((lead + k) % turn + 1, (lead - k) % turn + 1) for k in range(1, half)]
    if n % 2:  # the last number stands for no entrant: its opponent sits out
        pairs = [(a if b == size else b, 0) if size in {a, b} else (a, b) for a, b in pairs]
    return tuple(pairs)


def least_factor(m: int) -> int:
    """The least prime factor; m itself for a prime, and for 1 more than any pod."""
    if m == 1:
        return 1 << 30
    return next((it for it in range(2, int(m**0.5) + 1) if m % it == 0), m)


def exact_rounds(n: int, seats: int) -> int:
    """In how many rounds of the exact scheme nobody meets twice; 0 if it does not fit this field."""
    if n % seats:
        return 0
    m = n // seats
    return m if m > 1 and least_factor(m) >= seats else 0


def exact_pods(n: int, seats: int, round_: int) -> tuple[tuple[int, ...], ...]:
    """Round r (from 1), pod j = {(i, (j + i·r) mod m) : i < s}; (i, c) is entrant i·m + c + 1."""
    m = n // seats
    assert 1 <= round_ <= exact_rounds(n, seats)
    return tuple(tuple(i * m + (j + i * (round_ - 1)) % m + 1 for i in range(seats)) for j in range(m))
