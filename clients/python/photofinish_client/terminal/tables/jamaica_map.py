"""The course of Jamaica: every space in order, in bands, with the ships under the space where they lie."""

from collections.abc import Mapping
from typing import Any, Final

from rich.text import Text

from photofinish_client.terminal.scene import Scene
from photofinish_client.terminal.words import INK, PAINT

CELL: Final = 6
KINDS: Final = {
    "sea": ("s", "#5b9bd5"), "port": ("p", "#e0b02c"), "lair": ("L", "#a678c8"), "port_royal": ("PR", "bold #67b06b"),
}  # fmt: skip
LEGEND: Final = "s2 sea: 2 food · p3 port: 3 gold · L lair, ★ treasure · ( ) short cut"


def ship_mark(ship: Mapping[str, Any]) -> Text:
    """A ship in its colour, with the first letter of the colour for players who cannot see colours."""
    letter = "G" if ship["ship"] == "ghost" else ship["colour"][:1].upper()
    paint = PAINT.get(ship["colour"], PAINT["grey"])
    return Text(f"{letter}", style=f"bold {INK} on {paint}")


def course(scene: Scene) -> Text:
    """The whole board in bands of as many spaces as fit."""
    board, ships = scene.seen["board"], scene.seen["ships"]
    across = max(5, scene.width // CELL)
    short = _short_cuts(board)
    lines: list[Text] = []
    for first in range(0, len(board), across):
        band = board[first : first + across]
        upper, lower = Text(), Text()
        for space in band:
            upper.append_text(_cell(space, scene.seen["tokens"], short))
            marks = Text("").join(
                ship_mark(it) for it in ships if it["space"] == space["id"] and not it["finished"]
            )
            marks.truncate(CELL)
            marks.pad_right(CELL - marks.cell_len)
            lower.append_text(marks)
        lines.append(upper)
        if lower.plain.strip():
            lines.append(lower)
    lines.append(Text(LEGEND, style="dim"))
    return Text("\n").join(lines)


def _cell(space: Mapping[str, Any], tokens: Any, short: Mapping[int, str]) -> Text:
    letter, paint = KINDS.get(space["kind"], ("?", ""))
    cost = str(space["cost"]) if space["cost"] else ""
    mark = "★" if space["id"] in tokens else ""
    edge = short.get(space["id"], "")
    text = Text.assemble(
        (f"{space['id']}", "dim"), ("(" if edge == "(" else "", "bold"), (f"{letter}{cost}{mark}", paint)
    )
    text.append(")" if edge == ")" else "", "bold")
    text.truncate(CELL)
    text.pad_right(CELL - text.cell_len)
    return text


def _short_cuts(board: Any) -> dict[int, str]:
    """Where a fork's shorter way begins and ends: brackets go round it."""
    found: dict[int, str] = {}
    for space in board:
        if len(space["next"]) < 2:
            continue
        ways = sorted((_way(board, first) for first in space["next"]), key=len)
        for way in ways[:-1]:
            found[way[0]], found[way[-1]] = "(", ")"
    return found


def _way(board: Any, at: int) -> list[int]:
    """The spaces from here to where another way joins."""
    way = [at]
    while len(board[way[-1]]["next"]) == 1:
        after = board[way[-1]]["next"][0]
        if len(board[after]["prev"]) > 1 or after in way:
            break
        way.append(after)
    return way
