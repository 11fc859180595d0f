"""A cemetery laid out by hand. Ghosts are written as `"white circle"`, a dawn card in a pile as `"dawn"`."""

from collections.abc import Mapping, Sequence

from photofinish.engine import Rng, Seat, TableSetup, replace
from photofinish.games.gravekeepers import GAME
from photofinish.games.gravekeepers.box import the_box
from photofinish.games.gravekeepers.state import (
    Declare,
    Decline,
    Draw,
    Drop,
    Final,
    Flip,
    Ghost,
    GravekeepersOptions,
    Lying,
    MoveKeeper,
    Place,
    Relocate,
    State,
    TurnDown,
    in_order,
)
from tests.games.by_hand import ByHand

CHANCE = b"a fixed chance for the tests"
_BY_HAND = ByHand(GAME, CHANCE)
act, wait, refused = _BY_HAND.act, _BY_HAND.wait, _BY_HAND.refused

# Cards that do nothing under the white keeper, and such that do nothing under the black one.
BLANK_WHITE = (8, 14, 16)
BLANK_BLACK = (7, 13, 15)


def ghost(text: str) -> Ghost:
    colour, symbol = text.split()
    return Ghost(colour, symbol)


def ghosts(*texts: str) -> tuple[Ghost, ...]:
    return tuple(ghost(text) for text in texts)


def fresh(seats: int = 2, key: bytes = CHANCE, **options: object) -> State:
    return GAME.setup(TableSetup(seats, GravekeepersOptions(**options)), Rng(key, 0))


def laid(
    *hands: Sequence[str],
    row: Sequence[int] = (*BLANK_WHITE, 1),
    keepers: tuple[int, int] = (0, 3),
    up: Mapping[tuple[int, int], str] | None = None,
    down: Mapping[tuple[int, int], str] | None = None,
    white: Sequence[str] = ("white circle",) * 9,
    black: Sequence[str] = ("black square",) * 9,
    dawns: tuple[bool, bool] = (False, False),
    col: Sequence[int] = (),
    **options: object,
) -> State:
    """Seat 0 begins. `row` lies in row 1 from the left; `col`, if given, in column 1 from the bottom."""
    state = fresh(len(hands), **options)
    if col:
        ids = {(3 - step) * 4 + 1: number for step, number in enumerate(col)}
    else:
        ids = {4 + place: number for place, number in enumerate(row)}
    others = iter(plot.id for plot in the_box().plots if plot.id not in ids.values())
    graves: list[Lying | None] = [None] * 16
    for lying, is_up in ((up or {}, True), (down or {}, False)):
        for (at_row, at_col), text in lying.items():
            graves[at_row * 4 + at_col] = Lying(ghost(text), up=is_up)
    return replace(
        state,
        plots=tuple(ids.get(cell) or next(others) for cell in range(16)),
        graves=tuple(graves),
        keepers=keepers,
        piles=(_pile(white), _pile(black)),
        dawns=dawns,
        hands=tuple(tuple(sorted(ghosts(*hand), key=in_order)) for hand in hands),
        starter=Seat(0),
        turn=Seat(0),
        last=(),
    )


def _pile(texts: Sequence[str]) -> tuple[Ghost | None, ...]:
    return tuple(None if text == "dawn" else ghost(text) for text in texts)


def at_scoring(*rows: tuple[Sequence[str], int], **options: object) -> State:
    """The last final card is about to be chosen; each row: open ghosts (the last is in hand), face-down ones.

    Every seat but 0 has chosen.
    """
    state = fresh(len(rows), **options)
    hands = tuple(ghosts(row[0][-1]) for row in rows)
    return replace(
        state,
        phase="final",
        dawns=(True, True),
        hands=hands,
        finals=(None, *(hand[0] for hand in hands[1:])),
        shown=tuple(ghosts(*row[0][:-1]) for row in rows),
        down=tuple(ghosts("white circle") * row[1] for row in rows),
        starter=Seat(0),
        turn=Seat(0),
        last=(),
    )


def scored(*rows: tuple[Sequence[str], int], **options: object) -> State:
    """All final cards are open and the scoring has begun."""
    state = at_scoring(*rows, **options)
    return act(state, 0, Final(state.hands[0][0]))


def declare(state: State, seat: int, colour: str, to: int) -> State:
    return act(state, seat, Declare(colour, to))


def place(state: State, seat: int, text: str) -> State:
    return act(state, seat, Place(ghost(text)))


def move(state: State, seat: int, to: int) -> State:
    return act(state, seat, MoveKeeper(to))


def relocate(state: State, seat: int, row: int, col: int) -> State:
    return act(state, seat, Relocate(row, col))


def flip(state: State, seat: int, row: int, col: int) -> State:
    return act(state, seat, Flip(row, col))


def decline(state: State, seat: int) -> State:
    return act(state, seat, Decline())


def draw(state: State, seat: int, pile: str) -> State:
    return act(state, seat, Draw(pile))


def turn_down(state: State, seat: int, text: str) -> State:
    return act(state, seat, TurnDown(ghost(text)))


def drop(state: State, seat: int) -> State:
    return act(state, seat, Drop())


def final(state: State, seat: int, text: str) -> State:
    return act(state, seat, Final(ghost(text)))


def offered(state: State, seat: int) -> dict[str, set[object]]:
    """The rows of each offered move; cards as texts."""
    found: dict[str, set[object]] = {}
    for it in GAME.offers(state, Seat(seat)):
        rows: set[object] = set()
        for choice in it.choices:
            for row in choice.rows:
                if isinstance(row[0], dict):
                    rows.add(f"{row[0]['colour']} {row[0]['symbol']}")
                else:
                    rows.add(row if len(row) > 1 else row[0])
        found[it.move] = rows
    return found


def lying(state: State, row: int, col: int) -> Lying | None:
    return state.graves[row * 4 + col]
