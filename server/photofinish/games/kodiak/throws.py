"""Scurries, pounces and grabs, judged in the order of the arbiter."""

from photofinish.engine import IllegalMove, Rng, Seat, replace
from photofinish.engine.decks.cards import CardId
from photofinish.games.kodiak.actions import owe
from photofinish.games.kodiak.faces import face_of, is_hairball, is_identical
from photofinish.games.kodiak.moves import Grab, Pounce, Scurry
from photofinish.games.kodiak.state import OpenRace, State, filled, lies_open, name, tell
from photofinish.games.kodiak.table import (
    card_at,
    lay_on_pile,
    lay_under_top,
    penalise,
    put,
    refill,
    show_caught,
    show_on_table,
)


def open_race(state: State, card: CardId, opener: Seat) -> State:
    """A turn's card is on the discard pile (K15)."""
    number = state.races + 1
    return replace(state, races=number, race=OpenRace(number, face_of(card), opener))


def scurry(state: State, seat: Seat, move: Scurry, rng: Rng) -> State:
    race = state.race
    if race is None:
        raise IllegalMove("K15", "No race is open.")
    if seat == state.kodiak:
        raise IllegalMove("K21", "Kodiak never scurries.")
    if race.grabbed:
        raise IllegalMove("K20", "Kodiak has grabbed: this race is closed to scurries.")
    card = card_at(state, seat, move.slot, move.mark, "K15")
    _check_new(race, move.mark, "K16")
    if not is_identical(card, race.card.rune):
        # K16: everybody sees the card, it goes back, and the seat gets a penalty card.
        state = tell(show_on_table(state, seat, move.slot), "wrong_throw", seat,
                     f"{name(seat)} threw a card that does not match.", slot=move.slot)  # fmt: skip
        return penalise(_tried(state, race, move.mark), seat, rng)
    if race.winner not in (None, seat):
        # K16: everybody sees the card, and it goes back.
        return tell(show_on_table(_tried(state, race, move.mark), seat, move.slot), "too_slow", seat,
                    f"{name(seat)} was too slow.", slot=move.slot)  # fmt: skip
    state = put(state, seat, move.slot, None)
    state = count_hairball(lay_on_pile(state, card), seat, card)
    last_card = not filled(state, seat)
    race = replace(
        race,
        winner=seat,
        thrown=(*race.thrown, move.slot),
        window=last_card and state.options.last_card_grab,  # K24
    )
    state = replace(state, race=race)
    state = tell(state, "scurried", seat, f"{name(seat)} scurried!", slot=move.slot, last_card=last_card)
    return owe(state, seat, card, "scurry")


def grab(state: State, seat: Seat, move: Grab, rng: Rng) -> State:
    race = state.race
    if seat != state.kodiak:
        raise IllegalMove("K20", "Only Kodiak grabs.")
    if race is None:
        raise IllegalMove("K20", "No race is open.")
    if race.winner is None:
        raise IllegalMove("K21", "No mouse has scurried: there is nothing to grab.")
    if race.grabbed:
        raise IllegalMove("K20", "You have already grabbed in this race.")
    card = card_at(state, seat, move.slot, move.mark, "K20")
    _check_new(race, move.mark, "K20")
    if not (is_identical(card, race.card.rune) or is_hairball(card)):  # K19, K20
        state = tell(show_on_table(state, seat, move.slot), "missed_grab", seat,
                     f"{name(seat)} grabbed with the wrong card.", slot=move.slot)  # fmt: skip
        return penalise(_tried(state, race, move.mark), seat, rng)
    mouse = race.winner
    state = lay_on_pile(put(state, seat, move.slot, None), card)
    state = replace(
        state,
        catches=state.catches + 1,
        race=replace(race, grabbed=True, window=False),
        # K23: actions of the escape that have not been performed lapse.
        owed=tuple(it for it in state.owed if (it.by, it.race) != ("scurry", race.number)),
    )
    state = tell(state, "grabbed", seat, f"{name(seat)} grabbed {name(mouse)}!", at=mouse, slot=move.slot)
    for slot in race.thrown:
        state = refill(state, mouse, slot, rng)
    return _acts_if_agreed(state, seat, card)


def pounce(state: State, seat: Seat, move: Pounce, rng: Rng) -> State:
    if seat != state.kodiak:
        raise IllegalMove("K18", "Only Kodiak pounces.")
    if move.seat == seat:
        raise IllegalMove("K18", "Pounce on a mouse.")
    own = card_at(state, seat, move.slot, move.mark, "K18")
    theirs = card_at(state, move.seat, move.target, move.target_mark, "K18")
    mouse = move.seat
    detail = {"slot": move.slot, "at": mouse, "target": move.target}
    if is_seen_to_miss(state, seat, move.slot, mouse, move.target):
        raise IllegalMove("K18", "Both cards still lie open, and they are not identical.")
    if not is_catch(own, theirs):
        state = show_on_table(show_on_table(state, seat, move.slot), mouse, move.target)
        text = f"{name(seat)} pounced on {name(mouse)} and missed."
        return penalise(tell(state, "missed_pounce", seat, text, **detail), seat, rng)
    state = put(put(state, seat, move.slot, None), mouse, move.target, None)
    state = lay_under_top(state, theirs, own)
    state = show_caught(show_caught(state, seat, move.slot, own), mouse, move.target, theirs)
    state = replace(state, catches=state.catches + 1)
    state = tell(state, "pounced", seat, f"{name(seat)} pounced on {name(mouse)}!", **detail)
    state = refill(state, mouse, move.target, rng)
    return _acts_if_agreed(state, seat, own)


def is_catch(own: CardId, theirs: CardId) -> bool:
    return is_identical(own, face_of(theirs).rune) or is_hairball(own)  # K19


def is_seen_to_miss(state: State, kodiak: Seat, slot: int, mouse: Seat, target: int) -> bool:
    """Do all see both cards, and do the cards differ? Then the same pounce again is only a double click."""
    return (
        lies_open(state, kodiak, slot)
        and lies_open(state, mouse, target)
        and differ(state, kodiak, slot, mouse, target)
    )


def differ(state: State, kodiak: Seat, slot: int, mouse: Seat, target: int) -> bool:
    own, theirs = state.table[kodiak][slot].card, state.table[mouse][target].card
    return own is not None and theirs is not None and not is_catch(own, theirs)


def _check_new(race: OpenRace, mark: int, clause: str) -> None:
    if mark in race.tried:
        raise IllegalMove(clause, "You have thrown this card in this race already.")


def _tried(state: State, race: OpenRace, mark: int) -> State:
    return replace(state, race=replace(race, tried=(*race.tried, mark)))


def count_hairball(state: State, seat: Seat, card: CardId) -> State:
    """A hairball put on the discard pile by exchange or scurry counts against its seat (K25)."""
    if not is_hairball(card):
        return state
    counts = state.hairballs
    return replace(state, hairballs=(*counts[:seat], counts[seat] + 1, *counts[seat + 1 :]))


def _acts_if_agreed(state: State, seat: Seat, card: CardId) -> State:
    # K7: a caught card has no action, except Kodiak's own card if the option is on.
    return owe(state, seat, card, "pounce") if state.options.pounce_actions else state
