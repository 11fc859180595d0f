"""Does `resample` redraw what no view has, such as cards that were not dealt?

`Variation` (leaks.py) compares the views of the other seats, so it never sees such a card. If `resample` kept it, the
card would be the same in all worlds, and no comparison could find a view that depends on it.

Here secrets are found by their place in the state. A place has secrets if its values at the deal depend on the key. So
has a place that is empty at the deal and later has a text from such a place: a card was moved. A value is hidden from a
viewer if nothing that the viewer gets changes when another value is put there, and if the viewer cannot conclude it:
with two seats and all cards dealt, the other hand has the cards that are not in one's own.
"""

from collections import Counter
from collections.abc import Iterator
from typing import Any, TypeAlias

import msgspec

from photofinish.engine import AnyGame, Options, Rng, TableSetup, Viewer
from photofinish.engine.convert import pack, unpack_state
from photofinish.engine.playthrough import Playthrough, random_steps
from tests.games.leaks import Path, unlike

Leaf: TypeAlias = int | float | str | bytes | None
Leaves: TypeAlias = dict[Path, Leaf]
DEALS = 60
"""Deals that are compared to find the places that depend on the key."""
RESAMPLES, MOST_RESAMPLES = 20, 500
"""After 20 resamples most hidden values of a deal have changed. After 500 all must: some are rarely another value."""
TRIES = 6
"""Values that are tried in a place: two cards may have the same face."""
ENOUGH = 15
"""A place that was hidden this often in later states must have changed once."""


