"""Magpies: the test suite's own game. It is small and has every kind of secret, clock, race and offer.

Everybody bids gems in secret; the winner leads: draws, keeps or discards, and the discard opens a race for
cards of the same rune. Then the leader may swap two cards of different seats or sell some of the hand.
"""

from typing import Annotated, Any, Literal

import msgspec

from photofinish.engine import (
    Act,
    Amounts,
    Expired,
    Game,
    Happened,
    IllegalMove,
    Input,
    Millis,
    Move,
    Offer,
    Options,
    Outcome,
    Race,
    Record,
    Rng,
    Seat,
    SomeOf,
    TableSetup,
    Timer,
    Viewer,
    all_seats,
    events_for,
    limit,
    offer,
    one,
    replace,
    rows,
)
from tests.games.sample.bot import house_bot

RUNES, COPIES, SLOTS, HAND = 7, 5, 3, 2
PRICE = 5
Small = Annotated[int, msgspec.Meta(ge=0, le=9999)]
Count = Annotated[int, msgspec.Meta(ge=0, le=2)]
Phase = Literal["look", "bid", "draw", "keep", "race", "trade", "over"]


class Magpie(Options, frozen=True):
    rounds: Annotated[int, msgspec.Meta(ge=1, le=4)] = 2
    turn_seconds: Annotated[int, msgspec.Meta(ge=0, le=60)] = 20
    mood: Literal["calm", "wild"] = "calm"
    quiet: bool = False


class Ref(Record, forbid_unknown_fields=True, frozen=True):
    seat: Small
    slot: Small
    mark: Small


class Ready(Move, frozen=True):
    """M1."""


class Bid(Move, frozen=True):
    gems: dict[Literal["red", "blue"], Count]


class Draw(Move, frozen=True):
    """M3."""


class Keep(Move, frozen=True):
    slot: Small | None = None
    mark: Small | None = None


class Slap(Move, frozen=True):
    seat: Small
    slot: Small
    mark: Small


class Close(Move, frozen=True):
    """M6."""


class Swap(Move, frozen=True):
    a: Ref
    b: Ref


class Sell(Move, frozen=True):
    cards: Annotated[tuple[Small, ...], msgspec.Meta(max_length=8)]


class Pass(Move, frozen=True):
    """M9."""


class Face(Record, frozen=True):
    rune: int


class Purse(Record, frozen=True):
    """A bid that may be looked at: one's own, or everybody's once all are in."""

    red: int
    blue: int


class Slot(Record, frozen=True):
    mark: int
    empty: bool = False
    face: Face | None = None


class State(Record, frozen=True):
    options: Magpie
    phase: Phase
    pile: tuple[int, ...]
    slots: tuple[tuple[int | None, ...], ...]
    marks: tuple[tuple[int, ...], ...]
    hands: tuple[tuple[int, ...], ...]
    points: tuple[int, ...]
    bids: tuple[Purse | None, ...]
    ready: tuple[bool, ...]
    round: int = 1
    beat: int = 0
    lead: Seat = Seat(0)
    drawn: int | None = None
    discard: tuple[int, ...] = ()
    sold: tuple[int, ...] = ()
    shown: tuple[tuple[Seat, int], ...] = ()
    throws: int = 0
    last: tuple[Happened, ...] = ()


class View(Record, frozen=True):
    phase: Phase
    round: int
    lead: Seat
    pile: int
    discard: tuple[Face, ...]
    table: tuple[tuple[Slot, ...], ...]
    hand: tuple[Face, ...]
    hands: tuple[int, ...]
    drawn: Face | None
    bids_in: tuple[bool, ...]
    bids: tuple[Purse | None, ...]
    sold: tuple[Face, ...]
    points: tuple[int, ...]
    last: tuple[Happened, ...]


def setup(table: TableSetup[Magpie], rng: Rng) -> State:
    if table.options.mood == "wild" and table.seats > 4:
        raise IllegalMove("M1", "Wild magpies play with at most four.")
    deck = rng.shuffled([rune for rune in range(RUNES) for _ in range(COPIES)])
    seats, each = table.seats, SLOTS + HAND
    dealt = [deck[seat * each : (seat + 1) * each] for seat in range(seats)]
    return State(
        options=table.options,
        phase="look",
        pile=deck[seats * each :],
        slots=tuple(cards[:SLOTS] for cards in dealt),
        marks=((0,) * SLOTS,) * seats,
        hands=tuple(cards[SLOTS:] for cards in dealt),
        points=(0,) * seats,
        bids=(None,) * seats,
        ready=(False,) * seats,
    )


