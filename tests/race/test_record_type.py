"""The race record is a documented type: its schema is kept beside the page, and the page names every field."""

import json
from pathlib import Path

import msgspec
import pytest

import photofinish_protocol
from photofinish.race import Params, RaceRecord, recompute
from photofinish.race.evidence import VERSION, Decision, Evidence, Mark, Start, Throw, sealed
from photofinish.race.params import Path as Way
from tests.race.bench import EAST, NORTH, Bench, ms

TOP = Path(photofinish_protocol.__file__).parent.parent
SCHEMA = TOP / "race-record.schema.json"


def test_the_schema_beside_the_page_is_that_of_the_record() -> None:
    """Write it anew with `python -m tests.race.test_record_type`."""
    assert SCHEMA.read_text("utf-8") == schema()


@pytest.mark.parametrize("kind", [RaceRecord, Evidence, Decision, Mark, Start, Throw, Way, Params])
def test_the_page_names_every_field(kind: type[msgspec.Struct]) -> None:
    page = (TOP / "RACES.md").read_text("utf-8")

    assert [name for name in kind.__struct_fields__ if f"`{name}`" not in page] == []


def test_a_record_of_another_version_is_not_judged() -> None:
    race = Bench({NORTH: 10, EAST: 40}).open()
    race.slap(NORTH, 300)
    race.released(5_000)
    record = race.arbiter.close(ms(5_000)).record
    assert record.version == VERSION
    assert recompute(record).is_sound

    other = sealed(msgspec.structs.replace(record, version=VERSION + 1))
    assert recompute(other).mismatches == (
        f"a record of version {VERSION + 1}; this release reads {VERSION}",
    )


def schema() -> str:
    made = {"$schema": "https://json-schema.org/draft/2020-12/schema", **msgspec.json.schema(RaceRecord)}
    return json.dumps(made, indent=2, ensure_ascii=False) + "\n"


if __name__ == "__main__":
    SCHEMA.write_text(schema(), "utf-8")
