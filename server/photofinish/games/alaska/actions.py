"""What a seat does in the play step of its own turn: casts, anglers, wild cards."""

from collections.abc import Sequence

from photofinish.engine import IllegalMove, Rng, replace
from photofinish.engine.decks.cards import CardId
from photofinish.games.alaska import race, river, turn
from photofinish.games.alaska.deck import SECTIONS, number, part
from photofinish.games.alaska.state import State, lay_down, put, say


def cast(state: State, cards: Sequence[CardId], gap: int | None, rng: Rng) -> State:
    if len(cards) > 2 or len(set(cards)) != len(cards):
        raise IllegalMove("A12", "One number card or two make a cast.")
    for card in cards:
        _holds(state, card, "cast", "A12", "Only number cards from your hand can be cast.")
    section = sum(map(number, cards))
    if len(cards) == 2 and section not in SECTIONS:
        raise IllegalMove("A13", "Two cards may be joined only if their sum is a section of the river.")
    choice = river.must_choose(state, section) if section in SECTIONS else ()
    if choice and gap not in choice:
        raise IllegalMove(
            "A15", f"Salmon in both gaps: say whether you fish in gap {choice[0]} or {choice[1]}."
        )
    if gap is not None and not choice:
        raise IllegalMove("A15", "There is no choice of gaps for this cast.")
    seat = state.turn
    state = say(
        lay_down(state, *cards),
        "cast",
        seat,
        f"{{{seat}}} cast into section {section}.",
        section=section,
        cards=list(cards),
    )
    if section not in SECTIONS:  # A14
        return state
    salmon = river.catchable(state.gaps, section)
    angler = state.anglers[section - 1]
    if angler is not None and salmon and state.options.dice:  # A17
        die = rng.below(6) + 1
        state = say(state, "die", seat, f"{{{seat}}} rolled {die}.", die=die)
        if die == 1:
            angler = None
    if angler is not None:
        return _hook(state, section, angler)
    if salmon:
        return race.land(state, salmon[0] if gap is None else gap)
    return state  # A16


def _hook(state: State, section: int, angler: CardId) -> State:
    """No salmon is caught where an angler stands (A17)."""
    seat = state.turn
    if part(angler) == "tourist":  # A18
        state = replace(state, anglers=put(state.anglers, section - 1, None))
        state = replace(state, discard=(*state.discard, angler))
        lost = state.hand
        state = lay_down(state, *lost)
        state = replace(state, missing=put(state.missing, seat, value=True))
        text = f"{{{seat}}} hooked a tourist and lost {len(lost)} cards."
        state = say(state, "hooked_tourist", seat, text, section=section, angler=angler, cards=list(lost))
        return turn.pass_on(state)
    *rest, salmon = state.caught[seat] or (None,)
    if salmon is None:  # A19: nothing is paid, and the local stays
        text = f"{{{seat}}} hooked a local and has nothing to pay him with."
        return say(state, "hooked_local", seat, text, section=section, angler=angler, paid=False)
    state = replace(
        state,
        caught=put(state.caught, seat, tuple(rest)),
        anglers=put(state.anglers, section - 1, None),
        discard=(*state.discard, salmon, angler),
    )
    text = f"{{{seat}}} hooked a local and gave him a salmon."
    return say(state, "hooked_local", seat, text, section=section, angler=angler, paid=True)


def angler(state: State, card: CardId, section: int | None) -> State:
    _holds(state, card, "tourist local", "A20", "That is no angler in your hand.")
    room = river.standing_room(state.anglers, card)
    seat, kind = state.turn, part(card)
    if not room and section is None:  # A22
        text = f"{{{seat}}} found no room for a {kind}."
        return say(lay_down(state, card), "no_room", seat, text, card=card)
    if section is None:
        raise IllegalMove("A20", "Say on which section the angler shall stand.")
    if section not in room:
        raise IllegalMove("A21", "One angler a section; only a tourist may be placed on a local.")
    there = state.anglers[section - 1]
    detail = {"section": section, "card": card}
    if there is not None:  # A21: both leave
        state = replace(lay_down(state, card), anglers=put(state.anglers, section - 1, None))
        state = replace(state, discard=(*state.discard, there))
        text = f"{{{seat}}}'s tourist chased the local off section {section}."
        return say(state, "chased_local", seat, text, **detail, local=there)
    left = tuple(it for it in state.hand if it != card)
    state = replace(state, hands=put(state.hands, seat, left), anglers=put(state.anglers, section - 1, card))
    return say(state, "angler", seat, f"{{{seat}}} placed a {kind} on section {section}.", **detail)


def eagle(state: State, card: CardId, salmon: int | None, on: int | None) -> State:
    _holds(state, card, "eagle", "A27", "That is no eagle in your hand.")
    seat = state.turn
    if salmon is not None and on is not None:
        raise IllegalMove("A27", "The eagle takes a salmon or an angler, not both.")
    if salmon is not None:
        if not state.gaps[salmon - 1]:
            raise IllegalMove("A27", "There is no salmon in that gap.")
        state = say(lay_down(state, card), "eagle", seat, f"{{{seat}}} played the eagle.", card=card)
        return race.land(state, salmon)  # A28
    if on is not None:
        gone = state.anglers[on - 1]
        if gone is None:
            raise IllegalMove("A27", "There is no angler on that section.")
        state = replace(state, anglers=put(state.anglers, on - 1, None), discard=(*state.discard, gone))
        text = f"{{{seat}}}'s eagle chased the {part(gone)} off section {on}."
        return say(lay_down(state, card), "eagle_chased", seat, text, card=card, section=on, angler=gone)
    if any(state.gaps) or any(state.anglers):
        raise IllegalMove("A27", "Say which salmon or which angler the eagle shall take.")
    return say(lay_down(state, card), "eagle", seat, f"{{{seat}}} played the eagle for nothing.", card=card)


def bear(state: State, card: CardId) -> State:
    _holds(state, card, "bear", "A29", "That is no bear in your hand.")
    gone = [it for it in state.anglers if it is not None]
    state = replace(state, anglers=(None,) * len(SECTIONS), discard=(*state.discard, *gone))
    text = f"{{{state.turn}}}'s bear chased {len(gone)} anglers away."
    return say(lay_down(state, card), "bear", state.turn, text, card=card, anglers=gone)


def end_turn(state: State) -> State:
    if not state.may_end:
        if state.is_last_turn:
            raise IllegalMove("A37", "In your last turn you must play all your cards.")
        raise IllegalMove("A9", "You may end your turn when at most one card is left in your hand.")
    return turn.end(state)


def _holds(state: State, card: CardId, parts: str, clause: str, text: str) -> None:
    if card not in state.hand or part(card) not in parts.split():
        raise IllegalMove(clause, text)
