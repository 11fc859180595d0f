"""What officials type during an event (T70): time, keys, roles, pauses, the seal."""

import re
from typing import Annotated, Literal, TypeVar

import msgspec
from cyclopts import Parameter, validators
from rich.markup import escape

from photofinish.commands.shared.base import DEFAULT_URL, AtLeast1, BadUse, console
from photofinish.commands.shared.events import (
    KeyFile,
    Server,
    own_key,
    page_of,
    request_as_official,
    tournament,
)
from photofinish.commands.shared.pages import PageRefused
from photofinish_protocol.messages import Appoint, EventDo, Extend, Rebind

SHORT_KEY = 8
"""Pages show this many digits of a key."""
KEY = re.compile(r"[0-9a-f]{64}")
T = TypeVar("T")
Reason = Annotated[str, Parameter(help="1 to 280 characters; the public log shows it")]


def _key(text: str) -> str:
    key = text.strip().lower()
    if not KEY.fullmatch(key):
        raise BadUse(
            f"A key has 64 hex digits, not {text!r}. `photofinish tournament key` prints one's own key; the "
            "browser shows it on the page of the event."
        )
    return key


class _EntrantRow(msgspec.Struct, frozen=True):
    """What we read of a row of the page of entrants."""

    number: int
    key: str
    name: str


class _EventPage(msgspec.Struct, frozen=True):
    """What we read of the page of an event."""

    head: str


def _page(url: str, path: str, form: type[T]) -> T:
    try:
        return msgspec.json.decode(page_of(url, path), type=form)
    except PageRefused as fault:
        if not fault.is_wrong_request:
            raise
        raise BadUse(fault.text) from None
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        raise BadUse(f"{path} of {url} is no page of a Photofinish server.") from None


def _entrant(url: str, event: str, wanted: str) -> _EntrantRow:
    """The entrant with this name, number or key (or the beginning of the key, as pages show it)."""
    rows = _page(url, f"/api/events/{event}/entrants", list[_EntrantRow])
    word = wanted.strip().casefold()
    begins = [it for it in rows if len(word) >= SHORT_KEY and it.key.startswith(word)]
    named = [it for it in rows if it.name.casefold() == word]
    numbered = [it for it in rows if it.number and str(it.number) == word]
    for found in (named, numbered, begins):
        if len(found) == 1:
            return found[0]
    raise BadUse(f"Nobody has entered {event} as {wanted!r}: type the name, the number or the key.")


@tournament.command(name="key")
def show_key(*, key: KeyFile = None) -> int:
    """Print your public key, which an organiser needs to `appoint` or `rebind` you. Creates a key if you have none."""
    console.print(own_key(key).public, soft_wrap=True)
    return 0


@tournament.command
async def extend(
    event: str,
    table: AtLeast1,
    seconds: Annotated[int, Parameter(validator=validators.Number(gte=1, lte=900))] = 60,
    /,
    *,
    url: Server = DEFAULT_URL,
    key: KeyFile = None,
) -> int:
    """Wait longer for the players of a called table, 1 to 900 seconds."""
    got = await request_as_official(url, key, Extend(id=0, event=event, table=table, seconds=seconds))
    console.print(f"table {table} of event [bold]{got.event}[/] waits {seconds} s longer")
    return 0


@tournament.command
async def rebind(
    event: str,
    entrant: str,
    new_key: str,
    /,
    *,
    reason: Reason = "The player has lost the key.",
    url: Server = DEFAULT_URL,
    key: KeyFile = None,
) -> int:
    """Give an entrant who has lost the key a new one. Results and seat move to the new key; ratings do not.

    Parameters
    ----------
    entrant
        Name, number or old key.
    new_key
        What `photofinish tournament key` prints on the player's machine.
    """
    fresh, row = _key(new_key), _entrant(url, event, entrant)
    got = await request_as_official(
        url, key, Rebind(id=0, event=event, entrant=row.key, key=fresh, reason=reason)
    )
    console.print(f"in event [bold]{got.event}[/] {escape(row.name)} has the key {fresh[:8]} from now on")
    return 0


@tournament.command
async def appoint(
    event: str,
    /,
    *keys: str,
    role: Literal["referee", "organiser"] = "referee",
    away: Annotated[bool, Parameter(negative="", help="Relieve them instead.")] = False,
    url: Server = DEFAULT_URL,
    key: KeyFile = None,
) -> int:
    """Appoint referees or organisers by their keys, or remove them.

    Parameters
    ----------
    keys
        What `photofinish tournament key` prints on their machines.
    """
    if not keys:
        raise BadUse("Name at least one key.")
    fresh = tuple(_key(it) for it in keys)
    got = await request_as_official(url, key, Appoint(id=0, event=event, role=role, keys=fresh, away=away))
    short = ", ".join(it[:8] for it in fresh)
    console.print(f"event [bold]{got.event}[/]: {short} {'no longer' if away else 'now'} {role}")
    return 0


async def _do(url: str, key: KeyFile, step: EventDo) -> int:
    got = await request_as_official(url, key, step)
    console.print(f"event [bold]{got.event}[/] is {got.state}")
    return 0


@tournament.command(name="round")
async def start_round(event: str, /, *, url: Server = DEFAULT_URL, key: KeyFile = None) -> int:
    """Start the round that is paired, if rounds start by hand or the break is long."""
    return await _do(url, key, EventDo(id=0, event=event, do="round"))


@tournament.command
async def pause(event: str, /, *, reason: Reason, url: Server = DEFAULT_URL, key: KeyFile = None) -> int:
    """Stop all clocks of the event. Running games play on."""
    return await _do(url, key, EventDo(id=0, event=event, do="pause", reason=reason))


@tournament.command
async def resume(event: str, /, *, url: Server = DEFAULT_URL, key: KeyFile = None) -> int:
    """Let the clocks of a paused event run again."""
    return await _do(url, key, EventDo(id=0, event=event, do="resume"))


@tournament.command
async def cancel(event: str, /, *, reason: Reason, url: Server = DEFAULT_URL, key: KeyFile = None) -> int:
    """End the event without a result."""
    return await _do(url, key, EventDo(id=0, event=event, do="cancel", reason=reason))


@tournament.command
async def seal(event: str, /, *, url: Server = DEFAULT_URL, key: KeyFile = None) -> int:
    """Sign the log of a finished event after the dispute time. Without you it is sealed after 24 hours."""
    head = _page(url, f"/api/events/{event}", _EventPage).head
    signature = own_key(key).seal(head)
    return await _do(url, key, EventDo(id=0, event=event, do="seal", signature=signature))
