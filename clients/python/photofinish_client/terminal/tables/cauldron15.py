"""Cauldron 15: the cauldron in the middle with its sum, one row for each player."""

from typing import Final

from rich.console import Group, RenderableType
from rich.text import Text

from photofinish_client.terminal.scene import Scene
from photofinish_client.terminal.tables.parts import cards, fact, facts, pile, row_of, seat_table, with_card
from photofinish_client.terminal.words import between, chip, flow, plain

KINDS: Final = ("ore", "plant", "organism", "liquid", "soul")


def draw(scene: Scene) -> RenderableType:
    seen = scene.seen
    top = [
        fact("round", f"{seen['round']} of {seen['rounds']}"),
        fact("trick", seen["tricks"] + 1),
        fact("trump", chip({"kind": seen["trump"]["kind"]})),
        pile("deck", seen["deck_size"]),
        pile("discards", seen["discards_size"]),
    ]
    rows = [
        (
            seat,
            [
                Text(str(seen["hand_sizes"][seat])),
                Text(str(seen["totals"][seat]), style="bold"),
                _gathered(scene, seat),
                between(" ", cards(seen["before"][seat])),
            ],
        )
        for seat in scene.seats
    ]
    parts: list[RenderableType] = [facts(scene, top), _cauldron(scene)]
    if hand := row_of("your hand", seen["hand"], scene.width):
        parts.append(hand)
    if seen["spend"]:
        parts.append(flow([Text("you spend", style="dim"), *cards(seen["spend"])], scene.width))
    parts.append(seat_table(scene, ("hand", "points", "sets · bonus", "cards before you"), rows))
    if seen["last_trick"]:
        parts.append(_last(scene))
    return Group(*parts)


def _cauldron(scene: Scene) -> Text:
    """The trick, card by card, and how full the cauldron is."""
    seen = scene.seen
    used, limit = seen["sum"], seen["limit"]
    bar = "█" * min(used, limit) + "░" * max(0, limit - used)
    line = Text.assemble(
        ("cauldron ", "dim"), (bar, "red" if used > limit else "green"), (f" {used}/{limit} ", "bold")
    )
    if seen["led"]:
        line.append_text(fact(" led", plain(seen["led"])))
    played = [
        Text.assemble(f"{scene.name(it['seat']) if it['seat'] is not None else 'deck'} ", chip(it["card"]))
        for it in seen["trick"]
    ]
    may = fact("to take", between(" ", cards(seen["may_take"]))) if seen["may_take"] else None
    return flow([line, *played, *([may] if may else [])], scene.width, "  ")


def _gathered(scene: Scene, seat: int) -> Text:
    seen = scene.seen
    text = Text(str(seen["sets"][seat]))
    text.append(f" · {seen['bonuses_used'][seat]} used {seen['bonuses_kept'][seat]} kept", "dim")
    if seen["answered"][seat]:
        text.append(" answered", "green")
    return text


def _last(scene: Scene) -> Text:
    it = scene.seen["last_trick"]
    who = scene.name(it["taker"]) if it["taker"] is not None else "nobody"
    line = Text.assemble(("last trick ", "dim"), between(" ", cards(x["card"] for x in it["cards"])), " ")
    return line.append_text(with_card(f"to {who}", it["taken"], " who took "))


def status(scene: Scene) -> str:
    return {
        "play": "play a card", "take": "take a card of the trick", "bonus": "use the bonus or not",
        "spend": "spend kept bonuses",
    }.get(scene.seen["phase"], plain(scene.seen["phase"]))  # fmt: skip
