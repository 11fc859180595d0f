"""The moves that a seat may send now, in a form that a client can use without knowing the rules.

An offer is the name of a move and the choices for its fields. The choices are independent of each other, except
for at most one named constraint (`where`). So a swap at eight seats is two lists of slots, not 448 moves.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import combinations, product
from typing import Any, Literal, TypeAlias

import msgspec

from photofinish.engine.records import Move, move_name
from photofinish.engine.rng import Rng

Where: TypeAlias = Literal["", "different_seats", "different_values"]
"""`different_seats`: the first two fields are objects with a `seat`, which must differ.
`different_values`: the values of the first two fields must differ."""


class OneOf(msgspec.Struct, frozen=True, tag_field="k", tag="one", omit_defaults=True):
    """Choose one row; its values fill `fields` in order (for example a slot and its mark)."""

    fields: tuple[str, ...]
    rows: tuple[tuple[Any, ...], ...]
    optional: bool = False
    """The fields may also be omitted."""


class SomeOf(msgspec.Struct, frozen=True, tag_field="k", tag="some", omit_defaults=True):
    """Choose `least` to `most` different values as a list. With `weights` (one per value) the weights of the chosen
    values must add up to one of `sums`, or, if `sum_least` is given, to at least that.
    """

    field: str
    values: tuple[Any, ...]
    least: int = 0
    most: int = 1
    weights: tuple[int, ...] = ()
    sums: tuple[int, ...] = ()
    sum_least: int | None = None
    optional: bool = False


class Amounts(msgspec.Struct, frozen=True, tag_field="k", tag="amounts", omit_defaults=True):
    """Give each key a number from 0 to its limit (0 may be omitted). The total is `least` to `most`."""

    field: str
    limits: dict[str, int]
    least: int = 0
    most: int = 0
    optional: bool = False


Choice: TypeAlias = OneOf | SomeOf | Amounts


class Offer(msgspec.Struct, frozen=True, omit_defaults=True):
    """One kind of move that a seat may send now. Several offers may name the same move."""

    move: str
    choices: tuple[Choice, ...] = ()
    where: Where = ""
    text: str = ""
    """The text for a person: "Draw a card". It contains nothing that this seat may not know."""
    awaited: bool = False
    """The table waits for this seat, and this offer is a possible answer. Offers without it need no answer."""
    risky: bool = False
    """By the rules a wrong move of this kind has a penalty."""


def offer(
    move: type[Move],
    *choices: Choice,
    where: Where = "",
    text: str = "",
    awaited: bool = True,
    risky: bool = False,
) -> Offer:
    """`awaited` False: the table never waits for this move; it is possible at any time (a slap, a pounce)."""
    return Offer(move_name(move), choices, where, text, awaited, risky)


def one(field: str, values: Iterable[Any], *, optional: bool = False) -> OneOf:
    """One field with one of these values."""
    return OneOf((field,), tuple((value,) for value in values), optional)


def rows(fields: str, values: Iterable[tuple[Any, ...]], *, optional: bool = False) -> OneOf:
    """Several fields (`"seat slot mark"`) that one row fills together."""
    return OneOf(tuple(fields.split()), tuple(values), optional)


Sent: TypeAlias = dict[str, Any]
"""A move as it goes over the wire: `{"t": "slap", "seat": 2, …}`."""


def sample(offers: Sequence[Offer], rng: Rng) -> Sent | None:
    """A random move from the offers: each offer is equally likely, then each choice. None if there is no move."""
    return sample_one(offers[rng.below(len(offers))], rng) if offers else None


def sample_one(it: Offer, rng: Rng) -> Sent:
    """A random move of this offer. Tries again if the constraint forbids the chosen values."""
    for _ in range(1000):
        sent: Sent = {"t": it.move}
        for choice in it.choices:
            if not (choice.optional and (_is_empty(choice) or rng.below(2))):
                sent |= _pick(choice, rng)
        if _allowed(it, sent):
            return sent
    options = list(moves(it))  # few combinations satisfy the constraint: list them all
    return options[rng.below(len(options))]


def moves(it: Offer, limit: int = 100_000) -> Iterator[Sent]:
    """Every move of this offer, up to a limit. Use it for small offers only."""
    made = 0
    for parts in product(*(tuple(_all(choice)) for choice in it.choices)):
        sent: Sent = {"t": it.move}
        for part in parts:
            sent |= part
        if _allowed(it, sent):
            yield sent
            made += 1
            if made >= limit:
                return


def admits(offers: Iterable[Offer], sent: Mapping[str, Any]) -> bool:
    """Is this move among the offers? A field that is None counts as omitted, in nested objects too."""
    bare: Sent = _bare(sent)
    return any(_admits(it, bare) for it in offers)


def _admits(it: Offer, sent: Mapping[str, Any]) -> bool:
    if sent.get("t") != it.move:
        return False
    named = {name for choice in it.choices for name in _fields(choice)}
    if sent.keys() - named - {"t"}:
        return False
    return all(_fits(choice, sent) for choice in it.choices) and _allowed(it, sent)


def _bare(value: Any) -> Any:
    """Drops None and makes tuples lists, so that a typed move can be compared with a sent one."""
    if isinstance(value, Mapping):
        return {key: _bare(it) for key, it in value.items() if it is not None}
    return [_bare(it) for it in value] if isinstance(value, list | tuple) else value


def _same(one: Any, other: Any) -> bool:
    """Equal and of the same type: in Python True == 1."""
    return bool(one == other) and isinstance(one, bool) == isinstance(other, bool)


def _is_empty(choice: Choice) -> bool:
    return isinstance(choice, OneOf) and not choice.rows


def _fields(choice: Choice) -> tuple[str, ...]:
    return choice.fields if isinstance(choice, OneOf) else (choice.field,)


def _fits(choice: Choice, sent: Mapping[str, Any]) -> bool:
    if choice.optional and all(sent.get(name) is None for name in _fields(choice)):
        return True
    match choice:
        case OneOf(fields, all_rows):
            given = [sent.get(name) for name in fields]
            return any(all(map(_same, _bare(row), given)) for row in all_rows)
        case SomeOf(field, values):
            picked = sent.get(field)
            if not isinstance(picked, list):
                return False
            places = [
                next((n for n, value in enumerate(values) if _same(_bare(value), it)), -1) for it in picked
            ]
            return -1 not in places and len(set(places)) == len(places) and _adds_up(choice, places)
        case Amounts(field, limits, least, most):
            amounts = sent.get(field)
            if not isinstance(amounts, dict):
                return False
            if any(type(n) is not int or not 0 <= n <= limits.get(key, -1) for key, n in amounts.items()):
                return False
            return least <= sum(amounts.values()) <= most


def _adds_up(choice: SomeOf, places: Sequence[int]) -> bool:
    if not choice.least <= len(places) <= choice.most:
        return False
    if not choice.weights:
        return True
    total = sum(choice.weights[place] for place in places)
    if choice.sum_least is not None:
        return total >= choice.sum_least
    return not choice.sums or total in choice.sums


def _allowed(it: Offer, sent: Mapping[str, Any]) -> bool:
    if not it.where:
        return True
    first, second = (sent.get(_fields(choice)[0]) for choice in it.choices[:2])
    if first is None or second is None:
        return True  # one of the two is omitted: nothing to compare
    if it.where == "different_values":
        return bool(first != second)
    return bool(first["seat"] != second["seat"])


def _pick(choice: Choice, rng: Rng) -> Sent:
    match choice:
        case OneOf(fields, all_rows):
            return dict(zip(fields, all_rows[rng.below(len(all_rows))], strict=True))
        case SomeOf(field, values, least, most):
            for _ in range(200):
                count = least + rng.below(min(most, len(values)) - least + 1)
                places = rng.shuffled(range(len(values)))[:count]
                if _adds_up(choice, places):
                    return {field: [values[place] for place in places]}
            options = tuple(_all(choice))  # all of them, or none if the fields may be omitted
            return options[rng.below(len(options))]
        case Amounts(field, limits, least, most):
            given = dict.fromkeys(limits, 0)
            for _ in range(least + rng.below(min(most, sum(limits.values())) - least + 1)):
                room = [key for key, limit in limits.items() if given[key] < limit]
                given[room[rng.below(len(room))]] += 1
            return {field: {key: n for key, n in given.items() if n}}


def _all(choice: Choice) -> Iterator[Sent]:
    if choice.optional:
        yield {}
    match choice:
        case OneOf(fields, all_rows):
            yield from (dict(zip(fields, row, strict=True)) for row in all_rows)
        case SomeOf(field, values, least, most):
            for count in range(least, min(most, len(values)) + 1):
                for places in combinations(range(len(values)), count):
                    if _adds_up(choice, places):
                        yield {field: [values[place] for place in places]}
        case Amounts(field, limits, least, most):
            for counts in product(*(range(limit + 1) for limit in limits.values())):
                if least <= sum(counts) <= most:
                    yield {field: {key: n for key, n in zip(limits, counts, strict=True) if n}}
