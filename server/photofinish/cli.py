"""The command `photofinish`."""

import asyncio
import os
import secrets
import sys
import urllib.error
import urllib.request
from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Any, Literal

import msgspec
from cyclopts import App, Parameter
from rich.console import Console
from rich.markup import escape

from photofinish import app as server
from photofinish.arena import UnknownPlayer
from photofinish.arena import arena as run_arena
from photofinish.config import Settings
from photofinish.doctor import examine
from photofinish.engine import Strength
from photofinish.engine.components import FOLDER, BrokenComponents
from photofinish.games import shelf
from photofinish.gateway.auth import BadAccess
from photofinish.gateway.proxy import BadProxy
from photofinish.houseplayer import HousePlayer
from photofinish.lab.command import race_lab as simulate_races
from photofinish.lab.real import real_lab
from photofinish.lab.realplan import Setting
from photofinish.race.evidence import winner_of
from photofinish.race.strip import svg as strip_svg
from photofinish.race.strip import text as strip_text
from photofinish.room import log
from photofinish.room.replay import Replay, read_replay, states
from photofinish.room.verify import verify as verify_replay
from photofinish.store.binary import NoBinary
from photofinish.store.connect import BadUrl
from photofinish.store.datafolder import FolderInUse
from photofinish.store.embedded import EmbeddedFailed
from photofinish.store.ports import StoreAway
from photofinish.telemetry import set_up_logging, shown_url
from photofinish.workers import supervise
from photofinish_client import commands
from photofinish_client.bots import RandomPlayer
from photofinish_client.errors import AskRefused, CutOff
from photofinish_client.player import Player

app = App(
    name="photofinish",
    help="A card-table server that settles speed races fairly.",
    version_flags=["--version"],
)
console = Console()

Url = Annotated[str, Parameter(help="Where the server is, such as ws://127.0.0.1:8765")]
Set = Annotated[tuple[str, ...], Parameter(negative=())]
DEFAULT_URL = "ws://127.0.0.1:8765"


@app.command
def serve(
    *,
    host: str = "127.0.0.1",
    port: int = 8765,
    redis: Annotated[str | None, Parameter(env_var="REDIS_URL")] = None,
    data: Path = Path("data"),
    components: Path | None = None,
    behind_proxy: bool = False,
    tls_cert: Path | None = None,
    tls_key: Path | None = None,
    trust_proxy: tuple[str, ...] = (),
    metrics_host: str = "127.0.0.1",
    metrics_port: int | None = None,
    drain_seconds: float = 0,
    workers: int = 1,
    public_url: str = "",
    reuse_port: Annotated[bool, Parameter(show=False)] = False,
    origin: tuple[str, ...] = (),
    access_token_file: Path | None = None,
    address_connections: int = 512,
    address_requests: int = 1000,
    address_rooms: int = 240,
    no_limits: Annotated[bool, Parameter(negative="")] = False,
    json_logs: bool = False,
    verbose: bool = False,
    lab: Annotated[bool, Parameter(show=False)] = False,
    loop: Annotated[Literal["uvloop", "asyncio"], Parameter(show=False)] = "uvloop",
) -> int:
    """Start the server, on its embedded Redis unless --redis names another one.

    Parameters
    ----------
    host: Address to listen on. 0.0.0.0 lets other machines in.
    port: Port to listen on. 0 takes a free one.
    redis: An existing Redis instead of the embedded one: redis://, rediss://, unix://, redis+sentinel:// or
        redis+cluster://.
    data: Where the embedded Redis keeps the games.
    components: A folder with your own decks and boards.
    behind_proxy: Players come through a proxy, so the kernel's round trips say nothing about them.
    tls_cert: Certificate chain, to speak wss:// directly. SIGHUP reads it and its key again.
    tls_key: Its private key.
    trust_proxy: A proxy's address or network, whose X-Photofinish-RTT header is believed. Implies --behind-proxy.
    metrics_host: Address for /metrics, /healthz and /readyz.
    metrics_port: Its port; 0 for none. Unless given, 9464 if that is free.
    drain_seconds: When told to stop: be unready and open no rooms for so long, then stop.
    workers: Nodes on this machine, all on one port: one for each core. Players and rooms spread over them.
    public_url: Where players reach this very node, if each node has an address of its own.
    reuse_port: One of several nodes on this port.
    origin: A page elsewhere that may connect, such as https://cards.example.org; * for all. Can be repeated.
    access_token_file: Tokens, one a line. Who shows none of them is turned away.
    address_connections: Connections one address may have open.
    address_requests: Handshakes and pages one address may ask for in ten seconds.
    address_rooms: Rooms one address may open a minute.
    no_limits: No limits an address, for load tests.
    json_logs: Log lines as JSON.
    verbose: More log lines.
    lab: Offer the laboratory's own game as well.
    loop: Which event loop.
    """
    set_up_logging(is_json=json_logs, is_verbose=verbose)
    if components is not None:
        os.environ[FOLDER] = str(components)
    settings = Settings(
        host, port, redis, data, behind_proxy, tls_cert, tls_key, lab, trust_proxy, metrics_host,
        metrics_port, drain_seconds, public_url, workers, reuse_port, origin, access_token_file,
        address_connections, address_requests, address_rooms, no_limits,
    )  # fmt: skip
    try:
        with asyncio.Runner(loop_factory=_loop() if loop == "uvloop" else None) as runner:
            if workers > 1:
                more = [*(["--json-logs"] if json_logs else []), *(["--verbose"] if verbose else [])]
                runner.run(supervise(settings, [*more, "--loop", loop], _greet_at))
            else:
                runner.run(server.serve(settings, lambda running: _greet_at(running.url)))
    except (
        BadAccess, BadProxy, BadUrl, BrokenComponents, NoBinary, FolderInUse, EmbeddedFailed, StoreAway, OSError
    ) as fault:  # fmt: skip
        print(f"photofinish: {shown_url(str(fault))}", file=sys.stderr)
        return 1
    return 0