def seats_of(state: State) -> tuple[Seat, ...]:
    return all_seats(len(state.hands))


def put(values: tuple[Any, ...], place: int, value: Any) -> tuple[Any, ...]:
    return (*values[:place], value, *values[place + 1 :])


def targets(state: State) -> list[tuple[Seat, int, int]]:
    """Every slot that holds a card which is not lying open just now (M5)."""
    return [
        (seat, slot, state.marks[seat][slot])
        for seat in seats_of(state)
        for slot in range(SLOTS)
        if state.slots[seat][slot] is not None and (seat, slot) not in state.shown
    ]


def offers(state: State, seat: Seat) -> tuple[Offer, ...]:
    leads, all_targets = seat == state.lead, targets(state)
    own = [(slot, mark) for owner, slot, mark in all_targets if owner == seat]
    match state.phase:
        case "look" if not state.ready[seat]:
            return (offer(Ready, text="I have seen it"),)
        case "bid" if state.bids[seat] is None:
            return (offer(Bid, Amounts("gems", {"red": 2, "blue": 2}, most=3)),)
        case "draw" if leads:
            return (offer(Draw, text="Draw a card"),)
        case "keep" if leads:
            return (offer(Keep, rows("slot mark", own, optional=True)),)
        case "race":
            slaps = (offer(Slap, rows("seat slot mark", all_targets)),) if all_targets else ()
            return (*slaps, offer(Close)) if leads else slaps
        case "trade" if leads:
            refs = [{"seat": s, "slot": n, "mark": m} for s, n, m in all_targets]
            found = [offer(Pass)]
            if len({s for s, _, _ in all_targets}) > 1:
                found.append(offer(Swap, one("a", refs), one("b", refs), where="different_seats"))
            hand = state.hands[seat]
            if sum(hand) >= PRICE:
                places = tuple(range(len(hand)))
                found.append(
                    offer(
                        Sell, SomeOf("cards", places, least=1, most=len(hand), weights=hand, sum_least=PRICE)
                    )
                )
            return tuple(found)
        case _:
            return ()


def apply(state: State, event: Input[Move], rng: Rng) -> State:
    del rng  # nothing is drawn by lot after the deal
    clean = replace(state, last=())
    match event:
        case Expired(key):
            assert key in {timer.key for timer in timers(state)}, "a clock nobody wished for"
            return expired(clean, key)
        case Act(seat, Ready()) if state.phase == "look" and not state.ready[seat]:
            return look_over(replace(clean, ready=put(clean.ready, seat, True)))
        case Act(seat, Bid(gems)) if state.phase == "bid" and state.bids[seat] is None:
            if sum(gems.values()) > 3:
                raise IllegalMove("M2", "A bid is at most three gems.")
            mine = Purse(gems.get("red", 0), gems.get("blue", 0))
            happened = Happened("bid", seat, "You bid.", {"sum": sum(gems.values())}, only=seat)
            return bids_over(replace(clean, bids=put(clean.bids, seat, mine), last=(happened,)))
        case Act(seat, Slap() as slap) if state.phase == "race":
            return slapped(clean, seat, slap)
        case Act(seat, move) if seat != state.lead:
            raise IllegalMove("M3", "Somebody else leads.")
        case Act(seat, Draw()) if state.phase == "draw":
            return moved_on(replace(clean, drawn=clean.pile[0], pile=clean.pile[1:]), "keep", "drew")
        case Act(seat, Keep(slot, mark)) if state.phase == "keep":
            return kept(clean, seat, slot, mark)
        case Act(_, Close()) if state.phase == "race":
            return moved_on(clean, "trade", "closed")
        case Act(_, Pass()) if state.phase == "trade":
            return next_round(clean)
        case Act(_, Swap(a, b)) if state.phase == "trade":
            return swapped(clean, a, b)
        case Act(seat, Sell(cards)) if state.phase == "trade":
            return sold(clean, seat, cards)
        case Act(_, move):
            raise IllegalMove("M9", f"Nobody can {type(move).__name__.lower()} now.")


def moved_on(state: State, phase: Phase, what: str) -> State:
    said = Happened(what, state.lead, f"{{{state.lead}}} {what}.")
    return replace(state, phase=phase, beat=state.beat + 1, last=(*state.last, said), shown=())


def look_over(state: State) -> State:
    return moved_on(state, "bid", "all looked") if all(state.ready) else state


