"""Can a viewer tell two states apart? Used by the promises, the soak, the planted leaks and the hunt.

Everything here returns the fault as a sentence, or None: the caller decides what a fault is worth.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import cache, cached_property
from typing import Any, Literal, NewType, get_args, get_origin, get_type_hints

import msgspec

from photofinish.engine import AnyGame, Happened, IllegalMove, Input, Rng, Seat, Viewer, replace
from photofinish.engine.convert import pack

Path = tuple[str | int, ...]
PLAIN = (int, str, type(None), bytes)
"""Types that cannot contain a face."""
EXACT = {*PLAIN, bool}
"""The same, for a quick look at most values: a face is none of these types itself, at most of a type below one."""


@dataclass(frozen=True)
class ViewerOutput:
    """All that reaches one viewer after a step: the typed view, and everything else."""

    view: Any
    rest: Any = None
    """Anything msgpack can carry: offers, clocks, frames, answers, how many of each."""

    def frame(self) -> bytes:
        return pack((self.view, self.rest))


@dataclass
class ViewerOutputs:
    """What each viewer is sent in one state. Each part is computed once."""

    game: AnyGame
    state: Any

    def __post_init__(self) -> None:
        self._views: dict[Viewer, Any] = {}
        self._offers: dict[Viewer, tuple[Any, ...]] = {None: ()}

    def view(self, viewer: Viewer) -> Any:
        if viewer not in self._views:
            self._views[viewer] = self.game.view(self.state, viewer)
        return self._views[viewer]

    def offers(self, viewer: Viewer) -> tuple[Any, ...]:
        if viewer not in self._offers:
            assert viewer is not None
            self._offers[viewer] = self.game.offers(self.state, viewer)
        return self._offers[viewer]

    @cached_property
    def public(self) -> dict[str, Any]:
        return public(self.game, self.state)

    def of(self, viewer: Viewer) -> ViewerOutput:
        """View, own offers, clocks, open race, mute, outcome."""
        return ViewerOutput(self.view(viewer), {"offers": self.offers(viewer), **self.public})


def public(game: AnyGame, state: Any) -> dict[str, Any]:
    """What every viewer learns besides the view: clocks, race, mute, how it ended."""
    race = game.race(state)
    open_race = race and (
        race.key,
        race.seats,
        [[kind.__name__ for kind in kinds] for kinds in (race.contested, race.closers, race.anytime)],
        (race.not_before, race.throws, race.opener),
    )
    return {
        "timers": tuple(it for it in game.timers(state) if not it.hidden),
        "race": open_race,
        "muted": game.muted(state),
        "outcome": game.outcome(state),
    }


def leak(outputs: ViewerOutputs, viewer: Viewer, rng: Rng) -> str | None:
    """One world: a state and its resample must look the same to the viewer, byte for byte."""
    return _unlike(
        viewer, outputs, ViewerOutputs(outputs.game, outputs.game.resample(outputs.state, viewer, rng))
    )


def unlike(game: AnyGame, viewer: Viewer, state: Any, other: Any) -> str | None:
    """The first difference between these two states that the viewer can see."""
    return _unlike(viewer, ViewerOutputs(game, state), ViewerOutputs(game, other))


def _unlike(viewer: Viewer, here: ViewerOutputs, there: ViewerOutputs) -> str | None:
    one, two = here.of(viewer), there.of(viewer)
    if one.frame() == two.frame():
        return None
    return f"{named(viewer)} can tell a state from its resample: {first_difference(one, two)}"


def unlawful(faces: tuple[type, ...], before: Any, one: ViewerOutput, other: ViewerOutput) -> str | None:
    """The same input was applied to two states that the viewer could not tell apart. Is a difference now a leak?

    A face is an instance of one of the game's `faces` anywhere in the view except in `last`. A face is *newly shown*
    if it is now in a place of the view where it was not before. `rest` is whatever else is compared: offers, clocks,
    race, refusals, the number of frames.

    - Both states newly show the same faces in the same places: all bytes must be the same, also `last` and `rest`.
    - They newly show different faces: the step was allowed to reveal something, and the rest may follow from it. For
      example, a right slap is not a wrong one.
    - They newly show the same faces one after the other in one step: the items of `last` may come in another order.
      If the first two items that differ name different new faces, their order was revealed too, and the rest may
      follow from it (a dawn card before or after a ghost).

    So it is a leak if a size, a mark, a score, a clock, an offer or a word in `last` differs while no face does. This
    function does not find a face that is shown without permission. That face differs between a state and its
    resample (`leak`), at the latest when the step is over.
    """
    if one.frame() == other.frame():
        return None
    known = set(faces_in(before, faces))
    shown, shown_other = (set(faces_in(it.view, faces)) - known for it in (one, other))
    if shown != shown_other:
        return None
    if shown and (_in_another_order(one, other) or _came_in_another_order(one, other, shown)):
        return None
    return f"no face that came to light explains it: {first_difference(one, other)}"


def _in_another_order(one: ViewerOutput, other: ViewerOutput) -> bool:
    """Whether the same things happened in another order, with no other difference."""
    bare, bare_other = (ViewerOutput(replace(it.view, last=()), it.rest) for it in (one, other))
    happened, happened_other = (sorted(map(pack, it.view.last)) for it in (one, other))
    return bare.frame() == bare_other.frame() and happened == happened_other


def _came_in_another_order(one: ViewerOutput, other: ViewerOutput, shown: set[tuple[Path, bytes]]) -> bool:
    """Whether the same faces were revealed, and `last` says for each state which was first."""
    faces = [msgspec.msgpack.decode(face) for _, face in shown]
    for happened, happened_other in zip(one.view.last, other.view.last, strict=False):
        if happened != happened_other:
            named, named_other = (
                [it for it in faces if _names(h.detail, it)] for h in (happened, happened_other)
            )
            return bool(named and named_other and named != named_other)
    return False


def _names(detail: Any, face: Any) -> bool:
    """Whether `last` mentions this face."""
    if detail == face:
        return True
    inside = (
        detail.values() if isinstance(detail, dict) else detail if isinstance(detail, tuple | list) else ()
    )
    return any(_names(it, face) for it in inside)


@dataclass
class TwoWorlds:
    """A state and its resample for one viewer, played on side by side with the same inputs.

    `step` returns a fault, if the viewer can tell them apart unlawfully. `open` turns false when a step has
    lawfully revealed which world it is, or when the input was not possible in the other world (another seat
    played a card it holds only here): from then on there is nothing to compare.
    """

    game: AnyGame
    viewer: Viewer
    state: Any
    other: Any
    open: bool = field(default=True)
    _seen: Any = field(default=None, init=False)
    """The view of `state`, from the last step."""

    def step(self, event: Input[Any], mover: Viewer, key: bytes, step: int) -> str | None:
        before = self._seen or self.game.view(self.state, self.viewer)
        answers = [tried(self.game, state, event, Rng(key, step)) for state in (self.state, self.other)]
        (self.state, refusal), (self.other, other_refusal) = answers
        if refusal != other_refusal:
            self.open = False
            if mover is not None and mover == self.viewer:
                return f"{named(mover)} learns from the answer: {refusal} here, {other_refusal} there"
            return None
        one, other = (ViewerOutputs(self.game, state).of(self.viewer) for state in (self.state, self.other))
        self._seen = one.view
        self.open = one.frame() == other.frame()
        if self.open:
            return None
        fault = unlawful(self.game.faces, before, one, other)
        return fault and f"{named(self.viewer)} learns too much from {event}: {fault}"


def tried(game: AnyGame, state: Any, event: Input[Any], rng: Rng) -> tuple[Any, tuple[str, str] | None]:
    """The state after the input, or the same state and the refusal."""
    try:
        return game.apply(state, event, rng), None
    except IllegalMove as refusal:
        return state, (refusal.clause, refusal.text)


@dataclass
class Variation:
    """Does `resample` really redraw? Counts, for each kind of place, how often a secret face there changed.

    A secret of another seat is a face in its view that the view of `viewer` does not have in the same place.
    Places are counted without their indices: `table.*.*.face`.
    """

    seen: dict[str, int] = field(default_factory=dict)
    varied: dict[str, int] = field(default_factory=dict)
    states: int = 0
    changed: int = 0

    def note(self, outputs: ViewerOutputs, resampled: Any, viewer: Viewer, seats: Iterable[Seat]) -> None:
        game = outputs.game
        self.states += 1
        self.changed += pack(outputs.state) != pack(resampled)
        known = set(faces_in(outputs.view(viewer), game.faces))
        for other in seats:
            if other == viewer:
                continue
            now = dict(faces_in(game.view(resampled, other), game.faces))
            for path, face in faces_in(outputs.view(other), game.faces):
                if (path, face) not in known:
                    place = ".".join("*" if isinstance(part, int) else part for part in path)
                    self.seen[place] = self.seen.get(place, 0) + 1
                    self.varied[place] = self.varied.get(place, 0) + (now.get(path) != face)

    def faults(self, *, enough: int = 25) -> list[str]:
        """The places that never changed although they were checked often enough."""
        found = [
            f"resample does not vary {place} ({count} looks)"
            for place, count in self.seen.items()
            if count >= enough and not self.varied[place]
        ]
        if self.states >= enough and not self.changed:
            found.append(f"resample does not vary anything ({self.states} states)")
        return found


def faces_in(value: Any, kinds: tuple[type, ...], path: Path = ()) -> list[tuple[Path, bytes]]:
    """Every face in a view, with its place. None in `last`: that is kept when the state is resampled, so a
    face there would never be missed, and must lie somewhere in the view as well to count as shown.
    """
    found: list[tuple[Path, bytes]] = []
    _collect(value, kinds, path, found)
    return found


def _collect(value: Any, kinds: tuple[type, ...], path: Path, found: list[tuple[Path, bytes]]) -> None:
    for name, part in _parts(value, kinds):
        if type(part) in EXACT:
            continue
        if isinstance(part, kinds):
            found.append(((*path, name), pack(part)))
        elif not isinstance(part, PLAIN):
            _collect(part, kinds, (*path, name), found)


def _parts(value: Any, kinds: tuple[type, ...]) -> Iterable[tuple[str | int, Any]]:
    if isinstance(value, tuple | list):
        return enumerate(value)
    if isinstance(value, msgspec.Struct):
        return [(name, getattr(value, name)) for name in _fields_with_faces(type(value), kinds)]
    return [(str(name), part) for name, part in value.items()] if isinstance(value, dict) else ()


@cache
def _fields_with_faces(record: type, kinds: tuple[type, ...]) -> tuple[str, ...]:
    """The fields whose types can contain a face: a board of numbers need not be searched."""
    if issubclass(record, Happened):
        return ()
    return tuple(name for name, hint in get_type_hints(record).items() if _can_hold(hint, kinds))


def _can_hold(hint: Any, kinds: tuple[type, ...], above: tuple[type, ...] = ()) -> bool:
    """Whether a value of this type can be a face or contain one. True for types that we do not know."""
    if inner := get_args(hint):
        return get_origin(hint) is not Literal and any(_can_hold(it, kinds, above) for it in inner)
    if isinstance(hint, NewType):
        return _can_hold(hint.__supertype__, kinds, above)
    if not isinstance(hint, type):
        return hint is not Ellipsis
    if issubclass(hint, kinds):
        return True
    if issubclass(hint, (*PLAIN, float, Happened)):
        return False
    if issubclass(hint, msgspec.Struct):
        inside = get_type_hints(hint).values()
        return hint not in above and any(_can_hold(it, kinds, (*above, hint)) for it in inside)
    return True


def first_difference(one: ViewerOutput, other: ViewerOutput) -> str:
    """`view.pile is 3 here, 4 there`."""
    pairs = {"view": (one.view, other.view), "rest": (one.rest, other.rest)}
    for name, (here, there) in pairs.items():
        found = _differ(msgspec.to_builtins(here), msgspec.to_builtins(there), name)
        if found:
            return found
    return "only the order of keys differs"


def _differ(one: Any, other: Any, where: str) -> str | None:
    if isinstance(one, dict) and isinstance(other, dict) and one.keys() == other.keys():
        parts: Sequence[tuple[Any, Any, Any]] = [(f".{key}", one[key], other[key]) for key in one]
    elif isinstance(one, list | tuple) and isinstance(other, list | tuple) and len(one) == len(other):
        parts = [(f"[{n}]", *pair) for n, pair in enumerate(zip(one, other, strict=True))]
    else:
        return None if one == other else f"{where} is {one!r:.120} here, {other!r:.120} there"
    return next((found for key, a, b in parts if (found := _differ(a, b, where + key))), None)


def named(viewer: Viewer) -> str:
    return "a spectator" if viewer is None else f"seat {viewer}"
