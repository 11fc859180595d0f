"""Reflex: the light, then one row per player."""

from typing import Any, Final

from rich.console import Group, RenderableType
from rich.text import Text

from photofinish_client.terminal.scene import Scene
from photofinish_client.terminal.tables.parts import LINE, fact, facts, seat_table
from photofinish_client.terminal.words import INK, PAINT

LIGHTS: Final = {"go": ("GREEN", PAINT["green"]), "stop": ("RED", PAINT["red"])}


def draw(scene: Scene) -> RenderableType:
    seen = scene.seen
    options = seen["options"]
    top = [
        fact("light", f"{seen['flash']} of {options['flashes']}"),
        fact("a false start costs", options["false_start_cost"]),
        fact("red lights", f"{options['stop_percent']} %") if options["stop_percent"] else None,
    ]
    rows = [
        (
            seat,
            [
                Text(str(seen["points"][seat]), style="bold"),
                Text(str(seen["winners"].count(seat))),
                Text(str(seen["false_starts"][seat] or "")),
                Text(str(seen["wrong"][seat] or "")),
                _now(seen, seat),
            ],
        )
        for seat in scene.seats
    ]
    heads = ("points", "lights won", "false starts", "at red", "")
    return Group(facts(scene, top), _light(seen), seat_table(scene, heads, rows))


def _light(seen: Any) -> Text:
    if seen["phase"] != "lit" or seen["light"] is None:
        return Text("\n  ░░░░░░░░░░  dark\n", style=LINE)
    word, paint = LIGHTS[seen["light"]["sign"]]
    return Text.assemble("\n  ", ("          ", f"on {paint}"), (f"  {word}\n", f"bold {paint}"))


def _now(seen: Any, seat: int) -> Text:
    if seat in seen["out"]:
        return Text("false start: misses this light", style="red")
    if seat in seen["pressed"]:
        return Text(f"pressed as number {seen['pressed'].index(seat) + 1}", style="green")
    return Text("")


def status(scene: Scene) -> str:
    seen = scene.seen
    if scene.you in seen["out"]:
        return "you pressed in the dark and miss the next light"
    return "wait for the light" if seen["phase"] == "dark" else ""


def order(scene: Scene) -> str:
    light = scene.seen["light"]
    return "do not press" if light is not None and light["sign"] == "stop" else "press"


def trigger(scene: Scene) -> Text:
    light = scene.seen["light"]
    if light is None:
        return Text("")
    word, paint = LIGHTS[light["sign"]]
    return Text(f" {word} ", style=f"bold {INK} on {paint}")