def bids_over(state: State) -> State:
    if any(bid is None for bid in state.bids):
        return state
    sums = [bid.red + bid.blue for bid in state.bids if bid is not None]
    lead = Seat(sums.index(max(sums)))
    points = put(state.points, lead, state.points[lead] - max(sums))
    return moved_on(replace(state, lead=lead, points=points), "draw", "leads")


def kept(state: State, seat: Seat, slot: int | None, mark: int | None) -> State:
    assert state.drawn is not None
    out: int | None = state.drawn
    if slot is not None or mark is not None:
        if slot is None or mark is None or (seat, slot, mark) not in targets(state):
            raise IllegalMove("M4", "That slot is empty or has changed.")
        out = state.slots[seat][slot]
        state = laid(state, seat, slot, state.drawn)
    state = replace(state, drawn=None, discard=(*state.discard, out), throws=0)
    return moved_on(state, "race", "discarded")


def laid(state: State, seat: Seat, slot: int, card: int | None) -> State:
    """Another card, or none, lies in this slot: its mark changes."""
    cards = put(state.slots, seat, put(state.slots[seat], slot, card))
    marks = put(state.marks, seat, put(state.marks[seat], slot, state.marks[seat][slot] + 1))
    return replace(state, slots=cards, marks=marks)


def slapped(state: State, seat: Seat, slap: Slap) -> State:
    if (slap.seat, slap.slot, slap.mark) not in targets(state):
        raise IllegalMove("M5", "That card is not there any more, or lies open already.")
    owner = Seat(slap.seat)
    card = state.slots[owner][slap.slot]
    if card == state.discard[-1]:
        state = laid(state, owner, slap.slot, None)
        state = replace(state, discard=(*state.discard, card), throws=state.throws + 1)
        gain, what = 2, "slapped"
    else:
        state = replace(state, shown=(*state.shown, (owner, slap.slot)))
        gain, what = -2 if state.options.mood == "wild" else -1, "missed"
    points = put(state.points, seat, state.points[seat] + gain)
    said = Happened(what, seat, f"{{{seat}}} {what}.", {"seat": owner, "slot": slap.slot})
    return replace(state, points=points, last=(said,))


def swapped(state: State, a: Ref, b: Ref) -> State:
    if a.seat == b.seat or not {(r.seat, r.slot, r.mark) for r in (a, b)} <= set(targets(state)):
        raise IllegalMove("M7", "Swap two cards that lie with two different seats.")
    first, second = state.slots[a.seat][a.slot], state.slots[b.seat][b.slot]
    state = laid(laid(state, Seat(a.seat), a.slot, second), Seat(b.seat), b.slot, first)
    return next_round(state)


def sold(state: State, seat: Seat, cards: tuple[int, ...]) -> State:
    hand = state.hands[seat]
    if len(set(cards)) != len(cards) or any(place >= len(hand) for place in cards):
        raise IllegalMove("M8", "Name each card of your hand once.")
    if not cards or sum(hand[place] for place in cards) < PRICE:
        raise IllegalMove("M8", "Those are not worth enough together.")
    left = tuple(card for place, card in enumerate(hand) if place not in cards)
    shown = tuple(hand[place] for place in cards)
    state = replace(state, hands=put(state.hands, seat, left), sold=(*state.sold, *shown))
    return next_round(replace(state, points=put(state.points, seat, state.points[seat] + 3)))


def next_round(state: State) -> State:
    if state.round == state.options.rounds:
        return moved_on(state, "over", "finished")
    state = replace(state, round=state.round + 1, bids=(None,) * len(state.hands))
    return moved_on(state, "bid", "ended the round")


def timers(state: State) -> tuple[Timer, ...]:
    seconds, beat = state.options.turn_seconds, state.beat
    if state.phase == "over":
        return ()
    if state.phase == "look":
        return (Timer(f"look:{beat}", Millis(5000)),)
    if state.phase == "race":
        race = Timer(f"race:{beat}", Millis(2500), ends_race=True)
        show = Timer(f"show:{beat}:{len(state.shown)}", Millis(900))
        return (race, show) if state.shown else (race,)
    turn = limit(seconds)
    if state.phase == "bid":
        waiting = [seat for seat in seats_of(state) if state.bids[seat] is None]
        return tuple(Timer(f"bid:{beat}:{seat}", turn, seat=seat) for seat in waiting)
    return (Timer(f"{state.phase}:{beat}", turn, seat=state.lead),)


