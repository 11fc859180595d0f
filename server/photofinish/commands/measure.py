"""Measure players and races."""

import asyncio
from pathlib import Path
from typing import Annotated, Literal

from cyclopts import Parameter, validators
from rich.console import Console

from photofinish.bots.arena import ArenaScore, UnknownPlayer
from photofinish.bots.arena import arena as run_arena
from photofinish.commands.shared.base import (
    AtLeast0,
    AtLeast1,
    BadUse,
    Json,
    app,
    console,
    need_writable,
    print_json,
)
from photofinish.engine import Strength
from photofinish.games import all_games
from photofinish.lab.net.plan import Part, Setting
from photofinish.lab.net.run import real_lab
from photofinish.lab.sim.command import race_lab as simulate_races


@app.command
def arena(
    *,
    game: str,
    players: str = "house,random",
    n: Annotated[int, Parameter(alias="-n", validator=validators.Number(gte=1))] = 100,
    seats: AtLeast1 | None = None,
    seed: AtLeast0 = 0,
    strength: Strength = Strength.STRONG,
    json: Json = False,
) -> int:
    """Let bots play many games without a server, and print the results.

    Parameters
    ----------
    game
        Which game.
    players
        house, house:easy, house:medium, house:strong or random, separated by commas.
    n
        How many games.
    seats
        How many seats. Default: one per player.
    seed
        The same seed gives the same games.
    strength
        The strength of players named just house.
    """
    games = all_games()
    if game not in games:
        raise BadUse(f"There is no game {game!r}. The games are: {', '.join(games)}.")
    allowed = games[game].seats
    size = seats if seats is not None else max(len(players.split(",")), allowed[0])
    if size not in allowed:
        raise BadUse(f"{game} takes {allowed[0]} to {allowed[-1]} seats, not {size}.")
    shown = Console(stderr=True, quiet=True) if json else console
    try:
        standings = run_arena(
            games[game], players, n, seats=size, seed=seed, strength=strength, console=shown
        )
    except UnknownPlayer as unknown:
        raise BadUse(f"--players: {unknown}.") from unknown
    if json:
        print_json(
            {
                "game": game,
                "seats": size,
                "matches": n,
                "seed": seed,
                "players": [_as_json(it) for it in standings],
            }
        )
    return 0


def _as_json(it: ArenaScore) -> dict[str, object]:
    low, high = it.interval
    return {
        "player": it.name, "wins": sum(it.wins), "share": it.share, "interval": [low, high],
        "even": sum(it.even) / len(it.even), "mean_score": it.mean_score, "refused": it.refused, "missed": it.missed,
    }  # fmt: skip


@app.command
def race_lab(
    *,
    real: bool = False,
    races: AtLeast1 | None = None,
    seed: AtLeast0 = 1,
    out: Path | None = None,
    short: bool = False,
    rooms: AtLeast1 = 6,
    loop: Literal["uvloop", "asyncio"] = "uvloop",
    proxied: bool = False,
    keep: Path | None = None,
    minutes: AtLeast1 | None = None,
    only: Part | None = None,
) -> int:
    """Measure races on bad networks and compare the figures with the goals of protocol/RACES.md.

    Parameters
    ----------
    real
        A real server and headless clients over shaped links, instead of a simulation. Takes almost an hour.
    races
        How many races per mix. Default: simulated 20,000; real 1,000 with a scripted gap of 5 or 10 ms,
        300 with one of 20 or 50, 700 with free reaction times, 240 with clients that lie.
    seed
        The same seed gives the same reaction times and networks.
    out
        Write all figures to this file as JSON.
    short
        A tenth of the races, for a quick check.
    rooms
        How many rooms run at the same time (real).
    loop
        The server's event loop (real).
    proxied
        Shape by user-space proxies even where tunnels are possible (real).
    keep
        A folder for the replays, from which strips can be drawn (real).
    minutes
        Take about this long: each cell ends with fewer races if necessary (real).
    only
        Only a part of the cells: those with a scripted lead, those with free reactions, or the clients that lie (real).
    """
    need_writable(out)
    if not real:
        return simulate_races(20_000 if races is None else races, seed, out, short)
    if keep is not None:
        try:
            keep.mkdir(parents=True, exist_ok=True)
        except OSError as fault:
            raise BadUse(f"{keep} cannot be used as a folder: {fault.strerror}.") from fault
    setting = Setting(seed=seed, rooms=rooms, loop=loop)
    try:
        return asyncio.run(
            real_lab(
                races,
                out,
                setting=setting,
                short=short,
                proxied=proxied,
                keep=keep,
                console=console,
                minutes=minutes,
                only=only,
            )
        )
    except asyncio.CancelledError:
        return 143  # the exit code of a program that SIGTERM has ended
