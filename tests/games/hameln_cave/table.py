"""A table of Hameln Cave laid out by hand. Cards are written as `"blue 7"`, the Call Card as `"call"`."""

from collections.abc import Sequence
from typing import Any

from photofinish.engine import Rng, Seat, TableSetup, replace
from photofinish.games.hameln_cave import GAME
from photofinish.games.hameln_cave.chart import Place
from photofinish.games.hameln_cave.state import (
    CALL,
    Apply,
    Card,
    Character,
    HamelnCaveOptions,
    Pass,
    Play,
    Queued,
    Ready,
    Reveal,
    Slot,
    State,
    by_colour,
)
from tests.games.by_hand import ByHand

CHANCE = b"a fixed chance for the tests"
_BY_HAND = ByHand(GAME, CHANCE)
act, wait, refused = _BY_HAND.act, _BY_HAND.wait, _BY_HAND.refused
SPARE = ("green 9", "brown 8"), ("brown 9", "green 8", "blue 9")
AREA = ("brown 1", "brown 2", "blue 1", "blue 2", "green 1", "green 2", "call")


def card(text: str) -> Card:
    colour, number = text.split()
    return Card(colour, int(number))


def cards(*texts: str) -> tuple[Card, ...]:
    return tuple(card(text) for text in texts)


def queue(*texts: str) -> tuple[Queued, ...]:
    return tuple(CALL if text == "call" else Queued(call=False, card=card(text)) for text in texts)


def fresh(key: bytes = CHANCE, **options: object) -> State:
    """Nobody has picked a character yet."""
    return GAME.setup(TableSetup(2, HamelnCaveOptions(**options)), Rng(key, 0))


def dealt(left: str = "aria", right: str = "rion", key: bytes = CHANCE, **options: object) -> State:
    """The first round's cards are dealt, nobody has passed."""
    state = act(fresh(key, **options), 0, Character(left))
    return act(state, 1, Character(right), key=key)


def laid(
    left: Sequence[str],
    right: Sequence[str],
    *,
    leader: int = 0,
    names: tuple[str, str] = ("aria", "rion"),
    ship: tuple[int, int] = (0, 2),
    ghosts: Sequence[str] = AREA,
    down: Sequence[str] = (),
    won: tuple[int, int] = (0, 0),
    round_: int = 1,
    marker: int = 0,
    **options: object,
) -> State:
    """A trick about to begin with these hands; what is named nowhere is out of the game until the next deal."""
    return replace(
        dealt(*names, **options),
        phase="play",
        hands=(tuple(sorted(cards(*left), key=by_colour)), tuple(sorted(cards(*right), key=by_colour))),
        ship=Place(*ship),
        ghosts=queue(*ghosts),
        surplus=tuple(Slot(card(text), up=False, mark=500 + n) for n, text in enumerate(down)),
        marks=600,
        turn=Seat(leader),
        won=won,
        round=round_,
        marker=marker,
        last=(),
    )


def play(state: State, *plays: tuple[int, str]) -> State:
    for seat, text in plays:
        state = act(state, seat, Play(card(text)))
    return state


def trick(left: str, right: str, *, leader: int = 0, **rest: object) -> State:
    """One trick of these two cards. Each seat has others left, none of the colour that is led."""
    led = card(right if leader else left).colour
    spare = [[text for text in texts if card(text).colour != led] for texts in SPARE]
    state = laid((left, *spare[0]), (right, *spare[1]), leader=leader, **rest)
    plays = [(0, left), (1, right)]
    return play(state, plays[leader], plays[1 - leader])


def passing(state: State, seat: int, text: str) -> State:
    return act(state, seat, Pass(card(text)))


def reveal(state: State, seat: int, slot: int) -> State:
    return act(state, seat, Reveal(slot, state.surplus[slot].mark))


def choose(state: State, seat: int, slot: int) -> State:
    return act(state, seat, Apply(slot, state.surplus[slot].mark))


def both_ready(state: State) -> State:
    return act(act(state, 0, Ready()), 1, Ready())


def area(state: State) -> list[str]:
    """The Ghost Area as texts, left end first."""
    return [
        "call" if queued.card is None else f"{queued.card.colour} {queued.card.number}"
        for queued in state.ghosts
    ]


def lying(state: State) -> list[str]:
    """The Surplus Area as texts: `-` for an empty slot, `?` before a card that is face down."""
    return [
        "-" if slot.card is None else f"{'' if slot.up else '?'}{slot.card.colour} {slot.card.number}"
        for slot in state.surplus
    ]


def offered(state: State, seat: int) -> dict[str, list[Any]]:
    """What each offered move may name first."""
    return {
        it.move: [row[0] for choice in it.choices for row in choice.rows]
        for it in GAME.offers(state, Seat(seat))
    }
