"""Tables of Cambio with chosen cards. A test names the places of some cards; the others go into the main pile."""

from collections.abc import Sequence
from typing import Any

import pytest

from photofinish.engine import Act, Expired, IllegalMove, Rng, Seat, TableSetup, replace
from photofinish.engine.convert import pack
from photofinish.engine.decks.cards import CardId, the_deck
from photofinish.games.cambio import GAME
from photofinish.games.cambio.slaps import opened
from photofinish.games.cambio.state import (
    CambioMove,
    CambioOptions,
    Discard,
    Draw,
    Give,
    Keep,
    PeekMine,
    PeekYours,
    Pick,
    Place,
    Ready,
    Slap,
    Slot,
    State,
    Swap,
)

CHANCE = Rng(b"a test's own chance", 1)


def dealt(seats: int, seed: bytes = b"deal", **options: Any) -> State:
    return GAME.setup(TableSetup(seats, CambioOptions(**options)), Rng(seed, 0))


def board(
    *hands: str, main: str = "", discard: str = "", options: CambioOptions | None = None, **changes: Any
) -> State:
    """Seat 0's turn. A hand is its card ids, `-` for an empty slot. `main` and `discard` have the top first."""
    rows = [hand.split() for hand in hands]
    top, open_cards = main.split(), discard.split()
    used = {card for cards in (*rows, top, open_cards) for card in cards} - {"-"}
    rest = [card for card in the_deck().ids() if card not in used]
    state = GAME.setup(TableSetup(len(hands), options or CambioOptions()), Rng(b"board", 0))
    for seat in range(len(hands)):
        state = GAME.apply(state, Act(Seat(seat), Ready()), CHANCE)
    serial, table = state.serial, []
    for row in rows:
        table.append(
            tuple(Slot(serial + 1 + n, None if it == "-" else CardId(it)) for n, it in enumerate(row))
        )
        serial += len(row)
    state = replace(
        state,
        table=tuple(table),
        main=(*rest, *map(CardId, reversed(top))),
        discard=tuple(map(CardId, reversed(open_cards))),
        turn=Seat(0),
        serial=serial,
        last=(),
    )
    return replace(state, **changes)


def racing(*hands: str, discard: str, opener: int = 0, turn: int | None = 1, **more: Any) -> State:
    """The top of the discard pile was just put there: a race is open."""
    state = opened(board(*hands, discard=discard, **more), Seat(opener))
    return replace(state, turn=None if turn is None else Seat(turn))


def at(state: State, seat: int, slot: int) -> Place:
    """The card that lies there now."""
    return Place(Seat(seat), slot, state.table[seat][slot].mark)


def card(state: State, seat: int, slot: int) -> str | None:
    return state.table[seat][slot].card


def hand(state: State, seat: int) -> list[str | None]:
    return [slot.card for slot in state.table[seat]]


def do(state: State, seat: int, move: CambioMove) -> State:
    return GAME.apply(state, Act(Seat(seat), move), Rng(b"do", state.serial))


def run_out(state: State, name: str) -> State:
    """Let the only clock with this name expire."""
    (key,) = (it.key for it in GAME.timers(state) if it.key.startswith(name + ":") and it.running)
    return GAME.apply(state, Expired(key), Rng(b"out", state.serial))


def refused(state: State, seat: int, move: CambioMove, clause: str) -> None:
    """The move is refused by this clause, and leaves the table as it was."""
    before = pack(state)
    with pytest.raises(IllegalMove) as refusal:
        do(state, seat, move)
    assert refusal.value.clause == clause
    assert refusal.value.text.endswith(".")
    assert pack(state) == before


def draw(state: State, seat: int, source: str = "main") -> State:
    return do(state, seat, Draw("main" if source == "main" else "discard"))


def keep(state: State, seat: int, slot: int) -> State:
    return do(state, seat, Keep(slot, at(state, seat, slot).mark))


def discard(state: State, seat: int) -> State:
    return do(state, seat, Discard())


def slap(state: State, seat: int, whose: int, slot: int) -> State:
    return do(state, seat, slapping(state, whose, slot))


def slapping(state: State, whose: int, slot: int) -> Slap:
    it = at(state, whose, slot)
    return Slap(it.seat, it.slot, it.mark)


def peeking_mine(state: State, seat: int, slot: int) -> PeekMine:
    return PeekMine(slot, at(state, seat, slot).mark)


def peeking_yours(state: State, seat: int, slot: int) -> PeekYours:
    it = at(state, seat, slot)
    return PeekYours(it.seat, it.slot, it.mark)


def picking(state: State, seat: int, slot: int) -> Pick:
    it = at(state, seat, slot)
    return Pick(it.seat, it.slot, it.mark)


def swapping(state: State, a: tuple[int, int], b: tuple[int, int]) -> Swap:
    return Swap(at(state, *a), at(state, *b))


def giving(state: State, seat: int, slot: int, to: Place) -> Give:
    return Give(slot, at(state, seat, slot).mark, to)


def whats(state: State) -> list[str]:
    return [it.what for it in state.last]


def seen(state: State, viewer: int | None) -> Sequence[tuple[int, int]]:
    """The table cards whose face this viewer sees now."""
    view = GAME.view(state, None if viewer is None else Seat(viewer))
    return [(n, m) for n, row in enumerate(view.table) for m, slot in enumerate(row) if slot.face]
