"""What each move does. Only `apply` decides whether a move is legal."""

from typing import NoReturn, TypeVar

from photofinish.engine import Act, Expired, Happened, IllegalMove, Input, Rng, Seat, clockwise, replace
from photofinish.games.cauldron15.clocks import answer_for
from photofinish.games.cauldron15.deal import after_trick, finish, next_starter
from photofinish.games.cauldron15.scoring import sets
from photofinish.games.cauldron15.state import (
    KINDS,
    AnyMove,
    Bonus,
    Card,
    Decline,
    Finished,
    Play,
    Played,
    Spend,
    State,
    Take,
)
from photofinish.games.cauldron15.trick import fill, is_full, led, may_take, playable, sum_of, taker
from photofinish.games.cauldron15.words import facts, name, names

T = TypeVar("T")


def apply(state: State, event: Input[AnyMove], rng: Rng) -> State:
    if isinstance(event, Expired):
        event = answer_for(state, event.timer)
    stepped = _act(replace(state, last=()), event, rng)
    return replace(stepped, decisions=state.decisions + 1)


def _act(state: State, event: Act[AnyMove], rng: Rng) -> State:
    if state.phase == "over":
        raise IllegalMove("B27", "The game is over.")
    match event:
        case Act(seat, Play(card)):
            return _play(state, seat, card, rng)
        case Act(seat, Take(card)):
            return _choose(state, seat, card, rng)
        case Act(seat, Bonus(card)):
            return _bonus(state, seat, card, rng)
        case Act(seat, Decline()):
            return _decline(state, seat, rng)
        case Act(seat, Spend(cards)):
            return _spend(state, seat, cards)
    raise AssertionError(event.move)


def _play(state: State, seat: Seat, card: Card, rng: Rng) -> State:
    if state.phase != "play":
        _refuse_play(state)
    if seat != state.turn:
        raise IllegalMove("B5", "It is not your turn to play.")
    hand = state.hands[seat]
    if card not in hand:
        raise IllegalMove("B5", "That card is not in your hand.")
    if card not in playable(hand, led(state.trick)):
        raise IllegalMove("B5", f"The trick was led with {led(state.trick)}, and you still hold one.")
    trick = (*state.trick, Played(seat, card))
    total = sum_of(trick)  # B6
    played = Happened(
        "played",
        seat,
        f"{{{seat}}} played {name(card)}: {total} in the cauldron.",
        {"card": facts(card), "sum": total},
    )
    hands = _with(state.hands, seat, tuple(it for it in hand if it != card))
    state = replace(state, trick=trick, hands=hands, last=(*state.last, played))
    if fill(total) == "under" and not is_full(trick, state.seats):
        return replace(state, turn=clockwise(seat, state.seats))
    return _end_trick(state, rng)  # B7, B8: seats that have not played yet keep their cards


def _refuse_play(state: State) -> NoReturn:
    match state.phase:
        case "take":
            raise IllegalMove("B11", "The taker of the trick chooses a card first.")
        case "bonus":
            raise IllegalMove("B26", "The next lead waits for the bonus.")
        case _:
            raise IllegalMove("B25", "The last trick is over; only kept bonuses are left.")


def _end_trick(state: State, rng: Rng) -> State:
    who = taker(state.trick, state.trump)
    if who is None:
        return _nobody_takes(state, rng)
    allowed = may_take(state.trick)
    if len(allowed) > 1:
        return replace(state, phase="take", turn=who)
    return _take(state, who, allowed[0], rng)  # B12, B13: with no choice it is taken at once


def _nobody_takes(state: State, rng: Rng) -> State:
    """B21: the deck's card took the trick; all three are discarded."""
    total = sum_of(state.trick)
    gone = Happened("nobody_took", text="The deck's card took the trick: all are discarded.")
    state = replace(
        state,
        discards=(*state.discards, *(played.card for played in state.trick)),
        fresh=len(state.trick),
        finished=Finished(state.trick, total, None, None),
        starter=next_starter(state, None),
        tricks=state.tricks + 1,
        trick=(),
        last=(*state.last, gone),
    )
    return after_trick(state, rng)


def _choose(state: State, seat: Seat, card: Card, rng: Rng) -> State:
    if state.phase != "take":
        raise IllegalMove("B12", "There is no card to choose from a trick now.")
    if seat != state.turn:
        raise IllegalMove("B11", "You did not take this trick.")
    if card not in may_take(state.trick):
        raise IllegalMove("B11", "That card is not one you may take from this trick.")
    return _take(state, seat, card, rng)


