"""Draws the menu: as many columns as fit, scrolled so that the selected entry is visible."""

from collections.abc import Sequence
from typing import Final

from rich.console import RenderableType
from rich.table import Table as Grid
from rich.text import Text

from photofinish_client.terminal.menus.menu import MenuEntry

NAMES: Final = {"enter": "↵", " ": "␣", "": "·"}


def columns_of(entries: Sequence[MenuEntry], width: int) -> int:
    widest = max((entry.text.cell_len for entry in entries), default=1) + 6
    return max(1, min(len(entries), width // widest))


def window(rows: int, at: int, height: int) -> range:
    """The rows to show, so that the selected one is visible and no row stays empty."""
    if rows <= height:
        return range(rows)
    first = max(0, min(at - height // 2, rows - height))
    return range(first, first + height)


def draw_menu(title: str, entries: Sequence[MenuEntry], width: int, height: int) -> RenderableType:
    """The title and the visible entries, `height` lines in all, with the number of hidden entries."""
    across = columns_of(entries, width)
    rows = [entries[first : first + across] for first in range(0, len(entries), across)]
    at = next((n for n, row in enumerate(rows) if any(entry.is_at or entry.is_on for entry in row)), 0)
    marked = next((n for n, row in enumerate(rows) if any(entry.is_at for entry in row)), at)
    shown = window(len(rows), marked, max(1, height - (1 if title else 0)))
    above, below = sum(map(len, rows[: shown.start])), sum(map(len, rows[shown.stop :]))
    more = [f"▲ {above} above" if above else "", f"▼ {below} below" if below else ""]
    grid = Grid.grid()
    if title:
        head = Text(title, style="bold")
        if above or below:
            head.append(f"   {'  '.join(it for it in more if it)}, ↑↓", "yellow")
        head.truncate(width, overflow="ellipsis")
        grid.add_row(head)
    if entries:
        inner = Grid.grid(padding=(0, 2, 0, 0))
        for n in shown:
            inner.add_row(*(_entry(entry) for entry in rows[n]))
        grid.add_row(inner)
    return grid


def _entry(entry: MenuEntry) -> Text:
    cap = "bold black on yellow" if entry.is_fast else "reverse"
    text = Text.assemble(
        (f" {NAMES.get(entry.key, entry.key)} ", cap), " ✓ " if entry.is_on else " ", entry.text
    )
    text.no_wrap, text.overflow = True, "ellipsis"
    if entry.is_at:
        text.stylize("bold underline", 3)
        text.append(" ◀", "bold yellow")
    return text
