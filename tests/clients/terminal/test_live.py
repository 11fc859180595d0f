"""The screen on a real connection to a small server: rules, the end of the seat or of the connection, fast writing."""

import asyncio
import io
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from time import perf_counter

from textual.drivers._writer_thread import WriterThread
from textual.drivers.headless_driver import HeadlessDriver
from textual.pilot import Pilot
from websockets.asyncio.server import Server, ServerConnection, serve
from websockets.exceptions import ConnectionClosed
from websockets.http11 import Request, Response
from websockets.typing import Subprotocol

from photofinish_client.client import Table, connect
from photofinish_client.terminal.app import TableApp
from photofinish_client.terminal.live import bind, run
from photofinish_protocol import messages as m
from photofinish_protocol.codec import CODECS
from photofinish_protocol.reasons import Reason
from photofinish_protocol.version import MSGPACK
from tests.clients.server_messages import room, seated, welcome
from tests.clients.terminal.test_terminal import screen
from tests.priority import ahead_of_others
from tests.waiting import until

RULES = "# Cambio by the fire\n\n**C5** It is not your turn.\n"
GOAL = 0.0025
"""Seconds: half of the thread switch interval that Python begins with."""
BUSY = 0.02
ATTEMPTS = 200


class OneTable:
    """A server with one room and the rules of one game. It takes back the seat when the test says so."""

    def __init__(self, game: str) -> None:
        self.game = game
        self.socket: ServerConnection | None = None
        self.asked: list[m.Request] = []

    def page(self, connection: ServerConnection, request: Request) -> Response | None:
        if not request.path.startswith("/api/"):
            return None
        is_there = request.path == "/api/rules/cambio"
        return connection.respond(200 if is_there else 404, RULES if is_there else "no such page")

    async def talk(self, socket: ServerConnection) -> None:
        self.socket = socket
        with suppress(ConnectionClosed):
            async for frame in socket:
                request = CODECS[MSGPACK].decode_request(frame)
                self.asked.append(request)
                if isinstance(request, m.Hello):
                    await self.say(welcome())
                elif isinstance(request, m.Join):
                    await self.say(seated(request.id))
                    await self.say(room("lobby", game=self.game))
                elif isinstance(request, m.Ready):
                    text = "{1} has dealt already."
                    await self.say(m.Refused(id=request.id, reason=Reason.GAME_OVER, text=text, clause="C5"))
                else:
                    await self.say(m.Ack(id=request.id))

    async def say(self, message: object) -> None:
        assert self.socket is not None
        await self.socket.send(CODECS[MSGPACK].encode(message))


@asynccontextmanager
async def in_a_seat(game: str = "cambio") -> AsyncIterator[tuple[OneTable, Server, Table]]:
    here = OneTable(game)
    async with serve(
        here.talk, "127.0.0.1", 0, subprotocols=[Subprotocol(MSGPACK)], process_request=here.page
    ) as server:
        port = server.sockets[0].getsockname()[1]
        async with connect(f"ws://127.0.0.1:{port}", name="Ana", give_up_after=0.2) as table:
            await table.join("ABCD")
            yield here, server, table


@asynccontextmanager
async def at_the_table(
    game: str = "cambio", size: tuple[int, int] = (80, 24)
) -> AsyncIterator[tuple[OneTable, Server, TableApp, Pilot[None]]]:
    """A seat in the room of a small server, and the screen, on which the room is drawn."""
    async with in_a_seat(game) as (here, server, table):
        app = TableApp(may_play=True)
        bind(table, app)
        async with app.run_test(size=size) as pilot:
            await until(lambda: "Not ready after all" in screen(app), "the room is drawn")
            yield here, server, app, pilot


async def test_the_rules_of_this_game_come_from_the_server() -> None:
    async with at_the_table() as (_, _, app, pilot):
        await pilot.press("question_mark")
        await until(lambda: "Cambio by the fire" in screen(app), "the rules are on the screen")


