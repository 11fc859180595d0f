"""The page of the race record: its tables, its schema, and a verifier that is written from the page alone."""

import copy
import hmac
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest
from jsonschema import Draft202012Validator

from photofinish.race import RaceRecord, recompute
from photofinish_protocol.publish.schema import TOP
from tests.protocol.page import code
from tests.race.bench import EAST, NORTH
from tests.race.golden import FILE, text
from tests.race.record_page import PAGE, SCHEMA, filled, schema

REPLAY = json.loads((TOP / "transcripts" / "cambio-replay.json").read_text("utf-8"))
COIN = hmac.digest(bytes.fromhex(REPLAY["seed"]), b"photofinish coin", "sha256")
BODIES = [json.loads(it["body"]) for it in REPLAY["entries"]]
RECORDS: list[dict[str, Any]] = [it["record"] for it in BODIES if it["e"] == "race"]
TESTS = Path(__file__).parents[1]
GOLDEN: dict[str, Any] = json.loads(FILE.read_text("utf-8"))
TOLD = {"retransmits", "loop_lag", "node", "closed", "seats", "opener"}
"""Nothing is computed from these; the seal alone protects them."""


def golden(name: str) -> dict[str, Any]:
    found: dict[str, Any] = next(it["record"] for it in GOLDEN["races"] if it["name"] == name)
    return copy.deepcopy(found)


def verify(record: dict[str, Any], coin: bytes | None = COIN) -> list[str]:
    names: dict[str, Any] = {}
    exec(code("python record-verifier", PAGE)[0], names)
    found: list[str] = names["verify"](record, coin)
    return found


def test_the_tables_and_the_schema_match_the_types() -> None:
    assert PAGE.read_text("utf-8") == filled(PAGE.read_text("utf-8"))
    assert SCHEMA.read_text("utf-8") == schema()
    assert "|  |\n" not in filled(PAGE.read_text("utf-8")), "a field has no meaning"


def test_real_records_fit_the_schema() -> None:
    checker = Draft202012Validator(json.loads(SCHEMA.read_text("utf-8")))

    assert RECORDS
    for record in RECORDS:
        checker.validate(record)


@pytest.mark.parametrize("name", [it["name"] for it in GOLDEN["races"]])
def test_the_verifier_of_the_page_verifies_the_golden_races(name: str) -> None:
    record = golden(name)

    assert verify(record, bytes.fromhex(GOLDEN["coin"])) == []
    Draft202012Validator(json.loads(SCHEMA.read_text("utf-8"))).validate(record)
    assert recompute(msgspec.convert(record, RaceRecord), coin=bytes.fromhex(GOLDEN["coin"])).is_sound


def test_the_arbiter_still_computes_the_golden_races() -> None:
    assert FILE.read_text("utf-8") == text()


def test_a_late_ack_is_credited_and_decides_the_golden_race() -> None:
    """The two records differ only in what the kernel knew of East's line."""
    late, in_time = golden("late-ack"), golden("on-time")
    (move,) = (it for it in late["moves"] if it["seat"] == EAST)

    assert [it["seat"] for it in late["moves"]] == [EAST, NORTH]
    assert [it["seat"] for it in in_time["moves"]] == [NORTH, EAST]
    assert move["behind"] == 60_000
    assert 0 < move["credit"] < move["behind"]
    move["path"]["acked"] = 0
    assert verify(resealed(late))


def test_a_claim_that_asks_for_far_more_than_the_line_can_explain_is_credited_nothing_since_version_3() -> (
    None
):
    record = golden("asks-too-much")
    (move,) = (it for it in record["moves"] if it["seat"] == EAST)

    assert [it["seat"] for it in record["moves"]] == [NORTH, EAST]
    assert (move["behind"], move["credit"]) == (60_000, 0)
    assert verify(resealed({**record, "version": 2})), "in version 2 it was credited"


def test_the_golden_races_of_version_2_are_still_verified() -> None:
    older = json.loads((TESTS / "replay" / "older" / "races-version2.json").read_text("utf-8"))

    assert {it["record"]["version"] for it in older["races"]} == {2}
    for it in older["races"]:
        assert verify(it["record"], bytes.fromhex(older["coin"])) == [], it["name"]
        found = recompute(msgspec.convert(it["record"], RaceRecord), coin=bytes.fromhex(older["coin"]))
        assert found.is_sound, it["name"]


def test_a_move_of_the_room_has_null_as_its_seat_in_a_record() -> None:
    record = golden("dead-heat-with-the-room")

    assert [seat for seat, _toss in record["coins"]] == [NORTH, None]
    assert {it["seat"] for it in record["moves"]} == {NORTH, None}
    assert -1 not in {mark["last"] for it in record["decisions"] for mark in it["marks"]}


@pytest.mark.parametrize("place", range(len(RECORDS)))
def test_the_verifier_of_the_page_verifies_real_races(place: int) -> None:
    assert verify(RECORDS[place]) == []


def numbers(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    if isinstance(value, dict):
        for name, it in value.items():
            if name not in TOLD:
                yield from numbers(it, (*path, name))
    elif isinstance(value, list):
        for place, it in enumerate(value):
            yield from numbers(it, (*path, place))
    elif type(value) is int:
        yield path


def test_a_changed_number_does_not_fit_the_seal() -> None:
    tried = 0
    for record in RECORDS:
        for path in numbers(record):
            forged = copy.deepcopy(record)
            inner = forged
            for key in path[:-1]:
                inner = inner[key]
            inner[path[-1]] += 1
            tried += 1
            try:
                found = verify(forged)
            except (KeyError, IndexError, ValueError):
                continue  # not a record at all
            assert found, path
    assert tried > 50


def resealed(record: dict[str, Any]) -> dict[str, Any]:
    names: dict[str, Any] = {}
    exec(code("python record-verifier", PAGE)[0], names)
    packed = names["msgpack"].packb({**record, "seal": ""})
    return {**record, "seal": names["hashlib"].sha256(packed).hexdigest()}


@pytest.mark.parametrize("field", ["score", "hi", "lo", "base", "soft", "credit", "arrived"])
def test_a_forger_who_seals_again_is_found_by_the_formulae(field: str) -> None:
    record = next(it for it in RECORDS if any(move["kind"] == "contested" for move in it["moves"]))
    forged = copy.deepcopy(record)
    move = next(it for it in forged["moves"] if it["kind"] == "contested")
    move[field] += 1000

    assert verify(resealed(forged))
    assert verify(resealed(record)) == []
