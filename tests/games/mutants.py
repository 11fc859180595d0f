"""Moves that are mostly illegal: another seat's, old, changed, or random ones from the schema."""

from collections.abc import Callable
from functools import cache
from typing import Any

from msgspec import inspect as kinds

from photofinish.engine import AnyGame, Rng
from photofinish.engine.convert import BadMove, move
from photofinish.engine.offers import sample
from photofinish.engine.playthrough import Playthrough


def mutant(play: Playthrough, sent: list[dict[str, Any]], rng: Rng) -> dict[str, Any]:
    """A move to be judged at this table now. `sent` are the moves of the game so far."""
    fresh = sample(play.game.offers(play.state, rng.pick(play.seats)), rng)
    sources = [fresh] if fresh else []
    if sent:
        sources.append(sent[max(0, len(sent) - 1 - rng.below(30))])
    if not sources or rng.below(3) == 0:
        return made_up(play.game, rng)
    found = rng.pick(sources)
    return bent(found, rng) if rng.below(3) else found


def bent(value: Any, rng: Rng) -> Any:
    """The same, but one small thing is different."""
    match value:
        case dict() if value and (len(value) > 1 or "t" not in value):
            key = rng.pick([key for key in value if key != "t"])
            if rng.below(12) == 0:
                return {name: it for name, it in value.items() if name != key}
            return {**value, key: bent(value[key], rng)}
        case list() | tuple():
            items = list(value)
            if items and rng.below(3):
                place = rng.below(len(items))
                return [*items[:place], bent(items[place], rng), *items[place + 1 :]]
            return items[1:] if rng.below(2) else [*items, *items[:1]]
        case bool():
            return not value
        case int():
            return rng.pick((max(0, value - 1), value + 1, rng.below(8), None))
        case _:
            return value


def made_up(game: AnyGame, rng: Rng) -> dict[str, Any]:
    """A random move with fields of the right types."""
    kind = rng.pick(game.moves)
    made: dict[str, Any] = {"t": kind.__struct_config__.tag}
    for it in fields_of(kind):
        if it.required or rng.below(3):
            made[it.encode_name] = value_of(it.type, rng)
    return made


def well_formed(game: AnyGame, rng: Rng) -> dict[str, Any]:
    """A random move inside all bounds: only the rules can refuse it."""
    for _ in range(500):
        sent = made_up(game, rng)
        try:
            move(game, sent)
        except BadMove:
            continue
        return sent
    raise AssertionError("no move of this game can be made up")


@cache
def fields_of(kind: type) -> tuple[kinds.Field, ...]:
    info = kinds.type_info(kind)
    assert isinstance(info, kinds.StructType)
    return info.fields


def value_of(kind: kinds.Type, rng: Rng) -> Any:
    again: Callable[[kinds.Type], Any] = lambda inner: value_of(inner, rng)  # noqa: E731 - it reads better in the table
    match kind:
        case kinds.IntType(ge=low, le=high):
            least = 0 if low is None else low
            most = least + 8 if high is None else high
            return least + rng.below(1 + min(most - least, rng.pick((1, 3, 8))))
        case kinds.BoolType():
            return bool(rng.below(2))
        case kinds.StrType():
            return rng.pick(("red", "blue", "green", "a", "1"))
        case kinds.LiteralType(values=values):
            return rng.pick(values)
        case kinds.EnumType(cls=cls):
            return rng.pick(list(cls)).value
        case kinds.UnionType(types=types):
            return again(rng.pick(types))
        case kinds.ListType(item_type=item) | kinds.VarTupleType(item_type=item):
            return [again(item) for _ in range(rng.below(3 + rng.below(3)))]
        case kinds.TupleType(item_types=items):
            return [again(item) for item in items]
        case kinds.DictType(key_type=key, value_type=item):
            return {again(key): again(item) for _ in range(rng.below(3))}
        case kinds.StructType(fields=parts):
            return {it.encode_name: again(it.type) for it in parts if it.required or rng.below(2)}
        case kinds.Metadata(type=inner):
            return again(inner)
        case _:
            return None
