"""The layout of each game. A game without a file here is drawn by `draw.py`."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from pkgutil import iter_modules
from typing import Any, Final

from rich.console import RenderableType
from rich.text import Text

from photofinish_client.terminal.draw import draw as draw_any
from photofinish_client.terminal.scene import Scene
from photofinish_client.terminal.words import Speaker, plain

UNFIT: Final = (KeyError, TypeError, IndexError, AttributeError, ValueError, StopIteration)
"""The exceptions of a layout when the view is of another version of its game."""


@dataclass(frozen=True, slots=True)
class Layout:
    """The functions that a file of this folder may define; each of them is optional."""

    draw: Callable[[Scene], RenderableType] | None = None
    status: Callable[[Scene], str] | None = None
    """What the awaited seat must do, as a part of a sentence."""
    trigger: Callable[[Scene], Text] | None = None
    """What a race is about, in a few words."""
    order: Callable[[Scene], str] | None = None
    """What to do in the race, if it is not simply one of its moves."""
    label: Callable[[Scene, str, str, Any], Text | None] | None = None


@cache
def layout_of(game: str) -> Layout:
    if game not in {it.name for it in iter_modules(__path__)}:
        return Layout()
    module = import_module(f"{__name__}.{game}")
    return Layout(
        **{key: getattr(module, key, None) for key in ("draw", "status", "trigger", "order", "label")}
    )


def draw(scene: Scene) -> RenderableType:
    """Draw the table with the layout of its game, or with `draw.py` if there is no fitting layout."""
    made = layout_of(scene.view.game).draw
    if made is not None:
        try:
            return made(scene)
        except UNFIT:
            pass
    return draw_any(scene.view, scene.room, scene.width, scene.keys)


def status(scene: Scene) -> Text:
    """The seats that are awaited, and for what."""
    seats = scene.awaited
    said = layout_of(scene.view.game).status
    try:
        what = said(scene) if said is not None else plain(scene.seen.get("phase", scene.seen.get("step", "")))
    except UNFIT:
        what = ""
    if scene.you in seats:
        line = Text("Your turn", style="bold")
    elif seats:
        line = Text("waiting for " + ", ".join(scene.name(seat) for seat in seats))
    else:
        line = Text("")
    return line.append(f"{': ' if line else ''}{what}" if what else "")


def trigger(scene: Scene) -> Text:
    """What the open race is about."""
    race = scene.view.race
    layout = layout_of(scene.view.game)
    moves = [plain(it) for it in race.moves if it not in race.closers] if race else []
    order, about = " or ".join(moves) or "be quick", Text("")
    try:
        order = layout.order(scene) if layout.order is not None else order
        about = layout.trigger(scene) if layout.trigger is not None else about
    except UNFIT:
        pass
    return Text.assemble(f"RACE: {order}!  ", about)


def speaker_of(scene: Scene) -> Speaker:
    """Formats the picks of this game's moves."""
    said = layout_of(scene.view.game).label

    def label(move: str, key: str, value: Any) -> Text | None:
        try:
            return said(scene, move, key, value) if said is not None else None
        except UNFIT:
            return None

    return Speaker(scene.names, scene.seen, label)
