"""What a seat may know. Each view is a new value, never a state with parts removed."""

from typing import Literal

from photofinish.engine import Happened, Record, Rng, Seat, Viewer, events_for, replace
from photofinish.engine.decks.cards import CardId
from photofinish.games.rune_market.deck import Face, face, faces
from photofinish.games.rune_market.ending import scores
from photofinish.games.rune_market.holdings import Holding
from photofinish.games.rune_market.moves import Sign
from photofinish.games.rune_market.state import Market, Setting, State, Theft, Throwing, put

Phase = Literal["interest", "purchase", "cards", "duel", "theft", "throw", "over"]


class Attack(Record, frozen=True):
    """The attack that waits for an answer."""

    attacker: Seat
    seat: Seat
    card: Face


class Defence(Record, frozen=True):
    """A card shown in defence, for as long as it is shown."""

    seat: Seat
    card: Face


class Tie(Record, frozen=True):
    """Scissors, stone, paper, with the last throw still on the table when the game is over. Rows are by seat."""

    tied: tuple[Seat, ...]
    points: tuple[int, ...]
    throws: int
    has_thrown: tuple[bool, ...]
    your_sign: Sign | None
    revealed: tuple[Sign | None, ...]
    """The signs of the last throw."""


class View(Record, frozen=True):
    you: Seat | None
    options: Setting
    turn: Seat
    phase: Phase
    market: Market
    holdings: tuple[Holding, ...]
    """What each seat owns on the table."""
    points: tuple[int, ...]
    price: int
    """The price of a boat or a bandit, in runes of one colour."""
    hand: tuple[Face, ...]
    """Your own, from the left; empty for a spectator."""
    hand_sizes: tuple[int, ...]
    main: int
    discard: tuple[Face, ...]
    """The top card comes last."""
    due_red: int
    due_blue: int
    bought: bool
    played: int
    duelled: tuple[Seat, ...]
    attack: Attack | None
    theft: Theft | None
    shown: tuple[Defence, ...]
    tie: Tie | None
    open_hands: tuple[tuple[Face, ...], ...]
    """By seat, at the end: the hands that a tie needed; empty otherwise."""
    winners: tuple[Seat, ...]
    why: str
    last: tuple[Happened, ...]


def view(state: State, viewer: Viewer) -> View:
    duel = state.duel
    return View(
        you=viewer,
        options=state.options,
        turn=state.turn,
        phase=_phase(state),
        market=state.market,
        holdings=state.holdings,
        points=scores(state),
        price=state.price,
        hand=_faces(state.hands[viewer]) if viewer is not None else (),
        hand_sizes=tuple(map(len, state.hands)),
        main=len(state.main),
        discard=_faces(state.discard),
        due_red=state.due("red"),  # R8: only as much as the market can pay
        due_blue=state.due("blue"),
        bought=state.bought,
        played=state.played,
        duelled=state.duelled,
        attack=Attack(state.turn, duel.seat, face(duel.card)) if duel is not None else None,
        theft=state.theft,
        shown=tuple(Defence(it.seat, face(it.card)) for it in state.shown),
        tie=_tie(state.throwing, viewer) if state.throwing is not None else None,
        open_hands=tuple(
            _faces(hand) if seat in state.open_hands else () for seat, hand in enumerate(state.hands)
        )
        if state.open_hands
        else (),
        winners=state.winners,
        why=state.why,
        last=events_for(state.last, viewer),
    )


def _tie(it: Throwing, viewer: Viewer) -> Tie:
    return Tie(
        it.tied,
        it.points,
        it.throws,
        has_thrown=tuple(sign is not None for sign in it.signs),
        your_sign=it.signs[viewer] if viewer is not None else None,
        revealed=it.revealed,
    )


def _faces(cards: tuple[CardId, ...]) -> tuple[Face, ...]:
    return tuple(map(faces().__getitem__, cards))


def _phase(state: State) -> Phase:
    if state.over:
        return "over"
    if state.throwing is not None:
        return "throw"
    if state.duel is not None:
        return "duel"
    if state.theft is not None:
        return "theft"
    if state.due_red or state.due_blue:
        return "interest"
    return "cards" if state.played or state.bought else "purchase"


def resample(state: State, viewer: Viewer, rng: Rng) -> State:
    """Shuffles hidden hands and the main pile; draws signs that are not yet shown again."""
    hidden = [seat for seat in range(state.seats) if seat != viewer and seat not in state.open_hands]
    # A card shown in defence is back in its owner's hand, and everybody sees it for a while.
    kept = {it.card for it in state.shown if it.seat in hidden and it.card in state.hands[it.seat]}
    unseen = [card for seat in hidden for card in state.hands[seat] if card not in kept]
    pool = list(rng.shuffled((*unseen, *state.main)))
    hands = state.hands
    for seat in hidden:
        drawn = tuple(card if card in kept else pool.pop() for card in hands[seat])
        hands = put(hands, seat, rng.shuffled(drawn))
    throwing = state.throwing
    if throwing is not None:
        signs = tuple(
            rng.pick(tuple(Sign)) if sign is not None and seat != viewer else sign
            for seat, sign in enumerate(throwing.signs)
        )
        throwing = replace(throwing, signs=signs)
    return replace(state, hands=hands, main=tuple(pool), throwing=throwing)
