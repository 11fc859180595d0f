"""A finished game as one viewer saw it: the views of the game, without the hidden cards of others."""

from pathlib import Path

import pytest

from photofinish.engine import Seat
from photofinish.games import all_games
from photofinish.replay.replay import read_replay
from photofinish.replay.views import replay_views

REPLAY = Path(__file__).parent.parent.parent / "protocol" / "transcripts" / "cambio-replay.json"


def faces(step: dict[str, object], seat: int) -> int:
    table = step["view"]["table"][seat]  # type: ignore[index]
    return sum(slot["face"] is not None for slot in table)


def test_C3_each_viewer_sees_its_own_two_cards_at_the_deal() -> None:
    replay = read_replay(REPLAY.read_bytes())
    for seat in (0, 1):
        first = replay_views(replay, all_games(), Seat(seat))["steps"][0]
        assert faces(first, seat) == 2
        assert faces(first, 1 - seat) == 0
    spectator = replay_views(replay, all_games(), None)
    assert spectator["seat"] is None
    assert faces(spectator["steps"][0], 0) == faces(spectator["steps"][0], 1) == 0


def test_the_views_contain_all_steps_and_the_result() -> None:
    found = replay_views(read_replay(REPLAY.read_bytes()), all_games(), Seat(0))
    assert found["names"] == ["Ada", "Basil"]
    assert len(found["steps"]) > 5
    assert found["over"]["winners"]
    assert all("last" not in step["view"] for step in found["steps"])


def test_a_seat_that_was_not_in_the_game_gets_the_spectators_view() -> None:
    assert replay_views(read_replay(REPLAY.read_bytes()), all_games(), Seat(7))["seat"] is None


def test_a_replay_of_an_unknown_game_is_refused() -> None:
    with pytest.raises(ValueError, match="does not start with the deal"):
        replay_views(read_replay(REPLAY.read_bytes()), {}, None)
