"""Setup, deal, exchange, and everything between the last trick of a round and the next deal."""

from photofinish.engine import Rng, TableSetup, replace
from photofinish.games.hameln_cave.box import ROUNDS, the_box
from photofinish.games.hameln_cave.chart import SIDES
from photofinish.games.hameln_cave.state import (
    CALL,
    CARDS,
    SEATS,
    Card,
    HamelnCaveOptions,
    Queued,
    Slot,
    State,
    by_colour,
)
from photofinish.games.hameln_cave.steps.ghosts import add
from photofinish.games.hameln_cave.words import end, say

HAND = 9


def setup(table: TableSetup[HamelnCaveOptions], rng: Rng) -> State:
    """H4, H5. The hands are dealt when both seats have a character."""
    ghosts = rng.shuffled(card for card in CARDS if card.number <= 2)
    return State(
        options=table.options,
        ghosts=(*(Queued(call=False, card=card) for card in ghosts), CALL),
        ship=the_box().chart(table.options.level).start,
        by_hand=table.follows(2),
    )


def deal(state: State, rng: Rng) -> State:
    """H6, H28: all cards outside the Ghost Area are shuffled. What is left after two hands is the Surplus."""
    out = {queued.card for queued in state.ghosts}
    # The stream is chosen by the round, not by the step: the first hand is not dealt at step 0.
    chance = rng.hand(state.round) if state.by_hand else rng
    cards = chance.shuffled(card for card in CARDS if card not in out)
    left, right, rest = cards[:HAND], cards[HAND : 2 * HAND], cards[2 * HAND :]
    state = replace(
        state,
        phase="exchange",
        hands=(_hand(left), _hand(right)),
        surplus=tuple(Slot(card, up=False, mark=state.marks + n) for n, card in enumerate(rest)),
        marks=state.marks + len(rest),
        passes=(None, None),
        gave=None,
        trick=(),
        tricks=(),
        piles=((), ()),
        won=(0, 0),
        is_extra=False,
        ready=(False, False),
    )
    return say(
        state,
        "dealt",
        f"Round {state.round}: nine cards each, {len(rest)} in the Surplus Area.",
        round=state.round,
        surplus=len(rest),
    )


def exchange(state: State) -> State:
    """H9: both cards are chosen and exchanged; then the first lead of the round (H10)."""
    first, second = state.passes
    assert first is not None
    assert second is not None
    lead = SEATS[SIDES.index(the_box().lead_sides[state.round - 1])]
    state = replace(
        state,
        phase="play",
        passes=(None, None),
        gave=(first, second),
        hands=(_hand((*state.hands[0], second)), _hand((*state.hands[1], first))),
        turn=lead,
    )
    return say(state, "exchanged", f"The two cards change hands. {{{lead}}} leads.", lead=lead)


def end_tricks(state: State) -> State:
    """Ghost phase (H25) and preparation (H26), up to the pause (H27)."""
    state = say(state, "tricks_over", f"The tricks of round {state.round} are over.", round=state.round)
    if state.round == ROUNDS[-1]:
        return end(state, "H30", "Five rounds are over and the ship is still in the cave: lost.", won=False)
    count = the_box().ghost_track[state.marker].adds
    assert count is not None
    state = add(say(state, "ghost_phase", f"Ghost phase: {count} cards are added.", count=count), count)
    if state.ended is not None:
        return state
    number = state.round + 1
    state = replace(state, round=number)
    state = say(state, "round", f"The round marker goes on to {number}.", round=number)
    if state.chart.is_lost(state.ship, number):
        return end(state, "H30", "The cave collapses, and the ship is not beyond the line: lost.", won=False)
    return replace(state, phase="pause", is_extra=False)


def _hand(cards: tuple[Card, ...]) -> tuple[Card, ...]:
    return tuple(sorted(cards, key=by_colour))
