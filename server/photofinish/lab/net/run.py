"""`photofinish race-lab --real`: a real server and headless clients on shaped links; compares verdicts with the
truth.
"""

import asyncio
import contextlib
import os
import signal
import tempfile
import urllib.request
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from time import perf_counter
from typing import Any

import msgspec
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from photofinish.lab.net.child import Child
from photofinish.lab.net.goals import rows
from photofinish.lab.net.judge import Judged, judge
from photofinish.lab.net.links import netns
from photofinish.lab.net.links.proxy import Ports, ProxyRequest
from photofinish.lab.net.links.shape import LatenessSummary, Shape
from photofinish.lab.net.links.tun import Spaces
from photofinish.lab.net.plan import (
    FEWEST,
    Budget,
    Cell,
    Order,
    Part,
    PlayerNote,
    PlayerResult,
    Setting,
    cells,
    more,
    rooms_of,
)
from photofinish.lab.net.report import as_json, print_goals
from photofinish.lab.net.stall_monitor import MonitorStarted, Stall, Stalls, stolen_s
from photofinish.replay.replay import Replay, read_replay

SHORT = 40
"""Races per cell of a short run."""
START_SECONDS = 60.0
LONGEST_RACE = 4.0
"""Seconds after which a race without any claim is over."""
NO_SPACE = "-"


