"""The state of a game of Kodiak."""

from typing import Any, Literal

from photofinish.engine import Happened, Record, Seat, all_seats, replace
from photofinish.engine.decks.cards import CardId
from photofinish.games.kodiak.faces import Face
from photofinish.games.kodiak.moves import KodiakOptions


class Slot(Record, frozen=True):
    """A place in front of a seat. An emptied slot stays and keeps its number."""

    card: CardId | None
    mark: int
    up: bool = False
    """Face up for all until it is caught, discarded, exchanged or swapped (K10, K13, K17)."""


class Peek(Record, frozen=True):
    """One seat looks at one card for `look_seconds`. Ends early when the card leaves the slot."""

    id: int
    by: Seat
    seat: Seat
    slot: int
    mark: int


class Shown(Record, frozen=True):
    """A card that all see for `show_seconds`: a wrong throw, a wrong pounce, or a caught card."""

    id: int
    seat: Seat
    slot: int
    card: CardId
    mark: int | None
    """The slot's mark while the card lies there; None for a caught card, which lies on the discard pile."""


class OpenRace(Record, frozen=True):
    """The race on one turn's discard (K15)."""

    number: int
    card: Face
    """The card that opened the race. Its rune is the one to match until the race closes."""
    opener: Seat
    winner: Seat | None = None
    thrown: tuple[int, ...] = ()
    """The winner's slots that its scurries have emptied."""
    tried: tuple[int, ...] = ()
    """Marks of wrongly thrown cards: each is judged only once in a race (K16, K20)."""
    grabbed: bool = False
    window: bool = False
    """The winner threw its last card; Kodiak can still grab (K24)."""


class Picked(Record, frozen=True):
    seat: Seat
    slot: int
    mark: int


class Owed(Record, frozen=True):
    """An action a seat has to perform (K7)."""

    id: int
    seat: Seat
    kind: str
    by: Literal["exchange", "scurry", "pounce"]
    race: int
    left: int
    """The number of steps left: two for a Red King (K12)."""
    picked: tuple[Picked, ...] = ()


class Ask(Record, frozen=True):
    """A mouse wants to swap this card for one of Kodiak's; Kodiak chooses which (K11)."""

    id: int
    debt: int
    """The `id` of the action it belongs to."""
    seat: Seat
    slot: int
    mark: int


class Touch(Record, frozen=True):
    """A mouse that touched Kodiak's cards and still has to turn one of its own (K17)."""

    id: int
    seat: Seat


class RoundResult(Record, frozen=True):
    """How a round ended: what lay in front of each seat, and what it counted."""

    number: int
    kodiak: Seat
    why: str
    left: tuple[tuple[Face, ...], ...]
    catches: int
    hairballs: tuple[int, ...]
    points: tuple[int, ...]


class State(Record, frozen=True):
    options: KodiakOptions
    phase: Literal["look", "draw", "exchange", "over"]
    round: int
    kodiak: Seat
    turn: Seat
    table: tuple[tuple[Slot, ...], ...]
    main: tuple[CardId, ...]
    """The top is the last card, here and on the discard pile."""
    discard: tuple[CardId, ...]
    ready: tuple[bool, ...]
    totals: tuple[int, ...]
    hairballs: tuple[int, ...]
    """By seat: how many hairballs it put on the discard pile in this round, by exchange or scurry (K25)."""
    catches: int = 0
    drawn: CardId | None = None
    race: OpenRace | None = None
    owed: tuple[Owed, ...] = ()
    ask: Ask | None = None
    touched: tuple[Touch, ...] = ()
    peeks: tuple[Peek, ...] = ()
    shown: tuple[Shown, ...] = ()
    result: RoundResult | None = None
    awake: bool = False
    """Has anybody made a move since the main pile was last made?"""
    turns: int = 0
    races: int = 0
    marks: int = 0
    ids: int = 0
    last: tuple[Happened, ...] = ()
    by_hand: bool = False
    """Whether each hand has its own stream of random numbers (T74): from version 2 of the rules, not in version 1."""

    @property
    def seats(self) -> tuple[Seat, ...]:
        return all_seats(len(self.table))

    @property
    def mice(self) -> tuple[Seat, ...]:
        return tuple(seat for seat in self.seats if seat != self.kodiak)

    @property
    def rounds(self) -> int:
        return len(self.table) * self.options.rounds_each  # K26

    @property
    def is_waiting(self) -> bool:
        """Must the next turn wait for an action (K8)?"""
        return bool(self.owed or self.touched or self.ask)

    @property
    def is_in_window(self) -> bool:
        return self.race is not None and self.race.window


def filled(state: State, seat: Seat) -> tuple[int, ...]:
    """The slots of this seat that hold a card, lowest first."""
    return tuple([n for n, slot in enumerate(state.table[seat]) if slot.card is not None])


def lies_open(state: State, seat: Seat, slot: int) -> bool:
    """Is this card still shown to all after a wrong throw or pounce?"""
    there = (seat, slot, state.table[seat][slot].mark)
    return any((it.seat, it.slot, it.mark) == there for it in state.shown)


def face_down(state: State, seat: Seat) -> tuple[int, ...]:
    return tuple(n for n in filled(state, seat) if not state.table[seat][n].up)


def owes_touch(state: State, seat: Seat) -> bool:
    return any(it.seat == seat for it in state.touched)


def tell(state: State, what: str, seat: Seat | None, text: str, **detail: Any) -> State:
    """Add to what happened in this step. Never a face."""
    return replace(state, last=(*state.last, Happened(what, seat, text, detail)))


def name(seat: Seat) -> str:
    """The placeholder for the player in that seat in a sentence of `last`."""
    return f"{{{seat}}}"
