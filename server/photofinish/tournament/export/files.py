"""All files of an export. Everything but the event file, the log and the replays follows from those three."""

from collections.abc import Mapping, Sequence

import msgspec

from photofinish.tournament.event_file.canon import canonical
from photofinish.tournament.export.cells import csv, ndjson
from photofinish.tournament.export.report import report
from photofinish.tournament.export.tables import all_tables
from photofinish.tournament.log import chain
from photofinish.tournament.log.entries import AnyEntry
from photofinish.tournament.state.fold import fold
from photofinish.tournament.state.model import State

EVENT, LOG = "event.toml", "log.ndjson"
REPLAYS = "replays/"


def files_of(toml: bytes, lines: Sequence[chain.ChainLine], replays: Mapping[str, bytes]) -> dict[str, bytes]:
    """`replays` by room code. Raises what the chain and the fold raise."""
    entries, head = chain.read(lines)
    state = fold(entries)
    assert state is not None, "an event has a first entry"
    log = b"".join(msgspec.json.encode(line) + b"\n" for line in lines)
    given = {EVENT: toml, LOG: log}
    given |= {f"{REPLAYS}{room}-1.json": raw for room, raw in replays.items()}
    return given | derived(state, entries, head)


def derived(state: State, entries: Sequence[AnyEntry], head: bytes) -> dict[str, bytes]:
    made = {"event.json": canonical(state.rules), "report.html": report(state, head.hex())}
    for name, (columns, rows) in all_tables(state, entries).items():
        made[f"{name}.csv"] = csv(columns, rows)
        made[f"{name}.ndjson"] = ndjson(columns, rows)
    return made
