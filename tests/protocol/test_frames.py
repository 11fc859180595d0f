"""The check of all frames finds an invalid frame in each kind of server that the tests start."""

import json
import os
import shutil
from pathlib import Path

import pytest
from websockets.sync.client import connect
from websockets.typing import Subprotocol

from photofinish.gateway.sockets.connection import Connection
from photofinish_protocol.codec import CODECS
from photofinish_protocol.messages import Hello
from photofinish_protocol.publish.schema import SERVER, TOP
from photofinish_protocol.version import JSON, MSGPACK
from tests import frames
from tests.system.conftest import ServerProcess


@pytest.fixture
def off(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A file of its own, and schemas in which a `welcome` needs a field that no server sends."""
    shutil.copytree(TOP / "schema", tmp_path / "schema")
    server = json.loads((tmp_path / SERVER).read_text("utf-8"))
    server["$defs"]["Welcome"]["required"].append("zz_new")
    (tmp_path / SERVER).write_text(json.dumps(server), encoding="utf-8")
    file = tmp_path / "off"
    monkeypatch.setenv(frames.SCHEMAS, str(tmp_path))
    monkeypatch.setenv(frames.OFF, str(file))
    return file


@pytest.mark.system
@pytest.mark.parametrize("kind", ["forked", "a process of its own"])
@pytest.mark.parametrize("subprotocol", [JSON, MSGPACK])
def test_an_invalid_frame_of_a_server_is_reported(
    kind: str, subprotocol: str, off: Path, tmp_path: Path
) -> None:
    own = {frames.OFF: str(off)} if kind != "forked" else {}
    server = ServerProcess(tmp_path, env=own).start()
    try:
        with connect(server.url, subprotocols=[Subprotocol(subprotocol)], compression=None) as socket:
            hello = CODECS[subprotocol].encode(Hello(id=0, v=1, name="Ada"))
            socket.send(hello.decode() if subprotocol == JSON else hello)
            socket.recv(timeout=20)
    finally:
        server.stop()

    assert '"zz_new" is a required property' in off.read_text("utf-8")


@pytest.mark.parametrize(
    ("message", "part"),
    [
        ({"t": "ack", "id": "7"}, "is not of type"),
        ({"t": "ack", "id": 7, "zz": 1}, "unexpected"),
        ({"t": "weather"}, "not a message"),
        ({"t": "ack"}, "is a required property"),
    ],
)
def test_the_part_that_does_not_fit_the_schema_is_named(message: dict[str, object], part: str) -> None:
    assert frames.fault(json.dumps(message).encode(), is_text=True).find(part) >= 0
    assert frames.fault(b'{"t":"ack","id":7}', is_text=True) == ""
    assert frames.fault(b'{"t":"ack","id":7}', is_text=False)


def test_frames_of_this_process_and_of_its_child_processes_are_checked() -> None:
    assert hasattr(Connection.write, "__wrapped__")
    assert Path(os.environ[frames.OFF]).exists()
    assert str(frames.AT_START) in os.environ["PYTHONPATH"].split(os.pathsep)
