"""What a seat may know. Each view is a new value, never a state with parts removed."""

from typing import Literal

from photofinish.engine import Happened, Record, Rng, Seat, Viewer, events_for, once, replace
from photofinish.engine.decks.cards import CardId
from photofinish.games.kodiak.faces import Face, face_of
from photofinish.games.kodiak.state import RoundResult, Slot, State


class SlotView(Record, frozen=True):
    mark: int
    filled: bool
    up: bool
    face: Face | None
    """Only while this viewer may see it: face up, shown to all, or looked at by this seat."""


class ShownView(Record, frozen=True):
    """A card all see for a moment. `caught`: it no longer lies in the slot it came from."""

    seat: Seat
    slot: int
    face: Face
    caught: bool


class PeekView(Record, frozen=True):
    """Who is looking at which card. Only that seat's view has the face, in that slot."""

    by: Seat
    seat: Seat
    slot: int


class RaceView(Record, frozen=True):
    card: Face
    opener: Seat
    winner: Seat | None
    thrown: int
    grabbed: bool
    last_card: bool


class PickedView(Record, frozen=True):
    seat: Seat
    slot: int


class OwedView(Record, frozen=True):
    seat: Seat
    action: str
    left: int
    picked: tuple[PickedView, ...]


class AskView(Record, frozen=True):
    """Somebody wants to swap this card for one of Kodiak's."""

    by: Seat
    seat: Seat
    slot: int


class View(Record, frozen=True):
    phase: Literal["look", "draw", "exchange", "over"]
    round: int
    rounds: int
    kodiak: Seat
    turn: Seat
    table: tuple[tuple[SlotView, ...], ...]
    main_size: int
    discard_size: int
    discard_top: Face | None
    drawn: Face | None
    """What this viewer has drawn and not yet exchanged."""
    ready: tuple[bool, ...]
    race: RaceView | None
    owed: tuple[OwedView, ...]
    """Actions still to be performed, the one that is due first."""
    ask: AskView | None
    touched: tuple[Seat, ...]
    peeks: tuple[PeekView, ...]
    shown: tuple[ShownView, ...]
    catches: int
    hairballs: tuple[int, ...]
    scores: tuple[int, ...]
    """Points of the rounds played so far. Fewer is better."""
    last_round: RoundResult | None
    last: tuple[Happened, ...]


def view(state: State, viewer: Viewer) -> View:
    last, own = events_for(state.last, viewer), _seen_alone(state, viewer)
    is_drawn = state.drawn is not None and viewer == state.turn
    if not own and not is_drawn and last is state.last:
        return _for_most(state)
    public = _public(state)
    if own:
        table = tuple(
            tuple(
                [
                    _slot(slot, seen=True) if (seat, n) in own else shown
                    for n, (slot, shown) in enumerate(zip(row, seen, strict=True))
                ]
            )
            for seat, (row, seen) in enumerate(zip(state.table, public.table, strict=True))
        )
        public = replace(public, table=table)
    if state.drawn is not None and is_drawn:
        return replace(public, drawn=face_of(state.drawn), last=last)
    return replace(public, last=last)


@once
def _for_most(state: State) -> View:
    """The view of every viewer who sees only what all see, in a step without an event for one seat only."""
    return replace(_public(state), last=state.last)


@once
def _public(state: State) -> View:
    """What everybody may know, without the last events."""
    top = state.discard[-1] if state.discard else None
    seen = _seen_by_all(state)
    return View(
        phase=state.phase,
        round=state.round,
        rounds=state.rounds,
        kodiak=state.kodiak,
        turn=state.turn,
        table=tuple(
            tuple([_slot(slot, seen=(seat, n) in seen) for n, slot in enumerate(state.table[seat])])
            for seat in state.seats
        ),
        main_size=len(state.main),
        discard_size=len(state.discard),
        discard_top=face_of(top) if top else None,
        drawn=None,
        ready=state.ready,
        race=_race(state),
        owed=tuple(
            OwedView(it.seat, it.kind, it.left, tuple(PickedView(p.seat, p.slot) for p in it.picked))
            for it in state.owed
        ),
        ask=AskView(state.owed[0].seat, state.ask.seat, state.ask.slot) if state.ask else None,
        touched=tuple(it.seat for it in state.touched),
        peeks=tuple(PeekView(it.by, it.seat, it.slot) for it in state.peeks),
        shown=tuple(ShownView(it.seat, it.slot, face_of(it.card), it.mark is None) for it in state.shown),
        catches=state.catches,
        hairballs=state.hairballs,
        scores=state.totals,
        last_round=state.result,
        last=(),
    )


def resample(state: State, viewer: Viewer, rng: Rng) -> State:
    """Shuffles all cards that are not in this viewer's view."""
    seen = _seen_by_all(state) | _seen_alone(state, viewer)
    caught = {it.card for it in state.shown if it.mark is None}
    under = [n for n, card in enumerate(state.discard[:-1]) if card not in caught]
    hidden_slots = [
        (seat, n)
        for seat in state.seats
        for n, slot in enumerate(state.table[seat])
        if slot.card is not None and (seat, n) not in seen
    ]
    blind = state.drawn is not None and viewer != state.turn
    pool: list[CardId] = [*state.main, *(state.discard[n] for n in under)]
    pool += [card for seat, n in hidden_slots if (card := state.table[seat][n].card) is not None]
    pool += [state.drawn] if blind and state.drawn is not None else []
    cards = iter(rng.shuffled(pool))
    main = tuple(next(cards) for _ in state.main)
    discard = list(state.discard)
    for n in under:
        discard[n] = next(cards)
    table = [list(row) for row in state.table]
    for seat, n in hidden_slots:
        table[seat][n] = replace(table[seat][n], card=next(cards))
    return replace(
        state,
        main=main,
        discard=tuple(discard),
        table=tuple(tuple(row) for row in table),
        drawn=next(cards) if blind else state.drawn,
    )


def _slot(slot: Slot, *, seen: bool) -> SlotView:
    face = face_of(slot.card) if seen and slot.card is not None else None
    return SlotView(slot.mark, slot.card is not None, slot.up, face)


def _seen_by_all(state: State) -> set[tuple[Seat, int]]:
    """The slots whose cards everybody sees now."""
    found = {(Seat(seat), n) for seat, row in enumerate(state.table) for n, slot in enumerate(row) if slot.up}
    if state.shown:
        found |= {(it.seat, it.slot) for it in state.shown if it.mark is not None}
    return found


def _seen_alone(state: State, viewer: Viewer) -> set[tuple[Seat, int]]:
    """The slots whose cards this viewer may see now although others may not."""
    found = {(it.seat, it.slot) for it in state.peeks if it.by == viewer} if state.peeks else set()
    if viewer is not None and state.phase == "look" and not state.ready[viewer]:
        found.add((viewer, 0))  # K2
    return found


def _race(state: State) -> RaceView | None:
    it = state.race
    if it is None:
        return None
    return RaceView(it.card, it.opener, it.winner, len(it.thrown), it.grabbed, it.window)
