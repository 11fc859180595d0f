"""What others wrote is printed as it is, and does not control the terminal.

Tested: names, messages of a server, and the output of a client under test. Rich reads a plain string as markup.
Before, a room whose host was called `a[/x]` ended `photofinish rooms` with a traceback for everybody, and `[link=…]` in
a name made a link.
"""

import asyncio
import json
import threading
from collections.abc import Iterator
from io import StringIO

import pytest
from rich.console import Console
from websockets.sync.server import Server, ServerConnection, serve
from websockets.typing import Subprotocol

from photofinish.commands.conformance import _show
from photofinish.conformance.report import RequirementResult
from photofinish.conformance.seen import CheckVerdict
from photofinish.conformance.situations import SITUATIONS
from photofinish_client.client import connect
from photofinish_client.commands import rooms
from photofinish_client.events.followed import Followed
from photofinish_client.events.grid import grid
from photofinish_client.plain_text import as_text, visible
from photofinish_protocol.version import SUBPROTOCOLS
from tests.commands.shell import photofinish
from tests.system.conftest import ServerProcess

NAMES = ("a[/x]", "[bold]b[/]", "[link=x]c[/link]", ":skull:", "d[/]")
ORDERS = "[/x]\x1b[2J\x1b]0;owned\x07"


@pytest.mark.parametrize("name", NAMES)
async def test_a_hosts_name_in_the_list_of_rooms_is_printed_as_it_is(
    server: ServerProcess, name: str
) -> None:
    console = Console(width=200, record=True, file=StringIO())
    async with connect(server.url, name=name) as table:
        await table.create("reflex", seats=2)
        await rooms(server.url, console=console)
        await table.leave()

    assert name in console.export_text()


async def test_the_list_of_rooms_survives_every_name_in_a_real_shell(server: ServerProcess) -> None:
    async with connect(server.url, name=NAMES[0]) as table:
        await table.create("reflex", seats=2)
        done = await asyncio.to_thread(photofinish, "rooms", server.url)
        await table.leave()

    assert done.code == 0, done
    assert NAMES[0] in done.out


@pytest.fixture
def hostile_server() -> Iterator[str]:
    """Answers everything with an object of no known kind that is full of control codes for the terminal."""

    def answer(connection: ServerConnection) -> None:
        for _ in connection:
            connection.send(json.dumps({"t": "refused", "id": 0, "reason": ORDERS}))

    protocols = [Subprotocol(it) for it in SUBPROTOCOLS]
    server: Server
    with serve(answer, "127.0.0.1", 0, subprotocols=protocols) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        yield f"ws://127.0.0.1:{server.socket.getsockname()[1]}"
        server.shutdown()
        thread.join()


def test_inspect_prints_the_words_of_a_hostile_server_without_its_orders(hostile_server: str) -> None:
    done = photofinish("inspect", hostile_server)
    as_json = photofinish("inspect", hostile_server, "--json")

    assert as_json.code == 1, as_json
    assert not json.loads(as_json.out)["is_true"]
    assert done.code == 1, done
    assert "Traceback" not in done.err
    assert "\x1b]0" not in done.out
    assert "\x1b[2J" not in done.out


def test_the_report_on_a_client_prints_its_last_words_without_their_orders(
    capsys: pytest.CaptureFixture[str],
) -> None:
    situation = SITUATIONS[0]
    result = RequirementResult(situation, situation.looks_at[0], CheckVerdict(f"it wrote: {ORDERS}"))

    _show([result], is_whole=False)

    said = capsys.readouterr().out
    assert "[/x]\\x1b[2J" in said
    assert "\x1b[2J" not in said


def test_an_events_title_and_names_are_printed_as_they_are() -> None:
    console = Console(width=200, record=True, file=StringIO())
    page = Followed()
    page.parts["info"] = {"": {"title": f"Cup {ORDERS}", "event": "ABCDE", "state": "open"}}
    page.parts["standings"] = {"1": {"rank": 1, "number": 1, "name": f"Mallory {ORDERS}", "points_840": 840}}

    console.print(grid(page))

    said = console.export_text()
    assert said.count("[/x]\\x1b[2J") == 2
    assert "\x1b" not in said


def test_control_characters_are_written_out_and_letters_stay() -> None:
    assert visible("Zoë\x1b[2J\n\x9b\u202e") == "Zoë\\x1b[2J\\n\\x9b\\u202e"
    assert str(as_text("[bold]x[/]")) == "[bold]x[/]"