class LabNetwork:
    """A server, the links to it, and one player process at the other end of each link."""

    def __init__(
        self, setting: Setting, folder: Path, *, is_tunnelled: bool, keep: Path | None = None
    ) -> None:
        """Also starts one stall monitor per core, if real-time priority is allowed."""
        self._setting, self._folder, self._is_tunnelled = setting, folder, is_tunnelled
        self._keep = keep
        self._urls: tuple[str, ...] = ()
        self._links: Child | None = None
        self._server: Child | None = None
        self._players: list[Child] = []
        self._monitors: list[Child] = []
        self._fetcher: ThreadPoolExecutor | None = None
        self._port = 0
        self.is_realtime = False

    async def start(self, stack: contextlib.AsyncExitStack, shapes: tuple[Shape, ...]) -> None:
        """Start everything, with these links."""
        spaces = Spaces(NO_SPACE, (NO_SPACE,) * len(shapes), ("127.0.0.1",) * len(shapes), is_realtime=False)
        if self._is_tunnelled:
            self._links = await self._begin(stack, "tunnels", NO_SPACE, "-m", "photofinish.lab.net.links.tun")
            self._links.say(shapes)
            spaces = await self._links.hear(Spaces)
        self.is_realtime = spaces.is_realtime
        await self._serve(stack, spaces)
        ports: tuple[int, ...] = (self._port,) * len(shapes)
        if not self._is_tunnelled:
            self._links = await self._begin(
                stack, "proxies", NO_SPACE, "-m", "photofinish.lab.net.links.proxy", place=netns.LINKS
            )
            self._links.say(ProxyRequest(self._port, shapes))
            ports = (await self._links.hear(Ports)).ports
        self._urls = tuple(f"ws://{host}:{port}" for host, port in zip(spaces.hosts, ports, strict=True))
        for seat, space in enumerate(spaces.clients):
            name = f"players-{seat}"
            program = ("-m", "photofinish.lab.net.player")
            self._players.append(await self._begin(stack, name, space, *program, place=netns.PLAYERS))
        enter = None if spaces.server == NO_SPACE else partial(netns.enter, spaces.server)
        self._fetcher = ThreadPoolExecutor(1, initializer=enter)
        stack.callback(self._fetcher.shutdown)
        await self._keep_awake(stack)
        await self._watch(stack)

    async def _keep_awake(self, stack: contextlib.AsyncExitStack) -> None:
        """Keep all cores awake: the host would give an idle core to others."""
        for core in _cores():
            await self._begin(
                stack, f"wakeful-{core}", NO_SPACE, "-m", "photofinish.lab.net.keep_awake", str(core)
            )

    async def _watch(self, stack: contextlib.AsyncExitStack) -> None:
        """Start a stall monitor on each core; none at all if one of them does not get real-time priority."""
        if not _cores():
            return
        async with contextlib.AsyncExitStack() as trial:
            watching = [
                await self._begin(
                    trial, f"monitor-{core}", NO_SPACE, "-m", "photofinish.lab.net.stall_monitor", str(core)
                )
                for core in _cores()
            ]
            if all([(await it.hear(MonitorStarted)).is_realtime for it in watching]):
                self._monitors = watching
                stack.push_async_exit(trial.pop_all())

    @property
    def is_watched(self) -> bool:
        return bool(self._monitors)

    async def _stalls(self) -> tuple[tuple[Stall, ...], float]:
        """The stalls since the last call, and the processor time of the monitors so far."""
        for it in self._monitors:
            it.say(None)
        heard = [await it.hear(Stalls) for it in self._monitors]
        return tuple(stall for it in heard for stall in it.stalls), sum(it.cpu_s for it in heard)

    async def _serve(self, stack: contextlib.AsyncExitStack, spaces: Spaces) -> None:
        more = () if self._is_tunnelled else ("--behind-proxy",)
        host = "0.0.0.0" if self._is_tunnelled else "127.0.0.1"  # noqa: S104 - inside a namespace of our own
        self._server = server = await self._begin(
            stack, "server", spaces.server, "-c", "from photofinish.cli import main; main()", "serve",
            "--loop", self._setting.loop, "--host", host, "--port", "0", "--data", str(self._folder / "data"), *more,
            place=netns.SERVER,
        )  # fmt: skip
        greeting = (await server.line()).decode()
        self._port = int(greeting.split("ws://")[1].split()[0].rpartition(":")[2])

    async def _begin(
        self, stack: contextlib.AsyncExitStack, name: str, space: str, *program: str, place: int = 0
    ) -> Child:
        log = self._folder / f"{name}.log"
        return await stack.enter_async_context(Child(name, space, log, *program, place=place))

    async def reshape(self, shapes: tuple[Shape, ...]) -> LatenessSummary:
        """Replace the links' properties. Returns the punctuality until now."""
        assert self._links is not None
        self._links.say(shapes)
        return await self._links.hear(LatenessSummary)

    async def race(self, cell: Cell, turn: int, tick: Callable[[int], None]) -> Judged:
        """One round of a cell, in several rooms at the same time.

        `turn` counts from 0, and each turn has its own seed.
        """
        setting = msgspec.structs.replace(self._setting, seed=self._setting.seed + turn)
        shapes = cell.shapes(setting.seed)
        await self.reshape(shapes)
        rooms, each = rooms_of(cell, setting.rooms)
        order = Order(
            url=self._urls[0], seat=0, seed=setting.seed, cell=cell, rooms=rooms, each=each,
            pause_ms=setting.pause_ms, warm_s=setting.warm_s,
        )  # fmt: skip
        self._players[0].say(order)
        codes = (await self._players[0].hear(PlayerNote)).codes
        for seat, player in enumerate(self._players[1:], start=1):
            player.say(msgspec.structs.replace(order, url=self._urls[seat], seat=seat, codes=codes))
        assert self._server is not None
        before = (*self._server.share(), stolen_s(), (await self._stalls())[1])
        async with asyncio.timeout(
            START_SECONDS + setting.warm_s + each * (LONGEST_RACE + setting.pause_ms / 250)
        ):
            results = await asyncio.gather(*(_result_of(player, tick) for player in self._players))
        stalls, watched = await self._stalls()
        after = (*self._server.share(), stolen_s(), watched)
        had, waited, stolen, watching = (now - then for now, then in zip(after, before, strict=True))
        replays = [(code, await self._replay(code)) for code in codes]
        judged = await asyncio.to_thread(judge, cell, replays, results, stalls if self.is_watched else None)
        return msgspec.structs.replace(
            judged, cpu_s=had, queued_s=waited, stolen_s=stolen, monitor_s=watching,
            links=(await self.reshape(shapes),),
        )  # fmt: skip

    async def _replay(self, code: str) -> Replay:
        """Fetch a replay from the server, inside its namespace."""
        page = f"http://127.0.0.1:{self._port}/api/replays/{code}/1"

        def fetch() -> bytes:
            with urllib.request.urlopen(page, timeout=30) as reply:
                body: bytes = reply.read()
                return body

        raw = await asyncio.get_running_loop().run_in_executor(self._fetcher, fetch)
        if self._keep is not None:
            (self._keep / f"{code}.json").write_bytes(raw)
        return read_replay(raw)


