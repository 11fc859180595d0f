"""The leak hunt in its short form: every game, every viewer, every frame (DESIGN §7). `make hunt` is the long one."""

import pytest

from photofinish.games import all_games
from tests.hunt.portion import hunt_portion

STEPS = 320
KINDS = {"show", "room", "ack", "said", "emoted", "drop", "refused illegal_move", "refused bad_move"}
"""Frames that every hunt of a few hundred steps must see."""
TALK = {"said", "emoted"}
"""Frames that are rare where the rules forbid talk."""


@pytest.mark.parametrize("key", sorted(all_games()))
def test_no_player_or_watcher_is_sent_what_they_may_not_know(key: str) -> None:
    games, looks, twins, hidden, kinds = 0, 0, 0, 0, set()
    for portion in (1, 2, 5):  # tables of three sizes, two of them with delayed spectators
        result = hunt_portion(key, portion, STEPS)

        assert not result.fault, result.fault
        games += result.seen.games
        looks += result.seen.looks
        twins += result.seen.twins
        hidden += result.seen.hidden["refused"]
        kinds |= set(result.seen.frames)
    assert games >= 2
    assert looks > STEPS
    assert twins > STEPS
    assert hidden >= STEPS // 40
    assert kinds >= KINDS - (TALK if "refused muted" in kinds else set())
