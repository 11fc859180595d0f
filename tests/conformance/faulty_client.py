"""A bare client written from the protocol page, with faults that can be switched on.

Each fault is a mistake that real authors make.
"""

import asyncio
import hashlib
import json
import os
import random
import secrets
import sys
import time
from typing import Any

import msgspec
from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed, WebSocketException
from websockets.typing import Subprotocol

from tests.protocol.page import code

FAULT = sys.argv[1] if len(sys.argv) > 1 else ""
KEY = secrets.token_hex(16)
CODEC = "json" if FAULT == "one-codec" else os.environ["CONFORMANCE_CODEC"] or "json"
GAMES = 1 if FAULT == "one-game" else int(os.environ["CONFORMANCE_GAMES"])
pack: Any = msgspec.msgpack.encode if CODEC == "msgpack" else json.dumps
unpack: Any = msgspec.msgpack.decode if CODEC == "msgpack" else json.loads
if FAULT == "wrong-frames":
    pack = msgspec.json.encode  # bytes make a binary frame
names: dict[str, Any] = {}
exec(code("python sampler")[0] + code("python player")[0], names)


class Eager(random.Random):
    """Plays in every race."""

    def random(self) -> float:
        return 0.0


class Client:
    def __init__(self) -> None:
        self.rng = Eager(5) if FAULT in {"no-nonce", "twice", "boasts", "false-start"} else random.Random(5)
        self.url = os.environ["CONFORMANCE_URL"]
        self.token: str | None = None
        self.seq = self.chain = 0
        self.next_id = 1
        self.owed: dict[int, dict[str, Any]] = {}
        self.wait_for = 0
        self.view: dict[str, Any] = {}
        self.is_done = False
        self.is_hopeless = False
        self.games: set[int] = set()
        self.has_spoken = self.has_sat = False
        self.moves = 0
        self.nonce = secrets.token_bytes(32)
        self.retry_after = 0.0

    async def run(self) -> None:
        pause = 0.1
        while not self.is_done:
            try:
                async with connect(
                    self.url, subprotocols=[Subprotocol(f"photofinish.v1+{CODEC}")], open_timeout=3
                ) as self.socket:
                    await self.talk()
            except ConnectionClosed as end:
                code = end.rcvd.code if end.rcvd else 1006
                if (code == 4409 and FAULT != "fights") or (code == 4400 and FAULT != "never-final"):
                    return
            except (OSError, WebSocketException):
                pass
            if FAULT == "gives-up" or self.is_hopeless:
                return
            await asyncio.sleep(0 if FAULT == "impatient" else max(pause, self.retry_after))
            self.retry_after, pause = 0.0, min(2.0, 2 * pause)

    async def talk(self) -> None:
        self.chain = 0
        if FAULT == "rude":
            await self.socket.send(pack({"t": "games", "id": 0}))
        hello = {"t": "hello", "id": 0, "v": 1, "name": "Candidate", "client_key": KEY}
        if self.token:
            hello |= {"token": self.token, "seq": self.seq}
        await self.socket.send(pack(hello))
        async for raw in self.socket:
            await self.hear(unpack(raw))
            if self.is_done:
                return

    @property
    def commit(self) -> str:
        return hashlib.sha256(b"photofinish nonce" + self.nonce).hexdigest()

    async def get_ready(self) -> None:
        if FAULT != "old-nonce":
            self.nonce = secrets.token_bytes(32)
        await self.request(t="ready", commit=self.commit)

    async def request(self, **message: Any) -> None:
        message["id"] = self.next_id
        self.next_id += FAULT != "one-id"
        self.owed[message["id"]] = message
        await self.socket.send(pack(message))

    async def hear(self, message: dict[str, Any]) -> None:
        kind = message["t"]
        if kind == "welcome":
            if message.get("resumed") and FAULT != "old-token":
                self.token = message["resumed"]["token"]
            self.next_id = max(self.next_id, message["next_id"])
            owed = list(self.owed.values())
            if FAULT == "forgets":
                self.owed.clear()
            elif FAULT == "new-ids":
                self.owed.clear()
                for it in owed:
                    await self.request(**it)
            else:
                for it in owed:
                    await self.socket.send(pack(it))
            if FAULT == "wrong-type":
                await self.request(t="ping", at="now")
            has_sat, self.has_sat = self.has_sat, True
            if not self.token and not self.owed and not (has_sat and FAULT == "sits-once"):
                await self.sit_down()
        elif kind in {"ack", "refused"}:
            await self.answered(message)
        elif kind == "left":
            self.token = None
            if FAULT == "comes-again":
                await self.request(t="join", room=message["room"])
        elif kind == "room":
            if message["phase"] == "lobby" and message["number"] in self.games and self.token:
                self.games.discard(message["number"])  # the next game
                await self.get_ready()
            if (
                self.token
                and self.commit in [it.get("commit") for it in message["seats"]]
                and message.get("dealing")
                and FAULT != "withholds"
            ):
                await self.request(t="reveal", nonce=self.nonce.hex())
        elif kind == "view":
            await self.see(message)
        elif kind == "pending" and FAULT == "twice":
            await self.request(**self.owed[message["id"]])
        elif kind == "bye":
            self.retry_after = 0 if FAULT == "hurries" else message.get("retry_after_ms", 0) / 1000
        elif kind == "weather" and FAULT == "strict":
            raise SystemExit(1)

    async def sit_down(self) -> None:
        is_watcher = os.environ["CONFORMANCE_DO"] == "watch"
        await self.request(t="watch" if is_watcher else "join", room=os.environ["CONFORMANCE_ROOM"])

    async def refused(self, asked: dict[str, Any] | None, message: dict[str, Any]) -> None:
        if message["reason"] == "bad_token":
            self.token = self.token if FAULT == "old-ticket" else None
            self.is_hopeless = FAULT != "old-ticket"
            await self.socket.close()
        elif message.get("retry") and not asked:  # a `hello`
            await self.socket.close(3000)
        elif message.get("retry") and asked and asked["t"] in {"join", "watch"} and FAULT != "no-patience":
            await asyncio.sleep(0.0 if FAULT == "hammers" else 0.2)
            await self.sit_down()
        elif asked and FAULT == "stubborn":
            self.owed[asked["id"]] = asked
            await asyncio.sleep(0.1)
            await self.socket.send(pack(asked))
        elif asked and asked["t"] == "chat" and FAULT == "talks":
            await self.request(t="chat", text=asked["text"])

    async def answered(self, message: dict[str, Any]) -> None:
        asked = self.owed.pop(message["id"], None)
        if message["t"] == "refused":
            await self.refused(asked, message)
        got = message.get("got") or {}
        if got.get("got") == "seated":
            self.token = got["token"]
            self.next_id = max(self.next_id, got["next_id"])
            await self.get_ready()
            if FAULT == "only-home" and got.get("home"):
                self.url = got["home"]
                await self.socket.close()
        elif asked and asked["t"] == "play":
            if message["t"] == "ack":
                self.wait_for = message["seq"]
                if os.environ["CONFORMANCE_SAY"] and not self.has_spoken:
                    self.has_spoken = True
                    await self.request(t="chat", text=os.environ["CONFORMANCE_SAY"])
            else:
                await asyncio.sleep(0.05)
            await self.choose()

    async def see(self, view: dict[str, Any]) -> None:
        if FAULT == "no-gaps" and self.chain and view["seq"] != self.chain + 1:
            await self.socket.close()
            return
        if view["from"] != self.chain and FAULT != "no-chain":
            await self.socket.close()
            return
        if FAULT == "blocks":
            time.sleep(2.5)  # noqa: ASYNC251 - the fault
        self.view, self.seq, self.chain = view, view["seq"], view["seq"]
        if "over" in view if FAULT == "by-presence" else view.get("over"):
            self.games.add(view["number"])
            self.is_done = view["number"] >= GAMES
        await self.choose()

    async def choose(self) -> None:
        if self.view.get("you") is None or self.is_done or FAULT == "sleeps":
            return
        if any(it["t"] == "play" for it in self.owed.values()):
            return
        if self.view["seq"] < self.wait_for or not (chosen := names["choose"](self.view, self.rng)):
            return
        request, after = chosen
        self.moves += 1
        if FAULT == "quits":  # at its first move: the game may be over after the second
            raise SystemExit(0)
        if FAULT == "guesses":
            await self.request(t="play", move={"t": "fly"})
            return
        if FAULT == "no-nonce":
            request.pop("race", None)
        elif request.get("race") and FAULT == "boasts":
            request["react_us"] = 3_000_000
        elif request.get("race"):
            request["react_us"] = int(after * 1e6)
        await asyncio.sleep(0.0 if FAULT == "false-start" else after)
        await self.request(**request)


asyncio.run(Client().run())
