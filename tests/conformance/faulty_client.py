"""A bare client from the protocol page, with faults that can be planted: each is one that a real author would make."""

import asyncio
import hashlib
import json
import os
import random
import secrets
import sys
from typing import Any

from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed, WebSocketException
from websockets.typing import Subprotocol

from tests.protocol.page import code

FAULT = sys.argv[1] if len(sys.argv) > 1 else ""
KEY = secrets.token_hex(16)
NONCE = secrets.token_bytes(32)
COMMIT = hashlib.sha256(b"photofinish nonce" + NONCE).hexdigest()
names: dict[str, Any] = {}
exec(code("python sampler")[0] + code("python player")[0], names)


class Eager(random.Random):
    """Takes every chance."""

    def random(self) -> float:
        return 0.0


class Client:
    def __init__(self) -> None:
        self.rng = Eager(5) if FAULT == "no-nonce" else random.Random(5)
        self.token: str | None = None
        self.seq = self.chain = 0
        self.next_id = 1
        self.owed: dict[int, dict[str, Any]] = {}
        self.wait_for = 0
        self.view: dict[str, Any] = {}
        self.is_done = False
        self.retry_after = 0.0

    async def run(self) -> None:
        pause = 0.1
        while not self.is_done:
            try:
                async with connect(
                    os.environ["CONFORMANCE_URL"], subprotocols=[Subprotocol("photofinish.v1+json")]
                ) as self.socket:
                    await self.talk()
            except ConnectionClosed as end:
                if end.rcvd and end.rcvd.code == 4409 and FAULT != "fights":
                    return
            except (OSError, WebSocketException):
                pass
            if FAULT == "gives-up":
                return
            await asyncio.sleep(0 if FAULT == "impatient" else max(pause, self.retry_after))
            self.retry_after, pause = 0.0, min(2.0, 2 * pause)

    async def talk(self) -> None:
        self.chain = 0
        hello = {"t": "hello", "id": 0, "v": 1, "name": "Candidate", "client_key": KEY}
        if self.token:
            hello |= {"token": self.token, "seq": self.seq}
        await self.socket.send(json.dumps(hello))
        async for raw in self.socket:
            await self.hear(json.loads(raw))
            if self.is_done:
                return

    async def ask(self, **message: Any) -> None:
        message["id"] = self.next_id
        self.next_id += FAULT != "one-id"
        self.owed[message["id"]] = message
        await self.socket.send(json.dumps(message))

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
                    await self.ask(**it)
            else:
                for it in owed:
                    await self.socket.send(json.dumps(it))
            if not self.token and not self.owed:
                is_watcher = os.environ["CONFORMANCE_DO"] == "watch"
                await self.ask(t="watch" if is_watcher else "join", room=os.environ["CONFORMANCE_ROOM"])
        elif kind in {"ack", "refused"}:
            await self.answered(message)
        elif kind == "room":
            if (
                self.token
                and COMMIT in [it.get("commit") for it in message["seats"]]
                and message.get("dealing")
            ):
                await self.ask(t="reveal", nonce=NONCE.hex())
        elif kind == "view":
            await self.see(message)
        elif kind == "bye":
            self.retry_after = 0 if FAULT == "hurries" else message.get("retry_after_ms", 0) / 1000
        elif kind == "weather" and FAULT == "strict":
            raise SystemExit(1)

    async def answered(self, message: dict[str, Any]) -> None:
        asked = self.owed.pop(message["id"], None)
        got = message.get("got") or {}
        if got.get("got") == "seated":
            self.token = got["token"]
            self.next_id = max(self.next_id, got["next_id"])
            await self.ask(t="ready", commit=COMMIT)
        elif asked and asked["t"] == "play":
            if message["t"] == "ack":
                self.wait_for = message["seq"]
            else:
                await asyncio.sleep(0.05)
            await self.choose()

    async def see(self, view: dict[str, Any]) -> None:
        if view["from"] != self.chain and FAULT != "no-chain":
            await self.socket.close()
            return
        self.view, self.seq, self.chain = view, view["seq"], view["seq"]
        self.is_done = "over" in view
        await self.choose()

    async def choose(self) -> None:
        if self.view.get("you") is None or any(it["t"] == "play" for it in self.owed.values()):
            return
        if self.view["seq"] < self.wait_for or not (chosen := names["choose"](self.view, self.rng)):
            return
        ask, after = chosen
        if FAULT == "no-nonce":
            ask.pop("race", None)
        await asyncio.sleep(0.0 if FAULT == "false-start" else after)
        await self.ask(**ask)


asyncio.run(Client().run())
