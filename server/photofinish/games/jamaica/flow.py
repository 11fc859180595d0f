"""The course of a round. It advances automatically until a seat must answer."""

from photofinish.engine import Rng, clockwise, replace
from photofinish.games.jamaica.box import the_box
from photofinish.games.jamaica.scoring import best, totals
from photofinish.games.jamaica.state import (
    DIRECTIONS,
    MAP,
    Accept,
    AnyMove,
    Attack,
    Choose,
    Curse,
    Deck,
    Fire,
    GhostMove,
    HoldKey,
    Leave,
    Load,
    Loot,
    Pay,
    PlaceDice,
    Sabre,
    Sail,
    State,
)
from photofinish.games.jamaica.steps import battle, voyage
from photofinish.games.jamaica.steps.questions import (
    KEYS,
    action,
    ghost_reaches,
    loads,
    only_answer,
    reaches,
    sabre_owner,
)
from photofinish.games.jamaica.words import DAY, ship_id, tell


def run(state: State, rng: Rng) -> State:
    """Advance to the next question or to the end. The server answers a question with only one possible answer."""
    while True:
        match state.phase:
            case "round":
                state = _roll(state, rng)
            case "turn":
                state = _turn(state)
            case "act":
                state = _act(state)
            case "landed":
                state = voyage.landed(state)
            case "judge":
                state = battle.judge(state)
            case "settle":
                state = voyage.settle(state, rng)
            case "done":
                state = _done(state)
            case "round_end":
                state = _round_end(state, rng)
            case _:
                answer = only_answer(state)
                if answer is None:
                    return replace(state, questions=state.questions + 1)
                state = carry_out(state, answer, rng)


def carry_out(state: State, move: AnyMove, rng: Rng) -> State:
    """Carry out a legal answer. `choose` is not here: the server never answers it."""
    match move:
        case PlaceDice(first):
            return place_dice(state, first)
        case Load(hold):
            return voyage.load(state, hold)
        case Sail(to):
            backward = state.shortage is not None or action(state) == "backward"
            return voyage.sail(state, to, reaches(state)[to], "backward" if backward else "forward")
        case GhostMove(direction, to):
            return voyage.sail(state, to, ghost_reaches(state)[direction, to], direction)
        case Attack(ship):
            return battle.attack(state, state.seats if ship == "ghost" else ship)
        case Fire(powder):
            return battle.fire(state, amounts(powder), rng)
        case Sabre():
            return battle.sabre(state, rng)
        case Accept():
            text = "{ship} let the roll stand."
            return replace(tell(state, "accepted", sabre_owner(state), text), phase="judge")
        case Loot(hold, into, treasure):
            if treasure is not None:
                return battle.loot_treasure(state, treasure)
            assert hold is not None
            return battle.loot_hold(state, hold, into)
        case Curse(treasure):
            return battle.curse(state, treasure)
        case Leave():
            return battle.leave(state)
        case Pay(holds):
            return voyage.pay(state, amounts(holds))
        case Choose():
            raise AssertionError(move)
    raise AssertionError(move)


def amounts(named: dict[HoldKey, int]) -> dict[int, int]:
    """Holds by number. Unused holds are omitted."""
    return {KEYS.index(key): count for key, count in named.items() if count}


def _roll(state: State, rng: Rng) -> State:
    """J7: roll the two dice of the round. Everybody sees them."""
    faces = the_box().faces
    dice = (rng.pick(faces), rng.pick(faces))
    state = replace(state, dice=dice, times=None, round=state.round + 1, phase="dice")
    text = f"The dice show {dice[0]} and {dice[1]}; {{ship}} is captain."
    return tell(state, "rolled", state.captain, text, dice=list(dice))


def place_dice(state: State, first: int) -> State:
    times = (state.dice[first], state.dice[1 - first])
    text = f"{{ship}} put {times[0]} on morning and {times[1]} on evening."
    state = tell(state, "placed_dice", state.captain, text, morning=times[0], evening=times[1])
    return replace(state, times=times, phase="choose")


def _turn(state: State) -> State:
    """J9: turn up the next seat's card, not earlier. J45: the Ghost Ship moves after all seats."""
    if state.acted > state.seats or (state.acted == state.seats and state.ghost is None):
        return replace(state, phase="round_end")
    state = replace(state, half=0, phase="act")
    if state.mover == state.ghost:
        return state
    seat, deck = state.mover, state.decks[state.mover]
    assert deck.chosen is not None
    card = the_box().action[deck.chosen]
    played = replace(deck, chosen=None, played=card.id, discard=(*deck.discard, card.id))
    state = replace(state, decks=(*state.decks[:seat], played, *state.decks[seat + 1 :]))
    text = f"{{ship}} turned up {card.morning} / {card.evening}."
    detail = {"card": card.id, "morning": card.morning, "evening": card.evening}
    return tell(state, "turned_up", seat, text, **detail)


def _act(state: State) -> State:
    """J10: start the action of this half of the day, with the die of this half."""
    if state.mover == state.ghost:
        return replace(state, phase="ghost_move")
    if action(state) in DIRECTIONS:
        return replace(state, phase="move")
    if loads(state):
        return replace(state, phase="load")
    text = "Every hold of {ship} is full of it: nothing is loaded."
    return replace(tell(state, "ignored", state.mover, text, half=DAY[state.half]), phase="done")  # J14


def _done(state: State) -> State:
    """The morning ends before the evening begins (J10). A ship that is home does nothing more (J41, J49)."""
    state = replace(state, shortage=None, battle=None)
    if state.half == 0 and not state.ship.has_finished:
        return replace(state, half=1, phase="act")
    if state.half == 0:
        state = tell(state, "dropped", state.mover, "{ship} is home: the evening is dropped.")
    return replace(state, acted=state.acted + 1, phase="turn")


def _round_end(state: State, rng: Rng) -> State:
    if any(ship.has_finished for ship in state.ships):  # J41
        winners = [ship_id(state, ship) for ship in best(state)]
        return replace(
            tell(state, "game_over", None, "The race is over.", winners=winners, totals=list(totals(state))),
            phase="over",
        )
    box, decks = the_box(), []
    for seat, deck in enumerate(state.decks):
        limit = box.map_hand if state.ships[seat].has(MAP) else box.hand  # J11, J38
        filled = _drawn(deck, limit, rng)
        if len(filled.discard) < len(deck.discard):
            state = tell(state, "reshuffled", seat, "{ship} shuffled the discard pile.")
        decks.append(filled)
    captain = clockwise(state.captain, state.seats)  # J6
    return replace(state, decks=tuple(decks), captain=captain, acted=0, phase="round")


def _drawn(deck: Deck, limit: int, rng: Rng) -> Deck:
    """J11: draw up to the limit. If the pile is empty, the discard pile is shuffled first."""
    while len(deck.hand) < limit and (deck.pile or deck.discard):
        if not deck.pile:
            deck = replace(deck, pile=rng.shuffled(deck.discard), discard=())
        deck = replace(deck, hand=(*deck.hand, deck.pile[0]), pile=deck.pile[1:])
    return deck
