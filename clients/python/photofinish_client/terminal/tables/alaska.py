"""Alaska: the river as a ring of ten sections, salmon in the gaps between them, anglers on the banks."""

from collections.abc import Mapping, Sequence
from typing import Any

from rich.console import Group, RenderableType
from rich.text import Text

from photofinish_client.terminal.scene import Scene
from photofinish_client.terminal.tables.parts import LINE, fact, facts, pile, row_of, seat_table, with_card
from photofinish_client.terminal.words import chip

SECTION, GAP = 8, 7
"""Columns of a section and of a gap."""


def draw(scene: Scene) -> RenderableType:
    seen = scene.seen
    top = [
        pile("main", seen["main"]),
        pile("discard", len(seen["discard"]), seen["discard"][-1] if seen["discard"] else None),
        fact("turns left", seen["turns_left"]) if seen["turns_left"] is not None else None,
        row_of("to place", seen["to_place"], scene.width),
        row_of("flow due", seen["flow_due"], scene.width),
        _catch(scene),
    ]
    rows = [
        (
            seat,
            [
                Text(str(seen["hand_sizes"][seat])),
                _caught(seen["caught"][seat]),
                Text("misses a turn", style="yellow") if seen["missing"][seat] else "",
            ],
        )
        for seat in scene.seats
    ]
    hand = row_of("your hand", seen["hand"], scene.width)
    return Group(
        facts(scene, top),
        _river(scene),
        *([hand] if hand else []),
        seat_table(scene, ("hand", "caught", ""), rows),
    )


def _river(scene: Scene) -> Text:
    """Sections 1 to 5 above, 10 to 6 below, so that neighbours on the ring are neighbours here."""
    sections = {it["section"]: it for it in scene.seen["sections"]}
    gaps = {it["gap"]: it["salmon"] for it in scene.seen["gaps"]}
    upper, lower = range(1, 6), range(10, 5, -1)
    lines = [
        _bank(sections, upper),
        _water("╭", [_section(n) for n in upper], [_salmon(gaps[n], n) for n in range(1, 5)], "╮"),
        _ends(gaps[10], gaps[5]),
        _water("╰", [_section(n) for n in lower], [_salmon(gaps[n], n) for n in range(9, 5, -1)], "╯"),
        _bank(sections, lower),
    ]
    return Text("\n").join(lines)


def _section(number: int) -> Text:
    return Text(f"─[{number:^2}]─".center(SECTION, "─"), style="bold blue")


def _salmon(salmon: Sequence[Mapping[str, Any]], gap: int) -> Text:
    """The fish in a gap; a gap without fish shows its number only."""
    text = Text(f"g{gap}", style="dim")
    if salmon:
        text.append(f" {'●' * len(salmon)}" if len(salmon) < 4 else f" ●×{len(salmon)}", "bold #d98cb3")
    text.pad_right(max(0, GAP - text.cell_len))
    return text


def _water(left: str, sections: list[Text], gaps: list[Text], right: str) -> Text:
    line = Text(f" {left}", style="blue")
    for n, section in enumerate(sections):
        line.append_text(section)
        if n < len(gaps):
            line.append_text(gaps[n])
    return line.append(right, "blue")


def _ends(left: Sequence[Any], right: Sequence[Any]) -> Text:
    """The two gaps where the ring turns: 10 on the left, 5 on the right."""
    line = _salmon(left, 10)
    inner = 5 * SECTION + 4 * GAP + 2 - GAP + 2
    line.append(" " * max(1, inner - line.cell_len + 1))
    return line.append_text(_salmon(right, 5))


def _bank(sections: Mapping[int, Mapping[str, Any]], numbers: Sequence[int] | range) -> Text:
    line = Text("  ")
    for number in numbers:
        angler = sections[number]["angler"]
        cell = chip(angler) if angler is not None else Text("·", style=LINE)
        width = SECTION + GAP
        space = max(0, SECTION - cell.cell_len) // 2
        line.append(" " * space).append_text(cell).append(" " * max(1, width - space - cell.cell_len))
    return line


def _caught(salmon: Sequence[Any]) -> Text:
    return Text.assemble(("●" * min(len(salmon), 12), "bold #d98cb3"), (f" {len(salmon)}", "bold"))


def _catch(scene: Scene) -> Text | None:
    it = scene.seen["catch"]
    if it is None:
        return None
    gone = " (you let it go)" if scene.seen["you_let_go"] else ""
    return Text(f"{scene.name(it['seat'])} caught a salmon{gone}", style="bold yellow")


def status(scene: Scene) -> str:
    words = {
        "salmon": "place the salmon", "play": "cast, place anglers, send the eagle or the bear, or end the turn",
        "bear": "a bear may snatch the catch",
    }  # fmt: skip
    return words.get(scene.seen["step"], "")


def trigger(scene: Scene) -> Text:
    it = scene.seen["catch"]
    return Text(f"{scene.name(it['seat'])} caught a salmon") if it is not None else Text("")


def label(scene: Scene, _move: str, key: str, value: Any) -> Text | None:
    if key == "gap":
        gap = next(it for it in scene.seen["gaps"] if it["gap"] == value)
        fish = f", {len(gap['salmon'])} salmon" if gap["salmon"] else ""
        return Text(f"gap {value} between {gap['sections'][0]} and {gap['sections'][1]}{fish}")
    if key == "section":
        angler = scene.seen["sections"][value - 1]["angler"]
        return with_card(f"section {value}", angler, " with ")
    return None