def _loop() -> Callable[[], asyncio.AbstractEventLoop] | None:
    """Uvloop where there is one."""
    try:
        import uvloop  # noqa: PLC0415 - not on every platform
    except ImportError:
        return None
    return uvloop.new_event_loop


def _greet_at(address: str) -> None:
    url = address.replace("0.0.0.0", "127.0.0.1")  # noqa: S104 - only what to type, not what to bind
    page = url.replace("ws", "http", 1)
    print(
        f"Photofinish is at {url}  (page: {page})\n"
        f"  play in this terminal's neighbour:  photofinish play {url} --game cambio --bots 3\n"
        f"  or join a room with a bot:          photofinish bot {url} --room CODE --player house\n"
        f"Ctrl-C stops it; the games are kept and go on at the next start.",
        flush=True,
    )


@app.command
def doctor(
    *,
    redis: Annotated[str | None, Parameter(env_var="REDIS_URL")] = None,
    data: Path = Path("data"),
    json: bool = False,
) -> int:
    """Say what is wrong with this machine, and what to do about it. Changes nothing.

    Parameters
    ----------
    redis: A Redis to look at as well.
    data: Where the embedded Redis would keep the games.
    json: One JSON list instead of a table.
    """
    findings = examine(data, redis)
    if json:
        print(msgspec.json.encode(findings).decode())
    else:
        colours = {"ok": "green", "warn": "yellow", "fail": "red"}
        for it in findings:
            line = f"[{colours[it.state]}]{it.state:4}[/]  [bold]{it.name}[/]: {escape(it.found)}"
            console.print(line, highlight=False, soft_wrap=True)
            if it.advice:
                console.print(f"      {escape(it.advice)}", highlight=False, soft_wrap=True)
    return 1 if any(it.state == "fail" for it in findings) else 0


@app.command
async def bot(
    url: Url = DEFAULT_URL,
    /,
    *,
    room: str,
    player: Literal["random", "house"] = "house",
    strength: Strength = Strength.STRONG,
    name: str = "",
    seat: int | None = None,
    games: int = 1,
    json: bool = False,
) -> None:
    """Sit a bot down in a room and let it play.

    Parameters
    ----------
    url: Where the server is.
    room: The room's code.
    player: house plays well, random plays anything it is offered.
    strength: How well.
    name: What it is called at the table.
    seat: Which seat; otherwise the first free one.
    games: How many games it stays for.
    json: Speak JSON instead of msgpack.
    """
    chosen = _player(player, strength)
    await commands.bot(
        url, room, chosen, name=name or f"{player} {secrets.randbelow(100)}", games=games, seat=seat,
        codec="json" if json else "msgpack", console=console,
    )  # fmt: skip


