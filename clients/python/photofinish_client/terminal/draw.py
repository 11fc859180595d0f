"""Draws the view of any game as text: facts on top, the seats side by side, then everything else."""

from collections.abc import Mapping, Sequence
from math import ceil
from typing import Any, Final

from rich import box
from rich.console import Group, RenderableType
from rich.panel import Panel
from rich.table import Table as Grid
from rich.text import Text

from photofinish_client.terminal.scene import Keys, names_of
from photofinish_client.terminal.words import (
    SEAT_LISTS,
    SEATS,
    Speaker,
    flow,
    is_face,
    is_slot,
    plain,
)  # fmt: skip
from photofinish_protocol.messages import Room, View

NARROWEST_SEAT: Final = 19
MANY: Final = 5
NOT_BY_SEAT: Final = {
    "hand", "discard", "discards", "trick", "dice", "cards", "sheet", "rounds", "thrown", "shown", "may_take",
    "to_place", "flow_due", "options", "colours", "pile", "piles", "history", "looks", "gifts", "picks", "board",
    "collapse_lines", "tricks", "grid", "rows", "map", "river", "cemetery", *SEAT_LISTS,
}  # fmt: skip
"""Lists that are not per seat, although they may have as many entries as there are seats."""
YOURS: Final = ("hand", "drawn", "spend")
HIDDEN: Final = {"last", "you", "options", "colours"}
PILES: Final = ("main", "deck", "stock", "pile", "draw", "discard", "deck_size", "main_size", "discard_size")
TURNS: Final = ("turn", "awaited", "placer", "captain")


def draw(view: View, room: Room | None, width: int, keys: Keys | None = None) -> RenderableType:
    """The whole table for this width."""
    seen: Mapping[str, Any] = view.view if isinstance(view.view, Mapping) else {"table": view.view}
    seats = len(room.seats) if room else len(view.scores)
    speaker = Speaker(names_of(room, seats), seen)
    by_seat = {key: it for key, it in seen.items() if key not in HIDDEN and is_by_seat(key, it, seats)}
    rest = {
        key: it for key, it in seen.items() if key not in by_seat and key not in HIDDEN and not _is_empty(it)
    }
    yours = {key: rest.pop(key) for key in YOURS if key in rest}
    facts = {key: it for key, it in rest.items() if not isinstance(it, Mapping | list | tuple)}
    things = {key: it for key, it in rest.items() if key not in facts}
    parts: list[RenderableType] = [_facts(facts, speaker, width)]
    parts += [_thing(key, it, speaker, width, strong=True) for key, it in yours.items()]
    if by_seat:
        parts.append(_seats(by_seat, view, room, seen, speaker, width, keys or {}))
    parts += [_thing(key, it, speaker, width) for key, it in things.items()]
    return Group(*parts)


def is_by_seat(key: str, value: object, seats: int) -> bool:
    """Whether the list has one entry per seat, in seat order."""
    if not isinstance(value, list | tuple) or len(value) != seats or not seats or key in NOT_BY_SEAT:
        return False
    kinds = {_shape(it) for it in value if it is not None}
    if kinds <= {"scalar"}:
        return True
    return kinds <= {"list"} or (
        kinds == {"dict"} and not any("seat" in it and it["seat"] is None for it in value)
    )


def has_slots(view: View) -> bool:
    """Whether the table has slots on which keys can be drawn."""
    rows = view.view.values() if isinstance(view.view, Mapping) else ()
    return any(
        isinstance(by_seat, list | tuple)
        and any(isinstance(row, list | tuple) and any(is_slot(it) for it in row) for row in by_seat)
        for by_seat in rows
    )


def _shape(value: object) -> str:
    if is_face(value) or is_slot(value):
        return "card"
    if isinstance(value, Mapping):
        return "dict"
    return "list" if isinstance(value, list | tuple) else "scalar"


def _is_empty(value: object) -> bool:
    return value is None or (isinstance(value, Mapping | list | tuple) and not value)


