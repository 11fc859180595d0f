"""A turn from start to end: bandits, interest, the draw, and the clocks."""

from photofinish.engine import Millis, Rng, Seat, Timer, clockwise, limit, replace
from photofinish.games.rune_market import attacks, ending
from photofinish.games.rune_market import holdings as own
from photofinish.games.rune_market.deck import HAND
from photofinish.games.rune_market.goods import gain
from photofinish.games.rune_market.moves import Colour
from photofinish.games.rune_market.state import State, held_by, lay_down, put, say

IDLE_ROUNDS = 10
"""The game ends after this number of rounds in which no player has made a move: the market would never sell out."""


def begin(state: State) -> State:
    """Begin a turn: first the bandits rob, then the interest is computed (R5, R6)."""
    seat = state.turn
    state = replace(
        state, turns=state.turns + 1, bought=False, played=0, duelled=(), theft=None, due_red=0, due_blue=0
    )
    state = say(state, "turn", seat, f"It is {{{seat}}}'s turn.")
    for colour in own.MAIN:  # R33: red before blue
        state = _rob(state, colour)
    red, blue = (interest(state.own, colour) for colour in own.COLOURS)
    return replace(state, due_red=red, due_blue=blue)


def _rob(state: State, colour: Colour) -> State:
    seat = state.turn
    shelter = own.main(state.own, colour)
    if shelter is None or shelter.bandit is None:
        return state
    owner = shelter.bandit
    if not shelter.runes:  # R33: the shelter is lost
        market = replace(
            state.market, bandits=state.market.bandits + 1, boats=state.market.boats + shelter.boat
        )
        state = replace(state, market=market, discard=(*state.discard, shelter.card))
        state = held_by(state, seat, replace(state.own, **{colour: None}))
        return say(state, "shelter_lost", seat, f"{{{seat}}} lost the {colour} shelter.", colour=colour)
    state = held_by(state, seat, own.add(state.own, colour, colour, -1))
    gained = state.holdings[owner]
    state = held_by(state, owner, own.add(gained, own.unsaid(gained, colour), colour, 1))  # R35
    text = f"{{{owner}}}'s bandit took a {colour} rune from {{{seat}}}."
    return say(state, "robbed", owner, text, victim=seat, colour=colour)


def interest(it: own.Holding, colour: Colour) -> int:
    """The interest of the seat's shelter of this colour (R6, R34)."""
    place = own.shelter_of(it, colour)
    if place is None or not own.runes_at(it, place, colour) or own.bandit_at(it, place) is not None:
        return 0
    shelter = own.main(it, colour)
    return 2 if shelter is not None and shelter.boat else 1


def end(state: State, rng: Rng) -> State:
    """Draw up to three cards (R13), then the next seat."""
    seat = state.turn
    wanted = max(0, HAND - len(state.hand))
    main, discard = state.main, state.discard
    cards = main[:wanted]
    main = main[wanted:]
    if len(cards) < wanted and discard:  # R14
        main, discard = rng.shuffled(discard), ()
        more = wanted - len(cards)
        cards, main = (*cards, *main[:more]), main[more:]
        state = say(state, "reshuffled", None, "The discard pile is shuffled into a new main pile.")
    state = replace(state, main=main, discard=discard, hands=put(state.hands, seat, (*state.hand, *cards)))
    if cards:
        state = say(state, "drew", seat, f"{{{seat}}} drew {len(cards)} cards.", cards=len(cards))
    return begin(replace(state, turn=clockwise(seat, state.seats)))


# Clocks


def timers(state: State) -> tuple[Timer, ...]:
    if state.over:
        return ()
    answer = Millis(state.options.answer_seconds * 1000)
    if state.throwing is not None:
        waiting = [seat for seat in state.throwing.tied if state.throwing.signs[seat] is None]
        return tuple(Timer(f"throw:{state.throwing.throws}:{seat}", answer, seat=seat) for seat in waiting)
    turn = limit(state.options.turn_seconds)
    clocks = [Timer(f"turn:{state.turns}", turn, seat=state.turn, running=state.duel is None)]
    if state.duel is not None:
        clocks.append(Timer(f"duel:{state.answers}", answer, seat=state.duel.seat))
    if state.theft is not None:
        clocks.append(Timer(f"theft:{state.answers}", answer, seat=state.turn))
    show = Millis(state.options.show_seconds * 1000)
    clocks += [Timer(f"show:{it.number}", show) for it in state.shown]
    return tuple(clocks)


def run_out(state: State, key: str, rng: Rng) -> State:
    """The answer that is given for a seat when its clock expires."""
    assert key in {timer.key for timer in timers(state)}, f"no clock {key} is running"
    kind, count, *seat = key.split(":")
    match kind:
        case "show":
            return replace(state, shown=tuple(it for it in state.shown if it.number != int(count)))
        case "duel":
            return attacks.give_up(state)
        case "theft":
            return attacks.decline(state)
        case "throw":
            return ending.throw_blindly(state, Seat(int(seat[0])), rng)
        case _:
            return _time_over(state, rng)


def _time_over(state: State, rng: Rng) -> State:
    """All interest is collected; if no card was played the leftmost is discarded; the turn ends."""
    seat = state.turn
    state = say(replace(state, theft=None), "time_over", seat, f"{{{seat}}}'s time is over.")
    red, blue = state.due("red"), state.due("blue")
    for colour, n in zip(own.COLOURS, (red, blue), strict=True):
        state = gain(state, colour, n, None) if n else state
    if red or blue:
        text = f"{{{seat}}} collected {red + blue} runes of interest."
        state = ending.sold_out(say(state, "interest", seat, text, red=red, blue=blue))
        if state.over or state.throwing is not None:
            return state
    if state.hand and not state.played:
        card = state.hand[0]
        # The card is not named here: it is visible on the discard pile, unless the pile is shuffled in this step (R14).
        state = say(lay_down(state, card), "discarded", seat, f"{{{seat}}} discarded a card.")
    state = replace(state, idle=state.idle + 1)
    if state.idle >= IDLE_ROUNDS * state.seats:
        return ending.finish(say(state, "abandoned", None, "Nobody plays any more."))
    return end(state, rng)
