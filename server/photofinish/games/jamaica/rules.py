"""Is this move legal now? Only `apply` decides."""

from photofinish.engine import Act, Expired, IllegalMove, Input, Rng, Seat, replace
from photofinish.games.jamaica.clocks import answer_for
from photofinish.games.jamaica.flow import carry_out, run
from photofinish.games.jamaica.state import (
    Accept,
    AnyMove,
    Attack,
    Choose,
    Curse,
    Fire,
    GhostMove,
    HoldKey,
    Leave,
    Load,
    Loot,
    Pay,
    Phase,
    PlaceDice,
    Sabre,
    Sail,
    State,
)
from photofinish.games.jamaica.steps.cargo import holds_of
from photofinish.games.jamaica.steps.questions import (
    KEYS,
    awaited,
    curses,
    due,
    ghost_directions,
    ghost_reaches,
    has_chosen,
    hold_loots,
    is_ghosts_lady,
    loads,
    powder,
    reaches,
    targets,
    treasure_loots,
)
from photofinish.games.jamaica.words import UNITS, ship_id, tell


def apply(state: State, event: Input[AnyMove], rng: Rng) -> State:
    act = answer_for(state, event.timer) if isinstance(event, Expired) else event
    state = replace(state, last=())
    if state.phase == "over":
        raise IllegalMove("J41", "The race is over.")
    if isinstance(act.move, Choose):
        return _choose(state, act.seat, act.move.card, rng)
    _judge(state, act)
    return run(carry_out(state, act.move, rng), rng)


def _choose(state: State, seat: Seat, card: int, rng: Rng) -> State:
    """J8: all choose at the same time, in secret, and cannot change it. J9: then the captain plays first."""
    if state.phase != "choose":
        raise IllegalMove("J8", "Cards are chosen once the dice have been placed.")
    if has_chosen(state, seat):
        raise IllegalMove("J8", "You have chosen, and a choice is final.")
    deck = state.decks[seat]
    if card not in deck.hand:
        raise IllegalMove("J8", "That card is not in your hand.")
    place = deck.hand.index(card)
    deck = replace(deck, chosen=card, played=None, hand=(*deck.hand[:place], *deck.hand[place + 1 :]))
    state = replace(state, decks=(*state.decks[:seat], deck, *state.decks[seat + 1 :]))
    state = tell(state, "chose", seat, "{ship} has chosen a card.")
    return state if awaited(state) else run(replace(state, phase="turn", acted=0), rng)


def _judge(state: State, act: Act[AnyMove]) -> None:
    match act:
        case Act(seat, PlaceDice()):
            _asked(state, seat, "dice", "J7", "You have no dice to place now.")
        case Act(seat, Load(hold)):
            _asked(state, seat, "load", "J12", "You have nothing to load now.")
            _judge_load(state, hold)
        case Act(seat, Sail(to)):
            _asked(state, seat, "move", "J16", "Your ship is not to be moved now.")
            if to not in reaches(state):
                clause = "J16" if state.shortage is None else "J33"
                raise IllegalMove(clause, "Your ship cannot end its movement there.")
        case Act(seat, GhostMove(direction, to)):
            _asked(state, seat, "ghost_move", "J45", "The Ghost Ship is not yours to move now.")
            if direction not in ghost_directions(state):
                raise IllegalMove("J45", "Alone in the lead it goes backward, alone at the end forward.")
            if (direction, to) not in ghost_reaches(state):
                raise IllegalMove("J45", "The Ghost Ship cannot end its movement there.")
        case Act(seat, Attack(ship)):
            _asked(state, seat, "attack", "J23", "You have no battle to choose now.")
            if ship not in {ship_id(state, it) for it in targets(state)}:
                raise IllegalMove("J23", "That ship does not lie where yours has landed.")
        case Act(seat, Fire(amounts)):
            _asked(state, seat, "fire", "J24", "It is not your turn to fire.")
            _judge_amounts(amounts, powder(state), "J24", "You can spend only the gunpowder you have.")
        case Act(seat, Sabre() | Accept()):
            _asked(state, seat, "sabre", "J28", "There is no roll for your sabre to decide now.")
        case Act(seat, Pay(amounts)):
            _asked(state, seat, "pay", "J19", "You have nothing to pay now.")
            resource, cost = due(state)
            held = holds_of(state.ship, resource)
            _judge_amounts(amounts, held, "J19", f"Pay with {UNITS[resource]} from the holds that have them.")
            if sum(amounts.values()) != cost:
                raise IllegalMove("J19", f"The space costs {cost}, no more and no less.")
        case Act(seat, Loot() | Curse() | Leave() as move):
            _asked(state, seat, "spoils", "J29", "You have won no battle to make use of now.")
            _judge_spoils(state, move)


def _asked(state: State, seat: Seat, phase: Phase, clause: str, text: str) -> None:
    if state.phase != phase or seat not in awaited(state):
        raise IllegalMove(clause, text)


def _judge_load(state: State, hold: int) -> None:
    if hold >= len(state.ship.holds):
        raise IllegalMove("J39", "You have no such hold.")
    if hold in loads(state):
        return
    if any(it.resource is None for it in state.ship.holds):
        raise IllegalMove("J12", "You have an empty hold: load there.")
    raise IllegalMove("J13", "You may not empty a hold of the very resource you load.")


def _judge_amounts(amounts: dict[HoldKey, int], held: dict[int, int], clause: str, text: str) -> None:
    if any(count > held.get(KEYS.index(key), -1) for key, count in amounts.items()):
        raise IllegalMove(clause, text)


def _judge_spoils(state: State, move: Loot | Curse | Leave) -> None:
    assert state.battle is not None
    match move:
        case Loot(None, None, int() as treasure):
            if is_ghosts_lady(state, treasure):
                raise IllegalMove("J44", "Lady Beth can never be stolen from the Ghost Ship.")
            if treasure not in treasure_loots(state):
                raise IllegalMove("J31", "There is no treasure in that place which could be taken.")
        case Loot(int() as hold, into, None):
            if (hold, into) not in hold_loots(state):
                raise IllegalMove("J30", "That hold cannot be taken there.")
        case Loot():
            raise IllegalMove("J29", "Take one hold, or one treasure.")
        case Curse(treasure):
            if state.battle.winner == state.ghost:
                raise IllegalMove("J48", "The Ghost Ship never gives a curse away.")
            if treasure not in curses(state):
                raise IllegalMove("J32", "You have no cursed treasure in that place.")
        case Leave():
            pass