def expired(state: State, key: str) -> State:
    match key.split(":"):
        case ["look", _]:
            return look_over(replace(state, ready=(True,) * len(state.hands)))
        case ["bid", _, seat]:
            return bids_over(replace(state, bids=put(state.bids, int(seat), Purse(0, 0))))
        case ["draw", _]:
            return apply(state, Act(state.lead, Draw()), Rng(b"", 0))
        case ["keep", _]:
            return kept(state, state.lead, None, None)
        case ["race", _]:
            return moved_on(state, "trade", "closed")
        case ["show", *_]:
            return replace(state, shown=(), last=(Happened("covered"),))
        case _:
            return next_round(state)


def race(state: State) -> Race[Move] | None:
    if state.phase != "race":
        return None
    everybody = seats_of(state)
    return Race(
        f"slap:{state.beat}", everybody, (Slap,), (Close,), (), Millis(1500), state.throws, state.lead
    )


def is_seen(state: State, viewer: Viewer, seat: Seat, slot: int) -> bool:
    looks = state.phase == "look" and viewer == seat and slot == 0 and not state.ready[seat]
    return looks or (seat, slot) in state.shown or state.phase == "over"


def view(state: State, viewer: Viewer) -> View:
    def slot_of(seat: Seat, slot: int) -> Slot:
        card = state.slots[seat][slot]
        face = Face(card) if card is not None and is_seen(state, viewer, seat, slot) else None
        return Slot(state.marks[seat][slot], card is None, face)

    open_bids = state.phase not in ("look", "bid")
    bids = (bid if open_bids or viewer == seat else None for seat, bid in enumerate(state.bids))
    sees_drawn = state.drawn is not None and viewer == state.lead
    return View(
        phase=state.phase,
        round=state.round,
        lead=state.lead,
        pile=len(state.pile),
        discard=tuple(map(Face, state.discard)),
        table=tuple(tuple(slot_of(seat, n) for n in range(SLOTS)) for seat in seats_of(state)),
        hand=() if viewer is None else tuple(map(Face, state.hands[viewer])),
        hands=tuple(map(len, state.hands)),
        drawn=Face(state.drawn) if sees_drawn and state.drawn is not None else None,
        bids_in=tuple(bid is not None for bid in state.bids),
        bids=tuple(bids),
        sold=tuple(map(Face, state.sold)),
        points=state.points,
        last=events_for(state.last, viewer),
    )


def resample(state: State, viewer: Viewer, rng: Rng) -> State:
    hidden = [
        (seat, slot)
        for seat in seats_of(state)
        for slot in range(SLOTS)
        if state.slots[seat][slot] is not None and not is_seen(state, viewer, seat, slot)
    ]
    others = [seat for seat in seats_of(state) if seat != viewer]
    pool = [state.slots[seat][slot] for seat, slot in hidden] + list(state.pile)
    pool += [card for seat in others for card in state.hands[seat]]
    hides_drawn = state.drawn is not None and viewer != state.lead
    deck = list(rng.shuffled([*pool, state.drawn] if hides_drawn else pool))
    slots, hands, bids = state.slots, state.hands, state.bids
    for seat, slot in hidden:
        slots = put(slots, seat, put(slots[seat], slot, deck.pop()))
    for seat in others:
        hands = put(hands, seat, tuple(deck.pop() for _ in hands[seat]))
        if state.phase == "bid" and bids[seat] is not None:
            bids = put(bids, seat, Purse(rng.below(2), rng.below(3)))
    drawn = deck.pop() if hides_drawn else state.drawn
    return replace(state, slots=slots, hands=hands, bids=bids, drawn=drawn, pile=tuple(deck))


def outcome(state: State) -> Outcome | None:
    if state.phase != "over":
        return None
    best = max(state.points)
    return Outcome(tuple(s for s in seats_of(state) if state.points[s] == best), "most points")


MAGPIES: Game[State, Move, View, Magpie] = Game(
    key="magpies",
    title="Magpies",
    seats=range(2, 6),
    state=State,
    moves=(Ready, Bid, Draw, Keep, Slap, Close, Swap, Sell, Pass),
    view_type=View,
    options=Magpie,
    setup=setup,
    offers=offers,
    apply=apply,
    view=view,
    resample=resample,
    scores=lambda state: state.points,
    outcome=outcome,
    faces=(Face, Purse),
    timers=timers,
    race=race,
    muted=lambda state: "M9" if state.options.quiet and state.phase == "bid" else "",
    house_bot=house_bot,
    blurb="Bid, draw, slap, sell.",
)
