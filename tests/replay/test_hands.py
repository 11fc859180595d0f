"""T74: the hands of a game depend on its key and their number, not on what was played before."""

import gzip
import json
from pathlib import Path
from typing import Any

import msgspec
import pytest

from photofinish.engine import AnyGame, Rng, Seat
from photofinish.engine.convert import options
from photofinish.engine.offers import sample
from photofinish.engine.playthrough import Playthrough, random_steps, start
from photofinish.engine.rng import HANDS, Draw, NotedRng
from photofinish.games import all_games
from photofinish.replay.replay import Replay, read_replay
from photofinish.replay.verify import verify
from tests.clients.js.replays import rechained

OLDER = sorted((Path(__file__).parent / "older").glob("*.gz"))
"""Games of several hands, recorded by a release with version 1 of the rules."""

LONG: dict[str, dict[str, Any]] = {"cambio": {"target_points": 200}, "kodiak": {}}


def hands(game: AnyGame, key: bytes, by: bytes, **chosen: Any) -> list[tuple[Any, Any]]:
    """Table cards and main pile at the deal of each hand, in a game of random moves by another hand."""
    play = start(game, 2, key, options(game, chosen))
    found = [_dealt(play)]
    for _ in random_steps(play, Rng(by, 0)):
        if any(it.what == "dealt" for it in play.state.last):
            found.append(_dealt(play))
        if len(found) > 3 or play.is_over:
            break
    return found


def _dealt(play: Playthrough) -> tuple[Any, Any]:
    return tuple(tuple(slot.card for slot in row) for row in play.state.table), play.state.main


@pytest.mark.parametrize("key", sorted(LONG))
def test_T74_two_tables_with_one_key_get_the_same_hands_whatever_they_play(key: str) -> None:
    game = all_games()[key]
    one, other = (hands(game, b"duplicate", by, **LONG[key]) for by in (b"quick", b"slow"))
    same = min(len(one), len(other))

    assert same > 1, "no second hand was dealt at both tables"
    assert one[:same] == other[:same]
    assert len({repr(it) for it in one}) == len(one), "each hand is another deal"


def test_T74_hameln_deals_its_first_hand_by_its_number_though_it_comes_after_the_characters() -> None:
    game = all_games()["hameln_cave"]
    deals = []
    for changes in range(3):
        play, rng = start(game, 2, b"duplicate"), Rng(b"picks", 0)
        for seat in (*(Seat(0),) * (changes + 1), Seat(1)):  # how often the first seat changes its pick
            sent = sample(game.offers(play.state, seat), rng)
            assert sent is not None
            play.act(seat, sent)
        assert play.state.phase == "exchange"
        deals.append((play.step, play.state.hands, play.state.surplus))

    assert len({step for step, *_ in deals}) > 1, "the deal came at the same step at all tables"
    assert len({repr(cards) for _, *cards in deals}) == 1


def test_T74_a_hand_has_the_stream_of_its_number_and_its_draws_say_so() -> None:
    rng = NotedRng(b"key", 17)
    got = rng.hand(3).shuffled(range(5))
    coin = rng.below(2)

    assert got == Rng(b"key", HANDS + 3).shuffled(range(5))
    assert coin == Rng(b"key", 17).below(2)
    assert rng.draws == [Draw(5, order=got, hand=3), Draw(2, got=coin)]


@pytest.mark.parametrize("file", OLDER, ids=lambda file: file.name)
def test_T74_replays_of_version_1_still_verify(file: Path) -> None:
    replay = read_replay(gzip.decompress(file.read_bytes()))
    report = verify(replay, all_games())

    assert len(OLDER) == 3
    assert json.loads(replay.entries[0].body)["rules"] == 1
    assert report.faults == []
    assert any('"order"' in line.body for line in replay.entries[1:]), "a hand was dealt after the first step"


def test_a_replay_by_rules_that_this_release_does_not_have_is_a_fault() -> None:
    replay = read_replay(gzip.decompress(OLDER[0].read_bytes()))
    report = verify(_with_rules(replay, 99), all_games())

    assert any("rules version 99" in fault for fault in report.faults), report.faults


def _with_rules(replay: Replay, rules: int) -> Replay:
    plain = msgspec.to_builtins(replay)
    body = json.loads(plain["entries"][0]["body"])
    plain["entries"][0]["body"] = json.dumps({**body, "rules": rules}, separators=(",", ":"))
    return msgspec.convert(rechained(plain), Replay)
