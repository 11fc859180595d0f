"""Cambio: the two piles on top, then one row of cards for each player."""

from collections.abc import Mapping
from typing import Any

from rich.console import Group, RenderableType
from rich.text import Text

from photofinish_client.terminal.scene import Scene
from photofinish_client.terminal.tables.parts import cards, fact, facts, pile, seat_table, slots, with_card
from photofinish_client.terminal.words import between, chip, plain

NAME_WIDTH = 22
DOING = {
    "peek_mine": "looks at an own card",
    "peek_yours": "looks at another's card",
    "swap": "swaps two cards",
}


def draw(scene: Scene) -> RenderableType:
    seen, discard = scene.seen, scene.seen["discard"]
    piles = [
        pile("main", seen["main"]),
        pile("discard", discard["size"], discard["top"]),
        Text("frozen", style="bold blue") if discard["frozen"] else None,
        fact("thrown", between(" ", cards(discard["thrown"]))) if discard["thrown"] else None,
        fact("round", seen["round"]),
        fact("dealer", scene.name(seen["dealer"])),
        fact("called by", scene.name(seen["caller"])) if seen["caller"] is not None else None,
    ]
    width = max(20, scene.width - NAME_WIDTH - 10)
    rows = [
        (seat, [slots(scene, seat, row, width), _total(scene, seat)])
        for seat, row in enumerate(seen["table"])
    ]
    return Group(facts(scene, piles), *_doings(scene), seat_table(scene, ("cards", "points"), rows))


def _total(scene: Scene, seat: int) -> Text:
    text = Text(str(scene.seen["totals"][seat]), style="bold")
    if scene.seen["caller"] == seat:
        text.append(" called", "yellow")
    if scene.seen["phase"] in ("look", "scored") and seat < len(scene.seen["ready"]):
        text.append(
            " ready" if scene.seen["ready"][seat] else " …", "green" if scene.seen["ready"][seat] else "dim"
        )
    return text


def _doings(scene: Scene) -> list[Text]:
    """What is going on beside the turn: a card in the hand, an action, gifts, cards shown for a moment."""
    seen, found = scene.seen, []
    if seen["drawn"] is not None:
        it = seen["drawn"]
        who = "You hold" if it["seat"] == scene.you else f"{scene.name(it['seat'])} holds"
        card = chip(it["face"]) if it["face"] is not None else Text("a card")
        found.append(Text.assemble(f"{who} ", card, f" from the {plain(it['source'])} pile"))
    if seen["action"] is not None:
        it = seen["action"]
        left = f", {it['left']} to go" if it["left"] > 1 else ""
        what = DOING.get(it["kind"], f"has the {plain(it['kind'])}")
        found.append(Text(f"{scene.name(it['seat'])}: {what}{left}", style="magenta"))
    found += [
        Text(f"{scene.name(it['giver'])} may give {scene.name(it['to']['seat'])} a card", style="magenta")
        for it in seen["gifts"]
    ]
    shown = [f"{_place(scene, it['place'])} ({it['why']})" for it in seen["looks"]]
    if shown:
        found.append(facts(scene, [fact("shown for a moment", ", ".join(shown))]))
    return found


def _place(scene: Scene, place: Mapping[str, Any]) -> str:
    return f"{scene.name(place['seat'])} card {place['slot'] + 1}"


def status(scene: Scene) -> str:
    seen = scene.seen
    if seen["phase"] == "look":
        return "remember your two cards, then say ready"
    if seen["phase"] == "scored":
        return "all cards lie open; say ready for the next round"
    if seen["drawn"] is not None:
        return "keep the card or discard it"
    return "draw, or call Cambio" if seen["turn"] is not None else ""


def trigger(scene: Scene) -> Text:
    top = scene.seen["discard"]["top"]
    return Text.assemble(chip(top), "  press the letter at an identical card") if top else Text("")


def label(scene: Scene, _move: str, key: str, value: Any) -> Text | None:
    """Cards are counted from 1, as they lie from the left."""
    if isinstance(value, Mapping) and "slot" in value:
        seat = value.get("seat", scene.you)
        face = scene.seen["table"][seat][value["slot"]].get("face")
        whose = "your card" if seat == scene.you else f"{scene.name(seat)}'s card"
        return with_card(f"{whose} {value['slot'] + 1}", face)
    if key == "from":
        top = scene.seen["discard"]["top"]
        return Text.assemble("discard ", chip(top)) if value == "discard" and top else Text(f"{value} pile")
    return None