@app.command
async def host(
    url: Url = DEFAULT_URL,
    /,
    *,
    game: str,
    players: str = "house,house,house,house",
    games: int = 1,
    strength: Strength = Strength.STRONG,
    set: Set = (),  # noqa: A002 - what a person would type
) -> None:
    """Fill a table with headless players over real sockets and let them play.

    Parameters
    ----------
    url: Where the server is.
    game: Which game.
    players: One entry a seat: house or random.
    games: How many games.
    strength: How well the house plays.
    set: Options of the game, such as --set target_points=10.
    """
    seated: list[Player] = [
        _player("random" if it.strip() == "random" else "house", strength) for it in players.split(",")
    ]
    await commands.host(url, game, seated, games=games, options=_chosen(set), console=console)


def _chosen(pairs: tuple[str, ...]) -> dict[str, Any]:
    """`target_points=10` and its like, as the wire wants them."""
    chosen: dict[str, Any] = {}
    for pair in pairs:
        key, _, value = pair.partition("=")
        try:
            chosen[key] = msgspec.json.decode(value)
        except msgspec.DecodeError:
            chosen[key] = value
    return chosen


def _player(kind: Literal["random", "house"], strength: Strength) -> Player:
    return HousePlayer(shelf(), strength, secrets.token_bytes(16)) if kind == "house" else RandomPlayer()


@app.command
async def rooms(url: Url = DEFAULT_URL, /, *, game: str | None = None) -> None:
    """List the open rooms."""
    await commands.rooms(url, game=game, console=console)


@app.command
async def games(url: Url = DEFAULT_URL, /) -> None:
    """List the games on the server's shelf."""
    await commands.games(url, console=console)


@app.command
async def watch(url: Url = DEFAULT_URL, /, *, room: str) -> None:
    """Watch a table in the terminal."""
    await commands.watch(url, room)


@app.command
async def play(
    url: Url = DEFAULT_URL,
    /,
    *,
    room: str | None = None,
    game: str | None = None,
    seats: int | None = None,
    bots: int = 0,
    strength: Strength = Strength.MEDIUM,
    set: Set = (),  # noqa: A002 - what a person would type
    name: str = "",
) -> None:
    """Play in the terminal: join a room, or open one of a game and fill it with bots. Cambio, if you say nothing.

    Parameters
    ----------
    url: Where the server is.
    room: The code of a room to join.
    game: Or the game to open a room of.
    seats: How many seats it has; otherwise yours and the bots'.
    bots: How many bots of the house to play against.
    strength: How well they play.
    set: Options of the game, such as --set target_points=10.
    name: What you are called at the table.
    """
    level: Literal["easy", "medium", "strong"] = strength.value
    if room is None and game is None:
        game, bots = "cambio", bots or 3  # whoever just wants to play
    if seats is None and game is not None and bots:
        seats = bots + 1
    await commands.play(
        url, room=room, game=game, seats=seats, bots=bots, strength=level, options=_chosen(set), name=name
    )


@app.command
def save(
    url: Url = DEFAULT_URL, /, *, room: str, number: int = 1, output: Annotated[Path, Parameter(alias="-o")]
) -> int:
    """Fetch the replay of a finished game: the number-th at that table."""
    page = f"http{url.removeprefix('ws')}/api/replays/{room}/{number}"
    try:
        with urllib.request.urlopen(page, timeout=10) as reply:  # noqa: S310 - http or https by construction
            output.write_bytes(reply.read())
    except (urllib.error.URLError, OSError) as fault:
        console.print(f"[red]No such replay, or the server does not answer:[/] {fault}")
        return 1
    console.print(f"{output} written; [bold]photofinish verify {output}[/] checks it")
    return 0


@app.command
def verify(file: Path, /) -> int:
    """Check a replay: commitment, shuffles, every step, every race, the result."""
    replay = _read(file)
    if replay is None:
        return 2
    with console.status(f"playing {len(replay.entries)} entries again"):
        report = verify_replay(replay, shelf())
    for fault in report.faults:
        console.print(f"[red]✗[/] {fault}", highlight=False)
    if report.is_true:
        console.print(
            f"[green]✓[/] commitment, chain, {report.steps} steps, {report.shuffles} shuffles, "
            f"{report.races} races and the result are as told"
        )
    return 0 if report.is_true else 1


