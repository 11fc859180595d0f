"""Cards, slots and seats as short coloured words. Knows no game: only the names that views commonly use."""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, Final, TypeAlias
from zlib import crc32

from rich.text import Text

INK: Final = "#101418"
PAINT: Final = {
    "yellow": "#e0b02c", "blue": "#5b9bd5", "red": "#d9605b", "green": "#67b06b", "purple": "#a678c8",
    "white": "#d8d8d2", "black": "#6b7280", "orange": "#e08a3c", "pink": "#d98cb3", "brown": "#a9815a",
    "grey": "#8a929c", "gray": "#8a929c",
}  # fmt: skip
SPARE: Final = tuple(
    PAINT[name] for name in ("yellow", "blue", "red", "green", "purple", "orange", "pink", "white")
)
NATURAL: Final = {
    "ore": "yellow", "plant": "green", "organism": "red", "liquid": "blue", "soul": "purple",
    "gold": "yellow", "food": "green", "gunpowder": "grey", "salmon": "pink", "bear": "brown", "eagle": "white",
}  # fmt: skip
"""The colours of kinds whose name is not a colour."""
KINDS: Final = ("kind", "part", "type", "class", "symbol", "name", "sign")
MARKS: Final = {"circle": "○", "diamond": "◆", "triangle": "△", "square": "■", "star": "★"}
NUMBERS: Final = ("number", "value", "points", "rank")
FACE_KEYS: Final = {*KINDS, *NUMBERS, "rune", "colour", "suit", "id", "face_up", "up"}
SEATS: Final = {
    "seat", "turn", "dealer", "caller", "captain", "kodiak", "starter", "leader", "placer", "opener", "winner", "by",
    "giver", "taker", "actor", "owner", "attacker", "defender", "thief", "victim", "host", "start_seat", "first",
}  # fmt: skip
SEAT_LISTS: Final = {
    "winners",
    "awaited",
    "touched",
    "others",
    "seats_left",
    "order",
    "racing",
    "finished",
    "out",
}
Label: TypeAlias = Callable[[str, str, Any], Text | None]
"""Names a pick, given its move, its field (empty for several fields at once) and its value. None: no special name."""
BACK: Final = Text("▒▒", style="#7d8794")
HOLE: Final = Text("··", style="#4a525c")


def plain(word: object) -> str:
    return str(word).replace("_", " ")


def between(mark: str, parts: Iterable[Text]) -> Text:
    """The parts with a dim separator between them."""
    line = Text()
    for n, part in enumerate(parts):
        if n:
            line.append(mark, "dim")
        line.append_text(part)
    return line


def seat_name(names: Sequence[str], seat: object) -> str:
    return names[seat] if isinstance(seat, int) and 0 <= seat < len(names) else f"seat {seat}"


def with_names(text: str, names: Sequence[str]) -> str:
    """`{0} slapped {2}'s card.` with the players' names in it."""
    return re.sub(r"\{(\d+)\}", lambda it: seat_name(names, int(it[1])), text)


def is_face(value: object) -> bool:
    """Whether this value looks like the front of a card."""
    if not isinstance(value, Mapping) or not value or not value.keys() <= FACE_KEYS:
        return False
    has_kind = any(isinstance(value.get(key), str) for key in (*KINDS, "rune"))
    has_colour = isinstance(value.get("colour"), str) and any(
        isinstance(value.get(key), int) for key in NUMBERS
    )
    return (has_kind or has_colour) and all(
        not isinstance(it, Mapping | list | tuple) for it in value.values()
    )


def is_slot(value: object) -> bool:
    """A place for one card, filled or not, face down or not."""
    return isinstance(value, Mapping) and "mark" in value and ("filled" in value or "face" in value)


def chip(face: Mapping[str, Any]) -> Text:
    """A card as a small coloured box."""
    rune = face.get("rune")
    number = next((face[key] for key in NUMBERS if isinstance(face.get(key), int)), None)
    kind = next((face[key] for key in KINDS if isinstance(face.get(key), str)), None)
    if isinstance(rune, str) and rune.isdigit():
        word = rune
    elif kind is None and rune is None:
        word = str(number)
    else:
        word = MARKS.get(kind or "", plain(kind if kind is not None else rune))
        word = f"{word} {number}" if number is not None else word
    return Text(f" {word} ", style=f"bold {INK} on {_paint(face, kind)}")


