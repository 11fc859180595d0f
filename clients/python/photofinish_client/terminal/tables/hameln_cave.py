"""Hameln Cave: the map with the ship, the tricks, the ghosts that come aboard."""

from collections.abc import Mapping
from typing import Any, Final

from rich.console import Group, RenderableType
from rich.text import Text

from photofinish_client.terminal.scene import Scene
from photofinish_client.terminal.tables.parts import LINE, fact, facts, seat_table
from photofinish_client.terminal.words import INK, PAINT, between, flow, plain

WATER: Final = {
    "water": ("·", LINE), "start": ("S", "bold green"), "goal": ("G", "bold green"), "reef": ("#", "#a9815a"),
    "ghost": ("g", "bold #a678c8"),
}  # fmt: skip


WAYS: Final = {"left": "↗", "straight": "→", "right": "↘"}
"""Rows run to the right on the screen, so left of the ship is up."""


def draw(scene: Scene) -> RenderableType:
    seen = scene.seen
    top = [
        fact("level", seen["roman"]),
        fact("round", f"{seen['round']} of {seen['rounds']}"),
        fact("ghost track", _track(seen)),
        fact("cards to add", seen["adds"]) if seen["adds"] else None,
        fact(
            "collapse",
            ", ".join(f"row {it['after_row']} in round {it['round']}" for it in seen["collapse_lines"]),
        ),
    ]
    parts: list[RenderableType] = [facts(scene, top), _map(seen)]
    trick = [Text.assemble(f"{scene.name(it['seat'])} ", _card(it["card"])) for it in seen["trick"]]
    ghosts = [
        Text(" call ", style="bold black on #d8d8d2") if it["call"] else _card(it["card"])
        for it in seen["ghost_area"]
    ]
    parts.append(
        facts(
            scene,
            [
                fact("trick", between("  ", trick)) if trick else None,
                fact("ghost area", between(" ", ghosts)),
            ],
        )
    )
    if seen["hand"]:
        parts.append(flow([Text("your hand", style="dim"), *map(_card, seen["hand"])], scene.width))
    passes = [
        (name, seen[key])
        for name, key in (
            ("you pass", "my_pass"),
            ("shown", "shown_pass"),
            ("you gave", "gave"),
            ("you got", "got"),
        )
    ]
    given = [fact(name, _card(it)) for name, it in passes if it]
    if given:
        parts.append(facts(scene, given))
    parts.append(_surplus(scene))
    rows = [(seat, _player(scene, seat)) for seat in scene.seats]
    parts.append(seat_table(scene, ("side", "character", "hand", "tricks won"), rows))
    return Group(*parts)


def _player(scene: Scene, seat: int) -> list[Text | str]:
    seen = scene.seen
    won = Text(str(seen["tricks_won"][seat]), style="bold")
    if seen["has_passed"][seat]:
        won.append(" has passed a card", "green")
    if seen["ready"][seat]:
        won.append(" ready", "green")
    return [seen["sides"][seat], plain(seen["characters"][seat] or "–"), str(seen["hand_sizes"][seat]), won]


def _card(card: Mapping[str, Any] | None) -> Text:
    """A card with its colour as letters too: br, bl or gr, and its number."""
    if card is None:
        return Text("▒▒▒", style="#7d8794")
    paint = PAINT.get(card["colour"], PAINT["grey"])
    return Text(f" {card['colour'][:2]}{card['number']} ", style=f"bold {INK} on {paint}")


def _track(seen: Mapping[str, Any]) -> Text:
    """The spaces of the ghost track, the marker's in brackets."""
    said = [
        Text(f"[{it['label']}]", style="bold red")
        if n == seen["ghost_marker"]
        else Text(it["label"], style="dim")
        for n, it in enumerate(seen["ghost_track"])
    ]
    return between(" ", said)


def _map(seen: Mapping[str, Any]) -> Text:
    """The rows of the map run to the right; the ship is shown, and where it could go."""
    there = {(it["row"], it["col"]): str(it["kind"]) for it in seen["map"]}
    ship = (seen["ship"]["row"], seen["ship"]["col"])
    ways = {(it["row"], it["col"]): WAYS[key] for key, it in seen["courses"].items() if it}
    falls = {it["after_row"] for it in seen["collapse_lines"]}
    rows = range(min(row for row, _ in there), max(row for row, _ in there) + 1)
    cols = sorted({col for _, col in there})
    lines = [Text("      ").append("".join(f"{row:<3}" for row in rows), "dim")]
    for col in cols:
        line = Text(f"{'left' if col == cols[0] else 'right' if col == cols[-1] else '':>5} ", style="dim")
        for row in rows:
            kind = there.get((row, col))
            if (row, col) == ship:
                line.append("▶", "bold black on yellow")
            elif (row, col) in ways:
                line.append(ways[row, col], "bold yellow")
            elif kind is None:
                line.append(" ")
            else:
                mark, style = WATER.get(kind, (kind[:1], "bold"))
                line.append(mark, style)
            line.append("│ " if row in falls else "  ", "red")
        lines.append(line)
    kinds = sorted({kind for kind in there.values() if kind != "water"})
    legend = " ".join(f"{WATER.get(kind, (kind[:1], ''))[0]} {plain(kind)}" for kind in kinds)
    lines.append(Text(f"      ▶ ship, ↗→↘ its ways · {legend} · │ collapse", style="dim"))
    return Text("\n").join(lines)


def _surplus(scene: Scene) -> Text:
    """The Surplus Area by slot: open cards, backs, and gaps."""
    said = [Text("surplus", style="dim")]
    for n, it in enumerate(scene.seen["surplus"]):
        if not it["filled"]:
            continue
        mark = Text(f"{n + 1}", style="bold magenta" if n in scene.seen["turned"] else "dim")
        said.append(Text.assemble(mark, _card(it["card"])))
    return flow(said, scene.width)


def status(scene: Scene) -> str:
    return {
        "character": "choose your character", "exchange": "pass a card to your partner", "play": "play a card",
        "steer": "steer the ship", "reveal": "turn up a Surplus card", "second": "turn up a second card, or stop",
        "choose": "choose the card that takes effect", "extra": "call an extra trick, or not",
        "pause": "talk; say ready for the next deal",
    }.get(scene.seen["phase"], plain(scene.seen["phase"]))  # fmt: skip


def label(scene: Scene, _move: str, key: str, value: Any) -> Text | None:
    if key == "to" and isinstance(value, str) and value in scene.seen["courses"]:
        to = scene.seen["courses"][value]
        return Text(f"{value}, to row {to['row']}" if to else f"{value}: no way there")
    if isinstance(value, Mapping) and {"colour", "number"} == value.keys():
        return _card(value)
    if isinstance(value, Mapping) and "slot" in value:
        return Text.assemble(
            f"slot {value['slot'] + 1} ", _card(scene.seen["surplus"][value["slot"]]["card"])
        )
    return None
