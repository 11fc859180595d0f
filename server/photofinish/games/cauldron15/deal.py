"""The deal, the lead of each trick, and what follows after a trick."""

from photofinish.engine import Happened, Rng, Seat, TableSetup, clockwise, replace
from photofinish.games.cauldron15.box import the_box
from photofinish.games.cauldron15.scoring import verdict
from photofinish.games.cauldron15.state import KINDS, Cauldron15Options, Played, State, by_kind
from photofinish.games.cauldron15.words import facts, name


def setup(table: TableSetup[Cauldron15Options], rng: Rng) -> State:
    seats = table.seats
    trumps = rng.shuffled(KINDS)  # B3
    starter = Seat(rng.below(seats))  # B4
    state = State(
        options=table.options,
        hands=((),) * seats,
        deck=(),
        trumps=trumps,
        starter=starter,
        turn=starter,
        before=((),) * seats,
        gathered=((0,) * len(KINDS),) * seats,
        used=(0,) * seats,
        kept=(0,) * seats,
        spends=(None,) * seats,
    )
    return lead(deal(state, rng))


def deal(state: State, rng: Rng) -> State:
    """Shuffle and deal all cards except those in front of the seats (B2, B17)."""
    out = {card for cards in state.before for card in cards}
    cards = rng.shuffled(card for card in the_box().cards if card not in out)
    size = the_box().hand(state.seats)
    hands = tuple(
        tuple(sorted(cards[seat * size : (seat + 1) * size], key=by_kind)) for seat in range(state.seats)
    )
    dealt = Happened(
        "dealt",
        text=f"Round {state.round}: {size} cards each. {state.trump.capitalize()} is trump.",
        detail={"round": state.round, "trump": state.trump, "cards": size},
    )
    return replace(
        state, hands=hands, deck=cards[size * state.seats :], discards=(), fresh=0, last=(*state.last, dealt)
    )


def lead(state: State) -> State:
    """Start a trick: the starting seat leads, or with two seats the deck (B19)."""
    state = replace(state, phase="play", turn=state.starter, trick=())
    if state.seats > 2:
        return state
    top, *rest = state.deck
    turned = Happened("turned", text=f"The deck leads {name(top)}.", detail={"card": facts(top)})
    return replace(state, deck=tuple(rest), trick=(Played(None, top),), last=(*state.last, turned))


def after_trick(state: State, rng: Rng) -> State:
    """After the trick and its bonus: the next trick, the next round, or the end."""
    if all(state.hands):
        return lead(state)
    # B16: a hand is empty. With two seats both hands are empty, after eight tricks (B22).
    # B16: nobody sees the cards that are left, but their numbers are public.
    left = [len(hand) for hand in state.hands]
    detail = {"round": state.round, "left": left}
    ended = Happened("round_over", text=f"Round {state.round} is over.", detail=detail)
    state = replace(state, last=(*state.last, ended))
    if state.round < the_box().rounds:
        under = (*state.trumps[1:], state.trumps[0])  # B17
        return lead(deal(replace(state, round=state.round + 1, trumps=under), rng))
    if any(state.kept):
        return replace(state, phase="spend")  # B25, only with `keep_bonus`
    return finish(state)


def finish(state: State) -> State:
    """B27: the game is over."""
    result = verdict(state)
    who = " and ".join(f"{{{seat}}}" for seat in result.winners) or "Nobody"
    over = Happened(
        "game_over", text=f"Game over. Won by: {who}. {result.why}", detail={"winners": list(result.winners)}
    )
    return replace(state, phase="over", last=(*state.last, over))


def next_starter(state: State, taker: Seat | None) -> Seat:
    """B15: the taker leads. With two seats the lead alternates through all rounds (B20)."""
    if state.seats == 2 or taker is None:
        return clockwise(state.starter, state.seats)
    return taker