def slot(value: Mapping[str, Any]) -> Text:
    if isinstance(value.get("face"), Mapping):
        return chip(value["face"])
    return BACK.copy() if value.get("filled", True) else HOLE.copy()


def ids_in(value: object) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """Every card in the view that has an id: offers may refer to it by the id."""
    if isinstance(value, Mapping):
        if isinstance(value.get("id"), str):
            yield value["id"], value
        for it in value.values():
            yield from ids_in(it)
    elif isinstance(value, list | tuple):
        for it in value:
            yield from ids_in(it)


class Speaker:
    """Formats the values of one view, with the players' names and the cards by their ids."""

    def __init__(self, names: Sequence[str], view: object = None, label: Label | None = None) -> None:
        self.names = names
        self._cards = dict(ids_in(view))
        self._label = label

    def fill(self, text: str) -> str:
        """A sentence of the server with the players' names in it."""
        return with_names(text, self.names)

    def pick(self, move: str, key: str, value: Any) -> Text:
        """A value of a move, with the game's own name for it."""
        said = self._label(move, key, value) if self._label is not None else None
        if said is not None:
            return said
        said = self.say(key, value)
        is_bare = not key or key in SEATS or not isinstance(value, int) or isinstance(value, bool)
        return said if is_bare else Text.assemble((f"{plain(key)} ", "dim"), said)

    def say(self, key: str, value: Any) -> Text:
        """A value in one line, formatted by the name of its key."""
        if value is None:
            return Text("–", style="dim")
        if isinstance(value, bool):
            return Text("yes" if value else "no")
        if isinstance(value, int) and key in SEATS:
            return Text(seat_name(self.names, value), style="bold")
        if isinstance(value, str) and value in self._cards and is_face(self._cards[value]):
            return chip(self._cards[value])
        if is_slot(value):
            return slot(value)
        if is_face(value):
            return chip(value)
        if isinstance(value, Mapping | list | tuple):
            return between(" ", self.parts(key, value)) if value else Text("–", style="dim")
        return Text(with_names(plain(value), self.names))

    def parts(self, key: str, value: Any) -> list[Text]:
        """The same in parts that must not be broken at the end of a line."""
        if isinstance(value, Mapping) and not is_face(value) and not is_slot(value):
            return self._fields(value)
        if not isinstance(value, list | tuple) or not value:
            return [self.say(key, value)]
        if key in SEAT_LISTS and all(isinstance(it, int) for it in value):
            return [Text(seat_name(self.names, it), style="bold") for it in value]
        found: list[Text] = []
        for n, it in enumerate(value):
            pieces = self.parts(_single(key), it)
            if n and (len(pieces) > 1 or isinstance(it, list | tuple)):
                found.append(Text("│", style="dim"))
            found += pieces
        return found

    def _fields(self, value: Mapping[str, Any]) -> list[Text]:
        """`Ana #2` for a slot, else `key value` for each."""
        found: list[Text] = []
        rest = {
            key: it
            for key, it in value.items()
            if key != "mark" and it is not None and it not in ((), [], {}, "")
        }
        if isinstance(rest.get("seat"), int) and "slot" in rest:
            name = seat_name(self.names, rest.pop("seat"))
            found.append(Text(f"{name} #{rest.pop('slot')}", style="bold"))
        for key, it in rest.items():
            pieces = self.parts(key, it)
            is_bare = key in ("seat", "card", "face") or is_face(it)
            found += pieces if is_bare else [Text.assemble((f"{plain(key)} ", "dim"), pieces[0]), *pieces[1:]]
        return found


def flow(parts: Sequence[Text], width: int, mark: str = " ") -> Text:
    """The parts in lines of this width. No part is broken."""
    text, used = Text(), 0
    for part in parts:
        size = part.cell_len
        if used and used + len(mark) + size > width:
            text.append("\n")
            used = 0
        elif used:
            text.append(mark, "dim")
            used += len(mark)
        text.append_text(part)
        used += size
    return text


def _single(key: str) -> str:
    return key.removesuffix("s")


def _paint(face: Mapping[str, Any], kind: str | None) -> str:
    named = face.get("colour") or face.get("suit") or NATURAL.get(kind or "")
    if isinstance(named, str) and named in PAINT:
        return PAINT[named]
    return SPARE[crc32(str(named or kind or face.get("rune")).encode()) % len(SPARE)]
