"""The offers as a menu of single keys. No screen and no clock: `press` a key, get a move when it is complete."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, NamedTuple, TypeAlias

from rich.text import Text

from photofinish_client.offers import adds_up, is_allowed
from photofinish_client.terminal.words import Speaker, plain
from photofinish_protocol.messages import OpenRace, View
from photofinish_protocol.offers import Amounts, Choice, Offer, OneOf, SomeOf

Move: TypeAlias = dict[str, Any]

DIGITS: Final = "1234567890"
LETTERS: Final = "abcdefghijklmnoprstuvwxyzABCDEFGHIJKLMNOPRSTUVWXYZ"
"""Without q, which leaves the table."""
FEW: Final = 9
"""So many moves at most are laid out at once, one key each."""
LEAVE_OUT: Final = "-"
DONE: Final = "enter"
BACK: Final = "escape"


class Entry(NamedTuple):
    key: str
    text: Text
    is_on: bool = False
    is_fast: bool = False


class _Path(NamedTuple):
    """An offer, and what has been picked for its first choices."""

    offer: Offer
    picks: tuple[Move, ...] = ()


@dataclass(slots=True)
class Menu:
    """What can be pressed now. A row of a race keeps its letter for the whole game, however the others change."""

    _offers: tuple[Offer, ...] = ()
    _race: OpenRace | None = None
    _speaker: Speaker = field(default_factory=lambda: Speaker(()))
    _you: int | None = None
    _path: _Path | None = None
    _places: set[int] = field(default_factory=set)
    _amounts: dict[str, int] = field(default_factory=dict)
    _letters: dict[Any, str] = field(default_factory=dict)
    _game: tuple[str, int] | None = None

    def show(self, view: View, speaker: Speaker) -> None:
        """A new view. A half-made choice stays if it is still offered."""
        if self._game != (view.room, view.number):
            self._letters, self._game = {}, (view.room, view.number)
        self._offers, self._race, self._speaker, self._you = view.offers, view.race, speaker, view.you
        if self._path is not None and self._path.offer not in self._offers:
            self._reset()
        self._fast_rows(
            [it for it in self._offers if self._is_fast(it)]
        )  # letters are given out as cards appear

    @property
    def title(self) -> str:
        """What is being asked."""
        if self._path is None:
            return "Your move" if self._offers else "Waiting for the others"
        choice = self._choice
        what = self._path.offer.text or plain(self._path.offer.move)
        match choice:
            case SomeOf(least=least, most=most):
                return f"{what}: {_range(least, min(most, len(choice.values)))}, Enter when done, Esc back"
            case Amounts(least=least, most=most):
                return f"{what}: {_range(least, most)} in all, Enter when done, Esc back"
            case _:
                return f"{what}: which {_field(choice)}? Esc back"

    def entries(self) -> list[Entry]:
        return [Entry(key, text, is_on, is_fast) for key, text, is_on, is_fast, _ in self._rows()]

    def slot_keys(self) -> dict[tuple[int, int], str]:
        """The keys of the entries that name one slot, so that they can be drawn on the table itself."""
        found: dict[tuple[int, int], str] = {}
        for key, _, _, _, target in self._rows():
            move = target if isinstance(target, dict) else None
            if move is None and isinstance(target, _Path) and target.picks:
                move = target.picks[-1]
            if move is None:
                continue
            spot = next((it for it in (move, *move.values()) if isinstance(it, dict) and "slot" in it), {})
            seat = spot.get("seat", self._you)
            if isinstance(seat, int) and isinstance(spot.get("slot"), int):
                found.setdefault((seat, spot["slot"]), key)
        return found

    def press(self, key: str) -> Move | None:
        """The finished move, if this key finishes one."""
        if key == BACK:
            self._back()
            return None
        if key == DONE:
            return self._confirm()
        for entry_key, _, _, _, target in self._rows():
            if entry_key == key:
                return self._take(target)
        return None

    # What the rows of the menu stand for: a finished move, a longer path, or a place or amount to change.

    def _rows(self) -> Iterator[tuple[str, Text, bool, bool, Any]]:
        if self._path is None:
            yield from self._top()
            return
        choice = self._choice
        keys = iter(DIGITS + LETTERS)
        match choice:
            case OneOf():
                for pick, text in self._picks(choice):
                    path = _Path(self._path.offer, (*self._path.picks, pick))
                    if self._may_go_on(path):
                        yield next(keys), text, False, False, path
            case SomeOf(field=name, values=values, weights=weights):
                for place, (key, value) in enumerate(zip(keys, values, strict=False)):
                    text = self._speaker.say(name.removesuffix("s"), value)
                    if weights:
                        text = Text.assemble(text, (f" ={weights[place]}", "dim"))
                    yield key, text, place in self._places, False, place
            case Amounts(limits=limits):
                for key, (name, limit) in zip(keys, limits.items(), strict=False):
                    given = self._amounts.get(name, 0)
                    yield key, Text(f"{plain(name)} {given}/{limit}"), given > 0, False, name
        if choice.optional:
            yield LEAVE_OUT, Text("leave out"), False, False, _Path(self._path.offer, (*self._path.picks, {}))

    def _top(self) -> Iterator[tuple[str, Text, bool, bool, Any]]:
        fast = [it for it in self._offers if self._is_fast(it)]
        slow = [it for it in self._offers if it not in fast]
        size = sum(_size(it) for it in slow)
        targets: list[tuple[Text, Any]] = []
        for it in slow:
            name = Text(it.text or plain(it.move))
            if not it.choices:
                targets.append((name, {"t": it.move}))
            elif _is_simple(it) and size <= FEW:
                for pick, text in self._picks(it.choices[0]):
                    targets.append((Text.assemble(name, ": ", text), {"t": it.move} | pick))
            else:
                targets.append((name.append(" …"), _Path(it)))
        lettered = self._fast_rows(fast)
        taken = {key for key, _, _ in lettered}
        keys = iter([key for key in DIGITS + LETTERS if key not in taken])
        for key, (text, target) in zip(keys, targets, strict=False):
            yield key, text, False, False, target
        for key, text, target in lettered:
            yield key, text, False, True, target

    def _fast_rows(self, fast: Sequence[Offer]) -> list[tuple[str, Text, Any]]:
        rows = []
        for it in fast:
            name = plain(it.move)
            for pick, text in self._picks(it.choices[0]) if it.choices else [({}, Text(""))]:
                known = (it.move, repr({key: value for key, value in pick.items() if key != "mark"}))
                if known not in self._letters:
                    free = (key for key in LETTERS if key not in self._letters.values())
                    self._letters[known] = next(free, "")
                if self._letters[known]:
                    said = Text.assemble((f"{name} ", "dim" if len(fast) == 1 else "default"), text)
                    rows.append((self._letters[known], said, {"t": it.move} | pick))
        return rows

    def _is_fast(self, it: Offer) -> bool:
        """A race's own move that one key can make: it must not cost two."""
        race = self._race
        return (
            race is not None
            and it.move in (*race.moves, *race.anytime)
            and it.move not in race.closers
            and (not it.choices or _is_simple(it))
        )

    def _picks(self, choice: Choice) -> list[tuple[Move, Text]]:
        assert isinstance(choice, OneOf)
        return [
            (pick := dict(zip(choice.fields, row, strict=True)), self._speaker.say("", pick))
            if len(choice.fields) > 1
            else ({choice.fields[0]: row[0]}, self._one(choice.fields[0], row[0]))
            for row in choice.rows
        ]

    def _one(self, name: str, value: Any) -> Text:
        said = self._speaker.say(name, value)
        return Text.assemble((f"{plain(name)} ", "dim"), said) if isinstance(value, int) else said

    @property
    def _choice(self) -> Choice:
        assert self._path is not None
        return self._path.offer.choices[len(self._path.picks)]

    def _take(self, target: Any) -> Move | None:
        match target, self._choice if self._path else None:
            case dict() as move, _:
                self._reset()
                return move
            case _Path() as path, _:
                return self._follow(path)
            case int() as place, SomeOf() as choice:
                self._places ^= {place}
                if choice.least == choice.most == 1:
                    return self._confirm()
            case str() as name, Amounts(limits=limits):
                self._amounts[name] = (self._amounts.get(name, 0) + 1) % (limits[name] + 1)
            case _:
                pass
        return None

    def _confirm(self) -> Move | None:
        """Enter: what is picked so far, if it is enough."""
        if self._path is None:
            return None
        match self._choice:
            case SomeOf(field=name, values=values) as choice if adds_up(choice, sorted(self._places)):
                pick: Move = {name: [values[place] for place in sorted(self._places)]}
            case Amounts(field=name, least=least, most=most) if least <= sum(self._amounts.values()) <= most:
                pick = {name: {key: n for key, n in self._amounts.items() if n}}
            case _:
                return None
        return self._follow(_Path(self._path.offer, (*self._path.picks, pick)))

    def _follow(self, path: _Path) -> Move | None:
        self._places, self._amounts = set(), {}
        choices = path.offer.choices
        while len(path.picks) < len(choices) and (only := _only(choices[len(path.picks)])) is not None:
            path = _Path(path.offer, (*path.picks, only))
        if len(path.picks) < len(choices):
            self._path = path
            return None
        self._reset()
        return _made(path)

    def _may_go_on(self, path: _Path) -> bool:
        """Keep the constraint between the first two choices out of sight: only show what it allows."""
        return len(path.picks) != 2 or is_allowed(path.offer, _made(path))

    def _back(self) -> None:
        offer, picks = self._path or (None, ())
        self._reset()
        if offer is not None and picks:
            self._path = _Path(offer, picks[:-1])

    def _reset(self) -> None:
        self._path, self._places, self._amounts = None, set(), {}


def _made(path: _Path) -> Move:
    move: Move = {"t": path.offer.move}
    for pick in path.picks:
        move |= pick
    return move


def _is_simple(it: Offer) -> bool:
    return len(it.choices) == 1 and isinstance(it.choices[0], OneOf) and not it.choices[0].optional


def _size(it: Offer) -> int:
    """How many entries it takes to lay this offer out."""
    return len(it.choices[0].rows) if _is_simple(it) and isinstance(it.choices[0], OneOf) else 1


def _only(choice: Choice) -> Move | None:
    """The one thing that can be picked, if there is nothing to choose."""
    if isinstance(choice, OneOf) and len(choice.rows) == 1 and not choice.optional:
        return dict(zip(choice.fields, choice.rows[0], strict=True))
    return None


def _field(choice: Choice) -> str:
    return plain(choice.fields[0]) if isinstance(choice, OneOf) else plain(choice.field)


def _range(least: int, most: int) -> str:
    return f"{least}" if least == most else f"{least} to {most}"
