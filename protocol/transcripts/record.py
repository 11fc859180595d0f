"""Records the golden sessions of this folder: one short game of Cambio on a real server, seen by four sockets."""  # noqa: INP001 - a script beside what it writes

import asyncio
import hashlib
import json
import re
import sys
import time
import urllib.request
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed
from websockets.typing import Subprotocol

from photofinish_protocol.codec import CODECS
from photofinish_protocol.version import JSON, MSGPACK

HERE = Path(__file__).parent
MARK = "<!-- first-move -->"
SECRET = re.compile(r"-[0-9a-f]{32}\b")


ADAS, BASILS, COFFEE = "ada0" * 8, "b0b5" * 8, "c0ffee00" * 4
"""Nonces. A real client draws them at random."""


def commit(nonce: str) -> str:
    return hashlib.sha256(b"photofinish nonce" + bytes.fromhex(nonce)).hexdigest()


class Socket:
    """One websocket and everything that went over it, in order."""

    def __init__(self, url: str, began: float) -> None:
        self._url, self._began = url, began
        self._socket: ClientConnection
        self._reader: asyncio.Task[None]
        self._news = asyncio.Condition()
        self.next_id = 0
        self.frames: list[dict[str, Any]] = []

    async def open(self) -> None:
        self._socket = await connect(self._url, subprotocols=[Subprotocol(JSON)], compression=None)
        self._reader = asyncio.create_task(self._read())

    async def close(self) -> None:
        await self._socket.close()
        await self._reader

    async def request(self, t: str, **fields: Any) -> dict[str, Any]:
        """Send with the next id; the one answer to it."""
        request_id = fields.pop("id", self.next_id)
        self.next_id = max(self.next_id, request_id + 1)
        message = {"t": t, "id": request_id, **fields}
        before = len(self.frames)
        self._note("client", message)
        await self._socket.send(json.dumps(message, separators=(",", ":"), ensure_ascii=False))
        return await self.until(
            lambda it: it.get("id") == request_id and it["t"] in {"ack", "refused", "welcome"}, before
        )

    async def until(self, fits: Callable[[dict[str, Any]], bool], since: int = 0) -> dict[str, Any]:
        """The first message from the server, after frame `since`, that fits."""
        async with self._news:
            while True:
                for frame in self.frames[since:]:
                    if frame["from"] == "server" and fits(frame["message"]):
                        found: dict[str, Any] = frame["message"]
                        return found
                since = len(self.frames)
                await asyncio.wait_for(self._news.wait(), 30)

    def place(self, message: dict[str, Any]) -> int:
        return next(n for n, frame in enumerate(self.frames) if frame["message"] is message)

    async def offered(self, *wishes: str) -> None:
        """Wait until the newest view offers one of these moves."""
        async with self._news:
            while not any(wish in moves(self.view) for wish in wishes):
                await asyncio.wait_for(self._news.wait(), 30)

    @property
    def view(self) -> dict[str, Any]:
        return next(it["message"] for it in reversed(self.frames) if it["message"]["t"] == "view")

    async def _read(self) -> None:
        with suppress(ConnectionClosed):
            async for frame in self._socket:
                async with self._news:
                    self._note("server", json.loads(frame))
                    self._news.notify_all()

    def _note(self, who: str, message: dict[str, Any]) -> None:
        at = int((time.perf_counter() - self._began) * 1_000_000)
        self.frames.append({"at_us": at, "from": who, "message": message})


def first(offer: dict[str, Any]) -> dict[str, Any]:
    """The first move of an offer: Cambio's offers have only choices of the kind `one`."""
    move = {"t": offer["move"]}
    for choice in offer.get("choices", ()):
        move |= dict(zip(choice["fields"], choice["rows"][0], strict=True))
    return move


async def play(seat: Socket, *wishes: str) -> None:
    """Play the first of these moves that is offered, with the nonce if it is a move of the race. It must be acked."""
    view = seat.view
    offers = {offer["move"]: offer for offer in reversed(view["offers"])}
    wish = next(wish for wish in wishes if wish in offers)
    race = view.get("race")
    more = {}
    if race and wish in race["moves"]:
        more = {"race": race["nonce"], "react_us": 310_000}
    answer = await seat.request("play", move=first(offers[wish]), **more)
    if answer["t"] != "ack":
        raise SystemExit(f"{wish}: {answer}")
    await seat.until(lambda m: m["t"] == "view", seat.place(answer))


async def turn(seats: list[Socket], *ends: str) -> None:
    """The seat whose turn it is draws, and ends its turn with the first of these moves that is offered."""
    it = await mover(seats)
    await play(it, "draw")
    await it.offered(*ends)
    await play(it, *ends)


async def mover(seats: list[Socket]) -> Socket:
    """The seat whose turn it is, as soon as it may draw."""
    waiting = [asyncio.create_task(it.offered("draw")) for it in seats]
    done, late = await asyncio.wait(waiting, return_when=asyncio.FIRST_COMPLETED)
    for task in late:
        task.cancel()
    return seats[waiting.index(done.pop())]


def moves(view: dict[str, Any]) -> list[str]:
    return [offer["move"] for offer in view.get("offers", ())]


