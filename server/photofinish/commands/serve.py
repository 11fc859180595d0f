"""Start the server. Imports little: after a crash players wait for these imports too."""

import asyncio
import os
import socket
from collections.abc import Callable
from typing import Annotated, Literal

from cyclopts import Parameter

from photofinish.commands.shared.base import BadUse, app, complain
from photofinish.commands.shared.serve_check import check
from photofinish.config import Settings
from photofinish.engine.decks.components import FOLDER, BrokenComponents
from photofinish.gateway.access.auth import BadAccess
from photofinish.gateway.access.proxy import BadProxy
from photofinish.store.connect import BadUrl
from photofinish.store.embedded.binary import NoBinary
from photofinish.store.embedded.datafolder import FolderInUse
from photofinish.store.embedded.server import EmbeddedFailed
from photofinish.store.ports import StoreAway
from photofinish.telemetry import set_up_logging, shown_url
from photofinish.workers import supervise

DEFAULTS = Settings()


@app.command
def serve(
    settings: Settings = DEFAULTS,
    *,
    json_logs: bool = False,
    verbose: bool = False,
    loop: Annotated[Literal["uvloop", "asyncio"], Parameter(show=False)] = "uvloop",
) -> int:
    """Start the server, on its embedded Redis unless --redis names another one.

    Parameters
    ----------
    json_logs
        Log lines as JSON.
    verbose
        More log lines.
    loop
        Which event loop.
    """
    from photofinish import app as server  # noqa: PLC0415 - half of the imports of all commands: not for --help

    check(settings)
    set_up_logging(is_json=json_logs, is_verbose=verbose)
    if settings.components is not None:
        os.environ[FOLDER] = str(settings.components)
    try:
        with asyncio.Runner(loop_factory=_loop() if loop == "uvloop" else None) as runner:
            if settings.workers > 1:
                more = [*(["--json-logs"] if json_logs else []), *(["--verbose"] if verbose else [])]
                runner.run(supervise(settings, [*more, "--loop", loop], _greet_at))
            else:
                runner.run(server.serve(settings, lambda running: _greet_at(running.url)))
    except (BadAccess, BadProxy, BadUrl, BrokenComponents, socket.gaierror) as fault:
        raise BadUse(shown_url(str(fault))) from fault
    except (NoBinary, FolderInUse, EmbeddedFailed, StoreAway, OSError) as fault:
        complain(shown_url(str(fault)))
        return 1
    return 0


def _loop() -> Callable[[], asyncio.AbstractEventLoop] | None:
    """Uvloop if it is installed."""
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
        f"  in a second terminal, play:         photofinish play {url} --game cambio --bots 3\n"
        f"  or seat a bot in a room:             photofinish bot {url} --room CODE --player house\n"
        f"Ctrl-C stops it; the games are kept and go on at the next start.",
        flush=True,
    )
