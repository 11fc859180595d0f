"""Handles one frame of an unknown client as far as the gateway does, before a room. For atheris and hypothesis."""

import math
from functools import cache
from pathlib import Path
from typing import Any

import msgspec

from photofinish.engine.convert import BadMove, BadOptions, move, options, pack
from photofinish.games import all_games
from photofinish.room.seats import tokens
from photofinish.room.seats.talk import cleaned
from photofinish_protocol import messages
from photofinish_protocol.codec import CODECS, BadRequest, Malformed
from photofinish_protocol.version import JSON, MAX_FRAME, MAX_ID, MSGPACK

EXAMPLES = Path(messages.__file__).parent.parent / "examples"
games = cache(all_games)


def take(raw: bytes) -> messages.ClientMessage | None:
    """Returns None if the frame is refused. Any exception is our bug."""
    message = understand(raw)
    if message is not None:
        judge(message)
    return message


def understand(raw: bytes) -> messages.ClientMessage | None:
    """Decode it as the gateway does. The first byte chooses the codec."""
    codec = CODECS[JSON if raw[:1] < b"\x80" else MSGPACK]
    frame: bytes | str = raw[1 : 1 + MAX_FRAME]
    if codec.is_text:
        try:
            frame = raw[1 : 1 + MAX_FRAME].decode()
        except UnicodeDecodeError:  # the websocket itself closes with 1007
            return None
    try:
        message = codec.decode_request(frame)
    except Malformed:
        return None
    except BadRequest as unfit:
        assert 0 <= unfit.id <= MAX_ID  # noqa: PT017 - the refusal itself is looked at
        assert len(unfit.text) <= 200  # noqa: PT017 - likewise
        return None
    return message


def judge(message: messages.ClientMessage) -> None:
    """A decoded message is small, can be stored and forwarded, and no game raises on it."""
    assert 0 <= message.id <= MAX_ID
    again = CODECS[MSGPACK].decode_request(CODECS[MSGPACK].encode(message))
    assert _without_nan(again) == _without_nan(message)
    match message:
        case messages.Play():
            for game in games().values():
                try:
                    pack(move(game, message.move))
                except BadMove:
                    continue
        case messages.Create(options=sent) | messages.Configure(options=sent):
            for game in games().values():
                try:
                    pack(options(game, sent or {}))
                except BadOptions:
                    continue
        case messages.Hello(name=name, token=token):
            cleaned(name).encode()
            tokens.chair_of(token or "")
            tokens.digest(token or "")
        case messages.Chat(text=text):
            assert "\n" not in cleaned(text)
        case messages.Ready(nonce=nonce) | messages.Reveal(nonce=nonce):
            bytes.fromhex(nonce)


def _without_nan(message: messages.ClientMessage) -> Any:
    """Replace NaN, which does not equal itself: the codec reads fractions as NaN."""

    def plain(it: Any) -> Any:
        match it:
            case dict():
                return {key: plain(value) for key, value in it.items()}
            case list():
                return [plain(value) for value in it]
            case float() if math.isnan(it):
                return "nan"
        return it

    return plain(msgspec.to_builtins(message))


def seeds() -> list[bytes]:
    """Every client message of the protocol's examples in both encodings."""
    found = [msgspec.json.decode(file.read_bytes()) for file in sorted(EXAMPLES.glob("*.json"))]
    ours = [it for it in found if it["direction"] == "client"]
    assert ours, {it["direction"] for it in found}
    return [b"\0" + it["json"].encode() for it in ours] + [b"\xff" + bytes.fromhex(it["hex"]) for it in ours]
