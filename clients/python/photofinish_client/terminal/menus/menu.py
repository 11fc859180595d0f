"""The offers as a menu of single keys, without I/O: `press` a key and get a move when it is complete."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, NamedTuple, TypeAlias

from rich.text import Text

from photofinish_client.offers import adds_up, is_allowed
from photofinish_client.terminal.keys import INNER, LETTERS, TOP, Keys, Name
from photofinish_client.terminal.words import Speaker, plain
from photofinish_protocol.messages import OpenRace, View
from photofinish_protocol.offers import Amounts, Choice, Offer, OneOf, SomeOf

Move: TypeAlias = dict[str, Any]

FEW: Final = 9
"""Most moves that are listed separately, with one key each."""
LEAVE_OUT: Final = "-"
DONE: Final = "enter"
TICK: Final = " "
BACK: Final = "escape"
YES: Final = "y"
NO: Final = "n"
ASKED: Final = {"call"}
"""Moves that end a round for everybody: they need a second key as confirmation."""


class MenuEntry(NamedTuple):
    key: str
    text: Text
    is_on: bool = False
    is_fast: bool = False
    is_at: bool = False
    """The arrows have selected this entry."""


class _Path(NamedTuple):
    """An offer, and the picks for its first choices."""

    offer: Offer
    picks: tuple[Move, ...] = ()


class _Row(NamedTuple):
    """A line of the menu and its effect: a complete move, a longer path, or a place or amount to change."""

    name: Name
    text: Text
    target: Any
    is_on: bool = False
    key: str = ""
    is_fast: bool = False


@dataclass(slots=True)
class Menu:
    """The keys that can be pressed now. An entry that appears again in the same game has the same key."""

    _offers: tuple[Offer, ...] = ()
    _race: OpenRace | None = None
    _speaker: Speaker = field(default_factory=lambda: Speaker(()))
    _you: int | None = None
    _path: _Path | None = None
    _asked: Move | None = None
    _places: set[int] = field(default_factory=set)
    _amounts: dict[str, int] = field(default_factory=dict)
    _at: Name | None = None
    _letters: dict[Any, str] = field(default_factory=dict)
    _keys: dict[Any, Keys] = field(default_factory=dict)
    _laid_out: dict[Any, bool] = field(default_factory=dict)
    _game: tuple[str, int] | None = None

    def show(self, view: View, speaker: Speaker) -> None:
        """Update the menu for a new view. An incomplete choice stays if it is still offered."""
        if self._game != (view.room, view.number):
            self._letters, self._keys, self._laid_out = {}, {}, {}
            self._game = (view.room, view.number)
            self._reset()
        self._offers, self._race, self._speaker, self._you = view.offers, view.race, speaker, view.you
        if self._path is not None and self._path.offer not in self._offers:
            self._reset()
        if self._asked is not None and self._asked["t"] not in {it.move for it in self._offers}:
            self._reset()
        self._top()  # assigns keys in the order in which entries appear

    @property
    def title(self) -> str:
        """The question of the menu."""
        if self._asked is not None:
            return f"{self._said(self._asked['t'])}: are you sure?"
        if self._path is None:
            return self._top_title()
        choice = self._choice
        what = self._speaker.fill(self._path.offer.text) or plain(self._path.offer.move)
        match choice:
            case SomeOf(least=least, most=most):
                return f"{what}: {_range(least, min(most, len(choice.values)))}, Enter when done, Esc back"
            case Amounts(least=least, most=most):
                return f"{what}: {_range(least, most)} in all, Enter when done, Esc back"
            case _:
                return f"{what}: which {_field(choice)}? Esc back"

    def _top_title(self) -> str:
        if not self._offers:
            return "Waiting for the others"
        return "Your move (Space)" if len(self._top()) == 1 else "Your move"

    @property
    def is_under_way(self) -> bool:
        """Whether a move is incomplete, so that Esc takes a step back."""
        return self._path is not None or self._asked is not None

    def entries(self) -> list[MenuEntry]:
        return [
            MenuEntry(row.key, row.text, row.is_on, row.is_fast, row.name == self._at) for row in self._rows()
        ]

    def step(self, by: int) -> None:
        """Move the selection by this many entries. The first press selects the first entry."""
        names = [row.name for row in self._rows() if not row.is_fast]  # a race's letters are faster
        if not names:
            self._at = None
        elif self._at not in names:
            self._at = names[0 if by > 0 else -1]
        else:
            self._at = names[max(0, min(len(names) - 1, names.index(self._at) + by))]

    def slot_keys(self) -> dict[tuple[int, int], str]:
        """The keys of the entries that name one slot. They are drawn on the table."""
        found: dict[tuple[int, int], str] = {}
        for row in self._rows():
            move = row.target if isinstance(row.target, dict) else None
            if move is None and isinstance(row.target, _Path) and row.target.picks:
                move = row.target.picks[-1]
            if move is None or not row.key:
                continue
            spot = next((it for it in (move, *move.values()) if isinstance(it, dict) and "slot" in it), {})
            seat = spot.get("seat", self._you)
            if isinstance(seat, int) and isinstance(spot.get("slot"), int):
                found.setdefault((seat, spot["slot"]), row.key)
        return found

    def press(self, key: str) -> Move | None:
        """The move, if this key completes one."""
        if key == BACK:
            self._back()
            return None
        rows = self._rows()
        marked = next((row for row in rows if row.name == self._at), None)
        if key == DONE and (self._is_counting or marked is None):
            return self._confirm()
        if key in (DONE, TICK):
            if marked is None and len(rows) == 1:
                marked = rows[0]  # Space: the only entry, with a race and without
            return self._take(marked.target) if marked is not None else None
        for row in rows:
            if row.key == key:
                self._at = row.name if self._is_counting else None
                return self._take(row.target)
        return None

    def _rows(self) -> list[_Row]:
        if self._asked is not None:
            yes, no = Name("ask", "yes"), Name("ask", "no")
            return [
                _Row(yes, Text(f"Yes: {self._said(self._asked['t'])}"), self._asked, key=YES),
                _Row(no, Text("No"), None, key=NO),
            ]
        if self._path is None:
            return self._top()
        offer, choice = self._path.offer, self._choice
        rows = self._keyed((offer.move, len(self._path.picks)), list(self._inner(choice)), ())
        if choice.optional:
            path = _Path(offer, (*self._path.picks, {}))
            rows.append(_Row(Name(offer.move, LEAVE_OUT), Text("leave out"), path, key=LEAVE_OUT))
        return rows

    def _inner(self, choice: Choice) -> Iterator[_Row]:
        """One row for each pick of this choice."""
        assert self._path is not None
        group = self._path.offer.move
        match choice:
            case OneOf():
                for pick, text in self._picks(self._path.offer.move, choice):
                    path = _Path(self._path.offer, (*self._path.picks, pick))
                    if self._may_go_on(path):
                        yield _Row(Name(group, _known(pick)), text, path)
            case SomeOf(field=name, values=values, weights=weights):
                for place, value in enumerate(values):
                    text = self._speaker.pick(group, name.removesuffix("s"), value)
                    if weights and weights[place] != value:
                        text = Text.assemble(text, (f" ={weights[place]}", "dim"))
                    yield _Row(Name(group, repr(value)), text, place, place in self._places)
            case Amounts(limits=limits):
                for name, limit in limits.items():
                    given = self._amounts.get(name, 0)
                    text = Text(f"{plain(name)} {given}/{limit}")
                    yield _Row(Name(group, name), text, name, given > 0)

    def _top(self) -> list[_Row]:
        fast = [it for it in self._offers if self._is_fast(it)]
        slow = [it for it in self._offers if it not in fast]
        size = sum(_size(it) for it in slow)
        rows: list[_Row] = []
        for it in slow:
            group = (it.move, it.text)
            said = Text(self._speaker.fill(it.text) or plain(it.move))
            if not it.choices:
                rows.append(_Row(Name(group), said, {"t": it.move}))
            elif self._is_laid_out(it, size):
                for pick, text in self._picks(it.move, it.choices[0]):
                    target = {"t": it.move} | pick
                    rows.append(_Row(Name(group, _known(pick)), Text.assemble(said, ": ", text), target))
            else:
                rows.append(_Row(Name(group), said.append(" …"), _Path(it)))
        lettered = self._fast_rows(fast)
        return self._keyed("top", rows, {row.key for row in lettered}) + lettered

    def _is_laid_out(self, it: Offer, size: int) -> bool:
        """Whether each pick has its own key. An offer that once had too many picks stays folded: keys stay the same."""
        if not _is_simple(it):
            return False
        known = (it.move, it.text)
        self._laid_out[known] = self._laid_out.get(known, True) and size <= FEW
        return self._laid_out[known]

    def _keyed(self, scope: Any, rows: Sequence[_Row], reserved: set[str] | tuple[()]) -> list[_Row]:
        """The rows with their keys, in the order of the keys."""
        times: dict[Name, int] = {}
        named: list[_Row] = []
        for row in rows:
            nth = times[row.name] = times.get(row.name, -1) + 1
            named.append(row._replace(name=Name(row.name.group, (row.name.pick, nth))) if nth else row)
        keys = self._keys.setdefault(scope, Keys(TOP if scope == "top" else INNER))
        given = keys.give([row.name for row in named], reserved)
        order = {key: n for n, key in enumerate(keys.pool)}
        keyed = (row._replace(key=given[row.name]) for row in named)
        return sorted(keyed, key=lambda it: order.get(it.key, len(order)))

    def _fast_rows(self, fast: Sequence[Offer]) -> list[_Row]:
        rows = []
        for it in fast:
            name = plain(it.move)
            for pick, text in self._picks(it.move, it.choices[0]) if it.choices else [({}, Text(""))]:
                known = (it.move, _known(pick))
                if known not in self._letters:
                    free = (key for key in LETTERS if key not in self._letters.values())
                    self._letters[known] = next(free, "")
                if key := self._letters[known]:
                    said = Text.assemble((f"{name} ", "dim" if len(fast) == 1 else "default"), text)
                    move = {"t": it.move} | pick
                    rows.append(_Row(Name("race", known), said, move, key=key, is_fast=True))
        return rows

    def _is_fast(self, it: Offer) -> bool:
        """Whether this is a move of the race that one key can make."""
        race = self._race
        return (
            race is not None
            and it.move in (*race.moves, *race.anytime)
            and it.move not in race.closers
            and (not it.choices or _is_simple(it))
        )

    def _picks(self, move: str, choice: Choice) -> list[tuple[Move, Text]]:
        assert isinstance(choice, OneOf)
        found = []
        for row in choice.rows:
            pick = dict(zip(choice.fields, row, strict=True))
            if len(pick) > 1:
                found.append((pick, self._speaker.pick(move, "", pick)))
            else:
                found.append((pick, self._speaker.pick(move, choice.fields[0], row[0])))
        return found

    def _said(self, move: str) -> str:
        text = next((it.text for it in self._offers if it.move == move), "")
        return self._speaker.fill(text) or plain(move)

    @property
    def _choice(self) -> Choice:
        assert self._path is not None
        return self._path.offer.choices[len(self._path.picks)]

    @property
    def _is_counting(self) -> bool:
        """Whether several things are selected or counted before Enter completes the choice."""
        return self._path is not None and self._asked is None and not isinstance(self._choice, OneOf)

    def _take(self, target: Any) -> Move | None:
        match target, self._choice if self._path else None:
            case dict() as move, _:
                return self._finish(move)
            case _Path() as path, _:
                return self._follow(path)
            case int() as place, SomeOf() as choice:
                self._places ^= {place}
                if choice.least == choice.most == 1:
                    return self._confirm()
            case str() as name, Amounts(limits=limits):
                self._amounts[name] = (self._amounts.get(name, 0) + 1) % (limits[name] + 1)
            case None, _:
                self._reset()
            case _:
                pass
        return None

    def _confirm(self) -> Move | None:
        """Handle Enter: the picks so far, if they are enough."""
        if self._path is None or self._asked is not None:
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
        self._places, self._amounts, self._at = set(), {}, None
        choices = path.offer.choices
        while len(path.picks) < len(choices) and (only := _only(choices[len(path.picks)])) is not None:
            path = _Path(path.offer, (*path.picks, only))
        if len(path.picks) < len(choices):
            self._path = path
            return None
        return self._finish(_made(path))

    def _finish(self, move: Move) -> Move | None:
        """The move, unless it needs a confirmation first."""
        was_asked = self._asked is not None
        self._reset()
        if move["t"] in ASKED and not was_asked:
            self._asked = move
            return None
        return move

    def _may_go_on(self, path: _Path) -> bool:
        """Show only the picks that the constraint between the first two choices allows."""
        return len(path.picks) != 2 or is_allowed(path.offer, _made(path))

    def _back(self) -> None:
        offer, picks = self._path or (None, ())
        self._reset()
        if offer is not None and picks:
            self._path = _Path(offer, picks[:-1])

    def _reset(self) -> None:
        self._path, self._asked, self._places, self._amounts, self._at = None, None, set(), {}, None


def _known(pick: Move) -> str:
    """The part of a pick that stays the same from turn to turn: without the mark of the card."""
    return repr({key: _unmarked(value) for key, value in pick.items() if key != "mark"})


def _unmarked(value: Any) -> Any:
    return {key: it for key, it in value.items() if key != "mark"} if isinstance(value, dict) else value


def _made(path: _Path) -> Move:
    move: Move = {"t": path.offer.move}
    for pick in path.picks:
        move |= pick
    return move


def _is_simple(it: Offer) -> bool:
    return len(it.choices) == 1 and isinstance(it.choices[0], OneOf) and not it.choices[0].optional


def _size(it: Offer) -> int:
    """How many entries this offer needs if each pick has its own key."""
    return len(it.choices[0].rows) if _is_simple(it) and isinstance(it.choices[0], OneOf) else 1


def _only(choice: Choice) -> Move | None:
    """The only possible pick; None if there are several."""
    if isinstance(choice, OneOf) and len(choice.rows) == 1 and not choice.optional:
        return dict(zip(choice.fields, choice.rows[0], strict=True))
    return None


def _field(choice: Choice) -> str:
    return plain(choice.fields[0]) if isinstance(choice, OneOf) else plain(choice.field)


def _range(least: int, most: int) -> str:
    return f"{least}" if least == most else f"{least} to {most}"
