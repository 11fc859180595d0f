"""What a viewer may know. Each view is a new value, never a state with parts removed."""

from collections.abc import Iterator
from functools import cache

from photofinish.engine import Happened, Record, Rng, Seat, Viewer, events_for, once, replace
from photofinish.engine.decks.cards import CardId
from photofinish.games.cambio.rounds import LOOKED_AT
from photofinish.games.cambio.state import Drawn, Place, Slot, Source, State
from photofinish.games.cambio.table import card_of, kind_of

NOTHING: frozenset[CardId] = frozenset()


class Face(Record, frozen=True):
    """The face of a card. It does not identify the physical card: cards with equal faces are interchangeable."""

    rune: str
    kind: str
    colour: str
    value: int


class SlotView(Record, frozen=True):
    filled: bool
    mark: int
    face: Face | None = None
    """Only while you may see it."""


class DiscardView(Record, frozen=True):
    size: int
    frozen: bool
    top: Face | None
    thrown: tuple[Face, ...] = ()
    """The cards thrown onto it a moment ago, oldest first."""


class DrawnView(Record, frozen=True):
    seat: Seat
    source: Source
    face: Face | None


class Look(Record, frozen=True):
    """Somebody, or everybody, sees the card in this slot right now."""

    place: Place
    why: str
    to: Seat | None


class ActionView(Record, frozen=True):
    seat: Seat
    kind: str
    left: int
    picks: tuple[Place, ...]


class RaceView(Record, frozen=True):
    number: int
    rune: str
    opener: Seat
    winner: Seat | None
    throws: int


class GiftView(Record, frozen=True):
    giver: Seat
    to: Place


class View(Record, frozen=True):
    phase: str
    round: int
    dealer: Seat
    turn: Seat | None
    main: int
    discard: DiscardView
    table: tuple[tuple[SlotView, ...], ...]
    drawn: DrawnView | None
    action: ActionView | None
    race: RaceView | None
    gifts: tuple[GiftView, ...]
    looks: tuple[Look, ...]
    caller: Seat | None
    ready: tuple[bool, ...]
    totals: tuple[int, ...]
    sheet: tuple[tuple[int, ...], ...]
    last: tuple[Happened, ...]


def view(state: State, viewer: Viewer) -> View:
    last, own = events_for(state.last, viewer), _seen_alone(state, viewer)
    if not own and last is state.last:
        return _for_most(state)
    public = _public(state)
    if not own:
        return replace(public, last=last)
    drawn, table = public.drawn, public.table
    if drawn is not None and state.drawn is not None and state.drawn.card in own:
        drawn = _drawn(drawn.seat, state.drawn, own)
    if len(own) > 1 or drawn is public.drawn:  # `own` has more than the drawn card
        table = tuple(
            [
                tuple(
                    [_slot(it, own) if it.card in own else seen for it, seen in zip(row, shown, strict=True)]
                )
                for row, shown in zip(state.table, table, strict=True)
            ]
        )
    return replace(public, table=table, drawn=drawn, last=last)


@once
def _for_most(state: State) -> View:
    """The view of every viewer who sees only what all see, in a step without an event for one seat only."""
    return replace(_public(state), last=state.last)


@once
def _public(state: State) -> View:
    """What everybody may know, without the last events."""
    visible = frozenset(_seen_by_all(state))
    turn, drawn, action, race = state.turn, state.drawn, state.action, state.race
    return View(
        phase=state.phase,
        round=state.round,
        dealer=state.dealer,
        turn=turn,
        main=len(state.main),
        discard=DiscardView(
            len(state.discard),
            state.frozen,
            _face(state.discard[-1]) if state.discard else None,
            tuple(_face(it.card) for it in state.shows if it.why == "thrown"),
        ),
        table=tuple([tuple([_slot(it, visible) for it in row]) for row in state.table]),
        drawn=_drawn(turn, drawn, visible) if drawn and turn is not None else None,
        action=ActionView(action.seat, action.kind, action.left, action.lying) if action else None,
        race=RaceView(race.number, race.rune, race.opener, race.winner, race.throws) if race else None,
        gifts=tuple(GiftView(it.giver, it.to) for it in state.gifts),
        looks=tuple(Look(it.place, it.why, it.to) for it in state.shows if it.why != "thrown"),
        caller=state.caller,
        ready=state.ready,
        totals=state.totals,
        sheet=state.sheet,
        last=(),
    )


def resample(state: State, viewer: Viewer, rng: Rng) -> State:
    """Shuffles all cards that this viewer does not see at the moment."""
    visible = frozenset((*_seen_by_all(state), *_seen_alone(state, viewer)))
    hidden = tuple(card for card in _everywhere(state) if card not in visible)
    other = dict(zip(hidden, rng.shuffled(hidden), strict=True))

    def new(card: CardId) -> CardId:
        return other.get(card, card)

    def slot(it: Slot) -> Slot:
        return it if it.card is None else replace(it, card=new(it.card))

    return replace(
        state,
        main=tuple(map(new, state.main)),
        discard=tuple(map(new, state.discard)),
        table=tuple(tuple(map(slot, row)) for row in state.table),
        drawn=state.drawn and replace(state.drawn, card=new(state.drawn.card)),
        shows=tuple(replace(it, card=new(it.card)) for it in state.shows),
    )


def _seen_by_all(state: State) -> Iterator[CardId]:
    """Every card whose face everybody sees now. Faces that were seen before are not in the view."""
    yield from state.discard[-1:]
    if state.drawn is not None and state.drawn.source == "discard":
        yield state.drawn.card
    for it in state.shows:
        if it.to is None:
            yield it.card
    if state.phase in {"scored", "over"}:  # C27
        yield from (slot.card for row in state.table for slot in row if slot.card is not None)


def _seen_alone(state: State, viewer: Viewer) -> frozenset[CardId]:
    """Every card whose face this viewer may see now although others may not."""
    if viewer is None:
        return NOTHING
    found: list[CardId] = []
    if state.drawn is not None and state.turn == viewer:
        found.append(state.drawn.card)
    if state.shows:
        found += [it.card for it in state.shows if it.to == viewer]
    if state.phase == "look" and not state.ready[viewer]:  # C3
        found += [card for n in LOOKED_AT if (card := state.table[viewer][n].card) is not None]
    return frozenset(found) if found else NOTHING


def _everywhere(state: State) -> Iterator[CardId]:
    yield from state.main
    yield from state.discard
    yield from (slot.card for row in state.table for slot in row if slot.card is not None)
    if state.drawn is not None:
        yield state.drawn.card


def _slot(it: Slot, visible: frozenset[CardId]) -> SlotView:
    card = it.card
    return SlotView(card is not None, it.mark, _face(card) if card is not None and card in visible else None)


def _drawn(turn: Seat, drawn: Drawn, visible: frozenset[CardId]) -> DrawnView:
    return DrawnView(turn, drawn.source, _face(drawn.card) if drawn.card in visible else None)


@cache
def _face(card: CardId) -> Face:
    it = card_of(card)
    return Face(it.rune, kind_of(card), it.colour, it.value)
