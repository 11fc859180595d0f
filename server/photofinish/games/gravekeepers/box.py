"""The components: the shipped cards or the host's own. They are checked when the games are loaded."""

from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Annotated, Literal, TypeAlias, get_args

import msgspec

from photofinish.engine.decks.components import BrokenComponents, find, load
from photofinish.games.gravekeepers.state import COLOURS, SIDE, SYMBOLS, Colour, Ghost, Symbol

SHIPPED = Path(__file__).parent / "components" / "gravekeepers_cards.toml"
SEATS = range(2, 5)

Effect: TypeAlias = Literal[
    "add_white", "add_black", "move_white", "move_black",
    "relocate_white", "relocate_black", "flip_white", "flip_black",
]  # fmt: skip
Icon: TypeAlias = Literal["keeper_white", "keeper_black", "ghost_white", "ghost_black"]
FaceId: TypeAlias = Literal["circle", "diamond", "triangle", "square", "star_white", "star_black"]
Points: TypeAlias = Annotated[int, msgspec.Meta(ge=0, le=99)]

FACES: dict[FaceId, Ghost] = {
    "circle": Ghost("white", "circle"),
    "diamond": Ghost("black", "diamond"),
    "triangle": Ghost("white", "triangle"),
    "square": Ghost("black", "square"),
    "star_white": Ghost("white", "star"),
    "star_black": Ghost("black", "star"),
}


class Plot(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A cemetery card."""

    id: int
    setup_icon: Icon | None = None
    white_effect: Effect | None = None
    black_effect: Effect | None = None

    def effect(self, colour: Colour) -> Effect | None:
        return self.white_effect if colour == "white" else self.black_effect


class _Face(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    id: FaceId
    mark: str
    colour: Colour
    count: Points
    penalty: Points
    order: int
    effect: Literal["flip_own_one_of", "discard_own_face_down"]
    targets: tuple[FaceId, ...] = ()
    group: str = ""


class _Dawn(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    cards: tuple[Colour, ...]
    bottom_packet: Annotated[int, msgspec.Meta(ge=1, le=20)]


class _Scoring(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    face_down_penalty: Points
    face_down_order: int
    kinds_penalty: Annotated[tuple[Points, ...], msgspec.Meta(min_length=7, max_length=7)]
    sole_majority_only: Literal[True]


class _Setup(msgspec.Struct, frozen=True):
    hand_white: Literal[1]
    hand_black: Literal[1]
    rows: Literal[4]
    cols: Literal[4]
    ghosts_on_board: int


class _File(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    ghost_symbols: tuple[_Face, ...]
    cemetery: tuple[Plot, ...]
    dawn: _Dawn
    scoring: _Scoring
    setup: _Setup
    effects: dict[Effect, str]


class Rule(msgspec.Struct, frozen=True):
    """The cost for the only seat with the most of a symbol, and the effect it may use then (G29, G30)."""

    symbol: Symbol
    points: int
    turns_down: tuple[Ghost, ...]
    """Which own ghosts may be turned face down. Empty for the star, which discards a face-down ghost."""


class Box(msgspec.Struct, frozen=True):
    ghosts: tuple[Ghost, ...]
    plots: tuple[Plot, ...]
    rules: tuple[Rule, ...]
    packet: int
    face_down_points: int
    kinds_points: tuple[int, ...]
    effects: dict[Effect, str]

    def plot(self, number: int) -> Plot:
        return next(plot for plot in self.plots if plot.id == number)


@cache
def the_box() -> Box:
    file = load(SHIPPED, _File)
    for key, reason in _faults(file):
        raise BrokenComponents(find(SHIPPED), key, reason)
    ghosts = tuple(FACES[face.id] for face in file.ghost_symbols for _ in range(face.count))
    by_symbol = {FACES[face.id].symbol: face for face in file.ghost_symbols}
    rules = tuple(
        Rule(symbol, face.penalty, tuple(FACES[target] for target in face.targets))
        for symbol, face in ((symbol, by_symbol[symbol]) for symbol in SYMBOLS)
    )
    scoring = file.scoring
    return Box(
        ghosts,
        file.cemetery,
        rules,
        file.dawn.bottom_packet,
        scoring.face_down_penalty,
        scoring.kinds_penalty,
        file.effects,
    )


def _faults(file: _File) -> Iterator[tuple[str, str]]:
    """All faults, in the order of the file. Only the first is reported."""
    yield from _ghost_faults(file)
    icons = [str(plot.setup_icon) for plot in file.cemetery]
    if len(file.cemetery) != SIDE * SIDE or len({plot.id for plot in file.cemetery}) != SIDE * SIDE:
        yield "cemetery", "there must be 16 cards with 16 ids"
    for colour in COLOURS:
        if icons.count(f"keeper_{colour}") != 1:
            yield "cemetery", f"one card, and one only, has the icon keeper_{colour}"
        ghosts = sum(face.count for face in file.ghost_symbols if face.colour == colour)
        above = ghosts - SEATS[-1] - (file.dawn.bottom_packet - 1)
        if icons.count(f"ghost_{colour}") > above:  # G6: no dawn card may turn up
            yield "cemetery", f"{colour} has too many ghost icons for its pile"
    if sorted(file.dawn.cards) != sorted(COLOURS):
        yield "dawn.cards", "one dawn card per colour"
    if file.scoring.face_down_order != len(SYMBOLS) + 1:
        yield "scoring.face_down_order", "face-down ghosts are scored after the five symbols"
    if file.setup.ghosts_on_board != sum(icon in {"ghost_white", "ghost_black"} for icon in icons):
        yield "setup.ghosts_on_board", "not the number of ghost icons"
    if set(file.effects) != set(get_args(Effect)):
        yield "effects", "each of the eight effects needs its sentence"


def _ghost_faults(file: _File) -> Iterator[tuple[str, str]]:
    if sorted(face.id for face in file.ghost_symbols) != sorted(FACES):
        yield "ghost_symbols", f"each of {', '.join(FACES)} must be there once"
    for place, face in enumerate(file.ghost_symbols):
        key, ghost = f"ghost_symbols[{place}]", FACES[face.id]
        if face.colour != ghost.colour:
            yield f"{key}.colour", f"{face.id} is {ghost.colour}"
        if face.order != SYMBOLS.index(ghost.symbol) + 1:  # G28
            yield f"{key}.order", f"{face.id} is scored as number {SYMBOLS.index(ghost.symbol) + 1}"
        if (face.effect == "flip_own_one_of") != bool(face.targets):
            yield f"{key}.targets", "a flip needs targets, a discard has none"
    stars = [face for face in file.ghost_symbols if face.id in {"star_white", "star_black"}]
    if len({(face.penalty, face.effect, face.targets) for face in stars}) > 1:
        yield "ghost_symbols", "both stars are one symbol: same penalty, same effect"
