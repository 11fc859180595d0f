"""Jamaica: the ships with their holds, your cards, and the course round the island with the ships on it."""

from collections.abc import Mapping, Sequence
from typing import Any, Final

from rich.console import Group, RenderableType
from rich.text import Text

from photofinish_client.terminal.scene import Scene
from photofinish_client.terminal.tables.jamaica_map import course, ship_mark
from photofinish_client.terminal.tables.parts import fact, facts, seat_table
from photofinish_client.terminal.words import NATURAL, PAINT, between, flow, plain

PAID_IN: Final = {"port": "gold", "sea": "food"}
HOLD: Final = {"food": "F", "gold": "G", "gunpowder": "P"}
ACTIONS: Final = {
    "gold": "gold", "food": "food", "gunpowder": "powder", "forward": "forward ▶", "backward": "◀ backward",
}  # fmt: skip


def draw(scene: Scene) -> RenderableType:
    seen = scene.seen
    top = [
        fact("day", seen["round"]),
        fact("captain", scene.name(seen["captain"])),
        _dice(seen),
        fact("acting", _ship_name(scene, seen["acting"])) if seen["acting"] is not None else None,
        fact("half", seen["half"]) if seen["half"] else None,
        fact("to pay", f"{seen['cost']['count']} {plain(seen['cost']['resource'])}")
        if seen["cost"]
        else None,
        fact("shortage", plain(seen["shortage"])) if seen["shortage"] else None,
        fact("treasure cards left", seen["treasure_pile"]),
    ]
    parts: list[RenderableType] = [facts(scene, top)]
    if seen["hand"]:
        parts.append(flow([Text("your cards", style="dim"), *map(card, seen["hand"])], scene.width, "  "))
    if seen["choice"]:
        parts.append(fact("you chose", card(seen["choice"])))
    if seen["battle"]:
        parts.append(_battle(scene, seen["battle"]))
    ghost = [it for it in seen["ships"] if it["ship"] == "ghost"]
    rows = [(seat, _ship(scene, seen["ships"][seat], seen["players"][seat])) for seat in scene.seats]
    parts.append(seat_table(scene, ("ship", "at", "to go", "holds +treasures", "cards"), rows))
    parts += [
        facts(scene, [fact("Ghost Ship", _holds(it["holds"])), fact("at", it["space"])]) for it in ghost
    ]
    parts.append(course(scene))
    return Group(*parts)


def _dice(seen: Mapping[str, Any]) -> Text:
    if seen["morning"] is None:
        return fact("dice", f"{seen['dice'][0]} and {seen['dice'][1]}")
    return Text.assemble(fact("morning", seen["morning"]), " ", fact("evening", seen["evening"]))


def card(it: Mapping[str, Any]) -> Text:
    """An action card: what it does in the morning, then in the evening."""
    morning, evening = (ACTIONS.get(it[half], plain(it[half])) for half in ("morning", "evening"))
    return Text.assemble(
        (f" {morning}", "bold black on #e0b02c"),
        ("│", "black on #a9815a"),
        (f"{evening} ", "bold white on #30408c"),
    )


def _ship(scene: Scene, ship: Mapping[str, Any], player: Mapping[str, Any]) -> list[Text | str]:
    holds = _holds(ship["holds"])
    treasures = len(ship["treasures"])
    if treasures:
        holds.append(f" +{treasures}★", "magenta")
    if player["played"]:
        said = card(player["played"])
    else:
        said = (
            Text("chosen", style="green")
            if player["chosen"]
            else Text(f"{player['hand_size']} in hand", style="dim")
        )
    where = "home" if ship["finished"] else _space(scene, ship["space"], short=True)
    return [ship_mark(ship), where, str(ship["to_go"]), holds, said]


def _holds(holds: Sequence[Mapping[str, Any]]) -> Text:
    """`3F 4G 2P –` from the left: food, gold, powder, an empty hold."""
    said = [
        Text("–", style="dim")
        if it["resource"] is None
        else Text(f"{it['count']}{HOLD[it['resource']]}", style=PAINT[NATURAL[it["resource"]]])
        for it in holds
    ]
    return between(" ", said)


def _hold(it: Mapping[str, Any]) -> Text:
    if it["resource"] is None:
        return Text("empty", style="dim")
    return Text(f"{it['count']} {it['resource']}", style=PAINT[NATURAL[it["resource"]]])


def _battle(scene: Scene, it: Mapping[str, Any]) -> Text:
    line = Text("Battle: ", style="bold red")
    for who, shot in (("attacker", "attack"), ("defender", "defence")):
        line.append(_ship_name(scene, it[who]))
        if it[shot] is not None:
            power = "star" if it[shot]["firepower"] is None else str(it[shot]["firepower"])
            line.append(f" {power} (die {it[shot]['die']} + {it[shot]['powder']} powder)", "bold")
        line.append(" against " if who == "attacker" else "")
    if it["winner"] is not None:
        line.append(f". {_ship_name(scene, it['winner'])} won", "bold yellow")
    return line


def _ship_name(scene: Scene, ship: object) -> str:
    return "the Ghost Ship" if ship == "ghost" else scene.name(ship)


def _space(scene: Scene, number: int, *, short: bool = False) -> str:
    it = scene.seen["board"][number]
    kind = plain(it["kind"]).title() if it["kind"] == "port_royal" else plain(it["kind"])
    if short:
        return f"{number} {kind}"
    cost = f", costs {it['cost']} {PAID_IN[it['kind']]}" if it["cost"] and it["kind"] in PAID_IN else ""
    treasure = ", a treasure" if number in scene.seen["tokens"] else ""
    others = [_ship_name(scene, ship["ship"]) for ship in scene.seen["ships"] if ship["space"] == number]
    there = f", with {' and '.join(others)}" if others and it["kind"] != "port_royal" else ""
    return f"space {number}: {kind}{cost}{treasure}{there}"


def status(scene: Scene) -> str:
    return {
        "dice": "put one die on morning, the other on evening", "choose": "choose a card for this day",
        "load": "load the goods into a hold", "move": "choose where the ship goes", "attack": "choose whom to fight",
        "fire": "spend gunpowder for the roll", "sabre": "Saran's Sabre: have the roll made again, or not",
        "spoils": "the winner chooses", "pay": "pay for the space", "ghost_move": "move the Ghost Ship",
    }.get(scene.seen["phase"], "")  # fmt: skip


def label(scene: Scene, move: str, key: str, value: Any) -> Text | None:
    seen = scene.seen
    if key == "card":
        return next(card(it) for it in seen["hand"] if it["id"] == value)
    if key == "to":
        return Text(_space(scene, value))
    if key == "ship":
        return Text(_ship_name(scene, value))
    if key == "morning":
        return Text(f"{seen['dice'][value]} in the morning, {seen['dice'][1 - value]} in the evening")
    if key == "hold" and move == "load":
        return Text.assemble(f"hold {value} ", _hold(seen["ships"][scene.you]["holds"][value]))
    if isinstance(value, Mapping) and {"hold", "into"} <= value.keys():
        return Text(f"hold {value['hold']} into your hold {value['into']}")
    if isinstance(value, Mapping) and {"direction", "to"} <= value.keys():
        return Text(f"{value['direction']} to {_space(scene, value['to'])}")
    return None
