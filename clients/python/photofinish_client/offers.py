"""Builds moves from offers: picks a random move, and checks whether a pick is allowed. Knows no rules of games."""

import random
from collections.abc import Mapping, Sequence
from itertools import combinations, product
from typing import Any, Final, TypeAlias

from photofinish_protocol.offers import Amounts, Choice, Offer, OneOf, SomeOf

Move: TypeAlias = dict[str, Any]

TRIES: Final = 500


def sample(offers: Sequence[Offer], chance: random.Random) -> Move | None:
    """A random move: each offer equally likely, then each choice. None if there is nothing to pick."""
    for it in chance.sample(offers, len(offers)):
        if (move := sample_one(it, chance)) is not None:
            return move
    return None


def sample_one(it: Offer, chance: random.Random) -> Move | None:
    for _ in range(TRIES):
        move: Move = {"t": it.move}
        for choice in it.choices:
            if not (choice.optional and chance.random() < 0.5):
                part = _pick(choice, chance)
                if part is None:
                    break
                move |= part
        else:
            if is_allowed(it, move):
                return move
    return _search(it, chance)


def fields_of(choice: Choice) -> tuple[str, ...]:
    return choice.fields if isinstance(choice, OneOf) else (choice.field,)


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


def is_allowed(it: Offer, move: Mapping[str, Any]) -> bool:
    """Whether the move meets the constraint between the first two choices. A choice that is left out meets it."""
    if not it.where:
        return True
    first, second = (move.get(fields_of(choice)[0]) for choice in it.choices[:2])
    if first is None or second is None:
        return True
    if it.where == "different_values":
        return bool(first != second)
    return bool(first["seat"] != second["seat"])


def _pick(choice: Choice, chance: random.Random) -> Move | None:
    match choice:
        case OneOf(fields=fields, rows=rows):
            return dict(zip(fields, chance.choice(rows), strict=True)) if rows else None
        case SomeOf(field=field, values=values, least=least, most=most):
            if least > min(most, len(values)):
                return None
            places = chance.sample(range(len(values)), chance.randint(least, min(most, len(values))))
            return {field: [values[place] for place in places]} if adds_up(choice, places) else None
        case Amounts(field=field, limits=limits, least=least, most=most):
            if least > min(most, sum(limits.values())):
                return None
            tokens = [key for key, limit in limits.items() for _ in range(limit)]
            taken = chance.sample(tokens, chance.randint(least, min(most, len(tokens))))
            return {field: {key: taken.count(key) for key in limits if key in taken}}


def _search(it: Offer, chance: random.Random) -> Move | None:
    """Try all combinations in random order. For constraints that random picks do not meet."""
    for parts in product(*(_all(choice, chance) for choice in it.choices)):
        move: Move = {"t": it.move}
        for part in parts:
            move |= part
        if is_allowed(it, move):
            return move
    return None


def _all(choice: Choice, chance: random.Random) -> list[Move]:
    left_out: list[Move] = [{}] if choice.optional else []
    match choice:
        case OneOf(fields=fields, rows=rows):
            made = [dict(zip(fields, row, strict=True)) for row in rows]
        case SomeOf(field=field, values=values, least=least, most=most):
            made = [
                {field: [values[place] for place in places]}
                for size in range(least, min(most, len(values)) + 1)
                for places in combinations(range(len(values)), size)
                if adds_up(choice, places)
            ]
        case Amounts(field=field, limits=limits, least=least, most=most):
            made = [
                {field: {key: n for key, n in zip(limits, counts, strict=True) if n}}
                for counts in product(*(range(limit + 1) for limit in limits.values()))
                if least <= sum(counts) <= most
            ]
    return chance.sample(made, len(made)) + left_out
