"""Another state that a viewer cannot tell from this one."""

from photofinish.engine import Rng, Viewer, replace
from photofinish.games.hameln_cave.state import SEATS, Card, State, by_colour
from photofinish.games.hameln_cave.view import shown


def resample(state: State, viewer: Viewer, rng: Rng) -> State:
    """Draws the hands, passes and face-down Surplus cards that this viewer does not see again. For a spectator
    also the exchanged cards.
    """
    if state.phase == "over":
        return replace(state, gave=_regiven(state, viewer, rng))
    strangers = [seat for seat in SEATS if seat != viewer]
    fixed: list[tuple[Card, ...]] = [state.hands[0], state.hands[1]]
    passes = [*state.passes]
    unseen = [slot.card for slot in state.surplus if not slot.up and slot.card is not None]
    for seat in strangers:
        # The viewer knows where the card is that it gave away, until that card is played.
        known = state.gave[viewer] if viewer is not None and state.gave is not None else None
        fixed[seat] = tuple(card for card in state.hands[seat] if card == known)
        unseen += [card for card in state.hands[seat] if card != known]
        passed = state.passes[seat]
        if passed is not None and shown(state, viewer) is None:
            unseen.append(passed)
    drawn = iter(rng.shuffled(sorted(unseen, key=by_colour)))
    for seat in strangers:
        missing = len(state.hands[seat]) - len(fixed[seat])
        fixed[seat] = tuple(sorted((*fixed[seat], *(next(drawn) for _ in range(missing))), key=by_colour))
        if passes[seat] is not None and shown(state, viewer) is None:
            passes[seat] = next(drawn)
    surplus = tuple(
        slot if slot.up or slot.card is None else replace(slot, card=next(drawn)) for slot in state.surplus
    )
    state = replace(state, hands=(fixed[0], fixed[1]), passes=(passes[0], passes[1]), surplus=surplus)
    return replace(state, gave=_regiven(state, viewer, rng))


def _regiven(state: State, viewer: Viewer, rng: Rng) -> tuple[Card, Card] | None:
    """The two seats know what they gave and got. For everybody else it may be any card the other had."""
    if state.gave is None or viewer is not None:
        return state.gave
    played = [*state.trick, *(it for trick in state.tricks for it in trick.cards)]
    had = [[*state.hands[seat], *(it.card for it in played if it.seat == seat)] for seat in SEATS]
    return rng.pick(had[1]), rng.pick(had[0])