class HiddenPlaces:
    """Looks at the states of one table, and counts for each place how often it was hidden and how often redrawn.

    Places are counted without their indices: `table.*.*.card`.
    """

    def __init__(self, game: AnyGame, seats: int, options: Options) -> None:
        self.game, self.table = game, TableSetup(seats, options)
        self.hidden: Counter[tuple[str, bool]] = Counter()
        self.varied: Counter[tuple[str, bool]] = Counter()
        deals = [leaves_of(game.setup(self.table, Rng(b"deal %d" % n, 0))) for n in range(DEALS)]
        self._values: dict[str, set[Leaf]] = {}
        self._is_sorted = sorted_lists(deals)
        self._at_the_deal = {place_of(path) for deal in deals for path in deal}
        for path in {path for deal in deals for path in deal}:
            values = {deal[path] for deal in deals if path in deal}
            if len(values) > 1 and path[0] != "last":
                self._values.setdefault(place_of(path), set()).update(values)

    def faults_at_the_deal(self) -> Iterator[str]:
        """The places with a value that is hidden at the deal and never changes, and how many values these are."""
        state = self.game.setup(self.table, Rng(b"deal 0", 0))
        rng, kept = Rng(b"the deal", 1), Counter[str]()
        for viewer in (None, *range(self.table.seats)):
            same = leaves_of(state)
            for number in range(MOST_RESAMPLES):
                if number == RESAMPLES:
                    same = {
                        path: value
                        for path, value in same.items()
                        if self._is_hidden(state, path, value, viewer, rng)
                    }
                world = leaves_of(self.game.resample(state, viewer, rng)) if same else {}
                same = {path: value for path, value in same.items() if world.get(path) == value}
            kept.update(map(place_of, same))
        for place, count in kept.items():
            yield f"resample does not vary {place} at the deal ({count} values)"

    def play(self, key: bytes, budget: int) -> None:
        """Look at the states of a random game."""
        rng = Rng(key, 1 << 40)
        play = Playthrough(self.game, self.table, key)
        for step, _ in enumerate(random_steps(play, rng, patience=4)):
            if step >= budget:
                break
            if rng.below(4) == 0:
                self.note(play.state, rng.pick((None, *play.seats)), rng)

    def note(self, state: Any, viewer: Viewer, rng: Rng) -> None:
        """Look at one value of each place that has not changed yet."""
        here = leaves_of(state)
        again = leaves_of(self.game.resample(state, viewer, rng))
        places: dict[str, list[Path]] = {}
        for path in here:
            places.setdefault(place_of(path), []).append(path)
        for place, paths in places.items():
            key = place, viewer is None
            path = rng.pick(paths)
            if not self.varied[key] and self._is_hidden(state, path, here[path], viewer, rng):
                self.hidden[key] += 1
                self.varied[key] += again.get(path) != here[path]

    def faults(self) -> list[str]:
        return [
            f"resample does not vary {place} for {'a spectator' if is_public else 'a seat'} ({count} looks)"
            for (place, is_public), count in self.hidden.items()
            if count >= ENOUGH and not self.varied[place, is_public]
        ]

    def _is_hidden(self, state: Any, path: Path, value: Leaf, viewer: Viewer, rng: Rng) -> bool:
        """Is this a secret that the viewer does not get and cannot conclude?"""
        if not self._is_unseen(state, path, value, viewer, rng):
            return False
        here = leaves_of(state)
        return any(self._may_be(other, state, here, path, viewer, rng) for other in self._others(path, value))

    def _may_be(self, other: Leaf, state: Any, here: Leaves, path: Path, viewer: Viewer, rng: Rng) -> bool:
        """Whether this value could be there instead. If it is somewhere else, the viewer must not see it there."""
        found = [it for it, leaf in here.items() if leaf == other and place_of(it) in self._values]
        if len(found) != 1 or place_of(path) not in self._values:
            return True
        if list_of(found[0]) == list_of(path) and self._is_sorted[place_of(path)]:
            return False  # the same cards in another order are the same hand
        return self._is_unseen(state, found[0], other, viewer, rng)

    def _is_unseen(self, state: Any, path: Path, value: Leaf, viewer: Viewer, rng: Rng) -> bool:
        """Is this a secret, and does the viewer get the same if it is another one?"""
        others = sorted(self._others(path, value), key=repr)
        if not others:
            return False
        changed = msgspec.msgpack.decode(pack(state))
        inner = changed
        for part in path[:-1]:
            inner = inner[part]
        for other in rng.shuffled(others)[:TRIES]:
            inner[path[-1]] = other
            try:
                fault = unlike(self.game, viewer, state, unpack_state(self.game, pack(changed)))
            except Exception:  # noqa: BLE001 - the rules may raise anything on a state that cannot be: look at another
                return False
            if fault is not None:
                return False
        return True

    def _others(self, path: Path, value: Leaf) -> set[Leaf]:
        """The other values that this secret could have; none if it is no secret."""
        if path[0] == "last":
            return set()
        known = self._values.get(place_of(path))
        if isinstance(value, str) and place_of(path) not in self._at_the_deal:
            known = {it for values in self._values.values() if value in values for it in values}
        return (known or set()) - {value}


def leaves_of(state: Any) -> Leaves:
    """Every single value in the stored form of a state, with its path."""
    return dict(_leaves(msgspec.msgpack.decode(pack(state)), ()))


def sorted_lists(deals: list[Leaves]) -> dict[str, bool]:
    """For each place: is it in a list whose values are in order in every deal?"""
    found: dict[str, bool] = {}
    for deal in deals:
        lists: dict[Path, list[tuple[str, Leaf]]] = {}
        for path, value in deal.items():
            lists.setdefault(list_of(path), []).append((place_of(path), value))
        for items in lists.values():
            for place in {place for place, _ in items}:
                values = [value for at, value in items if at == place]
                ordered = values == sorted(values, key=lambda it: (type(it).__name__, it or 0))
                found[place] = found.get(place, True) and ordered
    return found


def list_of(path: Path) -> Path:
    """The path of the innermost list that has this value."""
    numbers = [n for n, part in enumerate(path) if isinstance(part, int)]
    return path[: numbers[-1]] if numbers else path


def place_of(path: Path) -> str:
    return ".".join("*" if isinstance(part, int) else part for part in path)


def _leaves(value: Any, path: Path) -> Iterator[tuple[Path, Leaf]]:
    if isinstance(value, dict | list):
        for name, part in value.items() if isinstance(value, dict) else enumerate(value):
            yield from _leaves(part, (*path, name))
    else:
        yield path, value
