"""The log lines of a server during games, at the lowest level, contain no card, no seed and no token."""

import asyncio
import dataclasses
import secrets
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest
import structlog

from photofinish.engine import AnyGame, Input, Rng, Seat
from photofinish.games import all_games
from photofinish.node import actor
from photofinish.node.clock import clock
from photofinish.node.directory import Directory
from photofinish.replay import log
from photofinish.replay.replay import Replay, states
from photofinish.room.facts import Joined, Requested, SessionId
from photofinish.store.ports import NodeId
from photofinish.store.redis import RedisStore
from photofinish_client.bots import RandomPlayer
from photofinish_client.client import connect
from photofinish_protocol import messages
from tests.games.leaks import faces_in
from tests.hunt.lines import kept
from tests.system.conftest import ServerProcess
from tests.system.ledger import Ledger, fetch_replay, play_and_note
from tests.waiting import within

QUICK = {"target_points": 1, "race_min_ms": 30, "show_seconds": 1, "look_seconds": 1}
TABLES = 3


@pytest.fixture
def chatty(tmp_path: Path) -> Iterator[ServerProcess]:
    server = ServerProcess(tmp_path, "--verbose", "--json-logs")
    yield server.start()
    server.stop()


@pytest.mark.system
async def test_no_line_of_a_real_server_names_a_card_that_was_dealt_on_it(chatty: ServerProcess) -> None:
    tokens: list[str] = []
    played = await asyncio.gather(*(one_game(chatty.url, tokens) for _ in range(TABLES)))
    replays = [await asyncio.to_thread(fetch_replay, chatty.url, room) for room in played]
    await asyncio.to_thread(chatty.stop)

    text = chatty.log
    assert all(f'"room":"{room}"' in text for room in played), "the log does not tell of the games at all"
    for replay in replays:
        assert replay.seed not in text
        for spelling in spellings(replay):
            assert spelling not in text
    for token in tokens:
        assert token.rpartition("-")[2] not in text


async def one_game(url: str, tokens: list[str]) -> str:
    """One game of a random player and a house bot."""
    async with connect(url, name="Ada", keep=tokens.append) as table:
        room = await table.create("cambio", seats=2, options=QUICK)
        await table.add_bot()
        await table.ready()
        await table.start()
        async with within("the game is over"):
            await play_and_note(table, RandomPlayer(), Ledger(0))
    return room


def spellings(replay: Replay) -> set[str]:
    """Every card that any viewer could see at any time, as written on the wire, by Python and in the state."""
    found: set[str] = set()
    entries = [log.parse(line.body) for line in replay.entries]
    dealt = entries[0]
    assert isinstance(dealt, log.Dealt)
    game = all_games()[dealt.game]
    for _, state, _ in states(all_games(), bytes.fromhex(replay.seed), entries):
        for seat in range(dealt.seats):
            view = game.view(state, Seat(seat))
            for _, face in faces_in(view, game.faces):
                plain = msgspec.msgpack.decode(face)
                found |= {msgspec.json.encode(plain).decode(), repr(plain), repr(plain)[1:-1]}
    assert found
    return found | set(map(str, getattr(state, "main", ())))


def quotes_a_card(game: AnyGame, cards: list[str]) -> AnyGame:
    """The game with a fault in its rules; the text of the exception names a card of the next player."""

    def apply(state: Any, event: Input[Any], rng: Rng) -> Any:
        hand = str(state.main[0])
        cards.append(hand)
        lookup: dict[str, Any] = {}
        return lookup[hand] if event else game.apply(state, event, rng)

    return dataclasses.replace(game, apply=apply)


async def test_a_fault_in_the_rules_is_logged_without_the_card_in_its_text(
    redis_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    cards: list[str] = []
    games = {"cambio": quotes_a_card(all_games()["cambio"], cards)}
    with kept() as lines:
        monkeypatch.setattr(actor, "log", structlog.get_logger("photofinish.node.actor"))  # not bound before
        store = await RedisStore.open(redis_url, lease_ms=400)
        directory = Directory(store, NodeId("one"), games)
        room = await directory.create(messages.Create(id=0, game="cambio", seats=2))
        session = SessionId("player " + secrets.token_hex(4))
        client = IgnoringClient()
        room.enter(session, client, Joined(session, 1, "Ada", 0))
        for request in (messages.Bot(id=2), messages.Ready(id=3), messages.Start(id=4)):
            room.post(Requested(session, request, clock()))
        async with within("the quarantined room drops its session"):
            await client.shut.wait()
        await directory.stop()
        await store.close()
        said = lines.take()

    line = next(line for line in said if line["event"] == "room quarantined")
    assert cards
    assert cards[0] in room.room.record.quarantine, "the room itself keeps the sentence"
    assert line["exception"].endswith("KeyError")
    assert "in apply" in line["exception"]
    assert not any(card in str(line) for line in said for card in cards)


class IgnoringClient:
    """A session that ignores all messages, and records that it was dropped."""

    def __init__(self) -> None:
        self.shut = asyncio.Event()

    def send(self, message: messages.ServerMessage) -> None:
        """Ignore the message."""

    def show(self, view: messages.View) -> Any:
        return clock()

    def drop(self, code: Any) -> None:
        self.shut.set()

    def await_clock(self, at: Any) -> None:
        """Nothing to do: the session uses the room's own clock."""