def _cores() -> list[int]:
    """The cores that we may use; empty where a process cannot be pinned to a core."""
    return sorted(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else []


async def _result_of(player: Child, tick: Callable[[int], None]) -> PlayerResult:
    async for note in player.notes(PlayerNote):
        if note.result is not None:
            return note.result
        tick(note.raced)
    raise AssertionError("a child's notes have no end")


async def real_lab(
    races: int | None = None,
    out: Path | None = None,
    *,
    plan: tuple[Cell, ...] | None = None,
    setting: Setting | None = None,
    short: bool = False,
    proxied: bool = False,
    keep: Path | None = None,
    console: Console | None = None,
    minutes: int | None = None,
    only: Part | None = None,
) -> int:
    """Run every cell and print goals and results. Returns 0 if every goal was met. Writes `out` after each cell.

    `races` is the number per cell. Default: that of `cells`, or 40 if `short`. `plan` replaces the cells, `only`
    chooses a part of them. Replays are written to the folder `keep`, if given. No round starts after `minutes`: each
    cell has its share of that time, and ends with fewer races if necessary.
    """
    setting, console = setting or Setting(), console or Console()
    this = asyncio.current_task()
    assert this is not None
    asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, this.cancel)  # Ctrl-C does the same
    lacking = None if proxied else netns.missing()
    is_tunnelled = not proxied and lacking is None
    if not is_tunnelled:
        why = f" ({lacking})" if lacking else ""
        console.print(
            f"[yellow]Through user-space proxies{why}:[/] the kernel's round trips are the proxies', so the "
            "server runs with --behind-proxy, and what is lost is a piece of a stream, not a packet."
        )
    plan = plan or cells(SHORT if short and races is None else races, only)
    bars = Progress(
        TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn(), console=console
    )  # fmt: skip
    judged: list[Judged] = []
    with tempfile.TemporaryDirectory(prefix="race-lab-") as folder:
        async with contextlib.AsyncExitStack() as stack:
            network = LabNetwork(setting, Path(folder), is_tunnelled=is_tunnelled, keep=keep)
            await network.start(stack, plan[0].shapes(setting.seed))
            if not network.is_watched:
                console.print(
                    "[yellow]No stall monitor:[/] real-time priority is not allowed here, so nobody can say when the "
                    "machine itself stood still. Every race counts."
                )
            with bars:
                budget = Budget(plan, None if minutes is None else 60.0 * minutes, setting.rooms)
                for cell in plan:
                    judged.append(await _all_rounds(network, cell, bars, budget))
                    goals = rows(judged)
                    if out is not None:
                        facts = as_json(
                            judged, goals, setting, is_tunnelled=is_tunnelled, is_realtime=network.is_realtime
                        )
                        _write(out, facts)
    print_goals(goals, judged, console)
    if out is not None:
        console.print(f"\nwritten to {out}")
    return 1 if any(goal.is_met is False for goal in goals) else 0


async def _all_rounds(network: LabNetwork, cell: Cell, bars: Progress, budget: Budget) -> Judged:
    """Run rounds until enough races are undisturbed, or the limit of rounds or time is reached. At least one round."""
    task = bars.add_task(cell.name, total=cell.races)

    def tick(races: int) -> None:
        bars.advance(task, races)

    async def one_round(races: int, turn: int) -> Judged:
        began = perf_counter()
        judged = await network.race(msgspec.structs.replace(cell, races=races, turn=turn), turn, tick)
        budget.spend(perf_counter() - began, len(judged.races))
        return judged

    budget.begin(cell)
    so_far = msgspec.structs.replace(await one_round(budget.affords(cell.races) or FEWEST, 0), cell=cell)
    while races := budget.affords(more(cell.races, len(so_far.races), len(so_far.undisturbed.races))):
        bars.update(task, total=len(so_far.races) + races, completed=len(so_far.races))
        so_far = so_far.plus(await one_round(races, so_far.rounds))
    bars.update(task, total=len(so_far.races), completed=len(so_far.races))
    return so_far


def _write(out: Path, facts: dict[str, Any]) -> None:
    out.write_bytes(msgspec.json.format(msgspec.json.encode(facts)))
