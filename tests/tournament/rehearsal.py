"""A whole event with bots on a real server that is killed on the way: `make tournament-rehearsal ARGS="single 16"`.

`ARGS=followers` measures 512 followers instead (`crowd.py`).

The server is killed with SIGKILL in rounds 1 and 2, its Redis once in round 2. Then every result must be there
once, and the export must verify. Prints what it measured.
"""

import asyncio
import json
import os
import signal
import sys
import tempfile
import time
from collections import Counter
from itertools import combinations
from pathlib import Path
from typing import Any

from photofinish.commands.event_check import check_event
from photofinish.games import shelf
from photofinish_client.client import connect
from photofinish_client.keys import PlayerKey
from photofinish_protocol.messages import EventBots, EventDo
from tests.system.conftest import ServerProcess
from tests.system.test_events import create, info, log_of, page, results_of, toml, until
from tests.tournament import crowd

LONGEST = 3600.0


FORMS = {
    "single": 'format = "single"',
    "double": 'format = "double"',
    "swiss": 'format = "swiss"\nrounds = 6',
    "pods": 'format = "swiss"\nseats = 4\nrounds = 5',
}


OPTIONS = {"reflex": "flashes = 3\ngap_ms = 400\nwindow_ms = 1500\n"}
"""Reflex: seconds per game instead of a minute, so that 512 bots can be rehearsed on two cores."""


async def rehearse(kind: str, bots: int, folder: Path, game: str = "cambio") -> dict[str, object]:
    server = ServerProcess(folder, "--no-limits").start()
    began = time.monotonic()
    text = toml(more="rehearsal = true").replace('format = "swiss"\nrounds = 1', FORMS[kind])
    if game != "cambio":
        text = (
            text.partition("[options]\n")[0].replace('"cambio"', f'"{game}"') + f"[options]\n{OPTIONS[game]}"
        )
    async with connect(server.url, name="Host", key=PlayerKey.new()) as host:
        event = await create(host, text)
        await host.ask(EventDo(id=0, event=event, do="open"))
        await host.ask(EventBots(id=0, event=event, bots=bots))
        await host.ask(EventDo(id=0, event=event, do="start"))
    for number in (1, 2):
        await until(
            server, event, lambda it, n=number: it["round"] == n and it["round_state"] == "playing", LONGEST
        )
        server.kill()
        server.start()
    os.kill(server.redis_pid, signal.SIGKILL)
    server.kill()
    server.start()
    found = await until(server, event, lambda it: it["state"] == "finished", LONGEST)
    rooms = results_of(await log_of(server, event))
    _, raw, _ = await asyncio.to_thread(page, server, f"/api/events/{event}/export.zip")
    checked = time.monotonic()
    faults = [str(it) for it in check_event(raw, shelf())]
    tables = [await tables_of(server, event, number + 1) for number in range(found["round"])]
    server.stop()
    return {
        "format": kind,
        "game": game,
        "bots": bots,
        "rounds": found["round"],
        "results": len(rooms),
        "lost": sum(not table["bye"] for round_ in tables for table in round_) - len(set(rooms)),
        "double": len(rooms) - len(set(rooms)),
        "repeats": repeats(tables),
        "entries": found["entries"],
        "seconds": round(checked - began),
        "export_bytes": len(raw),
        "verify_seconds": round(time.monotonic() - checked, 1),
        "faults": faults,
    }


async def tables_of(server: ServerProcess, event: str, number: int) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = await info(server, event, f"/rounds/{number}")
    return found


def repeats(rounds: list[list[dict[str, Any]]]) -> int:
    """How often two met again."""
    met = Counter(
        pair for tables in rounds for table in tables for pair in combinations(sorted(table["seats"]), 2)
    )
    return sum(count - 1 for count in met.values())


def main() -> None:
    if sys.argv[1:] == ["followers"]:
        crowd.main()
    kind, bots, game = (*sys.argv[1:], *("single", "16", "cambio")[len(sys.argv) - 1 :])[:3]
    if kind not in FORMS:
        sys.exit(f"No rehearsal is called {kind}: {', '.join(FORMS)}, followers.")
    with tempfile.TemporaryDirectory() as folder:
        made = asyncio.run(rehearse(kind, int(bots), Path(folder), game))
    sys.stdout.write(json.dumps(made, indent=1) + "\n")
    sys.exit(1 if made["faults"] or made["double"] or made["lost"] else 0)


if __name__ == "__main__":
    main()
