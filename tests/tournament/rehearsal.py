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
from pathlib import Path

from photofinish.commands.event_check import check_event
from photofinish.games import shelf
from photofinish_client.client import connect
from photofinish_client.keys import PlayerKey
from photofinish_protocol.messages import EventBots, EventDo
from tests.system.conftest import ServerProcess
from tests.system.test_events import create, log_of, page, results_of, toml, until
from tests.tournament import crowd

LONGEST = 3600.0


async def rehearse(kind: str, bots: int, folder: Path, rounds: int = 2) -> dict[str, object]:
    server = ServerProcess(folder).start()
    began = time.monotonic()
    form = 'format = "single"' if kind == "single" else f'format = "{kind}"\nrounds = {rounds}'
    text = toml(more="rehearsal = true").replace('format = "swiss"\nrounds = 1', form)
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
    server.stop()
    return {
        "format": kind,
        "bots": bots,
        "rounds": found["round"],
        "results": len(rooms),
        "double": len(rooms) - len(set(rooms)),
        "entries": found["entries"],
        "seconds": round(checked - began),
        "export_bytes": len(raw),
        "verify_seconds": round(time.monotonic() - checked, 1),
        "faults": faults,
    }


def main() -> None:
    if sys.argv[1:] == ["followers"]:
        crowd.main()
    kind, bots = (*sys.argv[1:], "single", "16")[:2] if len(sys.argv) > 2 else ("single", "16")
    with tempfile.TemporaryDirectory() as folder:
        made = asyncio.run(rehearse(kind, int(bots), Path(folder)))
    sys.stdout.write(json.dumps(made, indent=1) + "\n")
    sys.exit(1 if made["faults"] or made["double"] else 0)


if __name__ == "__main__":
    main()
