"""Assigns keys to the entries of a menu. An entry that appears again gets the same key."""

from collections.abc import Collection, Hashable, Sequence
from dataclasses import dataclass, field
from itertools import count
from typing import Final, NamedTuple

DIGITS: Final = "1234567890"
LETTERS: Final = "abcdefghijklmnoprstuvwxyzABCDEFGHIJKLMNOPRSTUVWXYZ"
"""Without q, which is the key to leave."""
INNER: Final = DIGITS + LETTERS
TOP: Final = DIGITS + LETTERS[::-1]
"""For the top menu: letters from the end of the alphabet, because a race uses those from the start."""


class Name(NamedTuple):
    """Identifies an entry: its group (one offer), and the pick within the group."""

    group: Hashable
    pick: Hashable = ""


@dataclass(slots=True)
class Keys:
    """The assigned keys. Two entries share a key only if their groups were never in one menu together."""

    pool: str = INNER
    _keys: dict[Name, str] = field(default_factory=dict)
    _seen: dict[Name, int] = field(default_factory=dict)
    _met: dict[Hashable, set[Hashable]] = field(default_factory=dict)
    _time: "count[int]" = field(default_factory=count)

    def give(self, names: Sequence[Name], reserved: Collection[str] = ()) -> dict[Name, str]:
        """A key for each name; an empty string where all keys are taken."""
        groups = {name.group for name in names}
        for group in groups:
            self._met.setdefault(group, set()).update(groups)
        now, given = next(self._time), dict[Name, str]()
        for name in sorted(names, key=lambda it: it not in self._keys):
            key = self._keys.get(name, "")
            if not key or key in reserved or key in given.values():
                key = self._free(name, given, reserved)
            given[name] = key
            self._keys[name] = key
            self._seen[name] = now
        return {name: given[name] for name in names}

    def _free(self, name: Name, given: dict[Name, str], reserved: Collection[str]) -> str:
        met = self._met[name.group]
        used = {key for it, key in self._keys.items() if it.group in met} | {*given.values(), *reserved}
        free = next((key for key in self.pool if key not in used), "")
        if free and free in DIGITS:
            return free
        # No digit is free: reuse the digit of this group that has not been shown for the longest time.
        others = {key for it, key in self._keys.items() if it.group in met and it.group != name.group} | {
            *given.values(),
            *reserved,
        }
        old = [
            it for it, key in self._keys.items()
            if it.group == name.group and key and key in DIGITS and key not in others
        ]  # fmt: skip
        if old:
            oldest = min(old, key=lambda it: self._seen[it])
            return self._keys.pop(oldest)
        return free
