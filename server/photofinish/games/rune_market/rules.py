"""The rules of The Rune Market: the deal, and every input."""

from photofinish.engine import (
    Act,
    Expired,
    IllegalMove,
    Input,
    Move,
    Outcome,
    Rng,
    Seat,
    TableSetup,
    all_seats,
    replace,
)
from photofinish.games.rune_market import attacks, ending, goods, ransom, shelters, turn
from photofinish.games.rune_market.deck import HAND, count, hand_cards
from photofinish.games.rune_market.holdings import Holding
from photofinish.games.rune_market.moves import (
    Buy,
    BuyRune,
    Collect,
    Decline,
    Defend,
    DoubleTheft,
    Duel,
    EndTurn,
    GiveUp,
    Ransom,
    Shelter,
    Steal,
    Store,
    Thief,
    Throw,
)
from photofinish.games.rune_market.state import Market, Setting, State


def setup(table: TableSetup[Setting], rng: Rng) -> State:
    deck = rng.shuffled(hand_cards())
    dealt = HAND * table.seats
    # R3: the last winner starts, or one of them; else any seat
    starters = tuple(seat for seat in table.previous if seat < table.seats) or all_seats(table.seats)
    state = State(
        table.options,
        hands=tuple(deck[seat * HAND : (seat + 1) * HAND] for seat in range(table.seats)),  # R2
        main=deck[dealt:],
        market=Market(count("red_rune"), count("blue_rune"), count("boat_shelter"), count("bandit")),
        holdings=(Holding(),) * table.seats,
        turn=rng.pick(starters),
    )
    return turn.begin(state)


def apply(state: State, event: Input[Move], rng: Rng) -> State:
    if state.over:
        raise IllegalMove("R37", "The game is over.")
    fresh = replace(state, last=())
    match event:
        case Expired(key):
            return turn.run_out(fresh, key, rng)
        case Act(seat, move):
            return replace(act(fresh, seat, move, rng), idle=0)


def act(state: State, seat: Seat, move: Move, rng: Rng) -> State:
    """A pending decision comes first: a throw, the answer to a duel, a theft."""
    if isinstance(move, Throw):
        if state.throwing is None:
            raise IllegalMove("R40", "There is no tie to throw for.")
        return ending.throw(state, seat, move.sign)
    if state.throwing is not None:
        raise IllegalMove("R40", "The game is over but for scissors, stone, paper.")
    if isinstance(move, Defend | GiveUp):
        if state.duel is None or seat != state.duel.seat:
            raise IllegalMove("R19", "Nobody has attacked you.")
        return attacks.give_up(state) if isinstance(move, GiveUp) else attacks.defend(state, seat, move.card)
    if seat != state.turn:
        raise IllegalMove("R5", "It is not your turn.")
    if state.duel is not None:
        raise IllegalMove("R19", "Your attack waits for its answer.")
    if isinstance(move, Steal | Decline):
        if state.theft is None:
            raise IllegalMove("R23", "You have no theft to commit.")
        return attacks.steal(state, move, rng) if isinstance(move, Steal) else attacks.decline(state)
    if state.theft is not None:
        raise IllegalMove("R23", "Commit your theft first, or decline it.")
    return own_turn(state, move, rng)


def own_turn(state: State, move: Move, rng: Rng) -> State:
    match move:
        case Collect():
            return goods.collect(state, move)
        case Store():
            return goods.store(state, move)
    state = replace(state, due_red=0, due_blue=0)  # R7: what was not collected is lost
    match move:
        case Buy():
            return goods.buy(state, move)
        case BuyRune():
            return goods.buy_rune(state, move)
        case Ransom():
            return ransom.ransom(state, move)
        case Shelter():
            return shelters.shelter(state, move)
        case Duel(card, seat):
            return attacks.duel(state, card, seat)
        case Thief(card):
            return attacks.thief(state, card)
        case DoubleTheft(card):
            return attacks.double_theft(state, card)
        case EndTurn():
            if state.hand and not state.played:
                raise IllegalMove("R12", "Play at least one hand card.")
            return turn.end(state, rng)
        case _:
            raise AssertionError(move)


def outcome(state: State) -> Outcome | None:
    return Outcome(state.winners, state.why) if state.over else None
