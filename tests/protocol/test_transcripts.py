"""The recorded sessions are valid: every frame decodes, every request is answered, every view follows the last."""

import json
from pathlib import Path
from typing import Any

import msgpack
import pytest

from photofinish_protocol import messages
from photofinish_protocol.codec import CODECS
from photofinish_protocol.publish.schema import TOP
from photofinish_protocol.version import JSON, MSGPACK

FOLDER = TOP / "transcripts"
SESSIONS = sorted(FOLDER.glob("cambio-*.jsonl"))
SMALL = 60_000

each_session = pytest.mark.parametrize("file", SESSIONS, ids=lambda file: file.stem)


def lines(file: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in file.read_text("utf-8").splitlines()]


def typed(frame: dict[str, Any], subprotocol: str) -> Any:
    """The frame as it is sent in that encoding, written by another implementation."""
    codec, message = CODECS[subprotocol], frame["message"]
    raw = json.dumps(message) if codec.is_text else msgpack.packb(message)
    return codec.decode_request(raw) if frame["from"] == "client" else codec.decode_message(raw)


def test_there_is_a_session_for_each_kind_of_viewer() -> None:
    assert [file.stem for file in SESSIONS] == [
        f"cambio-{viewer}" for viewer in ("opponent", "resumed", "seat", "spectator")
    ]
    assert all(file.stat().st_size < SMALL for file in FOLDER.iterdir() if file.is_file())


@each_session
def test_both_codecs_read_every_frame_and_write_it_again(file: Path) -> None:
    for frame in lines(file):
        by_json, by_msgpack = typed(frame, JSON), typed(frame, MSGPACK)

        assert by_json == by_msgpack
        assert json.loads(CODECS[JSON].encode(by_json)) == frame["message"]
        assert msgpack.unpackb(CODECS[MSGPACK].encode(by_json)) == frame["message"]


@each_session
def test_each_view_follows_the_one_before(file: Path) -> None:
    views = [frame["message"] for frame in lines(file) if frame["message"]["t"] == "view"]
    before = 0

    assert len(views) >= 5
    for view in views:
        assert view["from"] == before
        assert view["seq"] > before
        before = view["seq"]


@each_session
def test_each_request_gets_exactly_one_answer(file: Path) -> None:
    frames = lines(file)
    asked = [it["message"]["id"] for it in frames if it["from"] == "client"]
    answered = [
        it["message"]["id"]
        for it in frames
        if isinstance(typed(it, JSON), messages.Ack | messages.Refused | messages.Welcome)
    ]

    assert sorted(asked) == sorted(answered)


@each_session
def test_no_transcript_contains_a_token(file: Path) -> None:
    sent = [it["message"] for it in lines(file)]
    tokens = [it.get("token") or (it.get("got") or it.get("resumed") or {}).get("token") for it in sent]

    assert all(token.endswith("-" + "0" * 32) for token in tokens if token)


def test_only_seats_get_offers_and_each_sees_only_its_own_cards() -> None:
    first = {}
    for viewer in ("seat", "opponent", "spectator"):
        frames = lines(FOLDER / f"cambio-{viewer}.jsonl")
        first[viewer] = next(it["message"] for it in frames if it["message"]["t"] == "view")
        shown = [[bool(slot["face"]) for slot in row] for row in first[viewer]["view"]["table"]]
        mine = first[viewer]["you"]

        assert bool(first[viewer].get("offers")) is (mine is not None)
        assert [any(row) for row in shown] == [seat == mine for seat in range(2)]
    assert len({view["head"] for view in first.values()}) == 1


def test_a_player_who_reconnects_gets_one_new_view_with_the_missed_events() -> None:
    before = lines(FOLDER / "cambio-opponent.jsonl")
    after = lines(FOLDER / "cambio-resumed.jsonl")
    seen = [it["message"]["seq"] for it in before if it["message"]["t"] == "view"][-1]
    hello, welcome = after[0]["message"], after[1]["message"]
    view = next(it["message"] for it in after if it["message"]["t"] == "view")

    assert hello["seq"] == seen
    assert welcome["resumed"]["seat"] == view["you"] == 1
    assert view["from"] == 0
    assert view["seq"] > seen
    assert [it["what"] for it in view["last"]]


def test_the_first_move_is_the_same_in_both_encodings() -> None:
    frames = lines(FOLDER / "first-move.jsonl")
    kinds = []
    for frame in frames:
        raw = bytes.fromhex(frame["hex"])
        by_json, by_msgpack = CODECS[JSON], CODECS[MSGPACK]
        if frame["from"] == "client":
            assert by_json.decode_request(frame["json"]) == by_msgpack.decode_request(raw)
        else:
            assert by_json.decode_message(frame["json"]) == by_msgpack.decode_message(raw)
        assert msgpack.unpackb(raw) == json.loads(frame["json"])
        kinds.append(json.loads(frame["json"])["t"])

    assert kinds[0] == "hello"
    assert kinds[-3:] == ["play", "ack", "view"]
