"""The effect of a trick's pair of patterns (H14), and the choices that a skill gives."""

from photofinish.engine import Seat, replace
from photofinish.games.hameln_cave.state import Card, Direction, Slot, State
from photofinish.games.hameln_cave.steps.ghosts import add, join
from photofinish.games.hameln_cave.steps.rounds import end_tricks
from photofinish.games.hameln_cave.steps.ship import heading, sail
from photofinish.games.hameln_cave.words import facts, name, say

ADDS = {("wheel", "wheel"): 0, ("ghost", "wheel"): 1, ("ghost", "ghost"): 2}
"""The pairs that move the ship towards the winner, and how many cards they add afterwards."""


def take_effect(state: State, pair: tuple[Card, Card]) -> State:
    """The trick has been won by the seat in `turn`; the order of the two cards does not matter."""
    patterns = tuple(sorted(card.pattern for card in pair))
    if patterns in ADDS:
        return _advance(replace(state, adds=ADDS[patterns]), pair)
    match patterns:
        case ("mermaid", "mermaid"):
            return after_effect(sail(state, "straight"))
        case ("ghost", "saber"):
            return after_effect(_beat(state, min(pair, key=lambda card: card.number)))
        case ("saber", "saber"):
            return ask_reveal(replace(state, chained=False))
        case _:
            return after_effect(say(state, "nothing", "The trick has no effect."))


def choices(state: State) -> tuple[Direction, ...]:
    """In `steer`: where the skill lets its owner send the ship."""
    if state.characters[state.turn] == "charlotte":
        return ("winner", "partner")
    return ("winner", "straight")


def steer(state: State, to: Direction) -> State:
    """The ship moves, then the trick's own additions come (H19)."""
    state = sail(state, heading(to, state.turn))
    return after_effect(add(replace(state, adds=0), state.adds))


def ask_reveal(state: State) -> State:
    """H23: ask for a face-down card. If there is none, nothing happens (H24)."""
    if not face_down(state):
        return after_effect(say(state, "nothing", "No card of the Surplus Area is face down."))
    return replace(state, phase="reveal")


def face_down(state: State) -> tuple[int, ...]:
    return tuple(n for n, slot in enumerate(state.surplus) if not slot.up and slot.card is not None)


def turn_up(state: State, slot: int) -> State:
    """A card is turned up. Rick may look at a second one before an effect applies (H36)."""
    card = state.surplus[slot].card
    assert card is not None
    state = _with_slot(state, slot, Slot(card, up=True, mark=state.marks))
    state = say(
        state, "revealed", f"{{{state.turn}}} turns up {name(card)}.", state.turn, slot=slot, card=facts(card)
    )
    if state.phase == "second":
        return replace(state, phase="choose", turned=(*state.turned, slot))
    if state.characters[state.turn] == "rick" and not state.chained and face_down(state):
        return ask(replace(state, phase="second", turned=(slot,)), "turn up a second card?")
    return apply_slot(state, slot)


def apply_slot(state: State, slot: int) -> State:
    """The effect of a card turned up in the Surplus Area (H23)."""
    card = state.surplus[slot].card
    assert card is not None
    state = replace(state, turned=(), chained=True)
    match card.pattern:
        case "wheel":
            return _advance(replace(state, adds=0), (card,))
        case "mermaid":
            return after_effect(sail(state, "straight"))
        case "ghost":
            gone = _with_slot(state, slot, Slot(None, up=False, mark=state.marks))
            return after_effect(join(gone, card))
        case "saber":
            return ask_reveal(state)


def after_effect(state: State) -> State:
    """The next lead, Clyde's question, or the end of the tricks (H10, H16, H38)."""
    if state.ended is not None:
        return state
    winner = state.turn
    if state.is_extra:
        return end_tricks(state)
    if state.won[winner] < 4:
        return replace(state, phase="play")
    if state.characters[winner] == "clyde":
        return ask(replace(state, phase="extra"), "play an extra trick?")
    return end_tricks(state)


def _advance(state: State, pair: tuple[Card, ...]) -> State:
    """Towards the winner, unless the winner's own skill leaves a choice (H32)."""
    if has_choice(state, pair, state.turn):
        return ask(replace(state, phase="steer"), "where shall the ship go?")
    return steer(state, "winner")


def has_choice(state: State, pair: tuple[Card, ...], winner: Seat) -> bool:
    """Does the skill of the winner apply to this advance? (H34, H37, H39)"""
    match state.characters[winner]:
        case "henry":
            return all(card.pattern == "ghost" for card in pair)
        case "charlotte":
            return any(card.pattern == "wheel" and card.colour == "brown" for card in pair)
        case "rion":
            return len(pair) == 2 and pair[0].number == pair[1].number and pair[0].pattern == "wheel"
        case _:
            return False


def ask(state: State, question: str) -> State:
    """A skill applies. Everybody sees that its owner is asked (H33)."""
    who = str(state.characters[state.turn])
    return say(state, "asked", f"{who.capitalize()} is asked: {question}", state.turn, name=who)


def _beat(state: State, ghost: Card) -> State:
    """The ghost of the pair leaves the winner's pile; the trick stays counted (H13, H22)."""
    piles = list(state.piles)
    piles[state.turn] = tuple(card for card in piles[state.turn] if card != ghost)
    return join(replace(state, piles=(piles[0], piles[1])), ghost)


def _with_slot(state: State, slot: int, now: Slot) -> State:
    """A slot's card changed or was turned: it gets a new mark."""
    surplus = (*state.surplus[:slot], now, *state.surplus[slot + 1 :])
    return replace(state, surplus=surplus, marks=state.marks + 1)
