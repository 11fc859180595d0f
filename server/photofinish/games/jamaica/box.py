"""The components: the shipped board and cards or the host's own. They are checked when the games are loaded."""

from collections.abc import Iterator
from functools import cache, cached_property
from pathlib import Path
from typing import Annotated, Literal, TypeAlias

import msgspec
from msgspec import Meta

from photofinish.engine import Record
from photofinish.engine.decks.components import BrokenComponents, find, load
from photofinish.games.jamaica.chart import Chart, Space, chart_faults
from photofinish.games.jamaica.state import (
    HOLDS,
    LADY_BETH,
    MAP,
    SABRE,
    SIXTH_HOLD,
    Action,
    JamaicaOptions,
    Shortage,
)

FOLDER = Path(__file__).parent / "components"
BOARD = FOLDER / "jamaica_board.toml"
CARDS = FOLDER / "jamaica_cards.toml"
SEATS = range(2, 7)
STAR = "star"

Count: TypeAlias = Annotated[int, Meta(ge=0, le=999)]
Faults: TypeAlias = Iterator[tuple[str, str]]


class ActionCard(Record, frozen=True, forbid_unknown_fields=True):
    id: Annotated[int, Meta(ge=0, le=99)]
    morning: Action
    evening: Action


class TreasureCard(Record, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    id: str
    type: Literal["power", "treasure", "cursed"]
    points: int = 0
    hand_size: int | None = None
    combat_bonus: int | None = None


class DieFace(Record, frozen=True, forbid_unknown_fields=True):
    """One face of the die that is rolled for battles and for shortages."""

    combat: str
    shortage: Shortage

    @property
    def is_star(self) -> bool:
        return self.combat == STAR


class _Meta(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    spaces: Count
    sea: Count
    ports: Count
    lairs: Count
    port_royal: Count
    shortest_lap: Count
    longest_lap: Count
    red_line_between: tuple[tuple[int, int], ...]
    forks: tuple[int, ...]
    merges: tuple[int, ...]


class _Board(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    spaces: Annotated[tuple[Space, ...], Meta(min_length=2, max_length=200)]
    meta: _Meta


class _Dice(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    action_dice: Literal[2]
    action_faces: Annotated[tuple[Annotated[int, Meta(ge=1, le=12)], ...], Meta(min_length=1, max_length=20)]


class _Tokens(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    doubloons: Count
    food: Count
    gunpowder: Count
    treasure_tokens: Count


class _Setup(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    holds: int
    start_food: Count
    start_gold: Count
    hand: Annotated[int, Meta(ge=1, le=9)]
    treasure_cards_in_play: Count
    treasure_cards_returned_unseen: Count
    colours: Literal[6]


class _GhostShip(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    doubloons: Annotated[tuple[Annotated[int, Meta(ge=1, le=99)], ...], Meta(max_length=HOLDS)]
    has_lady_beth: Literal[True]
    treasure_cards_left: Count
    treasure_cards_in_play: Count
    note: str = ""


class _Cards(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    action_cards: tuple[ActionCard, ...]
    treasure_cards: tuple[TreasureCard, ...]
    combat_shortage_die: Annotated[tuple[DieFace, ...], Meta(min_length=1, max_length=20)]
    dice: _Dice
    tokens: _Tokens
    setup: _Setup
    two_player_ghost_ship: _GhostShip


class Box(msgspec.Struct, frozen=True, dict=True):
    """The board as a chart, the cards by id, the dice, and the numbers for the setup."""

    chart: Chart
    actions: tuple[ActionCard, ...]
    treasures: tuple[TreasureCard, ...]
    die: tuple[DieFace, ...]
    faces: tuple[int, ...]
    hand: int
    in_play: int
    ghost_gold: tuple[int, ...]

    @cached_property
    def action(self) -> dict[int, ActionCard]:
        return {card.id: card for card in self.actions}

    @cached_property
    def treasure(self) -> dict[str, TreasureCard]:
        return {card.id: card for card in self.treasures}

    @cached_property
    def map_hand(self) -> int:
        """The hand limit of Morgan's Map (J38)."""
        return self.treasure[MAP].hand_size or self.hand

    @cached_property
    def beth_bonus(self) -> int:
        return self.treasure[LADY_BETH].combat_bonus or 0


@cache
def the_box() -> Box:
    board, cards = load(BOARD, _Board), load(CARDS, _Cards)
    for key, reason in _board_faults(board, cards.dice.action_faces):
        raise BrokenComponents(find(BOARD), key, reason)
    chart = Chart(board.spaces)
    for key, reason in _card_faults(cards, len(chart.lairs)):
        raise BrokenComponents(find(CARDS), key, reason)
    return Box(
        chart,
        cards.action_cards,
        cards.treasure_cards,
        cards.combat_shortage_die,
        cards.dice.action_faces,
        cards.setup.hand,
        cards.setup.treasure_cards_in_play,
        cards.two_player_ghost_ship.doubloons,
    )


def _board_faults(board: _Board, faces: tuple[int, ...]) -> Faults:
    """All faults, in the order of the file. Only the first is reported. J1: the file decides."""
    yield from chart_faults(board.spaces, faces)
    spaces, meta, chart = board.spaces, board.meta, Chart(board.spaces)
    counted = {
        "spaces": len(spaces),
        "sea": sum(space.kind == "sea" for space in spaces),
        "ports": sum(space.kind == "port" for space in spaces),
        "lairs": len(chart.lairs),
        "port_royal": chart.port_royal,
        "shortest_lap": chart.shortest_lap,
        "longest_lap": chart.longest_lap,
        "forks": tuple(space.id for space in spaces if len(space.next) > 1),
        "merges": tuple(space.id for space in spaces if len(space.prev) > 1),
    }
    for key, value in counted.items():
        if getattr(meta, key) != value:
            shown = list(value) if isinstance(value, tuple) else value
            yield f"meta.{key}", f"the spaces say {shown}"
    line = {
        (space.id, after)
        for space in spaces
        for after in space.next
        if after != chart.port_royal and space.is_before_the_line and not spaces[after].is_before_the_line
    }
    if set(meta.red_line_between) != line:
        yield "meta.red_line_between", "not where the scores leave −5 behind"


def _card_faults(cards: _Cards, lairs: int) -> Faults:
    setup, ghost, treasures = cards.setup, cards.two_player_ghost_ship, cards.treasure_cards
    ids = [card.id for card in cards.action_cards]
    printed = [action for card in cards.action_cards for action in (card.morning, card.evening)]
    if len(set(ids)) != len(ids):
        yield "action_cards", "every id must be there once"
    if printed.count("forward") <= printed.count("backward"):
        yield "action_cards", "more must sail forward than backward, or no race ends"
    yield from _treasure_faults(treasures, setup.hand, len(ids))
    for place, face in enumerate(cards.combat_shortage_die):
        if not face.is_star and not (
            face.combat.isascii() and face.combat.isdigit() and len(face.combat) < 4
        ):
            yield f"combat_shortage_die[{place}].combat", 'must be a number in quotes, or "star"'
    if cards.tokens.treasure_tokens != lairs:
        yield "tokens.treasure_tokens", f"the board has {lairs} lairs"
    if setup.holds != HOLDS:
        yield "setup.holds", f"a ship has {HOLDS} holds"
    defaults = JamaicaOptions()
    for key in ("start_food", "start_gold"):
        if getattr(setup, key) != getattr(defaults, key):
            yield (
                f"setup.{key}",
                f"the option {key} sets this for a table; here it stays {getattr(defaults, key)}",
            )
    if setup.treasure_cards_in_play != cards.tokens.treasure_tokens:
        yield "setup.treasure_cards_in_play", "one card for each treasure token"
    if setup.treasure_cards_in_play > len(treasures) - 1:
        yield "setup.treasure_cards_in_play", "more than there are without Lady Beth"
    if setup.treasure_cards_returned_unseen != len(treasures) - setup.treasure_cards_in_play:
        yield "setup.treasure_cards_returned_unseen", "not what is left of the treasure cards"
    if ghost.treasure_cards_left != len(treasures) - 1:
        yield "two_player_ghost_ship.treasure_cards_left", "all but Lady Beth"
    if ghost.treasure_cards_in_play != setup.treasure_cards_in_play:
        yield "two_player_ghost_ship.treasure_cards_in_play", "as many as without the Ghost Ship"


def _treasure_faults(treasures: tuple[TreasureCard, ...], hand: int, cards: int) -> Faults:
    ids = [card.id for card in treasures]
    if len(set(ids)) != len(ids):
        yield "treasure_cards", "every id must be there once"
    powers = sorted(card.id for card in treasures if card.type == "power")
    if powers != sorted((MAP, SABRE, LADY_BETH, SIXTH_HOLD)):
        yield "treasure_cards", f"the powers are {MAP}, {SABRE}, {LADY_BETH} and {SIXTH_HOLD}, once each"
    for place, card in enumerate(treasures):
        key = f"treasure_cards[{place}]"
        sign = {"power": 0, "treasure": 1, "cursed": -1}[card.type]
        if (card.points > 0) - (card.points < 0) != sign or abs(card.points) > 99:
            yield f"{key}.points", "above 0 for a treasure, below 0 for a cursed one, none for a power"
        if (card.hand_size is not None) != (card.id == MAP):
            yield f"{key}.hand_size", f"belongs to {MAP} alone"
        if card.hand_size is not None and not hand <= card.hand_size < cards - 1:
            yield f"{key}.hand_size", "must be at least the hand, and leave two cards"
        if (card.combat_bonus is not None) != (card.id == LADY_BETH):
            yield f"{key}.combat_bonus", f"belongs to {LADY_BETH} alone"
