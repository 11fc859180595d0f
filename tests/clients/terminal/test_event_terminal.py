"""T68, T70: a person in a terminal enters an event and is called from table to table."""

import asyncio
from collections.abc import Iterator
from pathlib import Path

import pytest

from photofinish_client.bots import RandomPlayer
from photofinish_client.client import connect
from photofinish_client.events.player import play_event
from photofinish_client.keys import PlayerKey
from photofinish_protocol.messages import Enter, EventDo
from tests.clients.terminal.ptys import terminal
from tests.system.conftest import ServerProcess
from tests.system.events.test_events import create, log_of, results_of, until
from tests.waiting import until as waiting_until

pytestmark = pytest.mark.system

EVENT = """title = "Quick hands"
game = "reflex"
format = "swiss"
rounds = 1
best_of = 3
[clock]
check_in_minutes = 0
break_seconds = 0
dispute_seconds = 30
no_show_seconds = 100
[options]
flashes = 1
gap_ms = 400
window_ms = 400
"""


@pytest.fixture
def server(tmp_path: Path) -> Iterator[ServerProcess]:
    process = ServerProcess(tmp_path)
    yield process.start()
    process.stop()


async def two_results(server: ServerProcess, event: str) -> bool:
    return len(results_of(await log_of(server, event))) >= 2


async def test_T68_the_terminal_goes_to_the_table_of_each_call(server: ServerProcess, tmp_path: Path) -> None:
    async with connect(server.url, name="Host", key=PlayerKey.new()) as host:
        event = await create(host, EVENT)
        await host.request(EventDo(id=0, event=event, do="open"))
        words = ("tournament", "play", event, "--name", "Ada", "--url", server.url, "--key", tmp_path / "ada")
        other = asyncio.create_task(play_event(server.url, event, PlayerKey.new(), "Bo", RandomPlayer()))
        with terminal(*words, state=tmp_path) as screen:
            await screen.wait(b"Quick hands")
            await until(server, event, lambda it: it["entrants"] == 2)
            await host.request(EventDo(id=0, event=event, do="start"))
            await screen.wait(b"I am ready")
            screen.press("1")
            await screen.wait(b"won", after=len(screen.out))
            # Game 2 of the best of three: another room.
            await screen.wait(b"I am ready", after=len(screen.out))
            screen.press("1")
            await screen.wait(b"won", after=len(screen.out))
            await waiting_until(lambda: two_results(server, event), "the second game counts")
        other.cancel()
        await asyncio.gather(other, return_exceptions=True)
        rooms = results_of(await log_of(server, event))

    assert len(rooms) == len(set(rooms)) == 2


async def test_I4_the_terminal_waits_while_another_event_keeps_its_player(
    server: ServerProcess, tmp_path: Path
) -> None:
    """T68: the calls of another event end no game here, and its seat is taken when that event is cancelled."""
    rival, ada = PlayerKey.new(), PlayerKey.kept(tmp_path / "ada")
    async with (
        connect(server.url, name="Host", key=PlayerKey.new()) as host,
        connect(server.url, name="Bo", key=rival) as bo,
        connect(server.url, name="Ada", key=ada) as ada_before,
    ):
        second, event = [await create(host, EVENT) for _ in range(2)]
        for code in (second, event):
            await host.request(EventDo(id=0, event=code, do="open"))
            await bo.request(Enter(id=0, event=code))
        await ada_before.request(Enter(id=0, event=second))
        await host.request(EventDo(id=0, event=second, do="start"))
        words = ("tournament", "play", event, "--name", "Ada", "--url", server.url, "--key", tmp_path / "ada")
        with terminal(*words, state=tmp_path) as screen:
            await screen.wait(b"Quick hands")
            await until(server, event, lambda it: it["entrants"] == 2)
            await host.request(EventDo(id=0, event=event, do="start"))
            await screen.wait(b"another event")
            assert b"I am ready" not in screen.out, "it is at no table yet"
            await host.request(EventDo(id=0, event=second, do="cancel", reason="Too few"))
            await screen.wait(b"I am ready")
