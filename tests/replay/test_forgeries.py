"""A forged log does not verify, even with a correct hash chain."""

import json
import random
from typing import Any

import pytest

from photofinish.games import all_games
from photofinish.replay import log
from photofinish.replay.replay import read_replay
from photofinish.replay.verify import verify
from tests.clients.js.replays import rechained, replay_of
from tests.replay.forgeries import WITH_RULES, WITHOUT_RULES, bodies, forged, written

ALL = {**WITHOUT_RULES, **WITH_RULES}


def test_the_log_before_the_forgeries_verifies() -> None:
    report = verify(read_replay(written(bodies())), all_games())

    assert report.faults == []
    assert report.version == log.HAS_REFUSALS
    assert report.races == 3


@pytest.mark.parametrize("name", ALL)
def test_a_forgery_is_noticed_and_named(name: str) -> None:
    forge, fault = ALL[name]
    report = verify(read_replay(forged(forge)), all_games())

    assert any(fault in it for it in report.faults), report.faults


def refused_in_a_race() -> bytes:
    """A game in which the rules refuse a move that a race has released."""
    for n in range(20):
        raw = replay_of("cambio", random.Random(f"cambio {n}"))
        if b'\\"refused\\":[{' in raw:
            return raw
    raise AssertionError("the rules refused no move of a race")


def test_a_refused_move_is_logged_with_its_clause_and_the_verifier_refuses_it_again() -> None:
    raw = refused_in_a_race()
    assert verify(read_replay(raw), all_games()).faults == []

    def without(body: dict[str, Any]) -> None:
        body["refused"].pop()

    def another_clause(body: dict[str, Any]) -> None:
        body["refused"][-1]["clause"] = "C0"

    def another_step(body: dict[str, Any]) -> None:
        body["refused"][-1]["after"] += 1_000

    for change, fault in (
        (without, "neither carried out nor refused"),
        (another_clause, "recorded as C0"),
        (another_step, "refused"),
    ):
        plain = json.loads(raw)
        line = next(it for it in plain["entries"] if '"refused":[{' in it["body"])
        body = json.loads(line["body"])
        change(body)
        line["body"] = json.dumps(body)
        report = verify(read_replay(json.dumps(rechained(plain)).encode()), all_games())
        assert any(fault in it for it in report.faults), (change.__name__, report.faults)
