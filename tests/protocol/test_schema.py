"""The generated files match the types, and AsyncAPI tools can read them."""

import json
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from photofinish_protocol import messages
from photofinish_protocol.publish.schema import ASYNCAPI, CLIENT, SERVER, TOP, WHOLE, drift, write

DOCUMENT: dict[str, Any] = json.loads((TOP / ASYNCAPI).read_text("utf-8"))


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    for folder in ("schema", "examples", "diagrams"):
        shutil.copytree(TOP / folder, tmp_path / folder)
    return tmp_path


def test_the_generated_files_match_the_message_types() -> None:
    assert drift() == []


def test_a_changed_a_missing_and_an_extra_file_are_named(copy: Path) -> None:
    (copy / CLIENT).write_text("{}\n", encoding="utf-8")
    (copy / "examples" / "hello.json").unlink()
    (copy / "examples" / "howdy.json").write_text("{}\n", encoding="utf-8")

    assert drift(copy) == ["examples/hello.json", "examples/howdy.json", CLIENT]


def test_writing_repairs_every_file(copy: Path) -> None:
    (copy / "examples" / "howdy.json").write_text("{}\n", encoding="utf-8")
    (copy / SERVER).unlink()

    write(copy)

    assert drift(copy) == []


def test_the_command_can_be_run_from_any_folder(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "photofinish_protocol.publish.schema"]

    assert subprocess.run([*command, "--check"], cwd=tmp_path, check=False).returncode == 0
    assert (
        subprocess.run([*command, "--what"], cwd=tmp_path, check=False, capture_output=True).returncode == 2
    )


@pytest.mark.parametrize("path", [CLIENT, SERVER])
def test_the_schemas_are_json_schemas(path: str) -> None:
    Draft202012Validator.check_schema(json.loads((TOP / path).read_text("utf-8")))


# AsyncAPI 3.0: https://www.asyncapi.com/docs/reference/specification/v3.0.0


def follow(reference: str) -> Any:
    """What a `$ref` of the document points to, also in the files beside it."""
    file, _, path = reference.partition("#/")
    found: Any = json.loads((TOP / "schema" / file).read_text("utf-8")) if file else DOCUMENT
    for key in path.split("/"):
        found = found[key]
    return found


def test_asyncapi_has_the_parts_it_must_have() -> None:
    known = {
        "asyncapi",
        "id",
        "info",
        "servers",
        "defaultContentType",
        "channels",
        "operations",
        "components",
    }

    assert DOCUMENT["asyncapi"] == "3.0.0"
    assert DOCUMENT.keys() <= known
    assert DOCUMENT["info"]["title"]
    assert DOCUMENT["info"]["version"]
    assert all(server["host"] and server["protocol"] for server in DOCUMENT["servers"].values())
    assert DOCUMENT["channels"].keys() == {"table"}
    assert DOCUMENT["channels"]["table"].keys() <= {"address", "title", "description", "messages", "bindings"}


def test_asyncapi_knows_every_message_and_finds_its_schema() -> None:
    kinds = {
        it.__struct_config__.tag: it
        for it in (*messages.ClientMessage.__args__, *messages.ServerMessage.__args__)
    }
    described = DOCUMENT["components"]["messages"]

    assert described.keys() == kinds.keys()
    assert DOCUMENT["channels"]["table"]["messages"].keys() == kinds.keys()
    for tag, kind in kinds.items():
        payload = follow(described[tag]["payload"]["$ref"])
        assert follow(DOCUMENT["channels"]["table"]["messages"][tag]["$ref"]) is described[tag]
        assert payload["title"] == kind.__name__
        assert payload["properties"]["t"]["enum"] == [tag]


def test_in_asyncapi_the_server_receives_every_request_with_its_answers_and_sends_the_rest() -> None:
    received, sent = set(), set()
    for operation in DOCUMENT["operations"].values():
        assert follow(operation["channel"]["$ref"]) is DOCUMENT["channels"]["table"]
        (tag,) = (it["$ref"].rsplit("/", 1)[1] for it in operation["messages"])
        assert follow(operation["messages"][0]["$ref"])
        if operation["action"] == "receive":
            received.add(tag)
            sent |= {it["$ref"].rsplit("/", 1)[1] for it in operation["reply"]["messages"]}
        else:
            assert operation["action"] == "send"
            sent.add(tag)

    assert received == {it.__struct_config__.tag for it in messages.ClientMessage.__args__}
    assert sent == {it.__struct_config__.tag for it in messages.ServerMessage.__args__}


def test_the_single_asyncapi_file_is_complete_and_equivalent() -> None:
    text = (TOP / WHOLE).read_text("utf-8")
    whole = json.loads(text)
    references = set(re.findall(r'"\$ref": "([^"]+)"', text))

    assert all(it.startswith("#/") for it in references)
    for reference in references:
        found: Any = whole
        for key in reference.removeprefix("#/").split("/"):
            found = found[key]
    assert {key: whole[key] for key in ("info", "operations", "channels")} == {
        key: DOCUMENT[key] for key in ("info", "operations", "channels")
    }
    for name, message in DOCUMENT["components"]["messages"].items():
        own = whole["components"]["messages"][name]["payload"]["$ref"].rpartition("/")[2]
        properties = whole["components"]["schemas"][own]["properties"]
        assert properties.keys() == follow(message["payload"]["$ref"])["properties"].keys()
