"""Event files that cost much to read: each is refused with a code, in little time (the kind of issue 10, number 15)."""

import time

import pytest

from photofinish.games import all_games
from photofinish.tournament.event_file import BadEvent, read_event

FILES = {
    "dotted key": "a" + ".a" * 6_000 + "=1",
    "dotted header": "[a" + ".a" * 6_000 + "]",
    "dotted key of an inline table": "x={a" + ".a" * 5_990 + "=1}",
    "unknown keys": "\n".join(f"k{n}=1" for n in range(1_500)),
    "unknown keys of a table": "[clock]\n" + "\n".join(f"k{n}=1" for n in range(1_400)),
    "long number": "rounds=" + "9" * 12_000,
    "nesting": "a=" + "[" * 6_000 + "]" * 6_000,
    "quotes": "a=" + '"' * 12_000,
}
LEAST_OF = 3
MOST_MS = 60
"""Milliseconds. A normal file takes 2 ms; the dotted key took 650 ms."""


@pytest.mark.parametrize("name", FILES)
def test_an_event_file_is_refused_in_little_time(name: str) -> None:
    games = all_games()
    times = []
    for _ in range(LEAST_OF):
        began = time.process_time()
        with pytest.raises(BadEvent) as caught:
            read_event(FILES[name].encode(), games)
        times.append((time.process_time() - began) * 1e3)
    assert "line" in str(caught.value)
    assert len(str(caught.value)) < 20_000
    assert min(times) < MOST_MS
