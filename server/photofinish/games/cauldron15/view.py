"""What a viewer may know, and another state that the viewer cannot tell from this one."""

from photofinish.engine import Happened, Record, Rng, Seat, Viewer, all_seats, events_for, replace
from photofinish.games.cauldron15.box import Colour, the_box
from photofinish.games.cauldron15.clocks import awaited
from photofinish.games.cauldron15.scoring import outcome, scores, sets
from photofinish.games.cauldron15.state import Card, Finished, Kind, Phase, Played, State, Trump, by_kind
from photofinish.games.cauldron15.trick import led, may_take, sum_of


class View(Record, frozen=True):
    """Everything a client needs to draw the table. Tuples have one value per seat unless stated otherwise."""

    phase: Phase
    round: int
    rounds: int
    limit: int
    colours: tuple[Colour, ...]
    """Each kind and the colour it is printed in."""
    trump: Trump
    trumps_closed: int
    tricks: int
    starter: Seat
    awaited: tuple[Seat, ...]
    """The seats that the game waits for; in `spend` there may be several."""
    led: Kind | None
    sum: int
    trick: tuple[Played, ...]
    """In the order played. `seat` is null for the card the deck led."""
    may_take: tuple[Card, ...]
    """In `take`: the cards the taker chooses among."""
    last_trick: Finished | None
    hand: tuple[Card, ...] | None
    """The viewer's own, null for a spectator. After the last trick: what it had left over."""
    hand_sizes: tuple[int, ...]
    before: tuple[tuple[Card, ...], ...]
    totals: tuple[int, ...]
    gathered: tuple[tuple[int, ...], ...]
    """Cards taken in the whole game, ore plant organism liquid soul, cards given up included."""
    sets: tuple[int, ...]
    bonuses_used: tuple[int, ...]
    bonuses_kept: tuple[int, ...]
    answered: tuple[bool, ...]
    """Who has sent its `spend`."""
    spend: tuple[Card, ...] | None
    """The viewer's own `spend`, until all have answered."""
    discards: tuple[Card, ...]
    """Of this round, or, where `open_discards` is false, of the last trick and its bonus."""
    discards_size: int
    deck_size: int
    decisions: int
    """Counts the answers given so far."""
    winners: tuple[Seat, ...] | None
    last: tuple[Happened, ...]


def view(state: State, viewer: Viewer) -> View:
    box, result = the_box(), outcome(state)
    spent = state.spends[viewer] if viewer is not None and state.phase == "spend" else None
    return View(
        phase=state.phase,
        round=state.round,
        rounds=box.rounds,
        limit=box.limit,
        colours=box.colours,
        trump=Trump(state.trump),
        trumps_closed=len(state.trumps) - 1,
        tricks=state.tricks,
        starter=state.starter,
        awaited=awaited(state),
        led=led(state.trick),
        sum=sum_of(state.trick),
        trick=state.trick,
        may_take=may_take(state.trick) if state.phase == "take" else (),
        last_trick=state.finished,
        hand=None if viewer is None else state.hands[viewer],
        hand_sizes=tuple(map(len, state.hands)),
        before=state.before,
        totals=scores(state),
        gathered=state.gathered,
        sets=tuple(map(sets, state.gathered)),
        bonuses_used=state.used,
        bonuses_kept=state.kept,
        answered=tuple(cards is not None for cards in state.spends),
        spend=spent,
        discards=_shown(state),
        discards_size=len(state.discards),
        deck_size=len(state.deck),
        decisions=state.decisions,
        winners=result.winners if result else None,
        last=events_for(state.last, viewer),
    )


def _shown(state: State) -> tuple[Card, ...]:
    first = 0 if state.options.open_discards else len(state.discards) - state.fresh
    return state.discards[first:]


def resample(state: State, viewer: Viewer, rng: Rng) -> State:
    """Draws other hands, the deck, closed trumps, hidden discards and hidden answers again."""
    buried = len(state.discards) - len(_shown(state))
    strangers = [seat for seat in all_seats(state.seats) if seat != viewer]
    unseen = [*state.deck, *state.discards[:buried]]
    for seat in strangers:
        unseen += state.hands[seat]
    drawn = iter(rng.shuffled(unseen))
    hands = list(state.hands)
    for seat in strangers:
        hands[seat] = tuple(sorted((next(drawn) for _ in hands[seat]), key=by_kind))
    discards = (*(next(drawn) for _ in range(buried)), *state.discards[buried:])
    spends = list(state.spends)
    if state.phase == "spend":  # once all have answered they are open
        for seat in strangers:
            if spends[seat] is not None:
                most = min(state.kept[seat], len(state.before[seat]))
                spends[seat] = rng.shuffled(state.before[seat])[: rng.below(most + 1)]
    return replace(
        state,
        hands=tuple(hands),
        discards=discards,
        deck=tuple(drawn),
        spends=tuple(spends),
        trumps=(state.trump, *rng.shuffled(state.trumps[1:])),
    )
