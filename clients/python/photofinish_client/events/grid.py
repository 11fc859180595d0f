"""An event that we follow, drawn for a terminal."""

from typing import Final

from rich.table import Table as Grid

from photofinish_client.events.followed import Followed
from photofinish_client.plain_text import as_text

UNIT: Final = 840
"""Points are counted in 840ths."""
WIDTH: Final = 64
"""The title stays on two lines at most."""


def grid(page: Followed, note: str = "") -> Grid:
    """The event as a table: its state, how far the round is, the best twenty."""
    info, (done, tables) = page.info, page.tables_done
    title = f"{info.get('title', '')} ({info.get('event', '')}): {info.get('state', '')}"
    if info.get("round"):
        title += f", round {info['round']} {info['round_state']}, {done} of {tables} tables done"
    elif "entrants" in info:
        title += f", {info['entrants']} entered"
    made = Grid("rank", "name", "points", title=as_text(title), caption=as_text(note), min_width=WIDTH)
    for row in page.standings[:20]:
        made.add_row(str(row["rank"]), as_text(row["name"]), f"{row['points_840'] / UNIT:g}")
    return made
