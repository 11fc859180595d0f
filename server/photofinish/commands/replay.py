"""Commands for finished games: save, verify, replay, strip."""

import http
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Annotated
from urllib.parse import quote

import msgspec
from cyclopts import Parameter
from rich.console import Console
from rich.text import Text

from photofinish.commands.shared.base import (
    DEFAULT_URL,
    AtLeast1,
    BadUse,
    Json,
    Url,
    app,
    console,
    print_json,
    write_file,
)
from photofinish.commands.shared.event_check import check_event
from photofinish.commands.shared.pages import MOST_BYTES, PageRefused, read_page
from photofinish.games import all_games
from photofinish.race.evidence import RaceRecord, winner_of
from photofinish.replay import log
from photofinish.replay.race_moves import race_moves, winning_ticket
from photofinish.replay.replay import REFUSED, Replay, read_replay, states
from photofinish.replay.shape import shape_faults
from photofinish.replay.strips import svg as strip_svg
from photofinish.replay.strips import text as strip_text
from photofinish.replay.verify import verify as verify_replay
from photofinish.tournament.verify.check import is_export
from photofinish_client.connection.address import address
from photofinish_client.plain_text import visible

MOST_FAULTS = 50
"""So many faults are printed; `--json` has all."""


@app.command
def save(
    url: Url = DEFAULT_URL,
    *,
    room: str,
    number: AtLeast1 = 1,
    output: Annotated[Path, Parameter(alias="-o")],
) -> int:
    """Fetch the replay of a finished game.

    Parameters
    ----------
    room
        The room's code.
    number
        Which game of that room, counted from 1.
    output
        Where to write it.
    """
    page = address(url).page(f"/api/replays/{quote(room, safe='')}/{number}")
    try:
        raw = read_page(page, timeout=10)
    except PageRefused as fault:
        if fault.status != http.HTTPStatus.NOT_FOUND:
            raise
        raise BadUse(f"Room {room} has no finished game {number} at {page.host}.") from fault
    write_file(output, raw)
    console.print(f"{output} written; photofinish verify {output} checks it", markup=False)
    return 0


@app.command
def verify(file: Path, /, *, json: Json = False) -> int:
    """Verify a replay, or the export of an event (ZIP): chain, random draws, every step, race, pairing, result.

    Parameters
    ----------
    file
        A replay, or the export of an event.
    """
    raw = _bytes(file)
    if is_export(raw):
        return _verify_event(file, raw, is_json=json)
    replay = _read(file)
    with Console(stderr=True).status(f"playing {len(replay.entries)} entries again"):
        report = verify_replay(replay, all_games())
    if json:
        print_json({"file": str(file), "is_true": report.is_true, **asdict(report)})
        return 0 if report.is_true else 1
    _print_faults(report.faults)
    if report.is_true:
        counts = [
            f"{n} {what}{'' if n == 1 else 's'}"
            for n, what in (
                (report.steps, "step"),
                (report.shuffles, "shuffle"),
                (report.draws, "draw"),
                (report.races, "race"),
                (report.committed, "nonce"),
            )
        ]
        console.print(f"[green]✓[/] verified: commitment, chain, {', '.join(counts)}, the result")
        for name in report.withheld:
            _print_mark("!", "yellow", f"{name} committed to a nonce and did not reveal it")
        if report.reopened:
            text = f"{report.reopened} races were reopened; what came before that has no record"
            _print_mark("!", "yellow", text)
        if report.version < log.HAS_REFUSALS and report.races:
            text = f"a log of version {report.version}: it does not contain the moves that the rules refused"
            _print_mark("!", "yellow", text)
    return 0 if report.is_true else 1


def _print_faults(faults: Sequence[str]) -> None:
    for fault in faults[:MOST_FAULTS]:
        _print_mark("✗", "red", fault)
    if len(faults) > MOST_FAULTS:
        _print_mark("✗", "red", f"and {len(faults) - MOST_FAULTS} more")


def _print_mark(mark: str, colour: str, text: str) -> None:
    """A line of plain text: what a file says is never read as markup."""
    console.print(Text.assemble((mark, colour), " ", visible(text)), highlight=False)


def _verify_event(file: Path, raw: bytes, *, is_json: bool) -> int:
    with Console(stderr=True).status("playing every game of the event again"):
        found = check_event(raw, all_games())
    if is_json:
        print_json({"file": str(file), "is_true": not found, "faults": [str(it) for it in found]})
        return 1 if found else 0
    _print_faults([str(it) for it in found])
    if not found:
        text = f"{file} verified: log, seeds, pairings, results, standings, ratings and replays"
        _print_mark("✓", "green", text)
    return 1 if found else 0


