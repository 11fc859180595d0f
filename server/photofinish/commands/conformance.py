"""Examine a client; inspect a server."""

import asyncio
import shlex
import shutil
from pathlib import Path
from typing import Literal

from rich.console import Console
from rich.table import Table
from rich.text import Text
from websockets.exceptions import InvalidHandshake

from photofinish.commands.shared.base import (
    DEFAULT_URL,
    BadUse,
    Json,
    app,
    complain,
    console,
    need_writable,
    print_json,
)
from photofinish.conformance.checks.requirements import LEVELS, REQUIREMENTS
from photofinish.conformance.inspect import inspect_server
from photofinish.conformance.report import (
    RequirementResult,
    as_badge,
    as_junit,
    as_plain,
    level_of,
    unseen,
    why_not_higher,
)
from photofinish.conformance.run import ROUNDS, examine
from photofinish.conformance.situations import SITUATIONS
from photofinish_client.connection.address import address
from photofinish_client.plain_text import as_text, visible


@app.command
def conformance(
    *,
    client: str = "",
    level: Literal["watcher", "player", "racer", "full"] = "full",
    only: str = "",
    junit: Path | None = None,
    badge: Path | None = None,
    rows: bool = False,
    json: Json = False,
) -> int:
    """Examine a client in any language, with a real server, real games and network faults.

    Parameters
    ----------
    client
        The command that starts the client. It finds in its environment CONFORMANCE_URL, CONFORMANCE_ROOM,
        CONFORMANCE_DO (play or watch), CONFORMANCE_GAMES, CONFORMANCE_CODEC and CONFORMANCE_SAY. Without it each
        address is printed, and the client connects by itself.
    level
        Examine up to this level.
    only
        Only this situation.
    junit
        Write the result as JUnit XML into this file.
    badge
        Write a badge (SVG) with the level into this file.
    rows
        Print each requirement of each situation, also those that hold.
    """
    try:
        words = shlex.split(client)
    except ValueError as fault:
        raise BadUse(f"--client {client} is not a command: {fault}.") from fault
    if words and shutil.which(words[0]) is None:
        raise BadUse(f"There is no command {words[0]!r} to start the client with.")
    levels = LEVELS[: LEVELS.index(level) + 1]
    chosen = [it for it in SITUATIONS if it.level in levels and only in {"", it.key}]
    if not chosen:
        raise BadUse(f"There is no situation {only!r}: {', '.join(it.key for it in SITUATIONS)}.")
    for file in (junit, badge):
        need_writable(file)
    notes = Console(stderr=True)
    results = asyncio.run(
        examine(
            chosen, client, lambda text: notes.print(text, highlight=False, soft_wrap=True), rounds=ROUNDS
        )
    )
    reached = level_of(results)
    if junit is not None:
        junit.write_bytes(as_junit(results))
    if badge is not None:
        badge.write_text(as_badge(reached), encoding="utf-8")
    if json:
        print_json(as_plain(results))
    else:
        _show(results, is_whole=rows)
        if only:
            held = sum(it.state == "passed" for it in results)
            console.print(f"{only}: {held} of {len(results)} passed", highlight=False)
        else:
            _show_level(results)
    return 1 if any(it.state == "failed" for it in results) else 0


COLOURS = {"passed": "green", "failed": "red", "not seen": "yellow"}


def _show(results: list[RequirementResult], *, is_whole: bool) -> None:
    """Print a row per situation, then what failed or was never seen: expected, section of the protocol, received."""
    table = Table("situation", "what happens", *COLOURS)
    for key, title in {it.situation.key: it.situation.title for it in results}.items():
        own = [it for it in results if it.situation.key == key]
        cells = [" ".join(it.requirement for it in own if it.state == state) for state in COLOURS]
        table.add_row(
            key, title, *(f"[{colour}]{it}[/]" for colour, it in zip(COLOURS.values(), cells, strict=True))
        )
    console.print(table)
    never = unseen(results)
    for it in results:
        if is_whole or it.state == "failed" or it.requirement in never:
            asked = REQUIREMENTS[it.requirement]
            said = f"{it.situation.key}, {it.requirement}: {asked.text} (section: {asked.clause})"
            console.print(
                Text.assemble((it.state, COLOURS[it.state]), f" {said}"), highlight=False, soft_wrap=True
            )
            if it.verdict.what:
                console.print(as_text(f"    came: {it.verdict.what}"), highlight=False, soft_wrap=True)


def _show_level(results: list[RequirementResult]) -> None:
    console.print(f"level: {level_of(results)}")
    if why := why_not_higher(results):
        console.print(f"not {why}", highlight=False, soft_wrap=True)


@app.command
def inspect(url: str = DEFAULT_URL, *, json: Json = False) -> int:
    """Check a running server against the schema and the promises of the protocol page. Opens no room.

    Parameters
    ----------
    url
        Where the server is, such as ws://127.0.0.1:8765
    """
    where = address(url).url
    try:
        found = asyncio.run(inspect_server(where))
    except (OSError, InvalidHandshake) as fault:
        complain(f"There is no server to inspect at {where}: {fault}.")
        return 1
    broken = [it for it in found if it.came]
    if json:
        print_json({"url": where, "is_true": not broken, "findings": [it._asdict() for it in found]})
        return 1 if broken else 0
    for it in found:
        mark = ("✗", "red") if it.came else ("✓", "green")
        console.print(
            Text.assemble(mark, f" {it.promise}", visible(f": {it.came}" if it.came else "")), highlight=False
        )
    console.print(f"{len(found) - len(broken)} of {len(found)} promises are kept", highlight=False)
    return 1 if broken else 0
