"""Host an event (T70): create, open, start, status, watch, export; and a rehearsal with bots."""

from pathlib import Path
from typing import Annotated

from cyclopts import Parameter
from rich.live import Live
from rich.table import Table as Grid

from photofinish.commands import tournament_officials  # noqa: F401 - adds its commands
from photofinish.commands.shared.base import DEFAULT_URL, AtLeast1, BadUse, console, read_text, write_file
from photofinish.commands.shared.events import (
    KeyFile,
    Server,
    own_key,
    page_of,
    request_as_official,
    tournament,
)
from photofinish.commands.shared.pages import PageRefused
from photofinish_client.client import connect
from photofinish_client.connection.address import address
from photofinish_client.events.followed import Followed
from photofinish_client.events.grid import grid
from photofinish_client.names import guest_name
from photofinish_protocol.event_messages import PartName
from photofinish_protocol.messages import EventBots, EventCreate, EventDo, EventNews

PARTS: tuple[PartName, ...] = ("info", "round", "tables", "standings")


def _typed(command: str, event: str, url: str) -> str:
    """The command as one types it next, for this server."""
    where = "" if url == DEFAULT_URL else f" --url {url}"
    return f"photofinish tournament {command} {event}{where}"


@tournament.command
async def create(file: Path, /, *, url: Server = DEFAULT_URL, key: KeyFile = None) -> int:
    """Create an event from its file. You are its organiser."""
    got = await request_as_official(url, key, EventCreate(id=0, toml=read_text(file)))
    console.print(
        f"event [bold]{got.event}[/], {got.state}; next: {_typed('open', got.event, url)}", soft_wrap=True
    )
    return 0


@tournament.command(name="open")
async def open_(event: str, /, *, url: Server = DEFAULT_URL, key: KeyFile = None) -> int:
    """Let players enter."""
    got = await request_as_official(url, key, EventDo(id=0, event=event, do="open"))
    page = f"http{address(url).url.removeprefix('ws')}/events/{got.event}"
    console.print(f"event [bold]{got.event}[/] is {got.state}; players enter at {page}", soft_wrap=True)
    console.print(f"when all are in: {_typed('start', got.event, url)}", soft_wrap=True)
    return 0


@tournament.command
async def start(event: str, /, *, url: Server = DEFAULT_URL, key: KeyFile = None) -> int:
    """Number the entrants and pair the first round."""
    got = await request_as_official(url, key, EventDo(id=0, event=event, do="start"))
    console.print(
        f"event [bold]{got.event}[/] is {got.state}; next: {_typed('watch', got.event, url)}", soft_wrap=True
    )
    return 0


@tournament.command
async def status(event: str, /, *, url: Server = DEFAULT_URL) -> int:
    """Print the current state of the event."""
    page = Followed()
    async with connect(url, name="Watcher", give_up_after=10) as table:
        await table.follow(event, *PARTS)
        async for news in table:
            if isinstance(news, EventNews):
                console.print(drawn(page, news, url)[0])
                break
    return 0


def drawn(page: Followed, news: EventNews, url: str) -> tuple[Grid, bool]:
    """The event as a table after these news, and whether it is over.

    A hostile server, or one of another release, may send rows of any form.
    """
    try:
        page.take(news)
        return grid(page), page.is_over
    except (AttributeError, LookupError, TypeError, ValueError, ArithmeticError):
        raise BadUse(f"{url} sends events in a form that this version does not know.") from None


@tournament.command
async def play(
    event: str, /, *, name: str = "", code: str = "", url: Server = DEFAULT_URL, key: KeyFile = None
) -> int:
    """Enter an event and play in this terminal. The program joins each table that you are called to.

    Parameters
    ----------
    name
        Your name in the event.
    code
        The entry code, if the event has one.
    """
    from photofinish_client.terminal import event as terminal  # noqa: PLC0415 - textual comes with [terminal]

    await terminal.play(url, event, own_key(key), name or guest_name(), console, code=code)
    return 0


@tournament.command
async def watch(event: str, /, *, url: Server = DEFAULT_URL) -> int:
    """Follow an event until it is over."""
    await _watch(url, event)
    return 0


async def _watch(url: str, event: str) -> Followed:
    """One socket: the server sends what changes (T67). It goes on after a restart of the server."""
    page = Followed()
    async with connect(url, name="Watcher") as table:
        await table.follow(event, *PARTS)
        with Live(console=console, refresh_per_second=4) as live:
            async for news in table:
                if isinstance(news, EventNews):
                    table_of_event, is_over = drawn(page, news, url)
                    live.update(table_of_event)
                    if is_over:
                        break
    return page


@tournament.command
def export(
    event: str, /, *, url: Server = DEFAULT_URL, output: Annotated[Path, Parameter(alias="-o")]
) -> int:
    """Save everything about a finished event; `photofinish verify` checks it."""
    try:
        raw = page_of(url, f"/api/events/{event}/export.zip")
    except PageRefused as fault:
        if not fault.is_wrong_request:
            raise
        raise BadUse(f"{event} cannot be exported: {fault.text}") from None
    write_file(output, raw)
    console.print(f"{output} written; photofinish verify {output} checks it", markup=False)
    return 0


@tournament.command
async def rehearse(
    file: Path, /, *, bots: AtLeast1 = 16, url: Server = DEFAULT_URL, key: KeyFile = None
) -> int:
    """Play a whole event with house bots, as a rehearsal that is never rated."""
    text = as_rehearsal(read_text(file))
    made = await request_as_official(url, key, EventCreate(id=0, toml=text))
    await request_as_official(
        url,
        key,
        EventDo(id=0, event=made.event, do="open"),
        EventBots(id=0, event=made.event, bots=bots),
        EventDo(id=0, event=made.event, do="start"),
    )
    console.print(f"event [bold]{made.event}[/] with {bots} bots")
    page = await _watch(url, made.event)
    return 0 if page.info["state"] != "cancelled" else 1


def as_rehearsal(text: str) -> str:
    """The file with `rehearsal = true`. It takes the place of an empty line if there is one above the first table, so
    that faults are reported with the lines of the file.
    """
    lines = text.splitlines()
    first = next((at for at, line in enumerate(lines) if line.lstrip().startswith("[")), len(lines))
    for at, line in enumerate(lines[:first]):
        if line.partition("=")[0].strip() == "rehearsal":
            lines[at] = "rehearsal = true"
            return "\n".join(lines) + "\n"
    empty = next((at for at, line in enumerate(lines[:first]) if not line.strip()), None)
    lines[first if empty is None else empty : first if empty is None else empty + 1] = ["rehearsal = true"]
    return "\n".join(lines) + "\n"
