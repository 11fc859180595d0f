"""The state of a game of The Rune Market."""

from typing import Annotated, Any, TypeAlias

import msgspec

from photofinish.engine import Happened, Options, Record, Seat, replace
from photofinish.engine.decks.cards import CardId
from photofinish.games.rune_market.holdings import Holding
from photofinish.games.rune_market.moves import Colour, Sign

Price: TypeAlias = Annotated[int, msgspec.Meta(ge=1, le=10)]


class Setting(Options, frozen=True):
    show_seconds: Annotated[int, msgspec.Meta(ge=1, le=60)] = 4
    """How long a card shown in defence lies open."""
    turn_seconds: Annotated[int, msgspec.Meta(ge=0, le=600)] = 60
    """Time for a turn; 0: no clock."""
    answer_seconds: Annotated[int, msgspec.Meta(ge=1, le=300)] = 20
    """Time to answer a duel, choose a theft or throw a sign."""
    max_throws: Annotated[int, msgspec.Meta(ge=1, le=300)] = 30
    """Throws after which the seats still tied share the win (R41)."""
    good_price_runes: tuple[Price, Price, Price, Price] = (4, 3, 2, 2)
    """The price of a boat or bandit in runes with 2, 3, 4 and 5 seats (R10)."""
    ransom_runes: Annotated[int, msgspec.Meta(ge=1, le=6)] = 3
    """The ransom of a shelter in runes (R36)."""


class Market(Record, frozen=True):
    """The four open piles (R2)."""

    red: int
    blue: int
    boats: int
    bandits: int

    def runes(self, colour: Colour) -> int:
        return self.red if colour == "red" else self.blue

    def give(self, colour: Colour, n: int) -> "Market":
        """Remove n runes; add runes if n is negative."""
        if colour == "red":
            return replace(self, red=self.red - n)
        return replace(self, blue=self.blue - n)


class OpenDuel(Record, frozen=True):
    """An attack that waits for the named seat's answer (R19)."""

    card: CardId
    seat: Seat


class Theft(Record, frozen=True):
    """Thefts the seat whose turn it is may still commit; from one seat only after a duel (R21, R22)."""

    left: int
    victim: Seat | None = None


class Shown(Record, frozen=True):
    """A card shown in defence, for a while (R20)."""

    number: int
    seat: Seat
    card: CardId


class Throwing(Record, frozen=True):
    """Scissors, stone, paper among those still tied (R40). All rows are by seat."""

    tied: tuple[Seat, ...]
    points: tuple[int, ...]
    signs: tuple[Sign | None, ...]
    throws: int = 0
    revealed: tuple[Sign | None, ...] = ()
    """The signs of the last throw. They are known when all tied seats have thrown."""


class State(Record, frozen=True):
    options: Setting
    hands: tuple[tuple[CardId, ...], ...]
    main: tuple[CardId, ...]
    """The main pile, top first."""
    market: Market
    holdings: tuple[Holding, ...]
    turn: Seat
    discard: tuple[CardId, ...] = ()
    due_red: int = 0
    due_blue: int = 0
    bought: bool = False
    """The one purchase with runes has been made (R10)."""
    played: int = 0
    """Hand cards played in this turn (R12)."""
    duelled: tuple[Seat, ...] = ()
    duel: OpenDuel | None = None
    theft: Theft | None = None
    shown: tuple[Shown, ...] = ()
    throwing: Throwing | None = None
    open_hands: tuple[Seat, ...] = ()
    """The seats whose hands are shown at the end (R39)."""
    turns: int = 0
    """Counts turns and answers: each has its own clock."""
    answers: int = 0
    idle: int = 0
    """The number of turns in a row that were ended by the clock."""
    winners: tuple[Seat, ...] = ()
    why: str = ""
    last: tuple[Happened, ...] = ()

    @property
    def seats(self) -> int:
        return len(self.hands)

    @property
    def over(self) -> bool:
        return bool(self.winners)

    @property
    def hand(self) -> tuple[CardId, ...]:
        """The hand of the seat whose turn it is."""
        return self.hands[self.turn]

    @property
    def own(self) -> Holding:
        return self.holdings[self.turn]

    @property
    def others(self) -> tuple[Seat, ...]:
        """The other seats, clockwise from the seat whose turn it is."""
        return tuple(Seat((self.turn + step) % self.seats) for step in range(1, self.seats))

    @property
    def price(self) -> int:
        """The price of a boat or a bandit, in runes (R10)."""
        return self.options.good_price_runes[self.seats - 2]

    def due(self, colour: Colour) -> int:
        """Interest that can still be collected (R8)."""
        return min(self.due_red if colour == "red" else self.due_blue, self.market.runes(colour))


def put(row: tuple[Any, ...], place: int, value: Any) -> tuple[Any, ...]:
    """The same tuple with one value changed."""
    return (*row[:place], value, *row[place + 1 :])


def say(
    state: State, what: str, seat: Seat | None, text: str, only: Seat | None = None, **detail: Any
) -> State:
    """One more thing that happened in this step. `detail` holds plain values and lists."""
    return replace(state, last=(*state.last, Happened(what, seat, text, detail, only)))


def held_by(state: State, seat: Seat, holding: Holding) -> State:
    return replace(state, holdings=put(state.holdings, seat, holding))


def lay_down(state: State, *cards: CardId) -> State:
    """Hand cards of the seat whose turn it is go to the discard pile: they are played (R12)."""
    left = tuple(card for card in state.hand if card not in cards)
    return replace(
        state,
        hands=put(state.hands, state.turn, left),
        discard=(*state.discard, *cards),
        played=state.played + len(cards),
    )
