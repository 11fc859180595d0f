"""The pieces that the layouts share: a line of facts, a row for each seat, cards in a row."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final

from rich.table import Table as Grid
from rich.text import Text

from photofinish_client.terminal.scene import Scene
from photofinish_client.terminal.words import chip, flow, slot

GREY: Final = "#8a929c"
LINE: Final = "#4a525c"
WIDE: Final = 90
"""Least columns at which the columns of a table stand two apart."""


def fact(name: str, value: object) -> Text:
    return Text.assemble((f"{name} ", "dim"), value if isinstance(value, Text) else (str(value), "bold"))


def facts(scene: Scene, parts: Iterable[Text | None]) -> Text:
    """The facts that there are, in as many lines as they need."""
    return flow([it for it in parts if it is not None and it.plain.strip()], scene.width, " · ")


def pile(name: str, size: int, top: Mapping[str, Any] | None = None) -> Text:
    """A pile of cards: its size, and its top card if that is known."""
    text = Text.assemble((f"{name} ", "dim"))
    if top is not None:
        text.append_text(chip(top)).append(" ")
    return text.append("▒", "#7d8794").append(str(size), "bold")


def cards(faces: Iterable[Mapping[str, Any]]) -> list[Text]:
    return [chip(it) for it in faces]


def with_card(text: str, face: Mapping[str, Any] | None, between: str = " ") -> Text:
    """The words, and the card behind them if it is known."""
    return Text(text) if face is None else Text.assemble(text, between, chip(face))


def row_of(name: str, faces: Sequence[Mapping[str, Any]] | None, width: int) -> Text | None:
    """A named row of open cards; None if there are none."""
    return flow([Text(name, style="dim"), *cards(faces)], width) if faces else None


def named(scene: Scene, seat: int, *, is_awaited: bool | None = None) -> Text:
    """The player of this seat, with its public status."""
    at_turn = seat in scene.awaited if is_awaited is None else is_awaited
    text = Text("▶ " if at_turn else "  ", style="bold yellow")
    name = scene.names[seat] if seat < len(scene.names) else f"seat {seat}"
    text.append(name, "bold cyan" if seat == scene.you else "bold")
    if seat == scene.you:
        text.append(" (you)", "cyan")
    place = scene.place(seat)
    if place is not None and place.kind == "player" and place.autopilot:
        text.append(" auto", "yellow")
    elif place is not None and place.kind == "player" and not place.connected:
        text.append(" away", "red")
    return text


def seat_table(scene: Scene, heads: Sequence[str], rows: Iterable[tuple[int, Sequence[Text | str]]]) -> Grid:
    """One line for each seat: its name, then a column for each head."""
    between = 2 if scene.width >= WIDE else 1
    grid = Grid(
        box=None, padding=(0, between, 0, 0), header_style="dim", show_header=any(heads), pad_edge=False
    )
    grid.add_column("", no_wrap=True)
    for head in heads:
        grid.add_column(head, overflow="fold")
    for seat, columns in rows:
        grid.add_row(named(scene, seat), *columns)
    return grid


def slots(scene: Scene, seat: int, row: Sequence[Mapping[str, Any]], width: int) -> Text:
    """The slots of a seat in their order, each with the key that names it."""
    said = []
    for n, it in enumerate(row):
        key = scene.keys.get((seat, n), "")
        said.append(Text.assemble((key or " ", "bold yellow"), slot(it)))
    return flow(said, width)