async def game(url: str) -> dict[str, list[dict[str, Any]]]:
    """The whole session. Ada hosts, Basil loses his connection and comes back, Cleo watches."""
    began = time.perf_counter()
    ada, basil, again, cleo = (Socket(url, began) for _ in range(4))
    await ada.open()
    await ada.request("hello", v=1, name="Ada", client="record.py")
    options = {"target_points": 1, "turn_seconds": 60}
    room = (await ada.request("create", game="cambio", seats=2, options=options))["got"]["room"]
    await cleo.open()
    await cleo.request("hello", v=1, name="Cleo", client="record.py")
    await cleo.request("watch", room=room)
    await basil.open()
    await basil.request("hello", v=1, name="Basil", client="record.py")
    token = (await basil.request("join", room=room))["got"]["token"]
    await basil.request("chat", text="Good evening.")
    await ada.request("emote", emote="hello")
    await basil.request("ready", commit=commit(BASILS))
    await ada.request("ready", commit=commit(ADAS))
    await ada.request("start")
    for it, nonce in ((basil, BASILS), (ada, ADAS)):
        await it.until(lambda m: m["t"] == "room" and "dealing" in m)
        await it.request("reveal", nonce=nonce)
    for it in (ada, basil):
        await it.until(lambda m: m["t"] == "view")
        await play(it, "ready")
    seats = [ada, basil]
    for it in seats:
        await it.until(lambda m: m["t"] == "view" and m["view"]["phase"] == "turn")
    await turn(seats, "keep")
    for it in seats:
        await it.until(lambda m: m["t"] == "view" and m.get("race") is not None)
    # Basil's connection is cut, Ada slaps, he resumes his seat and repeats the last request he sent.
    last = next(it["message"] for it in reversed(basil.frames) if it["from"] == "client")
    seq = basil.view["seq"]
    await basil.close()
    await asyncio.sleep(0.3)  # a faster move would be a false start
    await play(ada, "slap")
    await again.open()
    welcome = await again.request("hello", v=1, name="Basil", client="record.py", token=token, seq=seq)
    await again.until(lambda m: m["t"] == "view")
    await again.request(**last)
    again.next_id = max(last["id"] + 1, welcome["next_id"])
    seats = [ada, again]
    await turn(seats, "keep")
    await play(await mover(seats), "call")
    await turn(seats, "keep")
    for it in (*seats, cleo):
        await it.until(lambda m: m["t"] == "view" and m.get("over") is not None)
    await ada.request("chat", text="Well played!")
    await cleo.request("leave")
    await ada.request("rematch")
    for it in (ada, again, cleo):
        await it.close()
    return {"seat": ada.frames, "opponent": basil.frames, "resumed": again.frames, "spectator": cleo.frames}


def masked(frame: dict[str, Any]) -> str:
    """One line of a transcript. The secret of a token is replaced by zeros."""
    line = json.dumps(frame, ensure_ascii=False, separators=(",", ":"))
    return SECRET.sub("-" + "0" * 32, line)


async def first_move(url: str) -> list[dict[str, Any]]:
    """From connecting to the first move, alone against a bot. Tried again until the bot does not begin."""
    while True:
        ada = Socket(url, time.perf_counter())
        await ada.open()
        await ada.request("hello", v=1, name="Ada")
        await ada.request("create", game="cambio", seats=2)
        await ada.request("bot")
        await ada.request("ready", commit=commit(COFFEE))
        await ada.request("start")
        await ada.request("reveal", nonce=COFFEE)
        await ada.until(lambda m: m["t"] == "view")
        await play(ada, "ready")
        turn = await ada.until(lambda m: m["t"] == "view" and m["view"]["phase"] == "turn")
        if turn["view"]["turn"] == turn["you"]:
            await play(ada, "draw")
            shown = len(ada.frames)
            await ada.close()
            return ada.frames[:shown]
        await ada.close()


def in_both(frame: dict[str, Any]) -> dict[str, str]:
    """A frame as it goes over the wire in both encodings."""
    text = masked(frame["message"])
    typed = (CODECS[JSON].decode_request if frame["from"] == "client" else CODECS[JSON].decode_message)(text)
    coded = {it: CODECS[it].encode(typed) for it in (JSON, MSGPACK)}
    return {"from": frame["from"], "json": coded[JSON].decode(), "hex": coded[MSGPACK].hex()}


def fill_in(page: Path, lines: list[dict[str, str]]) -> None:
    """Put the transcript into its page, between its marks."""
    arrow = {"client": ">", "server": "<"}
    before, rest = page.read_text(encoding="utf-8").split(MARK, 1)
    after = rest.split(MARK, 1)[1]
    blocks = [
        "```text\n" + "".join(f"{arrow[it['from']]} {it[kind]}\n" for it in lines) + "```"
        for kind in ("json", "hex")
    ]
    middle = f"\n{blocks[0]}\n\nThe same frames in msgpack, as hex:\n\n{blocks[1]}\n"
    page.write_text(before + MARK + middle + MARK + after, encoding="utf-8")


def main() -> None:
    url = sys.argv[1] if len(sys.argv) > 1 else "ws://127.0.0.1:8765"
    sessions = asyncio.run(game(url))
    for viewer, frames in sessions.items():
        text = "".join(masked(frame) + "\n" for frame in frames)
        (HERE / f"cambio-{viewer}.jsonl").write_text(text, encoding="utf-8")
    short = [in_both(frame) for frame in asyncio.run(first_move(url))]
    text = "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in short)
    (HERE / "first-move.jsonl").write_text(text, encoding="utf-8")
    fill_in(HERE.parent / "examples" / "first-move.md", short)
    room = next(it["message"]["room"] for it in sessions["seat"] if it["message"]["t"] == "room")
    page = f"http{url.removeprefix('ws')}/api/replays/{room}/1"
    with urllib.request.urlopen(page, timeout=10) as reply:  # noqa: S310 - http or https by construction
        (HERE / "cambio-replay.json").write_bytes(reply.read())
    for file in sorted(HERE.glob("*.json*")):
        sys.stdout.write(f"{file.name}: {file.stat().st_size} bytes\n")


if __name__ == "__main__":
    main()
