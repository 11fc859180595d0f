"""Kodiak: the cat on top, then the mice, one row of cards each, with the owed actions above them."""

from collections.abc import Mapping
from typing import Any

from rich.console import Group, RenderableType
from rich.text import Text

from photofinish_client.terminal.scene import Scene
from photofinish_client.terminal.tables.parts import fact, facts, pile, seat_table, slots, with_card
from photofinish_client.terminal.words import chip, plain

NAME_WIDTH = 30


def draw(scene: Scene) -> RenderableType:
    seen = scene.seen
    top = [
        pile("main", seen["main_size"]),
        pile("discard", seen["discard_size"], seen["discard_top"]),
        fact("you drew", chip(seen["drawn"])) if seen["drawn"] else None,
        fact("round", f"{seen['round'] + 1} of {seen['rounds']}"),
        fact("caught", seen["catches"]) if seen["catches"] else None,
    ]
    order = sorted(scene.seats, key=lambda seat: (seat != seen["kodiak"], seat))
    width = max(20, scene.width - NAME_WIDTH - 14)
    rows = [
        (
            seat,
            [
                Text(
                    "cat" if seat == seen["kodiak"] else "mouse",
                    style="bold red" if seat == seen["kodiak"] else "",
                ),
                slots(scene, seat, seen["table"][seat], width),
                _points(scene, seat),
            ],
        )
        for seat in order
    ]
    return Group(facts(scene, top), *_doings(scene), seat_table(scene, ("", "cards", "points"), rows))


def _points(scene: Scene, seat: int) -> Text:
    seen = scene.seen
    text = Text(str(seen["scores"][seat]), style="bold")
    if seen["hairballs"][seat]:
        text.append(f" +{seen['hairballs'][seat]} hairball", "red")
    if seen["phase"] == "look":
        text.append(" ready" if seen["ready"][seat] else " …", "green" if seen["ready"][seat] else "dim")
    if seat in seen["touched"]:
        text.append(" touched", "yellow")
    return text


def _doings(scene: Scene) -> list[Text]:
    seen, found = scene.seen, []
    race = seen["race"]
    if race is not None:
        line = Text.assemble("On the pile: ", chip(race["card"]), f" by {scene.name(race['opener'])}")
        if race["winner"] is not None:
            line.append(f", {scene.name(race['winner'])} was first")
        if race["last_card"]:
            line.append(", a last card: the cat may grab", "bold red")
        found.append(line)
    for it in seen["owed"]:
        left = f", {it['left']} to go" if it["left"] > 1 else ""
        found.append(Text(f"{scene.name(it['seat'])} owes: {plain(it['action'])}{left}", style="magenta"))
    if seen["ask"] is not None:
        it = seen["ask"]
        whose = _place(scene, it["seat"], it["slot"])
        found.append(Text(f"{scene.name(it['by'])} wants to swap {whose} with the cat", style="magenta"))
    peeks = [f"{scene.name(it['by'])} at {_place(scene, it['seat'], it['slot'])}" for it in seen["peeks"]]
    if peeks:
        found.append(facts(scene, [fact("looking", ", ".join(peeks))]))
    shown = [
        Text.assemble(
            f"{_place(scene, it['seat'], it['slot'])} ", chip(it["face"]), " caught" if it["caught"] else ""
        )
        for it in seen["shown"]
    ]
    if shown:
        found.append(facts(scene, [Text("shown", style="dim"), *shown]))
    result = seen["last_round"]
    if result is not None and seen["phase"] in ("look", "over"):
        points = result.get("points") if isinstance(result, Mapping) else None
        if points:
            said = ", ".join(f"{scene.name(seat)} {it}" for seat, it in enumerate(points))
            found.append(fact("last round", said))
    return found


def _place(scene: Scene, seat: int, slot: int) -> str:
    return f"{scene.name(seat)} card {slot + 1}"


def status(scene: Scene) -> str:
    words = {
        "look": "remember your cards, then say ready",
        "draw": "draw a card",
        "exchange": "keep it in place of a card",
    }
    return words.get(scene.seen["phase"], "")


def trigger(scene: Scene) -> Text:
    race, you = scene.seen["race"], scene.you
    if race is None:
        return Text("")
    hint = "pounce or grab" if you == scene.seen["kodiak"] else "press the letter at an identical card"
    return Text.assemble(chip(race["card"]), f"  {hint}")


def label(scene: Scene, _move: str, _key: str, value: Any) -> Text | None:
    """Cards are counted from 1, as they lie from the left."""
    if not isinstance(value, Mapping):
        return None
    seat, at = value.get("seat", scene.you), value.get("slot", value.get("target"))
    if at is None:
        return Text(f"a card of {scene.name(seat)}") if "seat" in value else None
    face = scene.seen["table"][seat][at].get("face")
    whose = "your card" if seat == scene.you else f"{scene.name(seat)}'s card"
    return with_card(f"{whose} {at + 1}", face)