@app.command
def replay(file: Path, /) -> int:
    """Print a game from its replay file, step by step. `strip --race` uses the race numbers that it prints.

    Parameters
    ----------
    file
        A replay.
    """
    found = _read(file)
    entries = _entries(file, found)
    try:
        _print_game(bytes.fromhex(found.seed), entries)
    except REFUSED as fault:
        raise BadUse(f"{file} cannot be replayed: {fault!r}.") from fault
    return 0


def _print_game(seed: bytes, entries: Sequence[log.Entry]) -> None:
    names: tuple[str, ...] = ()
    game, races = None, 0
    for entry, state, _ in states(all_games(), seed, entries):
        match entry:
            case log.Dealt():
                names, game = entry.names, all_games()[entry.game]
                where = f", game {entry.number} in {entry.room}: {', '.join(names)}"
                console.print(Text.assemble((game.title, "bold"), visible(where)), highlight=False)
            case log.Step():
                assert game is not None
                for it in game.view(state, None).last:
                    text = f"{entry.at / 1e6:8.1f} s  {_named(it.text or it.what, names)}"
                    console.print(visible(text), highlight=False, markup=False, emoji=False)
            case log.Raced(record=record):
                races += 1
                text = f"           race {races}: {len(record.moves)} moves in order ({record.key})"
                console.print(Text(visible(text), "dim"), highlight=False)
            case log.Ended():
                winners = ", ".join(names[seat] for seat in entry.winners) or "nobody"
                why = f" won: {_named(entry.why, names)} {list(entry.scores)}"
                console.print(Text.assemble((visible(winners), "bold"), visible(why)), highlight=False)


@app.command
def strip(
    file: Path, /, *, race: AtLeast1 = 1, output: Annotated[Path | None, Parameter(alias="-o")] = None
) -> int:
    """Draw the photo-finish strip of a race: as SVG to a file, or as text.

    Parameters
    ----------
    file
        A replay.
    race
        Which race of the game: the number that replay prints.
    output
        Where to write the SVG. Without it the strip is printed as text.
    """
    found = _read(file)
    entries = _entries(file, found)
    names: tuple[str, ...] = next((entry.names for entry in entries if isinstance(entry, log.Dealt)), ())
    records = [entry.record for entry in entries if isinstance(entry, log.Raced)]
    if race > len(records):
        raise BadUse(f"{file} has {len(records)} races; there is no race {race}.")
    record = records[race - 1]
    try:
        won = _winning_ticket(found, entries, record)
        drawn = strip_text(record, names, won=won) if output is None else strip_svg(record, names, won=won)
    except REFUSED as fault:
        raise BadUse(f"Race {race} of {file} cannot be drawn: {fault!r}.") from fault
    if output is None:
        console.print(visible(f"race {race} ({record.key})"), highlight=False, markup=False, emoji=False)
        console.print(drawn, highlight=False, markup=False, emoji=False)
    else:
        write_file(output, drawn.encode())
        console.print(f"{output} written", markup=False)
    return 0


def _winning_ticket(found: Replay, entries: list[log.Entry], record: RaceRecord) -> int | None:
    """By the rules. Where this program cannot replay the game: by the throws that the record counts."""
    try:
        moves = race_moves(all_games(), bytes.fromhex(found.seed), entries)
    except REFUSED:
        return winner_of(record)
    return winning_ticket(record, moves)


def _named(text: str, names: tuple[str, ...]) -> str:
    for seat, name in enumerate(names):
        text = text.replace(f"{{{seat}}}", name)
    return text


def _read(file: Path) -> Replay:
    try:
        return read_replay(_bytes(file))
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as fault:
        raise BadUse(f"{file} is not a replay: {fault}.") from fault


def _entries(file: Path, found: Replay) -> list[log.Entry]:
    """The entries of a log that has the form of a whole game."""
    try:
        entries = [log.parse(line.body) for line in found.entries]
    except (msgspec.DecodeError, UnicodeError, RecursionError) as fault:
        raise BadUse(f"{file} is not a replay: {fault}.") from fault
    if faults := shape_faults(entries):
        raise BadUse(f"{file} is not the replay of a whole game: {faults[0]}.")
    return entries


def _bytes(file: Path) -> bytes:
    try:
        if file.stat().st_size > MOST_BYTES:
            raise BadUse(f"{file} is larger than {MOST_BYTES >> 20} MiB, the limit for replays and exports.")
        return file.read_bytes()
    except OSError as fault:
        raise BadUse(f"{file} cannot be read: {fault.strerror}.") from fault
