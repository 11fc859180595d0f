"""A whole event with bots on a real server that is killed on the way: `make tournament-rehearsal ARGS="single 16"`.

`ARGS=all` runs the long ones of the scenarios S1 to S3 one after the other; `ARGS=followers` measures 512 followers
(S19, `many_followers.py`); `ARGS=pairings` pairs 1,000 random Swiss events (S5). Each writes its row
into `REHEARSALS.md`.

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

from photofinish.commands.shared.event_check import check_event
from photofinish.commands.shared.events import page_of
from photofinish.games import all_games
from photofinish_client.client import connect
from photofinish_client.keys import PlayerKey
from photofinish_protocol.messages import EventBots, EventDo
from tests.system.conftest import ServerProcess
from tests.system.events.test_events import create, info, log_of, results_of, toml, until
from tests.tournament import many_followers
from tests.tournament.formats.test_swiss import rounds_without_avoidable_repeats

LONGEST = 5400.0
FIGURES = Path(__file__).parent / "REHEARSALS.md"
LONG = (
    ("swiss", 64, "cambio", 5),
    ("single", 512, "reflex", 1),
    ("single", 512, "cambio", 1),
    ("pods", 40, "cambio", 1),
)
"""Format, bots, game, target_points."""
RULE = "| --- | --- | --- |\n"

FORMS = {
    "single": 'format = "single"',
    "double": 'format = "double"',
    "swiss": 'format = "swiss"\nrounds = 6',
    "pods": 'format = "swiss"\nseats = 4\nrounds = 5',
}


OPTIONS = {"reflex": "flashes = 3\ngap_ms = 400\nwindow_ms = 1500\n"}
"""Reflex: seconds per game instead of a minute, so that 512 bots can be rehearsed on two cores."""


async def rehearse(
    kind: str, bots: int, folder: Path, game: str = "cambio", target: int = 1
) -> dict[str, Any]:
    server = ServerProcess(folder, "--no-limits").start()
    began = time.monotonic()
    text = toml(more="rehearsal = true").replace('format = "swiss"\nrounds = 1', FORMS[kind])
    text = text.replace("target_points = 1\n", f"target_points = {target}\n")
    if game != "cambio":
        text = (
            text.partition("[options]\n")[0].replace('"cambio"', f'"{game}"') + f"[options]\n{OPTIONS[game]}"
        )
    async with connect(server.url, name="Host", key=PlayerKey.new()) as host:
        event = await create(host, text)
        await host.request(EventDo(id=0, event=event, do="open"))
        await host.request(EventBots(id=0, event=event, bots=bots))
        await host.request(EventDo(id=0, event=event, do="start"))
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
    raw = await asyncio.to_thread(page_of, server.url, f"/api/events/{event}/export.zip")
    checked = time.monotonic()
    faults = [str(it) for it in check_event(raw, all_games())]
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
        "target_points": target if game == "cambio" else "",
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


def run(kind: str, bots: int, game: str = "cambio", target: int = 1) -> bool:
    """One rehearsal: its figures are printed and kept. False: something was lost, doubled or did not verify."""
    load = os.getloadavg()[0]
    with tempfile.TemporaryDirectory() as folder:
        made = asyncio.run(rehearse(kind, bots, Path(folder), game, target))
    sys.stdout.write(json.dumps(made, indent=1) + "\n")
    names = ("rounds", "results", "lost", "double", "repeats", "seconds", "verify_seconds")
    cells = [f"{it} {made[it]}" for it in names] + [
        f"{len(made['faults'])} faults",
        f"load {load:.1f} at its start",
    ]
    keep(f"{kind} {bots} {game}" + (f" to {target} points" if game == "cambio" else ""), cells)
    return not (made["faults"] or made["double"] or made["lost"])


def keep(name: str, cells: list[str]) -> None:
    """Write the row of this name into the committed file, in place of an older one."""
    head, rows = FIGURES.read_text(encoding="utf-8").split(RULE)
    kept = [row for row in rows.splitlines() if row.strip() and not row.startswith(f"| {name} |")]
    kept.append(f"| {name} | {time.strftime('%Y-%m-%d', time.gmtime())} | {', '.join(cells)} |")
    FIGURES.write_text(head + RULE + "\n".join(sorted(kept)) + "\n", encoding="utf-8")


def pairings(events: int = 1000) -> None:
    """S5: in each round of each event a repeat is proved unavoidable. Raises `AssertionError`."""
    began = time.monotonic()
    rounds = sum(rounds_without_avoidable_repeats(event) for event in range(events))
    figures = [
        f"{events} events",
        f"{rounds} rounds",
        "0 avoidable repeats",
        f"{time.monotonic() - began:.0f} seconds",
    ]
    keep("pairings", figures)
    sys.stdout.write(", ".join(figures) + "\n")


def main() -> None:
    words = sys.argv[1:]
    if words == ["followers"]:
        load = os.getloadavg()[0]
        made = many_followers.main()
        keep(
            "followers", [*(f"{key} {value}" for key, value in made.items()), f"load {load:.1f} at its start"]
        )
        sys.exit(0 if made["p95_ms"] <= 200 else 1)
    if words == ["pairings"]:
        pairings()
        return
    if words == ["all"]:
        passed = [run(*it) for it in LONG]  # all of them, whatever happens to the first
        sys.exit(0 if all(passed) else 1)
    kind, bots, game, target = (*words, *("single", "16", "cambio", "1")[len(words) :])[:4]
    if kind not in FORMS:
        sys.exit(f"No rehearsal is called {kind}: {', '.join(FORMS)}, followers, pairings, all.")
    sys.exit(0 if run(kind, int(bots), game, int(target)) else 1)


if __name__ == "__main__":
    main()
