"""Every message has an example, and its bytes are the same in every implementation."""

import json
from pathlib import Path
from typing import Any

import msgpack
import pytest
from jsonschema import Draft202012Validator

from photofinish_protocol import messages
from photofinish_protocol.codec import CODECS
from photofinish_protocol.publish.examples import EXAMPLES
from photofinish_protocol.publish.schema import CLIENT, SERVER, TOP
from photofinish_protocol.version import JSON, MSGPACK

FILES = sorted((TOP / "examples").glob("*.json"))
SCHEMAS = {
    "client": Draft202012Validator(json.loads((TOP / CLIENT).read_text("utf-8"))),
    "server": Draft202012Validator(json.loads((TOP / SERVER).read_text("utf-8"))),
}

each_file = pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)


def read(file: Path) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(file.read_text("utf-8"))
    return found


def decoded(example: dict[str, Any], subprotocol: str) -> Any:
    codec = CODECS[subprotocol]
    frame = example["json"] if subprotocol == JSON else bytes.fromhex(example["hex"])
    return codec.decode_request(frame) if example["direction"] == "client" else codec.decode_message(frame)


def tags(kinds: Any) -> set[str]:
    return {kind.__struct_config__.tag for kind in kinds.__args__}


@pytest.mark.parametrize(
    ("direction", "kinds"), [("client", messages.ClientMessage), ("server", messages.ServerMessage)]
)
def test_every_message_has_an_example(direction: str, kinds: Any) -> None:
    shown = {it["message"]["t"] for it in map(read, FILES) if it["direction"] == direction}

    assert shown == tags(kinds)


def test_every_answer_and_every_kind_of_choice_has_an_example() -> None:
    says = [it["message"] for it in map(read, FILES) if it["direction"] == "server"]
    choices = [c["k"] for it in says for offer in it.get("offers", ()) for c in offer.get("choices", ())]

    assert {it["got"]["got"] for it in says if "got" in it} == tags(messages.Got)
    assert set(choices) == {"one", "some", "amounts"}


@each_file
def test_the_server_reads_and_writes_the_same_bytes(file: Path) -> None:
    example = read(file)
    by_json, by_msgpack = decoded(example, JSON), decoded(example, MSGPACK)

    assert by_json == by_msgpack
    assert CODECS[JSON].encode(by_msgpack).decode() == example["json"]
    assert CODECS[MSGPACK].encode(by_json).hex() == example["hex"]


@each_file
def test_another_implementation_reads_and_writes_the_same_bytes(file: Path) -> None:
    example = read(file)

    assert msgpack.unpackb(bytes.fromhex(example["hex"])) == example["message"]
    if example["direction"] == "client":  # messages that a client only reads may have a longer map header
        assert msgpack.packb(example["message"]).hex() == example["hex"]
    assert json.loads(example["json"]) == example["message"]
    assert json.dumps(example["message"], ensure_ascii=False, separators=(",", ":")) == example["json"]


@each_file
def test_an_example_is_valid_only_in_the_schema_of_its_direction(file: Path) -> None:
    example = read(file)
    other = {"client": "server", "server": "client"}[example["direction"]]

    assert example["name"] == file.stem
    assert [*SCHEMAS[example["direction"]].iter_errors(example["message"])] == []
    assert [*SCHEMAS[other].iter_errors(example["message"])]


@pytest.mark.parametrize("name", ["play-in-a-race", "view-with-a-race", "ack-seated"])
def test_the_schema_rejects_a_message_without_a_type_or_with_a_wrong_field(name: str) -> None:
    example = read(TOP / "examples" / f"{name}.json")
    schema, message = SCHEMAS[example["direction"]], example["message"]
    nameless = {key: it for key, it in message.items() if key != "t"}

    assert not schema.is_valid(nameless)
    assert not schema.is_valid({**message, "t": "dance"})
    assert not schema.is_valid({**message, "id": "seven", "seq": "seven"})
    assert schema.is_valid({**message, "a_field_of_next_year": 1})


def test_the_referees_example_has_the_same_seats_in_marks_ledger_and_record() -> None:
    (race,) = (it.message for it in EXAMPLES if it.name == "race-for-a-referee")
    assert isinstance(race, messages.RaceReport)

    assert race.record["key"] == race.key
    assert race.record["seats"] == [it.seat for it in race.ledger] == sorted(it.seat for it in race.marks)
    assert all(
        line.base_us == mark.base for line in race.ledger for mark in race.marks if line.seat == mark.seat
    )
    assert all(mark.lo <= mark.score <= mark.hi for mark in race.marks)
