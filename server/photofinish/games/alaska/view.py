"""What a seat may know. Each view is a new value, never a state with parts removed."""

from functools import lru_cache
from typing import Literal

from photofinish.engine import Happened, Record, Rng, Seat, Viewer, events_for, replace
from photofinish.engine.decks.cards import CardId
from photofinish.games.alaska.deck import SECTIONS, Face, face, faces, part
from photofinish.games.alaska.river import after, before
from photofinish.games.alaska.rules import outcome
from photofinish.games.alaska.state import Catch, Kept, Setting, State, put

Step = Literal["salmon", "play", "bear", "over"]


class Section(Record, frozen=True):
    """One card of the river: the two gaps that touch it, and who stands on it."""

    section: int
    gaps: tuple[int, int]
    angler: Face | None


class Gap(Record, frozen=True):
    """The place across two neighbouring sections where salmon lie."""

    gap: int
    sections: tuple[int, int]
    salmon: tuple[Face, ...]


class OpenCatch(Record, frozen=True):
    """A salmon that a bear may still snatch."""

    number: int
    seat: Seat
    salmon: Face


class View(Record, frozen=True):
    you: Seat | None
    options: Setting
    turn: Seat
    step: Step
    placer: Seat | None
    """The seat that places the shown salmon, while there are any."""
    to_place: tuple[Face, ...]
    flow_due: tuple[Face, ...]
    sections: tuple[Section, ...]
    """The ring, counter-clockwise: section 1, gap 1, section 2, … section 10, gap 10, section 1."""
    gaps: tuple[Gap, ...]
    hand: tuple[Face, ...]
    """Your own, from the left; empty for a spectator."""
    hand_sizes: tuple[int, ...]
    caught: tuple[tuple[Face, ...], ...]
    main: int
    discard: tuple[Face, ...]
    """The top card comes last."""
    missing: tuple[bool, ...]
    """Who will miss its next turn."""
    turns_left: int | None
    """In the last round: the number of turns left, including this one."""
    catch: OpenCatch | None
    you_let_go: bool
    kept: Kept | None
    """The last catch that was not snatched."""
    winners: tuple[Seat, ...]
    last: tuple[Happened, ...]


def view(state: State, viewer: Viewer) -> View:
    catch = state.catch
    you_let_go = catch is not None and viewer in catch.let_go
    ended = outcome(state)
    return View(
        you=viewer,
        options=state.options,
        turn=state.turn,
        step=_step(state),
        placer=state.placer if state.salmon else None,
        to_place=_faces(state.salmon),
        flow_due=_faces(state.flow),
        sections=_sections(state.anglers),
        gaps=_gaps(state.gaps),
        hand=_faces(state.hands[viewer]) if viewer is not None else (),
        hand_sizes=tuple(map(len, state.hands)),
        caught=tuple(map(_faces, state.caught)),
        main=len(state.main),
        discard=_faces(state.discard),
        missing=state.missing,
        turns_left=state.turns_left,
        catch=OpenCatch(catch.number, catch.seat, face(catch.salmon)) if catch is not None else None,
        you_let_go=you_let_go,
        kept=state.kept,
        winners=ended.winners if ended is not None else (),
        last=events_for(state.last, viewer),
    )


def _faces(cards: tuple[CardId, ...]) -> tuple[Face, ...]:
    return tuple(map(faces().__getitem__, cards))


@lru_cache(maxsize=1_024)
def _sections(anglers: tuple[CardId | None, ...]) -> tuple[Section, ...]:
    """Remembered, as `_gaps`: the views of all seats show the same river."""
    return tuple(
        Section(section, (before(section), section), face(angler) if angler is not None else None)
        for section, angler in zip(SECTIONS, anglers, strict=True)
    )


@lru_cache(maxsize=1_024)
def _gaps(gaps: tuple[tuple[CardId, ...], ...]) -> tuple[Gap, ...]:
    return tuple(
        Gap(gap, (gap, after(gap)), _faces(salmon)) for gap, salmon in zip(SECTIONS, gaps, strict=True)
    )


def _step(state: State) -> Step:
    if state.over:
        return "over"
    if state.catch is not None:
        return "bear"
    return "salmon" if state.salmon else "play"


def resample(state: State, viewer: Viewer, rng: Rng) -> State:
    """Shuffles the hidden cards (other hands, main pile) and which other seats have let go."""
    unseen = [card for seat, hand in enumerate(state.hands) if seat != viewer for card in hand]
    pool = list(rng.shuffled((*unseen, *state.main)))
    hands = state.hands
    # In its own turn a seat has no salmon and no flow cards in hand: they are shown (A6, A8).
    for seat in sorted(range(state.seats), key=lambda it: it != state.turn):
        if seat == viewer:
            continue
        fit = [card for card in pool if seat != state.turn or part(card) not in ("salmon", "flow")]
        drawn = tuple(fit[: len(state.hands[seat])])
        pool = [card for card in pool if card not in drawn]
        hands = put(hands, seat, drawn)
    return replace(state, hands=hands, main=tuple(pool), catch=_resample_catch(state, viewer, rng))


def _resample_catch(state: State, viewer: Viewer, rng: Rng) -> Catch | None:
    catch = state.catch
    if catch is None:
        return None
    while True:
        gone = tuple(
            seat for seat in state.others if (seat in catch.let_go if seat == viewer else rng.below(2))
        )
        if gone != state.others:  # if all had let go, the race would be closed
            return replace(catch, let_go=gone)