@app.command
def replay(file: Path, /) -> int:
    """Tell a game from its replay file, step by step."""
    found = _read(file)
    if found is None:
        return 2
    names: tuple[str, ...] = ()
    game = None
    entries = [log.parse(line.body) for line in found.entries]
    for entry, state, _ in states(shelf(), bytes.fromhex(found.seed), entries):
        match entry:
            case log.Dealt():
                names, game = entry.names, shelf()[entry.game]
                console.print(
                    f"[bold]{game.title}[/], game {entry.number} in {entry.room}: {', '.join(names)}"
                )
            case log.Step():
                assert game is not None
                for it in game.view(state, None).last:
                    console.print(
                        f"{entry.at / 1e6:8.1f} s  {_named(it.text or it.what, names)}", highlight=False
                    )
            case log.Raced(record=record):
                console.print(f"[dim]           race {record.key}: {len(record.moves)} moves in order[/]")
            case log.Ended():
                winners = ", ".join(names[seat] for seat in entry.winners) or "nobody"
                console.print(f"[bold]{winners}[/] won: {entry.why} {list(entry.scores)}")
    return 0


@app.command
def strip(
    file: Path,
    /,
    *,
    race: int = 1,
    output: Annotated[Path | None, Parameter(alias="-o")] = None,
) -> int:
    """Draw the photo-finish strip of a race: as SVG to a file, or as text.

    Parameters
    ----------
    file: A replay.
    race: Which race of the game, counted from 1.
    output: Where to write the SVG; without it the strip is printed.
    """
    found = _read(file)
    if found is None:
        return 2
    entries = [log.parse(line.body) for line in found.entries]
    names = next(entry.names for entry in entries if isinstance(entry, log.Dealt))
    records = [entry.record for entry in entries if isinstance(entry, log.Raced)]
    if not 1 <= race <= len(records):
        console.print(f"{file} has {len(records)} races; there is no race {race}.")
        return 2
    record = records[race - 1]
    if output is None:
        console.print(strip_text(record, names, won=winner_of(record)), highlight=False, markup=False)
    else:
        output.write_text(strip_svg(record, names, won=winner_of(record)), encoding="utf-8")
        console.print(f"{output} written")
    return 0


def _named(text: str, names: tuple[str, ...]) -> str:
    for seat, name in enumerate(names):
        text = text.replace(f"{{{seat}}}", name)
    return text


def _read(file: Path) -> Replay | None:
    try:
        return read_replay(file.read_bytes())
    except (OSError, msgspec.DecodeError) as fault:
        console.print(f"[red]{file} is no replay:[/] {fault}")
        return None


@app.command
def arena(
    *,
    game: str,
    players: str = "house,random",
    n: Annotated[int, Parameter(alias="-n")] = 100,
    seats: int | None = None,
    seed: int = 0,
    strength: Strength = Strength.STRONG,
) -> int:
    """Let players meet in many games without a server, and count.

    Parameters
    ----------
    game: Which game.
    players: house, house:easy, house:medium, house:strong or random, with commas between them.
    n: How many games.
    seats: How many seats; otherwise one for each player.
    seed: The same seed gives the same games.
    strength: Of house players that do not name theirs.
    """
    on_shelf = shelf()
    if game not in on_shelf:
        console.print(f"There is no {game} on the shelf: {', '.join(on_shelf)}")
        return 2
    try:
        run_arena(on_shelf[game], players, n, seats=seats, seed=seed, strength=strength, console=console)
    except UnknownPlayer as unknown:
        console.print(str(unknown))
        return 2
    return 0


@app.command
def race_lab(
    *,
    real: bool = False,
    races: int | None = None,
    seed: int = 1,
    out: Path | None = None,
    short: bool = False,
    rooms: int = 6,
    loop: Literal["uvloop", "asyncio"] = "uvloop",
    proxied: bool = False,
) -> int:
    """Race the arbiter on bad networks and hold the figures against the goals of protocol/RACES.md.

    Parameters
    ----------
    real: A real server and headless clients over shaped links, instead of a simulation. Takes about ten minutes.
    races: How many in each mix: simulated 20,000; real 300 for a scripted gap, 700 for free hands.
    seed: The same seed draws the same hands and networks.
    out: Write all figures to this file as JSON.
    short: A tenth of it, for a first look.
    rooms: How many rooms race at a time (real).
    loop: The server's event loop (real).
    proxied: Shape by user-space proxies even where tunnels are possible (real).
    """
    if not real:
        return simulate_races(20_000 if races is None else races, seed, out, short)
    setting = Setting(seed=seed, rooms=rooms, loop=loop)
    try:
        return asyncio.run(
            real_lab(races, out, setting=setting, short=short, proxied=proxied, console=console)
        )
    except asyncio.CancelledError:
        return 143  # told to end, as a shell says it


def main() -> None:
    try:
        sys.exit(app())
    except (AskRefused, CutOff, OSError) as fault:
        console.print(f"[red]{fault}[/]")
        sys.exit(1)
    except KeyboardInterrupt:
        sys.exit(130)
