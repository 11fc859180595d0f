"""A table of Cauldron 15 laid out by hand. Cards are written as `"ore 3"`."""

from collections.abc import Sequence

from photofinish.engine import Rng, Seat, TableSetup, replace
from photofinish.games.cauldron15 import GAME
from photofinish.games.cauldron15.box import the_box
from photofinish.games.cauldron15.state import (
    KINDS,
    Bonus,
    Card,
    Cauldron15Options,
    Decline,
    Play,
    Played,
    Spend,
    State,
    Take,
    by_kind,
)
from tests.games.by_hand import ByHand

CHANCE = b"a fixed chance for the tests"
_BY_HAND = ByHand(GAME, CHANCE)
act, wait, refused = _BY_HAND.act, _BY_HAND.wait, _BY_HAND.refused


def card(text: str) -> Card:
    kind, number = text.split()
    return Card(kind, int(number))


def cards(*texts: str) -> tuple[Card, ...]:
    return tuple(card(text) for text in texts)


def fresh(seats: int, key: bytes = CHANCE, **options: object) -> State:
    return GAME.setup(TableSetup(seats, Cauldron15Options(**options)), Rng(key, 0))


def laid(
    hands: Sequence[Sequence[str]],
    *,
    trump: str = "soul",
    starter: int = 0,
    before: Sequence[Sequence[str]] = (),
    lead: str = "",
    round_: int = 1,
    **options: object,
) -> State:
    """A trick about to begin with these hands; whatever is named nowhere is the deck."""
    state = fresh(len(hands), **options)
    held = tuple(tuple(sorted(cards(*hand), key=by_kind)) for hand in hands)
    lying = tuple(cards(*(before[seat] if seat < len(before) else ())) for seat in range(len(hands)))
    led = cards(lead) if lead else ()
    out = {it for part in (*held, *lying, led) for it in part}
    others = tuple(kind for kind in KINDS if kind != trump)
    return replace(
        state,
        hands=held,
        before=lying,
        gathered=tuple(tuple(sum(it.kind == kind for it in row) for kind in KINDS) for row in lying),
        deck=tuple(it for it in the_box().cards if it not in out),
        trumps=(trump, *others),
        starter=Seat(starter),
        turn=Seat(starter),
        trick=tuple(Played(None, it) for it in led),
        round=round_,
        last=(),
    )


def play(state: State, *plays: tuple[int, str]) -> State:
    for seat, text in plays:
        state = act(state, seat, Play(card(text)))
    return state


def take(state: State, seat: int, text: str) -> State:
    return act(state, seat, Take(card(text)))


def bonus(state: State, seat: int, text: str) -> State:
    return act(state, seat, Bonus(card(text)))


def decline(state: State, seat: int) -> State:
    return act(state, seat, Decline())


def spend(state: State, seat: int, *texts: str) -> State:
    return act(state, seat, Spend(cards(*texts)))


def offered(state: State, seat: int) -> dict[str, set[str]]:
    """What each offered move may name, as texts."""
    found: dict[str, set[str]] = {}
    for it in GAME.offers(state, Seat(seat)):
        names: set[str] = set()
        for choice in it.choices:
            values = [row[0] for row in choice.rows] if hasattr(choice, "rows") else choice.values
            names |= {f"{value['kind']} {value['number']}" for value in values}
        found[it.move] = names
    return found
