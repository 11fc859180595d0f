"""Gravekeepers: the cemetery of four by four with its two keepers, the players beside it."""

from collections.abc import Mapping, Sequence
from typing import Any, Final

from rich.console import Group, RenderableType
from rich.table import Table as Grid
from rich.text import Text

from photofinish_client.terminal.scene import Scene
from photofinish_client.terminal.tables.parts import LINE, fact, facts, named
from photofinish_client.terminal.words import INK, MARKS, PAINT, flow, plain

CELL: Final = 11
EFFECTS: Final = {
    "add_white": "+W", "add_black": "+B", "move_white": "→W", "move_black": "→B", "flip_white": "↻W",
    "flip_black": "↻B", "relocate_white": "⇄W", "relocate_black": "⇄B",
}  # fmt: skip
LEGEND: Final = "+ take · → keeper · ↻ flip · ⇄ relocate a ghost · 1w1b hand"
GROUPS: Final = ("○", "◆", "△", "■", "★", "down")


def draw(scene: Scene) -> RenderableType:
    seen = scene.seen
    top = [
        fact("white pile", _pile(seen["piles"][0])),
        fact("black pile", _pile(seen["piles"][1])),
        fact("turn", seen["turns"] + 1),
        Text("last lap", style="bold red") if seen["last_lap"] else None,
        fact("line", f"{seen['line']['colour']} {seen['line']['index']}") if seen["line"] else None,
        fact("decide", plain(seen["asked"])) if seen["asked"] else None,
        fact("scoring", plain(seen["scoring"])) if seen["scoring"] else None,
        fact("out", scene.name(seen["out"])) if seen["out"] is not None else None,
    ]
    board, players = _board(scene), _players(scene, scene.width - 4 * CELL - 8)
    both = Grid.grid(padding=(0, 2, 0, 0))
    both.add_column(no_wrap=True)
    both.add_column()
    both.add_row(board, players)
    hand = [Text("your hand", style="dim"), *map(ghost, seen["hand"])] if seen["hand"] else []
    final = [fact("  your final card", ghost(seen["final"]))] if seen["final"] else []
    mine = [flow([*hand, *final], scene.width)] if hand or final else []
    return Group(facts(scene, top), *mine, both, _costs(scene))


def ghost(it: Mapping[str, Any]) -> Text:
    """A ghost card: W or B for its colour, and its symbol."""
    style = f"bold {INK} on {PAINT['white']}" if it["colour"] == "white" else "bold white on #30363d"
    return Text(f" {it['colour'][:1].upper()}{MARKS.get(it['symbol'], it['symbol'])} ", style=style)


def _pile(pile: Mapping[str, Any]) -> Text:
    text = Text.assemble(("▒", "#7d8794"), (str(pile["size"]), "bold"))
    return text.append(" dawn", "bold yellow") if pile["dawn"] else text


def _board(scene: Scene) -> Text:
    """Two lines for each row: what lies there, and the effects for white and black."""
    seen = scene.seen
    heads = "".join(f"{f'column {n}':<{CELL}}" for n in range(len(seen["board"][0])))
    lines = [Text(f"      {heads}", style="dim")]
    for n, row in enumerate(seen["board"]):
        keeper = ("W▶", f"bold {INK} on {PAINT['white']}") if n == seen["white_row"] else ("  ", "")
        lines.append(
            Text.assemble(("row", "dim"), (f"{n}", "bold dim"), keeper, *[_lying(scene, it) for it in row])
        )
        lines.append(Text.assemble("      ", *[_effects(it) for it in row]))
    below = Text("      ")
    for n in range(len(seen["board"][0])):
        if n == seen["black_col"]:
            below.append("▲B", "bold white on #30363d").append(" " * (CELL - 2))
        else:
            below.append(" " * CELL)
    return Text("\n").join([*lines, below])


def _lying(scene: Scene, plot: Mapping[str, Any]) -> Text:
    """The ghost on a plot, or the icon of the plot."""
    if plot["ghost"] is not None:
        text = ghost(plot["ghost"])
    elif plot["back"] is not None:
        text = Text(
            " ▒▒▒ ", style=f"{INK} on {PAINT['white']}" if plot["back"] == "white" else "white on #30363d"
        )
    else:
        text = Text("·", style=LINE)
    if (plot["row"], plot["col"]) == (scene.seen["crossing"]["row"], scene.seen["crossing"]["col"]):
        text.append("✚", "bold yellow")
    visiting = scene.seen["visiting"]
    if visiting is not None and (plot["row"], plot["col"]) == (visiting["row"], visiting["col"]):
        text.append("?", "bold magenta")
    text.pad_right(max(0, CELL - text.cell_len))
    return text


def _effects(plot: Mapping[str, Any]) -> Text:
    """What a white and a black line do here."""
    white, black = (
        EFFECTS.get(plot[key] or "", plain(plot[key] or "–")) for key in ("white_effect", "black_effect")
    )
    text = Text(f"w{white} b{black}", style="dim")
    text.truncate(CELL - 1)
    text.pad_right(max(0, CELL - text.cell_len))
    return text


def _players(scene: Scene, width: int) -> Text:
    seen, lines = scene.seen, []
    for seat in scene.seats:
        held = seen["hand_counts"][seat]
        head = named(scene, seat)
        head.append(f" {held['white']}w{held['black']}b", "dim")
        if seen["chosen"][seat]:
            head.append(" chosen", "green")
        head.truncate(max(12, width))
        below = _groups(seen["counts"][seat])
        if seen["lost"][seat]:
            below.append(f" lost {seen['lost'][seat]}", "red")
        lines += [head, below]
    return Text("\n").join(lines)


def _groups(counts: Sequence[int]) -> Text:
    """Open ghosts by symbol, and face-down ghosts."""
    text = Text("   ")
    for mark, count in zip(GROUPS, counts, strict=True):
        if count:
            text.append(
                f"{mark}{count} " if mark != "down" else f"▒{count} ", "bold" if mark != "down" else ""
            )
    return text if text.plain.strip() else text.append("no ghosts", "dim")


def _costs(scene: Scene) -> Text:
    said = [Text.assemble(MARKS[it["symbol"]], (f"{it['points']}", "bold")) for it in scene.seen["costs"]]
    most = [fact("sole most costs", Text(" ").join([*said, Text(f"▒{scene.seen['face_down_cost']}")]))]
    kinds = " ".join(map(str, scene.seen["kinds_costs"]))
    return facts(scene, [*most, fact("by kinds 0–6", kinds), Text(LEGEND, style="dim")])


def status(scene: Scene) -> str:
    return {
        "declare": "declare a colour and move its keeper", "place": "place a card at the crossing",
        "effect": "use the effect of the plot, or let it pass", "draw": "draw a card",
        "final": "choose your final card",
        "score": "use the effect of the symbol, or leave your ghosts as they are",
    }.get(scene.seen["phase"], plain(scene.seen["phase"]))  # fmt: skip


def label(_scene: Scene, _move: str, _key: str, value: Any) -> Text | None:
    """Rows and columns are counted from 0, as in the sentences of the server."""
    if isinstance(value, Mapping) and value.keys() == {"colour", "symbol"}:
        return ghost(value)
    if isinstance(value, Mapping) and {"row", "col"} <= value.keys():
        return Text(f"row {value['row']}, column {value['col']}")
    if isinstance(value, Mapping) and {"colour", "to"} <= value.keys():
        where = "row" if value["colour"] == "white" else "column"
        return Text(f"{value['colour']} keeper to {where} {value['to']}")
    return None
