"""The normalisers and accounts of a race follow from the race before, and both verifiers check it."""

import json
import random
from collections.abc import Callable
from typing import Any

import msgspec
import pytest

from photofinish.engine import Micros, Seat
from photofinish.games import all_games
from photofinish.race import RaceRecord
from photofinish.race.evidence import SeatStart, sealed
from photofinish.race.normaliser import Normalisers, starts_after
from photofinish.race.params import Params
from photofinish.replay import log
from photofinish.replay.replay import read_replay
from photofinish.replay.verify import verify
from tests.clients.js.replays import Plain, rechained, replay_of
from tests.protocol.page import code
from tests.race.record_page import PAGE


def raced() -> Plain:
    """A game of Alaska with eight races, in which seats claim and normalisers move."""
    found: Plain = json.loads(replay_of("alaska", random.Random("n2")))
    return found


def records(replay: Plain) -> list[Plain]:
    bodies = (json.loads(line["body"]) for line in replay["entries"])
    return [body["record"] for body in bodies if body["e"] == "race"]


def changed(replay: Plain, change: Callable[[Plain, int], None]) -> bytes:
    """The replay with every entry changed; seals and chain are computed again."""
    number = 0
    for line in replay["entries"]:
        body = json.loads(line["body"])
        change(body, number)
        if body["e"] == "race":
            number += 1
            body["record"] = msgspec.to_builtins(sealed(msgspec.convert(body["record"], RaceRecord)))
        line["body"] = json.dumps(body, separators=(",", ":"))
    return json.dumps(rechained(replay)).encode()


def idle_start(record: Plain) -> Plain:
    """The start of a seat that claims nothing in this race: no score of the race depends on it."""
    claimed = {it["seat"] for part in ("moves", "void", "held") for it in record[part]}
    found: Plain = next(it for it in record["starts"] if it["seat"] not in claimed)
    return found


def race_with_an_idle_seat(replay: Plain) -> int:
    found = [
        number
        for number, it in enumerate(records(replay))
        if len({one["seat"] for part in ("moves", "void", "held") for one in it[part]} - {None})
        < len(it["starts"])
    ]
    return next(it for it in found if it > 0)


def faults(raw: bytes) -> list[str]:
    return verify(read_replay(raw), all_games()).faults


def test_the_starts_of_an_honest_game_follow_and_move() -> None:
    replay = raced()
    starts = {it["screen"] for record in records(replay) for it in record["starts"]}

    assert len(starts) > 1
    assert json.loads(replay["entries"][0]["body"])["v"] >= log.FOLLOWS
    assert faults(json.dumps(replay).encode()) == []


def another_start(field: str) -> bytes:
    """The replay with one start that does not follow, of a seat that claims nothing in that race."""
    replay = raced()
    which = race_with_an_idle_seat(replay)

    def change(body: Plain, number: int) -> None:
        if body["e"] == "race" and number == which:
            idle_start(body["record"])[field] -= 1

    return changed(replay, change)


@pytest.mark.parametrize("field", ["screen", "unproven"])
def test_a_normaliser_or_account_that_does_not_follow_is_noticed(field: str) -> None:
    [fault, *_] = faults(another_start(field))

    assert "begins with a normaliser of" in fault
    assert "should be a normaliser of" in fault


@pytest.mark.parametrize(
    ("screen", "unproven", "is_possible"),
    [
        (Params().screen_least, 0, True),
        (Params().screen_most, Params().unproven_most, True),
        (Params().screen_least - 1, 0, False),
        (Params().screen_most + 1, 0, False),
        (Params().screen, -1, False),
        (Params().screen, Params().unproven_most + 1, False),
    ],
)
def test_the_start_of_a_first_race_must_be_inside_the_limits(
    screen: int, unproven: int, is_possible: bool
) -> None:
    start = SeatStart(Seat(0), Micros(screen), Micros(unproven))
    record = msgspec.structs.replace(with_claims({}), params=Params(), starts=(start,))

    faults = list(Normalisers().check(record))
    assert [("outside the limits" in it) for it in faults] == ([] if is_possible else [True])


def test_a_log_of_version_3_may_have_other_starts() -> None:
    """Its normalisers moved by the proof at the close of a race, which no record tells."""
    replay = raced()
    which = race_with_an_idle_seat(replay)

    def change(body: Plain, number: int) -> None:
        if body["e"] == "deal":
            body["v"] = log.HAS_REFUSALS
        if body["e"] == "race" and number == which:
            idle_start(body["record"])["screen"] -= 1

    assert faults(changed(replay, change)) == []


def with_claims(*claims: dict[str, Any]) -> RaceRecord:
    """A record of one seat with these claims; each has only what `starts_after` reads."""
    replay = raced()
    record = next(it for it in records(replay) if it["moves"] and it["moves"][0]["react_us"] is not None)
    first = record["moves"][0]
    record["moves"] = [{**first, "path": {**first["path"], **it.pop("path", {})}, **it} for it in claims]
    record["held"], record["void"] = [], []
    record["starts"] = [{"seat": first["seat"], "screen": 9_600, "unproven": 50_000}]
    return msgspec.convert(record, RaceRecord)


FULL = {"acked": 0, "delayable": False, "behind_proxy": False}
NONE = {"acked": None}


@pytest.mark.parametrize(
    ("claims", "screen", "unproven"),
    [
        ([{"soft": 3_500, "credit": 0, "path": FULL}], 9_699, 50_000),
        ([{"soft": -3_500, "credit": 0, "path": FULL}], 9_502, 50_000),
        ([{"soft": 0, "credit": 30_000, "path": FULL}], 9_600, 50_000),
        ([{"soft": 0, "credit": 30_000, "path": NONE}], 9_600, 24_000),
        ([{"soft": 0, "credit": 0, "path": NONE}], 9_600, 54_000),
        # The highest of several claims counts, and only what was credited without proof is paid.
        (
            [{"soft": 0, "credit": 30_000, "path": FULL}, {"soft": 3_500, "credit": 10_000, "path": NONE}],
            9_699,
            44_000,
        ),
        ([{"soft": 3_500, "credit": 9_000, "react_us": None, "path": NONE}], 9_600, 50_000),
    ],
)
def test_the_next_start_follows_from_the_claims(
    claims: list[dict[str, Any]], screen: int, unproven: int
) -> None:
    record = with_claims(*claims)

    [start] = starts_after(record)
    assert start == SeatStart(record.starts[0].seat, Micros(screen), Micros(unproven))
    assert of_the_page(msgspec.to_builtins(record)) == [msgspec.to_builtins(start)]


def of_the_page(record: Plain) -> list[Plain]:
    """The same by the program on the page of the record."""
    names: dict[str, Any] = {}
    exec(code("python starts-after", PAGE)[0], names)
    found: list[Plain] = names["starts_after"](record)
    return found
