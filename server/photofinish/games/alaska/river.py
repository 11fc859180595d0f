"""The river: which gaps touch which sections, where anglers may stand, and how it flows."""

from photofinish.engine import replace
from photofinish.engine.decks.cards import CardId
from photofinish.games.alaska.deck import SECTIONS, part
from photofinish.games.alaska.state import State, put, say

Gaps = tuple[tuple[CardId, ...], ...]


def after(place: int) -> int:
    """The next section or gap, counter-clockwise."""
    return place % len(SECTIONS) + 1


def before(place: int) -> int:
    return (place - 2) % len(SECTIONS) + 1


def touching(section: int) -> tuple[int, int]:
    """The two gaps that touch a section, the lower number first (A15)."""
    low, high = sorted((before(section), section))
    return low, high


def catchable(gaps: Gaps, section: int) -> tuple[int, ...]:
    """The gaps with salmon in them that touch this section."""
    return tuple(gap for gap in touching(section) if gaps[gap - 1])


def standing_room(anglers: tuple[CardId | None, ...], card: CardId) -> tuple[int, ...]:
    """The sections on which this angler may be placed (A21)."""
    return tuple(
        section
        for section, angler in zip(SECTIONS, anglers, strict=True)
        if angler is None or (part(card) == "tourist" and part(angler) == "local")
    )


def must_choose(state: State, section: int) -> tuple[int, ...]:
    """The gaps to choose from when fishing here, if there is a choice (A15, A17)."""
    gaps = catchable(state.gaps, section)
    may_catch = state.anglers[section - 1] is None or state.options.dice
    return gaps if len(gaps) > 1 and may_catch else ()


def take(state: State, gap: int) -> tuple[State, CardId]:
    """Take one salmon out of the river."""
    *rest, salmon = state.gaps[gap - 1]
    return replace(state, gaps=put(state.gaps, gap - 1, tuple(rest))), salmon


def flow(state: State) -> State:
    """The next open flow card moves every salmon to the next gap (A24); anglers stay where they are (A23)."""
    card, *rest = state.flow
    anglers, discard = list(state.anglers), [*state.discard, card]
    state = say(state, "flow", state.turn, "The river flows.", card=card)
    moved: list[tuple[CardId, ...]] = [() for _ in SECTIONS]
    for gap, salmon in zip(SECTIONS, state.gaps, strict=True):
        passed = after(gap)  # A24: a salmon that leaves gap g swims past section g+1
        angler = anglers[passed - 1]
        swimming = salmon
        if salmon and angler is not None:
            if part(angler) == "tourist":  # A25: a tourist takes one salmon and leaves
                swimming = salmon[:-1]
                discard += (salmon[-1], angler)
                anglers[passed - 1] = None
            else:  # A26: a local takes all of them and stays
                swimming = ()
                discard += salmon
            state = say(
                state,
                "angler_caught",
                None,
                f"The {part(angler)} on section {passed} caught salmon.",
                section=passed,
                angler=angler,
                salmon=len(salmon) - len(swimming),
            )
        moved[passed - 1] = swimming
    return replace(state, flow=tuple(rest), gaps=tuple(moved), anglers=tuple(anglers), discard=tuple(discard))
