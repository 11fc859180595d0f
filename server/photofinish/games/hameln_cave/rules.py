"""What each move does. Only `apply` decides whether a move is legal."""

from photofinish.engine import Act, Expired, IllegalMove, Input, Rng, Seat, replace
from photofinish.games.hameln_cave.clocks import answer_for
from photofinish.games.hameln_cave.state import (
    AnyMove,
    Apply,
    Card,
    Character,
    Direction,
    Extra,
    Name,
    Pass,
    Phase,
    Play,
    Played,
    Ready,
    Reveal,
    State,
    Steer,
    Stop,
    Taken,
    partner,
)
from photofinish.games.hameln_cave.steps.effects import (
    apply_slot,
    choices,
    face_down,
    steer,
    take_effect,
    turn_up,
)
from photofinish.games.hameln_cave.steps.rounds import deal, end_tricks, exchange
from photofinish.games.hameln_cave.steps.trick import legal, winner_of
from photofinish.games.hameln_cave.words import facts, name, say


def apply(state: State, event: Input[AnyMove], rng: Rng) -> State:
    if isinstance(event, Expired):
        event = answer_for(state, event.timer, rng)
    stepped = _act(replace(state, last=()), event, rng)
    return replace(stepped, decisions=state.decisions + 1)


def _act(state: State, event: Act[AnyMove], rng: Rng) -> State:
    if state.ended is not None:
        raise IllegalMove(state.ended.clause, "The game is over.")
    match event:
        case Act(seat, Character(who)):
            return _character(state, seat, who, rng)
        case Act(seat, Pass(card)):
            return _pass(state, seat, card)
        case Act(seat, Play(card)):
            return _play(state, seat, card)
        case Act(seat, Steer(to)):
            return _steer(state, seat, to)
        case Act(seat, Reveal(slot, mark)):
            return _reveal(state, seat, slot, mark)
        case Act(seat, Stop()):
            _asked(state, seat, ("second",), "H36", "You have not just turned up a card with Rick's skill.")
            return apply_slot(say(state, "stopped", f"{{{seat}}} leaves it at that.", seat), state.turned[0])
        case Act(seat, Apply(slot, mark)):
            return _apply(state, seat, slot, mark)
        case Act(seat, Extra(take)):
            return _extra(state, seat, take=take)
        case Act(seat, Ready()):
            return _ready(state, seat, rng)
    raise AssertionError(event.move)


def _character(state: State, seat: Seat, who: Name, rng: Rng) -> State:
    """H3: first come, first served; the deal follows the second pick."""
    if state.phase != "character":
        raise IllegalMove("H3", "Both seats have their character.")
    if state.characters[partner(seat)] == who:
        raise IllegalMove("H3", f"Your partner has {who.capitalize()}.")
    if state.characters[seat] == who:
        raise IllegalMove("H3", f"You have {who.capitalize()} already.")
    first, second = state.characters
    state = replace(state, characters=(first, who) if seat else (who, second))
    state = say(state, "picked", f"{{{seat}}} sails as {who.capitalize()}.", seat, name=who)
    return state if None in state.characters else deal(state, rng)


def _pass(state: State, seat: Seat, card: Card) -> State:
    if state.phase != "exchange":
        raise IllegalMove("H9", "Cards are passed before the first trick of a round only.")
    if state.passes[seat] is not None:
        raise IllegalMove("H9", "You have passed a card, and a pass is final.")
    if card not in state.hands[seat]:
        # The same for Aria: she passes one of her nine cards, never the card that she is shown (H35).
        clause = "H35" if state.characters[seat] == "aria" else "H9"
        raise IllegalMove(clause, "That card is not in your hand.")
    state = _out_of_hand(state, seat, card)
    first, second = state.passes
    state = replace(state, passes=(first, card) if seat else (card, second))
    state = say(state, "passed", f"{{{seat}}} has passed a card.", seat)
    other = partner(seat)
    if state.passes[other] is not None:
        return exchange(state)
    if state.characters[other] == "aria":  # H33: all see that she is shown a card, but not which
        return say(state, "shown", f"Aria shows {{{other}}} the card.", other)
    return state


