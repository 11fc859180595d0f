"""Log lines of a real server inform the operator and never contain a card, a token, a seed or a nonce."""

import asyncio
import io
import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import structlog

from photofinish.telemetry import set_up_logging
from photofinish_client.bots import RandomPlayer
from photofinish_client.client import connect
from photofinish_client.errors import CutOff
from tests.own_logging import own_logging
from tests.system.conftest import ServerProcess
from tests.system.ledger import QUICK_CAMBIO, Ledger, play_and_note

QUICK = {**QUICK_CAMBIO, "target_points": 1}
TOKEN = "the-clubs-own-access-token"
PUBLIC = {
    "event", "level", "timestamp", "room", "game", "phase", "status", "why", "clause", "text", "seconds", "port",
    "session", "exception", "node", "number", "race", "players", "key", "moves", "us", "heats",
}  # fmt: skip
"""The fields that a log line may have. A new field must be reviewed and added here."""


@pytest.fixture
def chatty(tmp_path: Path) -> Iterator[ServerProcess]:
    (tmp_path / "tokens").write_text(TOKEN + "\n", encoding="utf-8")
    more = ("--verbose", "--json-logs", "--access-token-file", str(tmp_path / "tokens"))
    server = ServerProcess(tmp_path, *more)
    yield server.start()
    server.stop()


@pytest.mark.system
async def test_a_whole_game_leaves_no_secret_in_the_log(chatty: ServerProcess) -> None:
    tokens: list[str] = []
    url = chatty.url.replace("ws://", f"ws://anybody:{TOKEN}@")
    ledger = Ledger(0)
    async with connect(url, name="Ada", keep=tokens.append) as table:
        room = await table.create("cambio", seats=2, options=QUICK)
        await table.add_bot()
        await table.ready()
        await table.start()
        await play_and_note(table, RandomPlayer(), ledger)
    with pytest.raises(CutOff):
        async with connect(url.replace(TOKEN, TOKEN + "x"), name="Eve", give_up_after=0.1):
            pass
    await asyncio.to_thread(chatty.stop)
    over = ledger.over
    assert over is not None

    lines = [json.loads(line) for line in chatty.log.splitlines()]
    assert any(line["event"] == "room opened" and line["room"] == room for line in lines)
    assert any(line["event"] == "turned away" for line in lines)
    for line in lines:
        assert line.keys() <= PUBLIC, line
    secrets = [TOKEN, over.seed, *filter(None, over.nonces), *(token.rpartition("-")[2] for token in tokens)]
    assert len(tokens) >= 1
    for secret in secrets:
        assert secret not in chatty.log


async def test_a_fault_is_logged_with_its_place_and_without_the_cards(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A traceback with local values would show the hand of a player."""
    table = {"hand": "queen of spades"}
    for is_json in (True, False):
        output = io.TextIOWrapper(io.BytesIO(), encoding="utf-8", write_through=True)
        monkeypatch.setattr(sys, "stderr", output)
        with own_logging():
            set_up_logging(is_json=is_json, is_verbose=True)
            try:
                _a_rule_that_breaks(table)
            except ZeroDivisionError:
                structlog.get_logger("x").exception("room quarantined", room="QQQQQ")
        said = output.buffer.getvalue().decode()

        assert "ZeroDivisionError" in said
        assert "_a_rule_that_breaks" in said
        assert "queen" not in said


def _a_rule_that_breaks(state: dict[str, Any]) -> float:
    hand = state["hand"]
    return len(hand) / 0
