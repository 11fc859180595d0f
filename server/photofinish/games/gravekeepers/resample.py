"""Another state that this viewer cannot tell from this one: all cards hidden from it are dealt again."""

from collections.abc import Iterator

from photofinish.engine import Rng, Seat, Viewer, all_seats, replace
from photofinish.games.gravekeepers.box import the_box
from photofinish.games.gravekeepers.state import COLOURS, Colour, Ghost, Lying, State, in_order


def resample(state: State, viewer: Viewer, rng: Rng) -> State:
    """Deals all hidden cards again.

    The colour on a card's back is public, so each card in a hand, a pile or a grave is replaced by one of the same
    colour. Of the face-down cards in front of the seats only the number is public.
    """
    strangers = [seat for seat in all_seats(state.seats) if seat != viewer]
    unseen = _unseen(state, strangers)
    drawn: dict[Colour, Iterator[Ghost]] = {
        colour: iter(rng.shuffled(ghost for ghost in unseen if ghost.colour == colour)) for colour in COLOURS
    }
    hands = list(state.hands)
    for seat in strangers:
        hands[seat] = tuple(sorted((next(drawn[ghost.colour]) for ghost in hands[seat]), key=in_order))
    finals = tuple(
        rng.pick(hands[seat]) if final is not None and seat != viewer else final
        for seat, final in enumerate(state.finals)
    )
    graves = tuple(
        grave if grave is None or grave.up else Lying(next(drawn[grave.ghost.colour]), up=False)
        for grave in state.graves
    )
    piles = tuple(_pile(pile, drawn[colour], rng) for colour, pile in zip(COLOURS, state.piles, strict=True))
    rest = iter(rng.shuffled(ghost for colour in COLOURS for ghost in drawn[colour]))
    return replace(
        state,
        hands=tuple(hands),
        finals=finals,
        graves=graves,
        piles=piles,
        down=tuple(tuple(next(rest) for _ in down) for down in state.down),
        out=tuple(rest),
    )


def _unseen(state: State, strangers: list[Seat]) -> list[Ghost]:
    unseen = [*state.out]
    for pile in state.piles:
        unseen += [ghost for ghost in pile if ghost is not None]
    for seat in strangers:
        unseen += state.hands[seat]
    for down in state.down:
        unseen += down
    return unseen + [grave.ghost for grave in state.graves if grave and not grave.up]


def _pile(pile: tuple[Ghost | None, ...], ghosts: Iterator[Ghost], rng: Rng) -> tuple[Ghost | None, ...]:
    """The same number of cards. A dawn card in it is somewhere among the lowest five (G5)."""
    drawn: list[Ghost | None] = [next(ghosts) for ghost in pile if ghost is not None]
    if None in pile:
        depth = rng.below(min(len(pile), the_box().packet))
        drawn.insert(len(drawn) - depth, None)
    return tuple(drawn)
