"""Moves out of offers: pick one at random, list them, check one. Server and Python SDK share it. No rules of games."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import combinations, product
from typing import Any, Protocol, TypeAlias

from photofinish_protocol.offers import Amounts, Choice, Offer, OneOf, SomeOf

Sent: TypeAlias = dict[str, Any]
"""A move as it goes over the wire: `{"t": "slap", "seat": 2, …}`."""


class Dice(Protocol):
    """Random numbers: the engine's `Rng`, which a replay repeats, or a client's own."""

    def below(self, limit: int, /) -> int: ...

    def shuffled(self, items: Iterable[int], /) -> Sequence[int]: ...


def sample(offers: Sequence[Offer], dice: Dice) -> Sent | None:
    """A random move from the offers: each offer is equally likely, then each choice. None if there is no move."""
    left = list(offers)
    while left:
        it = left.pop(dice.below(len(left)))
        if (sent := sample_one(it, dice)) is not None:
            return sent
    return None


def sample_one(it: Offer, dice: Dice) -> Sent | None:
    """A random move of this offer. Tries again if the constraint forbids the chosen values. None if it has no move."""
    if any(not _has_any(choice) and not choice.optional for choice in it.choices):
        return None
    for _ in range(1000):
        sent: Sent = {"t": it.move}
        for choice in it.choices:
            if not (choice.optional and (not _has_any(choice) or dice.below(2))):
                sent |= _pick(choice, dice)
        if is_allowed(it, sent):
            return sent
    options = list(moves(it))  # few combinations satisfy the constraint: list them all
    return options[dice.below(len(options))] if options else None


def moves(it: Offer, limit: int = 100_000) -> Iterator[Sent]:
    """Every move of this offer, up to a limit. Use it for small offers only."""
    made = 0
    for parts in product(*(tuple(_all(choice)) for choice in it.choices)):
        sent: Sent = {"t": it.move}
        for part in parts:
            sent |= part
        if is_allowed(it, sent):
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
    named = {name for choice in it.choices for name in fields_of(choice)}
    if sent.keys() - named - {"t"}:
        return False
    return all(_fits(choice, sent) for choice in it.choices) and is_allowed(it, sent)


def _bare(value: Any) -> Any:
    """Drops None and makes tuples lists, so that a typed move can be compared with a sent one."""
    if isinstance(value, Mapping):
        return {key: _bare(it) for key, it in value.items() if it is not None}
    return [_bare(it) for it in value] if isinstance(value, list | tuple) else value


def _same(one: Any, other: Any) -> bool:
    """Equal and of the same type: in Python True == 1."""
    return bool(one == other) and isinstance(one, bool) == isinstance(other, bool)


def _has_any(choice: Choice) -> bool:
    match choice:
        case OneOf():
            return bool(choice.rows)
        case SomeOf(least=least, most=most):
            if least > min(most, len(choice.values)):
                return False
            return not choice.weights or any(True for _ in _some(choice))
        case Amounts(least=least, most=most):
            return least <= min(most, sum(choice.limits.values()))


def fields_of(choice: Choice) -> tuple[str, ...]:
    return choice.fields if isinstance(choice, OneOf) else (choice.field,)


def _fits(choice: Choice, sent: Mapping[str, Any]) -> bool:
    if choice.optional and all(sent.get(name) is None for name in fields_of(choice)):
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
            return -1 not in places and len(set(places)) == len(places) and adds_up(choice, places)
        case Amounts(field, limits, least, most):
            amounts = sent.get(field)
            if not isinstance(amounts, dict):
                return False
            if any(type(n) is not int or not 0 <= n <= limits.get(key, -1) for key, n in amounts.items()):
                return False
            return least <= sum(amounts.values()) <= most


def adds_up(choice: SomeOf, places: Sequence[int]) -> bool:
    """Whether the values at exactly these places may be picked together."""
    if not choice.least <= len(places) <= choice.most:
        return False
    if not choice.weights:
        return True
    total = sum(choice.weights[place] for place in places)
    if choice.sum_least is not None:
        return total >= choice.sum_least
    return not choice.sums or total in choice.sums


def is_allowed(it: Offer, sent: Mapping[str, Any]) -> bool:
    """Whether the move meets the constraint between the first two choices. A choice that is omitted meets it."""
    if not it.where:
        return True
    first, second = (sent.get(fields_of(choice)[0]) for choice in it.choices[:2])
    if first is None or second is None:
        return True  # one of the two is omitted: nothing to compare
    if it.where == "different_values":
        return bool(first != second)
    return bool(first["seat"] != second["seat"])


def _pick(choice: Choice, dice: Dice) -> Sent:
    match choice:
        case OneOf(fields, all_rows):
            return dict(zip(fields, all_rows[dice.below(len(all_rows))], strict=True))
        case SomeOf(field, values, least, most):
            for _ in range(200):
                count = least + dice.below(min(most, len(values)) - least + 1)
                places = dice.shuffled(range(len(values)))[:count]
                if adds_up(choice, places):
                    return {field: [values[place] for place in places]}
            options = tuple(_all(choice))  # all of them, or none if the fields may be omitted
            return options[dice.below(len(options))]
        case Amounts(field, limits, least, most):
            given = dict.fromkeys(limits, 0)
            for _ in range(least + dice.below(min(most, sum(limits.values())) - least + 1)):
                room = [key for key, limit in limits.items() if given[key] < limit]
                given[room[dice.below(len(room))]] += 1
            return {field: {key: n for key, n in given.items() if n}}


def _all(choice: Choice) -> Iterator[Sent]:
    if choice.optional:
        yield {}
    match choice:
        case OneOf(fields, all_rows):
            yield from (dict(zip(fields, row, strict=True)) for row in all_rows)
        case SomeOf():
            yield from _some(choice)
        case Amounts(field, limits, least, most):
            for counts in product(*(range(limit + 1) for limit in limits.values())):
                if least <= sum(counts) <= most:
                    yield {field: {key: n for key, n in zip(limits, counts, strict=True) if n}}


def _some(choice: SomeOf) -> Iterator[Sent]:
    for count in range(choice.least, min(choice.most, len(choice.values)) + 1):
        for places in combinations(range(len(choice.values)), count):
            if adds_up(choice, places):
                yield {choice.field: [choice.values[place] for place in places]}
