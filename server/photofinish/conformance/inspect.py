"""Tests over sockets whether a running server behaves as the protocol pages say."""

import json
from collections.abc import Callable
from typing import Any, NamedTuple

import msgspec
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.typing import Subprotocol

from photofinish_protocol.codec import CODECS
from photofinish_protocol.messages import ServerMessage
from photofinish_protocol.version import JSON, SUBPROTOCOLS, VERSION

Plain = dict[str, Any]


class KeptPromise(NamedTuple):
    """One promise: what it is, and what came if it is not kept."""

    promise: str
    came: str = ""


class InspectedConnection:
    """One connection in one encoding. Every frame is read by the schema."""

    def __init__(self, socket: ClientConnection, subprotocol: str) -> None:
        self._socket, self._subprotocol = socket, subprotocol

    async def request(self, message: Plain) -> Plain:
        """The answer with its id."""
        is_text = self._subprotocol == JSON
        await self._socket.send(json.dumps(message) if is_text else msgspec.msgpack.encode(message))
        while True:
            said: ServerMessage = CODECS[self._subprotocol].decode_message(await self._socket.recv())
            plain: Plain = msgspec.to_builtins(said)
            if plain.get("id") == message["id"] and plain["t"] != "pending":
                return plain


QUESTIONS: tuple[tuple[str, Plain, Callable[[Plain], bool]], ...] = (
    ("nothing is done before hello", {"t": "games", "id": 0}, lambda it: it.get("reason") == "no_hello"),
    ("hello is welcome, and unknown fields are ignored",
     {"t": "hello", "id": 1, "v": VERSION, "name": "Inspector", "zz_new": [1]}, lambda it: it["t"] == "welcome"),
    ("a second hello is refused", {"t": "hello", "id": 2, "v": VERSION, "name": "X"},
     lambda it: it.get("reason") == "second_hello"),
    ("a ping brings its number back", {"t": "ping", "id": 3, "at": 77}, lambda it: it["got"]["at"] == 77),
    ("there are games, each with schemas", {"t": "games", "id": 4},
     lambda it: bool(it["got"]["games"]) and all(game["moves"] for game in it["got"]["games"])),
    ("rooms are listed", {"t": "rooms", "id": 5, "limit": 1}, lambda it: it["got"]["total"] >= 0),
    ("an unknown message is refused by name", {"t": "weather", "id": 6},
     lambda it: it.get("reason") == "unknown_type"),
    ("a wrong field is refused and loses nothing", {"t": "join", "id": 7, "room": 5},
     lambda it: it.get("reason") == "bad_message"),
    ("a room that is not there is no_such_room", {"t": "join", "id": 8, "room": "I"},
     lambda it: it.get("reason") == "no_such_room"),
)  # fmt: skip


async def inspect_server(url: str) -> list[KeptPromise]:
    """All promises in both encodings. Raises `OSError` if no server answers."""
    found: list[KeptPromise] = []
    for subprotocol in SUBPROTOCOLS:
        async with connect(
            url, subprotocols=[Subprotocol(subprotocol)], compression=None, max_size=None
        ) as socket:
            chosen = "" if socket.subprotocol == subprotocol else f"{socket.subprotocol}"
            found.append(KeptPromise(f"{subprotocol}: is spoken", chosen))
            wire = InspectedConnection(socket, subprotocol)
            for promise, message, is_kept in QUESTIONS:
                found.append(await _asked(wire, f"{subprotocol}: {promise}", message, is_kept))
    found.append(await _unknown_subprotocol(url))
    return found


async def _asked(
    wire: InspectedConnection, promise: str, message: Plain, is_kept: Callable[[Plain], bool]
) -> KeptPromise:
    try:
        answer = await wire.request(message)
        is_right = is_kept(answer)
    except (msgspec.MsgspecError, KeyError, TypeError, ConnectionClosed) as fault:
        return KeptPromise(promise, f"no answer that fits the schema: {fault!r}")
    return KeptPromise(promise, "" if is_right else json.dumps(answer)[:300])


async def _unknown_subprotocol(url: str) -> KeptPromise:
    promise = "an unknown subprotocol is refused"
    try:
        async with connect(url, subprotocols=[Subprotocol("photofinish.v0+soap")]):
            return KeptPromise(promise, "the handshake was accepted")
    except InvalidStatus as refused:
        code = refused.response.status_code
        return KeptPromise(promise, "" if code == 400 else f"status {code}")
