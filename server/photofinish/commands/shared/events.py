"""What the commands of `photofinish tournament` share."""

import re
import time
from http import HTTPStatus
from pathlib import Path
from typing import Annotated, Any
from urllib.parse import quote

from cyclopts import App, Parameter
from rich.text import Text

from photofinish.commands.shared.base import BadUse, app, console
from photofinish.commands.shared.pages import PageRefused, read_page
from photofinish_client.client import connect
from photofinish_client.connection.address import address
from photofinish_client.keys import PlayerKey, key_file
from photofinish_client.plain_text import visible
from photofinish_protocol.messages import EventGot, EventRequest

tournament = App(name="tournament", help="Host an event: one TOML file, the server does the rest.")
app.command(tournament)

TIMEOUT = 60.0
SECONDS = re.compile(r"[0-9]{1,9}")
Server = Annotated[str, Parameter(name=["--url"], help="Where the server is")]
KeyFile = Annotated[Path | None, Parameter(help="Your key; by default in your configuration folder")]


def own_key(file: Path | None) -> PlayerKey:
    """The key in this file or in the usual one, which is made if there is none."""
    file = file or key_file()
    try:
        return PlayerKey.kept(file)
    except ValueError:
        raise BadUse(f"{file} holds no key: one line with 64 hex digits is expected.") from None
    except OSError as fault:
        raise BadUse(f"The key {file} cannot be read or made: {fault.strerror}.") from fault


async def request_as_official(url: str, key: Path | None, *requests: EventRequest) -> EventGot:
    """Send the messages as the organiser or a referee; returns the answer to the last one."""
    own = own_key(key)
    got: Any = None
    async with connect(url, name="Host", key=own, give_up_after=10) as table:
        for request in requests:
            got = (await table.request(request)).got
    assert isinstance(got, EventGot)
    for warning in got.warnings:  # T12
        console.print(Text.assemble(("warning:", "yellow"), " ", visible(warning)))
    return got


def page_of(url: str, path: str) -> bytes:
    """The page, also if the server needs more than one answer's time to make it."""
    page = address(url).page(quote(path))
    for _ in range(3):
        try:
            return read_page(page, TIMEOUT)
        except PageRefused as fault:
            if fault.status != HTTPStatus.SERVICE_UNAVAILABLE or not SECONDS.fullmatch(fault.retry_after):
                raise
            time.sleep(min(int(fault.retry_after), 30))
    return read_page(page, TIMEOUT)
