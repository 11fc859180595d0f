"""What can be done with a finished game: keep it, check it, tell it, draw its races."""

import urllib.error
import urllib.request
from pathlib import Path
from typing import Annotated

import msgspec
from cyclopts import Parameter

from photofinish.commands.base import DEFAULT_URL, Url, app, console
from photofinish.commands.event_check import check_event
from photofinish.engine import AnyGame
from photofinish.games import shelf
from photofinish.lab.flash import FLASH
from photofinish.race.evidence import winner_of
from photofinish.replay import log
from photofinish.replay.replay import Replay, read_replay, states
from photofinish.replay.strips import svg as strip_svg
from photofinish.replay.strips import text as strip_text
from photofinish.replay.verify import verify as verify_replay
from photofinish.tournament.verify.check import is_export
from photofinish_client.address import address


@app.command
def save(
    url: Url = DEFAULT_URL, /, *, room: str, number: int = 1, output: Annotated[Path, Parameter(alias="-o")]
) -> int:
    """Fetch the replay of a finished game: the number-th at that table."""
    page = address(url).page(f"/api/replays/{room}/{number}")
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
    """Check a replay, or the export of an event (ZIP): chain, chance, every step, race, pairing, result."""
    raw = file.read_bytes() if file.is_file() else b""
    if is_export(raw):
        return _verify_event(file, raw)
    replay = _read(file)
    if replay is None:
        return 2
    with console.status(f"playing {len(replay.entries)} entries again"):
        report = verify_replay(replay, _games())
    for fault in report.faults:
        console.print(f"[red]✗[/] {fault}", highlight=False)
    if report.is_true:
        console.print(
            f"[green]✓[/] commitment, chain, {report.steps} steps, {report.shuffles} shuffles, "
            f"{report.races} races, {report.committed} nonces and the result are as told"
        )
        for name in report.withheld:
            console.print(f"[yellow]![/] {name} committed to a nonce and did not reveal it", highlight=False)
    return 0 if report.is_true else 1


def _verify_event(file: Path, raw: bytes) -> int:
    with console.status("playing every game of the event again"):
        found = check_event(raw, _games())
    for it in found:
        console.print(f"[red]✗[/] {it}", highlight=False, markup=True)
    if not found:
        console.print(
            f"[green]✓[/] {file}: log, seeds, pairings, results, standings, ratings and replays hold"
        )
    return 1 if found else 0


@app.command
def replay(file: Path, /) -> int:
    """Tell a game from its replay file, step by step."""
    found = _read(file)
    if found is None:
        return 2
    names: tuple[str, ...] = ()
    game = None
    entries = [log.parse(line.body) for line in found.entries]
    for entry, state, _ in states(_games(), bytes.fromhex(found.seed), entries):
        match entry:
            case log.Dealt():
                names, game = entry.names, _games()[entry.game]
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
    file
        A replay.
    race
        Which race of the game, counted from 1.
    output
        Where to write the SVG; without it the strip is printed.
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


def _games() -> dict[str, AnyGame]:
    """The shelf, and the laboratory's own game."""
    return shelf() | {FLASH.key: FLASH}


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