async def test_if_the_rules_cannot_be_fetched_the_screen_says_so_and_the_game_continues() -> None:
    async with at_the_table("reflex") as (here, _, app, pilot):
        await pilot.press("question_mark")
        await until(lambda: "404" in screen(app), "the screen tells the fault")
        shown = screen(app)
        await pilot.press("question_mark", "1")
        await until(lambda: isinstance(here.asked[-1], m.Ready), "a key is sent")

    assert "rules of this game could not be fetched" in " ".join(shown.split())


async def test_a_refusal_names_players_and_its_clause() -> None:
    async with at_the_table(size=(120, 40)) as (_, _, app, pilot):
        await pilot.press("1")
        await until(lambda: "Bo has dealt already. [C5]" in screen(app), "the refusal is on the screen")


async def test_a_player_who_gives_up_the_seat_sees_it_although_the_server_sends_no_left() -> None:
    async with at_the_table() as (here, _, app, pilot):
        await pilot.press("q", "g")
        await until(lambda: not app.is_running, "the screen closes")

    assert isinstance(here.asked[-1], m.Leave)
    assert app.left is not None
    assert (app.left.room, app.left.reason) == ("ABCD", "left")


async def test_a_player_who_loses_the_seat_sees_the_reason_and_q_leaves_without_a_question() -> None:
    async with at_the_table() as (here, _, app, pilot):
        await here.say(m.Left(room="ABCD", reason="kicked", text="{1} has sent you away."))
        await until(lambda: "Bo has sent you away." in screen(app), "the screen says why")
        await pilot.press("q")
        await until(lambda: not app.is_running, "the screen closes")

    assert app.left is not None
    assert app.left.reason == "kicked"


async def test_a_connection_that_has_ended_for_good_shows_and_q_asks_nothing_any_more() -> None:
    async with at_the_table() as (_, server, app, pilot):
        server.close()
        await until(lambda: app.has_ended, "the client gives up")
        await pilot.pause()
        status = app._drawn_status().plain
        shown = screen(app)
        await pilot.press("q")
        await until(lambda: not app.is_running, "the screen closes")

    assert status == " The connection has ended. Press q. "
    assert status.strip() in shown
    assert app.left is None, "the seat is kept"


class TimedFile(io.StringIO):
    """A file that notes when it was written to."""

    written_at: float | None = None

    def write(self, text: str) -> int:
        self.written_at = self.written_at or perf_counter()
        return super().write(text)


def seconds_until_written() -> float:
    """How long a line waits for the thread that writes to the terminal, while this thread draws."""
    file = TimedFile()
    writer = WriterThread(file)
    writer.start()
    writer.write("warm")
    writer.stop()
    file.written_at = None
    writer = WriterThread(file)
    writer.start()
    began = perf_counter()
    writer.write("RACE")
    while perf_counter() < began + BUSY and file.written_at is None:
        pass  # as drawing does: it never waits for anything
    writer.stop()
    assert file.written_at is not None
    return file.written_at - began


async def test_drawing_does_not_keep_the_thread_that_writes_to_the_terminal_from_its_work() -> None:
    """The line of a race is written first. A table of eight then draws for 2 to 6 ms, and the line must not wait."""
    before = sys.getswitchinterval()
    try:
        async with in_a_seat() as (_, _, table):
            app = TableApp(may_play=True)
            app.driver_class = HeadlessDriver
            screen_task = asyncio.create_task(run(table, app))
            await until(lambda: app.is_running, "the screen is there", during=screen_task)
            took: list[float] = []
            with ahead_of_others():
                while len(took) < ATTEMPTS and min(took, default=BUSY) > GOAL:
                    took.append(seconds_until_written())
            app.exit()
            await screen_task
    finally:
        sys.setswitchinterval(before)

    assert min(took) <= GOAL, f"{min(took) * 1000:.1f} ms"