def _take(state: State, seat: Seat, card: Card, rng: Rng) -> State:
    """B14: the taker puts one card in front of it, the others are discarded."""
    total = sum_of(state.trick)
    others = tuple(played.card for played in state.trick if played.card != card)
    count = state.gathered[seat]
    more = tuple(n + (kind == card.kind) for n, kind in zip(count, KINDS, strict=True))
    took = Happened(
        "took",
        seat,
        f"{{{seat}}} took {name(card)} out of {total}.",
        {"card": facts(card), "sum": total, "fill": fill(total)},
    )
    state = replace(
        state,
        before=_with(state.before, seat, (*state.before[seat], card)),
        gathered=_with(state.gathered, seat, more),
        discards=(*state.discards, *others),
        fresh=len(others),
        finished=Finished(state.trick, total, seat, card),
        starter=next_starter(state, seat),
        tricks=state.tricks + 1,
        trick=(),
        turn=seat,
        last=(*state.last, took),
    )
    if sets(more) == sets(count):
        return after_trick(state, rng)
    # B24, B26: the set is complete. The next trick starts after the decision about the bonus.
    earned = Happened("set", seat, f"{{{seat}}} has a set of all five kinds.", {"sets": sets(more)})
    return replace(state, phase="bonus", last=(*state.last, earned))


def _bonus(state: State, seat: Seat, card: Card, rng: Rng) -> State:
    _owns_bonus(state, seat)
    if card not in state.before[seat]:
        raise IllegalMove("B24", "That card does not lie before you.")
    gave = Happened("gave_up", seat, f"{{{seat}}} gave up {name(card)}.", {"card": facts(card)})
    state = replace(
        state,
        before=_with(state.before, seat, tuple(it for it in state.before[seat] if it != card)),
        discards=(*state.discards, card),
        fresh=state.fresh + 1,
        used=_with(state.used, seat, state.used[seat] + 1),
        last=(*state.last, gave),
    )
    return after_trick(state, rng)


def _decline(state: State, seat: Seat, rng: Rng) -> State:
    _owns_bonus(state, seat)
    if state.options.keep_bonus:
        kept = Happened("kept", seat, f"{{{seat}}} kept the bonus for the end.")
        state = replace(state, kept=_with(state.kept, seat, state.kept[seat] + 1), last=(*state.last, kept))
    else:
        gone = Happened("declined", seat, f"{{{seat}}} gave up no card.")  # B25: the bonus is gone
        state = replace(state, last=(*state.last, gone))
    return after_trick(state, rng)


def _owns_bonus(state: State, seat: Seat) -> None:
    if state.phase != "bonus":
        raise IllegalMove("B24", "Nobody has a bonus to use now.")
    if seat != state.turn:
        raise IllegalMove("B24", "The bonus is not yours.")


def _spend(state: State, seat: Seat, cards: tuple[Card, ...]) -> State:
    """B25: the answer stays hidden. When all have answered, the cards of all are discarded together."""
    if state.phase != "spend":
        raise IllegalMove("B25", "Kept bonuses are spent after the last trick.")
    if not state.kept[seat]:
        raise IllegalMove("B25", "You kept no bonus.")
    if state.spends[seat] is not None:
        raise IllegalMove("B25", "You have answered already.")
    if len(set(cards)) != len(cards) or len(cards) > state.kept[seat]:
        raise IllegalMove("B25", "One card at most for each bonus you kept, and each card once.")
    if any(card not in state.before[seat] for card in cards):
        raise IllegalMove("B24", "One of those cards does not lie before you.")
    answered = Happened("answered", seat, f"{{{seat}}} has decided about the kept bonuses.")
    state = replace(state, spends=_with(state.spends, seat, cards), last=(*state.last, answered))
    if any(kept and spent is None for kept, spent in zip(state.kept, state.spends, strict=True)):
        return state
    return _reveal(state)


def _reveal(state: State) -> State:
    gone = tuple(spent or () for spent in state.spends)
    events = tuple(
        Happened(
            "spent",
            Seat(seat),
            f"{{{seat}}} gave up {names(cards)}.",
            {"cards": [facts(card) for card in cards]},
        )
        for seat, cards in enumerate(gone)
        if state.spends[seat] is not None
    )
    left = zip(state.before, gone, strict=True)
    discarded = tuple(card for cards in gone for card in cards)
    return finish(
        replace(
            state,
            before=tuple(tuple(card for card in cards if card not in out) for cards, out in left),
            discards=(*state.discards, *discarded),
            fresh=state.fresh + len(discarded),
            used=tuple(used + len(out) for used, out in zip(state.used, gone, strict=True)),
            kept=tuple(kept - len(out) for kept, out in zip(state.kept, gone, strict=True)),
            last=(*state.last, *events),
        )
    )


def _with(row: tuple[T, ...], seat: Seat, value: T) -> tuple[T, ...]:
    return (*row[:seat], value, *row[seat + 1 :])
