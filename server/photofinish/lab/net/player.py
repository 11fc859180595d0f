"""The players of one host: a headless client in one seat of every room, with scripted reactions.

The process reads one order per line and answers with notes. A race is drawn at the next tick of the simulated screen.
The client moves when the planned reaction time has passed since then. Its claim contains the true reaction time,
unless the cell has a lie.
"""

import asyncio
import sys
from contextlib import suppress
from random import Random
from time import perf_counter_ns

import msgspec

from photofinish.engine import Micros
from photofinish.lab.net.lies import claim, hold_pongs, known, liar_of, shrink_buffer
from photofinish.lab.net.links.netns import die_with_parent
from photofinish.lab.net.links.shape import sharp_loop
from photofinish.lab.net.plan import Hand, Order, PlayerNote, PlayerResult, hands
from photofinish.race import Params
from photofinish_client.client import Table, connect
from photofinish_client.errors import CutOff, RequestRefused
from photofinish_protocol.messages import RaceReport, View

FRAME = 1_000_000_000 // 60
"""Nanoseconds."""


class ScriptedPlayer:
    """One seat in one room."""

    def __init__(self, order: Order, room: int, table: Table) -> None:
        self.hands: dict[int, Hand] = {}
        self._order, self._room, self._table = order, room, table
        self._phase = Random(f"{order.seed} {order.seat} {room}").randrange(FRAME)  # noqa: S311 - repeatable
        self._liar = liar_of(order.cell.lie, room, order.seat, order.cell.turn)
        self._screen = Params().screen
        """The seat's normaliser, from its own ledger. Liars use it."""
        self._nonce = ""
        self._hand: asyncio.TimerHandle | None = None
        self._claims: set[asyncio.Task[None]] = set()

    async def play(self) -> None:
        """Play until the game is over."""
        self._prepare()
        async for event in self._table:
            if isinstance(event, RaceReport):
                self._screen = next((Micros(it.screen_us) for it in event.ledger), self._screen)
            if not isinstance(event, View):
                continue
            nonce = event.race.nonce if event.race is not None else ""
            if nonce != self._nonce:
                self._nonce = nonce
                if self._hand is not None:
                    self._hand.cancel()
                if event.race is not None:
                    self._see(event)
                elif self._order.seat == 0:
                    say(PlayerNote(raced=1))
            if event.over is not None:
                return

    def _prepare(self) -> None:
        """Changes that some liars make to their connection. A new connection does not have them."""
        liar = self._liar
        socket = self._table._socket  # noqa: SLF001 - no honest client needs it
        if liar is not None and max(liar.holds_pings, liar.holds_echo):
            hold_pongs(socket, max(liar.holds_pings, liar.holds_echo) / 1000)
        if liar is not None and liar.holds_ack:
            shrink_buffer(socket)

    def _see(self, view: View) -> None:
        """A new race has arrived and will be drawn at the next tick."""
        seen = self._table.session.race
        assert view.race is not None
        at = seen.at if seen is not None and seen.nonce == view.race.nonce else perf_counter_ns()
        drawn = at + (self._phase - at) % FRAME if self._order.cell.is_drawn else at
        race = int(view.race.key.partition(":")[2])
        planned = hands(self._order.cell, self._order.seed, self._room, race)[self._order.seat]
        self.hands[race] = Hand(race, planned, None, drawn // 1000)
        wait = (drawn + planned * 1000 - perf_counter_ns()) / 1e9
        self._hand = asyncio.get_running_loop().call_later(
            wait, self._press, view, drawn, race, planned, (drawn - at) // 1000
        )

    def _press(self, view: View, drawn: int, race: int, planned: int, screen: int) -> None:
        pressed = (perf_counter_ns() - drawn) // 1000
        self.hands[race] = Hand(race, planned, pressed, drawn // 1000)
        sent = asyncio.get_running_loop().create_task(self._claim(view, race, pressed, screen))
        self._claims.add(sent)
        sent.add_done_callback(self._claims.discard)

    async def _claim(self, view: View, race: int, pressed: int, screen: int) -> None:
        standing = known(race, self._screen, f"{self._order.seed} {self._order.seat} {self._room}")
        if self._liar is not None and self._liar.holds_claim:
            await asyncio.sleep(self._liar.holds_claim / 1000)
        with suppress(RequestRefused, CutOff):  # another player was faster, which may have ended the race
            await self._table.play(
                {"t": "press"}, view=view, react_us=claim(self._liar, standing, pressed, screen)
            )

    def hands_played(self) -> tuple[Hand, ...]:
        order = self._order
        return tuple(
            self.hands.get(race)
            or Hand(race, hands(order.cell, order.seed, self._room, race)[order.seat], None)
            for race in range(1, order.each + 1)
        )


async def one_room(order: Order, room: int, codes: list[asyncio.Future[str]]) -> tuple[ScriptedPlayer, int]:
    async with connect(order.url, name=f"seat {order.seat}") as table:
        if order.seat == 0:
            options = {
                "flashes": order.each,
                "gap_ms": order.pause_ms,
                "window_ms": 3000,
                "all_press": order.cell.all_press,
            }
            code = await table.create("reflex", seats=5, options=options, private=True)
            codes[room].set_result(code)
        else:
            await table.join(order.codes[room], seat=order.seat)
        await table.ready()
        player = ScriptedPlayer(order, room, table)
        if order.seat == 0:
            await table.until(lambda it: all(place.ready for place in it.seats))
            await asyncio.sleep(order.warm_s)
            await table.start()
        await player.play()
        return player, table.cuts


async def run_cell(order: Order) -> None:
    loop = asyncio.get_running_loop()
    codes: list[asyncio.Future[str]] = [loop.create_future() for _ in range(order.rooms)]
    async with asyncio.TaskGroup() as rooms:
        tasks = [rooms.create_task(one_room(order, room, codes)) for room in range(order.rooms)]
        if order.seat == 0:
            say(PlayerNote(codes=tuple([await code for code in codes])))
    ended = [task.result() for task in tasks]
    result = PlayerResult(
        order.seat, tuple(player.hands_played() for player, _ in ended), sum(cuts for _, cuts in ended)
    )
    say(PlayerNote(result=result))


async def run() -> None:
    loop = asyncio.get_running_loop()
    while line := await loop.run_in_executor(None, sys.stdin.buffer.readline):
        await run_cell(msgspec.json.decode(line, type=Order))


def say(note: PlayerNote) -> None:
    sys.stdout.buffer.write(msgspec.json.encode(note) + b"\n")
    sys.stdout.buffer.flush()


if __name__ == "__main__":
    die_with_parent()
    with asyncio.Runner(loop_factory=sharp_loop) as runner:
        runner.run(run())