def _play(state: State, seat: Seat, card: Card) -> State:
    if state.phase != "play":
        raise IllegalMove("H11", "No card can be played now.")
    if seat != state.turn:
        raise IllegalMove("H10" if not state.trick else "H11", "It is not your turn to play.")
    if card not in state.hands[seat]:
        raise IllegalMove("H11", "That card is not in your hand.")
    if card not in legal(state.hands[seat], state.trick):
        raise IllegalMove("H11", f"The lead is {state.trick[0].card.colour}, and you still hold that colour.")
    state = _out_of_hand(state, seat, card)
    trick = (*state.trick, Played(seat, card))
    state = replace(state, trick=trick, turn=partner(seat))
    state = say(
        state, "played", f"{{{seat}}} plays {name(card)}.", seat, card=facts(card), is_lead=len(trick) == 1
    )
    return state if len(trick) == 1 else _end_trick(state)


def _end_trick(state: State) -> State:
    """H13: both cards on the winner's pile, the trick is counted; then its effect."""
    lead, follow = state.trick
    winner = winner_of(lead, follow)
    piles, won = list(state.piles), list(state.won)
    piles[winner] = (*piles[winner], lead.card, follow.card)
    won[winner] += 1
    state = replace(
        state,
        trick=(),
        tricks=(*state.tricks, Taken((lead, follow), winner)),
        piles=(piles[0], piles[1]),
        won=(won[0], won[1]),
        turn=winner,
    )
    state = say(state, "took", f"{{{winner}}} wins the trick.", winner, tricks=won[winner])
    return take_effect(state, (lead.card, follow.card))


def _steer(state: State, seat: Seat, to: Direction) -> State:
    _asked(state, seat, ("steer",), "H33", "You are not asked where the ship shall go.")
    if to not in choices(state):
        clause = {"charlotte": "H37", "rion": "H39"}.get(str(state.characters[seat]), "H34")
        raise IllegalMove(clause, "Your skill does not lead the ship there.")
    words = {"winner": "to its own side", "partner": "to the partner's side", "straight": "straight ahead"}
    return steer(say(state, "steered", f"{{{seat}}} steers {words[to]}.", seat, to=to), to)


def _reveal(state: State, seat: Seat, slot: int, mark: int) -> State:
    _asked(state, seat, ("reveal", "second"), "H23", "You have no card to turn up now.")
    if slot not in face_down(state):
        raise IllegalMove("H23", "No face-down card lies in that slot.")
    if state.surplus[slot].mark != mark:
        raise IllegalMove("H23", "That slot has changed since you looked.")
    return turn_up(state, slot)


def _apply(state: State, seat: Seat, slot: int, mark: int) -> State:
    _asked(state, seat, ("choose",), "H36", "You have no two cards to choose between.")
    if slot not in state.turned or state.surplus[slot].mark != mark:
        raise IllegalMove("H36", "Name one of the two cards you turned up.")
    card = state.surplus[slot].card
    assert card is not None
    state = say(state, "applied", f"{{{seat}}} chooses {name(card)}.", seat, slot=slot, card=facts(card))
    return apply_slot(state, slot)


def _extra(state: State, seat: Seat, *, take: bool) -> State:
    """H38: one more trick, which the owner leads."""
    _asked(state, seat, ("extra",), "H38", "You are not asked about an extra trick.")
    if not take:
        return end_tricks(say(state, "no_extra", f"{{{seat}}} calls no extra trick.", seat))
    state = say(state, "extra", f"{{{seat}}} calls an extra trick.", seat)
    return replace(state, phase="play", is_extra=True)


def _ready(state: State, seat: Seat, rng: Rng) -> State:
    if state.phase != "pause":
        raise IllegalMove("H27", "There is no pause to end.")
    if state.ready[seat]:
        raise IllegalMove("H27", "You have said so already.")
    first, second = state.ready
    state = replace(state, ready=(first, True) if seat else (True, second))
    state = say(state, "ready", f"{{{seat}}} is ready.", seat)
    return deal(state, rng) if all(state.ready) else state


def _asked(state: State, seat: Seat, phases: tuple[Phase, ...], clause: str, text: str) -> None:
    if state.phase not in phases or seat != state.turn:
        raise IllegalMove(clause, text)


def _out_of_hand(state: State, seat: Seat, card: Card) -> State:
    hands = list(state.hands)
    hands[seat] = tuple(it for it in hands[seat] if it != card)
    return replace(state, hands=(hands[0], hands[1]))
