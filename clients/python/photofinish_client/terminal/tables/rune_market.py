"""Rune Market: the market on top, then what each player owns, in one row each."""

from collections.abc import Mapping
from typing import Any, Final

from rich.console import Group, RenderableType
from rich.text import Text

from photofinish_client.terminal.scene import Scene
from photofinish_client.terminal.tables.parts import cards, fact, facts, pile, row_of, seat_table, with_card
from photofinish_client.terminal.words import PAINT, between, chip, plain

PLACES: Final = {
    "red": "red shelter",
    "blue": "blue shelter",
    "boat1": "boat 1",
    "boat2": "boat 2",
    "loose": "loose",
}


def draw(scene: Scene) -> RenderableType:
    seen, market = scene.seen, scene.seen["market"]
    stall = Text.assemble(_runes("red", market["red"]), " ", _runes("blue", market["blue"]))
    stall.append(f" {market['boats']} boats {market['bandits']} bandits")
    top = [
        fact("market", stall),
        fact("a boat or bandit costs", f"{seen['price']} runes of a colour"),
        pile("main", seen["main"]),
        pile("discard", len(seen["discard"]), seen["discard"][-1] if seen["discard"] else None),
        fact("interest due", _due(seen)) if seen["due_red"] or seen["due_blue"] else None,
        fact("played this turn", seen["played"]) if seen["played"] else None,
    ]
    rows: list[tuple[int, list[Text | str]]] = [
        (
            seat,
            [
                Text(str(seen["points"][seat]), style="bold"),
                str(seen["hand_sizes"][seat]),
                _shelter("red", it["red"]),
                _shelter("blue", it["blue"]),
                _boat(it["boat1"]),
                _boat(it["boat2"]),
                Text.assemble(_runes("red", it["loose_red"]), " ", _runes("blue", it["loose_blue"])),
            ],
        )
        for seat, it in enumerate(seen["holdings"])
    ]
    heads = ("points", "hand", "red house", "blue house", "boat 1", "boat 2", "loose")
    parts: list[RenderableType] = [facts(scene, top), *_doings(scene)]
    if hand := row_of("your hand", seen["hand"], scene.width):
        parts.append(hand)
    return Group(*parts, seat_table(scene, heads, rows))


def _due(seen: Mapping[str, Any]) -> Text:
    return Text.assemble(_runes("red", seen["due_red"]), " ", _runes("blue", seen["due_blue"]))


def _runes(colour: str | None, count: int) -> Text:
    paint = PAINT.get(colour or "", PAINT["grey"])
    return Text(f"{count} {colour or 'runes'}" if count else "", style=f"bold {paint}")


def _shelter(colour: str, it: Mapping[str, Any] | None) -> Text:
    if it is None:
        return Text("–", style="dim")
    text = Text.assemble(("⌂", "bold"), _runes(colour, it["runes"]))
    if it["boat"]:
        text.append(" boat", "cyan")
    if it["bandit"] is not None:
        text.append(" bandit!", "bold red")
    return text


def _boat(it: Mapping[str, Any] | None) -> Text:
    if it is None:
        return Text("–", style="dim")
    return Text.assemble("boat ", _runes(it["colour"], it["runes"]))


def _doings(scene: Scene) -> list[Text]:
    seen, found = scene.seen, []
    if seen["attack"] is not None:
        it = seen["attack"]
        found.append(
            Text.assemble(
                f"{scene.name(it['attacker'])} attacks {scene.name(it['seat'])} with ", chip(it["card"])
            )
        )
    if seen["theft"] is not None:
        found.append(Text("A theft: choose what is stolen.", style="magenta"))
    found += [with_card(f"{scene.name(it['seat'])} shows", it["card"]) for it in seen["shown"]]
    tie = seen["tie"]
    if tie is not None:
        tied = " and ".join(scene.name(seat) for seat in tie["tied"])
        signs = ", ".join(f"{scene.name(seat)} {plain(it)}" for seat, it in enumerate(tie["revealed"]) if it)
        found.append(Text(f"A tie between {tied}: throw a sign. {signs}", style="bold yellow"))
    for seat, hand in enumerate(seen["open_hands"]):
        if hand:
            found.append(fact(f"{scene.name(seat)} shows", between(" ", cards(hand))))
    return found


def status(scene: Scene) -> str:
    return {
        "interest": "collect your interest", "purchase": "buy, play cards, or end the turn",
        "cards": "play cards, or end the turn", "duel": "defend, or give up", "theft": "choose what to steal",
        "throw": "throw scissors, stone or paper",
    }.get(scene.seen["phase"], "")  # fmt: skip


def label(scene: Scene, _move: str, key: str, value: Any) -> Text | None:
    if key in ("place", "into", "boat_into") and isinstance(value, str):
        return Text(PLACES.get(value, plain(value)))
    if key == "into" and isinstance(value, Mapping):
        said = ", ".join(f"{colour} into {PLACES.get(str(to), to)}" for colour, to in value.items())
        return Text(said or "wherever there is space")
    if isinstance(value, Mapping) and {"red", "blue"} <= value.keys():
        return Text(f"{value['red']} red and {value['blue']} blue")
    if isinstance(value, Mapping) and {"seat", "rune"} <= value.keys():
        rune = value["rune"]
        colour = f"{rune['colour']} rune" if "colour" in rune else "rune"
        return Text(f"{scene.name(value['seat'])}'s {colour} in {PLACES.get(rune['place'], rune['place'])}")
    if isinstance(value, Mapping) and {"seat", "place"} <= value.keys():
        return Text(f"{scene.name(value['seat'])}'s {PLACES.get(value['place'], value['place'])}")
    if isinstance(value, Mapping) and {"colour", "runes", "place"} <= value.keys():
        return Text(
            f"{value['runes']} {value['colour']} into the {PLACES.get(value['place'], value['place'])}"
        )
    if key == "runes" and isinstance(value, list | tuple):
        return Text(", ".join(_rune_place(it) for it in value))
    return None


def _rune_place(it: Any) -> str:
    if isinstance(it, Mapping):
        return f"{it.get('colour', '')} from {PLACES.get(str(it.get('place')), str(it.get('place')))}".strip()
    return PLACES.get(str(it), plain(it))
