"""A Kodiak table with chosen cards. Moves go through `apply`, as in a room."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import pytest

from photofinish.engine import Act, Expired, IllegalMove, Rng, Seat, TableSetup, replace
from photofinish.engine.convert import move
from photofinish.engine.decks.cards import CardId, the_deck
from photofinish.games.kodiak import GAME
from photofinish.games.kodiak.moves import KodiakOptions
from photofinish.games.kodiak.state import Slot, State
from photofinish.games.kodiak.view import SlotView, View

CAT, MOUSE, OTHER, THIRD = Seat(0), Seat(1), Seat(2), Seat(3)

PLAIN = (
    ("y1_1", "y2_1", "y3_1"),
    ("y4_1", "y5_1", "y6_1"),
    ("y7_1", "y8_1", "y9_1"),
    ("b1_1", "b2_1", "b3_1"),
    ("b4_1", "b5_1", "b6_1"),
    ("b7_1", "b8_1", "b9_1"),
)
"""Numbers only, all different within the first three seats."""


@dataclass
class Board:
    state: State
    step: int = 0

    def send(self, seat: Seat, name: str, /, **fields: Any) -> None:
        self.step += 1
        event = Act(seat, move(GAME, {"t": name, **fields}))
        self.state = GAME.apply(self.state, event, Rng(b"board", self.step))

    def own(self, seat: Seat, name: str, slot: int) -> None:
        """A move that names one of the sender's own slots."""
        self.send(seat, name, slot=slot, mark=self.mark(seat, slot))

    def at(self, seat: Seat, name: str, other: Seat, slot: int) -> None:
        """A move that names another seat's slot."""
        self.send(seat, name, seat=other, slot=slot, mark=self.mark(other, slot))

    def swap(self, seat: Seat, a: tuple[Seat, int] | Seat, b: tuple[Seat, int] | Seat) -> None:
        self.send(seat, "swap", a=self._side(a), b=self._side(b))

    def pounce(self, slot: int, mouse: Seat, target: int, seat: Seat | None = None) -> None:
        cat = self.state.kodiak if seat is None else seat
        self.send(cat, "pounce", slot=slot, mark=self.mark(cat, slot), seat=mouse, target=target,
                  target_mark=self.mark(mouse, target))  # fmt: skip

    def discard(self, slot: int) -> None:
        """Whoever's turn it is draws and exchanges that slot."""
        seat = self.state.turn
        self.send(seat, "draw")
        self.own(seat, "keep", slot)

    def run_out(self, what: str) -> None:
        """The clock of this kind runs out."""
        key = next(it.key for it in GAME.timers(self.state) if it.key.startswith(what) and it.running)
        self.step += 1
        self.state = GAME.apply(self.state, Expired(key), Rng(b"board", self.step))

    def refuses(self, clause: str, seat: Seat, name: str, /, **fields: Any) -> None:
        before = self.state
        with pytest.raises(IllegalMove) as refusal:
            self.send(seat, name, **fields)
        assert refusal.value.clause == clause
        assert self.state is before

    def refuses_own(self, clause: str, seat: Seat, name: str, slot: int) -> None:
        self.refuses(clause, seat, name, slot=slot, mark=self.mark(seat, slot))

    def mark(self, seat: Seat, slot: int) -> int:
        return self.state.table[seat][slot].mark

    def cards(self, seat: Seat) -> list[str | None]:
        return [slot.card for slot in self.state.table[seat]]

    def view(self, viewer: Seat | None) -> View:
        return GAME.view(self.state, viewer)

    def slot(self, viewer: Seat | None, seat: Seat, slot: int) -> SlotView:
        return self.view(viewer).table[seat][slot]

    def offered(self, seat: Seat) -> set[str]:
        return {it.move for it in GAME.offers(self.state, seat)}

    def happened(self) -> list[str]:
        return [it.what for it in self.state.last]

    def clocks(self) -> dict[str, Any]:
        return {it.key.split(":")[0]: it for it in GAME.timers(self.state)}

    def _side(self, at: tuple[Seat, int] | Seat) -> dict[str, int]:
        if isinstance(at, tuple):
            return {"seat": at[0], "slot": at[1], "mark": self.mark(*at)}
        return {"seat": at}


def board(
    seats: int = 3,
    rows: Mapping[Seat, Sequence[str]] | None = None,
    *,
    main: Sequence[str] = (),
    turn: Seat = CAT,
    **options: Any,
) -> Board:
    """Seat 0 is Kodiak, all have looked, nothing is discarded. `main` are the next cards to be drawn, in order."""
    dealt = GAME.setup(TableSetup(seats, KodiakOptions(**options)), Rng(b"board", 0))
    chosen = [tuple((rows or {}).get(Seat(n), PLAIN[n])) for n in range(seats)]
    used = {*main, *(card for row in chosen for card in row)}
    assert len(used) == len(main) + sum(map(len, chosen)), "a card is there twice"
    rest = [card for card in the_deck().ids() if card not in used]
    marks, table = 100, []
    for row in chosen:
        table.append(tuple(Slot(CardId(card), marks + n) for n, card in enumerate(row)))
        marks += len(row)
    state = replace(
        dealt,
        phase="draw",
        kodiak=CAT,
        turn=turn,
        ready=(True,) * seats,
        table=tuple(table),
        main=(*rest, *(CardId(card) for card in reversed(main))),
        marks=marks,
        last=(),
    )
    return Board(state)


def empty_piles(it: Board, discard: Sequence[str] = ()) -> None:
    """No main pile, and only these discards: the other cards are out of sight in Kodiak's row."""
    rest = [card for card in (*it.state.main, *it.state.discard) if card not in discard]
    marks = it.state.marks
    more = tuple(Slot(card, marks + n + 1) for n, card in enumerate(rest))
    table = (it.state.table[0] + more, *it.state.table[1:])
    it.state = replace(
        it.state,
        main=(),
        discard=tuple(CardId(card) for card in discard),
        table=table,
        marks=marks + len(rest),
    )