def _facts(facts: Mapping[str, Any], speaker: Speaker, width: int) -> Text:
    said = []
    for key, value in facts.items():
        if value is False or value == "":
            continue
        if key in PILES or key.endswith("_size"):
            name = plain(key.removesuffix("_size"))
            said.append(Text.assemble((f"{name} ", "dim"), ("▒", "#7d8794"), (f"{value}", "bold")))
        elif value is True:
            said.append(Text(plain(key), style="bold"))
        else:
            said.append(Text.assemble((f"{plain(key)} ", "dim"), speaker.say(key, value)))
    return flow(said, width, " · ")


def _seats(
    by_seat: Mapping[str, Sequence[Any]], view: View, room: Room | None, seen: Mapping[str, Any],
    speaker: Speaker, width: int, keys: Keys,
) -> Grid:  # fmt: skip
    seats = len(next(iter(by_seat.values())))
    most = max(1, min(seats, width // NARROWEST_SEAT))
    across = ceil(seats / ceil(seats / most))  # five in two rows are three and two, not four and one
    grid = Grid.grid(padding=0, expand=True)
    for _ in range(across):
        grid.add_column(ratio=1)
    panels = [
        _seat(
            seat,
            {key: it[seat] for key, it in by_seat.items()},
            view,
            room,
            seen,
            speaker,
            keys,
            width // across - 4,
        )
        for seat in range(seats)
    ]
    for first in range(0, seats, across):
        row = panels[first : first + across]
        grid.add_row(*row, *[""] * (across - len(row)))
    return grid


def _seat(
    seat: int, mine: Mapping[str, Any], view: View, room: Room | None, seen: Mapping[str, Any],
    speaker: Speaker, keys: Keys, width: int,
) -> Panel:  # fmt: skip
    lines: list[Text] = []
    scalars = []
    for key, value in mine.items():
        if _is_empty(value) or value is False:
            continue
        if isinstance(value, list | tuple) and value and all(is_slot(it) for it in value):
            lines.append(flow(_slots(seat, value, speaker, keys), width))
        elif isinstance(value, Mapping | list | tuple):
            lines.append(flow([Text(plain(key), style="dim"), *speaker.parts(key, value)], width))
        elif value is True:
            scalars.append(Text(plain(key), style="green"))
        else:
            scalars.append(Text.assemble((f"{plain(key)} ", "dim"), speaker.say(key, value)))
    if scalars:
        lines.append(flow(scalars, width, " · "))
    at_turn = _is_at_turn(seat, view, seen)
    place = next((it for it in room.seats if it.seat == seat), None) if room else None
    title = Text(speaker.names[seat] if seat < len(speaker.names) else f"seat {seat}", style="bold")
    if seat == view.you:
        title.append(" (you)", "cyan")
    if place is not None and place.kind == "bot":
        title.append(" bot", "dim")
    elif place is not None and place.autopilot:
        title.append(" autopilot", "yellow")
    elif place is not None and place.kind == "player" and not place.connected:
        title.append(" away", "red")
    return Panel(
        Text("\n").join(lines),
        title=Text("▶ ", style="bold yellow").append_text(title) if at_turn else title,
        title_align="left",
        box=box.HEAVY if at_turn else box.ROUNDED,
        border_style="yellow" if at_turn else ("cyan" if seat == view.you else "#4a525c"),
        padding=(0, 1),
    )


def _is_at_turn(seat: int, view: View, seen: Mapping[str, Any]) -> bool:
    for key in TURNS:
        value = seen.get(key)
        if isinstance(value, int) and key in SEATS:
            return value == seat
        if isinstance(value, list | tuple) and value:
            return seat in value
    return any(clock.seat == seat and clock.running for clock in view.clocks)


def _slots(seat: int, row: Sequence[Mapping[str, Any]], speaker: Speaker, keys: Keys) -> list[Text]:
    said = []
    for n, it in enumerate(row):
        key = keys.get((seat, n))
        card = speaker.say("slot", it)
        said.append(Text.assemble((key, "bold yellow"), card) if key else Text.assemble(" ", card))
    return said


def _thing(key: str, value: Any, speaker: Speaker, width: int, *, strong: bool = False) -> RenderableType:
    name = Text(f"{plain(key)} ", style="bold cyan" if strong else "dim")
    if isinstance(value, list | tuple) and value and all(isinstance(it, list | tuple) for it in value):
        if any(value) and all(_shape(it) == "dict" for row in value for it in row):
            return _board(name, value, speaker, width)
        rows = [flow(speaker.parts(key, row), width - 3) for row in value]
        return Text("\n").join([name, *(Text("   ").append_text(row) for row in rows)])
    if isinstance(value, list | tuple) and len(value) >= MANY and all(_shape(it) == "dict" for it in value):
        if all(
            isinstance(it.get("row"), int) and isinstance(it.get("col"), int) and "kind" in it for it in value
        ):
            return _map(name, value)
        return _bands(name, value, speaker, width)
    return flow([name, *speaker.parts(key, value)], width)


def _board(
    name: Text, rows: Sequence[Sequence[Mapping[str, Any]]], speaker: Speaker, width: int
) -> RenderableType:
    """Rows and columns of fields, as they lie on the table."""
    across = max(len(row) for row in rows)
    grid = Grid(box=box.ROUNDED, show_header=False, show_lines=True, border_style="#4a525c", padding=0)
    inner = max(8, (width - across - 1) // across)
    for _ in range(across):
        grid.add_column(width=inner)
    for row in rows:
        fields = [{key: it for key, it in field.items() if key not in ("row", "col", "id")} for field in row]
        grid.add_row(*(flow(speaker.parts("", it), inner) if it else "" for it in fields))
    return Group(name, grid)


def _map(name: Text, spaces: Sequence[Mapping[str, Any]]) -> Text:
    """Spaces by row and column, transposed: rows run to the right. The most common kind is a dot."""
    kinds = [str(it["kind"]) for it in spaces]
    common = max(set(kinds), key=kinds.count)
    there = {(it["row"], it["col"]): str(it["kind"]) for it in spaces}
    rows = range(min(row for row, _ in there), max(row for row, _ in there) + 1)
    legend = " · ".join(f"{kind[:2].title()} {plain(kind)}" for kind in sorted(set(kinds) - {common}))
    text = Text.assemble(name, (f"· {plain(common)} · {legend} (rows go right)", "dim"))
    for col in sorted({col for _, col in there}):
        text.append(f"\n{col:>4}  ", "dim")
        for row in rows:
            kind = there.get((row, col))
            text.append(f"{' ' if kind is None else '·' if kind == common else kind[:2].title():<3}", "bold")
    return text


def _bands(name: Text, entries: Sequence[Mapping[str, Any]], speaker: Speaker, width: int) -> Grid:
    """A long list of similar things as a transposed table, in as many bands as the width needs."""
    fields = [key for key in entries[0] if any(not _is_empty(it.get(key)) for it in entries)]
    cells = [
        [Text("") if _is_empty(it.get(key)) else speaker.say(key, it[key]) for it in entries]
        for key in fields
    ]
    widest = max(cell.cell_len for row in cells for cell in row) + 1
    room = width - max(len(plain(key)) for key in fields) - 1
    across = max(1, min(len(entries), room // widest))
    across = ceil(len(entries) / ceil(len(entries) / across))
    grid = Grid.grid(padding=(0, 1, 0, 0))
    if name.plain.strip().rstrip("s") != plain(fields[0]):
        grid.add_row(name)
    for first in range(0, len(entries), across):
        for n, key in enumerate(fields):
            shown = cells[n][first : first + across]
            for cell in shown if n == 0 else []:
                cell.stylize("bold")
            grid.add_row(Text(plain(key), style="dim"), *shown)
    return grid
