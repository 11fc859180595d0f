"""The tables of the general tests: every game, three sizes, the default options and some random ones."""

from typing import Any, Literal, get_args, get_origin

import msgspec

from photofinish.engine import AnyGame, IllegalMove, Options, Rng, TableSetup


def sizes(game: AnyGame) -> tuple[int, ...]:
    """The smallest table, a middle one, the largest."""
    return tuple(sorted({game.seats[0], game.seats[len(game.seats) // 2], game.seats[-1]}))


def without_turn_clock(game: AnyGame) -> dict[str, int]:
    """The options of a table without turn clocks. Reflex has no turns, so nothing is to be set there."""
    return {"turn_seconds": 0} if has_turns(game) else {}


def has_turns(game: AnyGame) -> bool:
    return hasattr(game.options(), "turn_seconds")


def options_for(game: AnyGame, seats: int, number: int) -> Options:
    """Number 0 is the default; the others are drawn within the bounds of each field, and fit the seats."""
    default: Options = game.options()
    if number == 0:
        return default
    for attempt in range(200):
        rng = Rng(f"options {game.key} {number}".encode(), attempt)
        drawn = {
            it.name: _drawn(it, getattr(default, it.name), rng) for it in msgspec.structs.fields(game.options)
        }
        options: Options = msgspec.convert(drawn, game.options)
        try:
            game.setup(TableSetup(seats, options), Rng(b"does it fit?", attempt))
        except IllegalMove:
            continue
        return options
    return default


def _drawn(it: msgspec.structs.FieldInfo, default: Any, rng: Rng) -> Any:
    """One value a host could set. Fields whose type does not list its values keep the default."""
    if rng.below(3) == 0:
        return default
    if it.type is bool:
        return bool(rng.below(2))
    if get_origin(it.type) is Literal:
        return rng.pick(get_args(it.type))
    match msgspec.inspect.type_info(it.type):
        case msgspec.inspect.IntType(ge=int() as low, le=int() as high):
            # Small numbers more often than large ones: twelve rounds prove little that two do not.
            return low + rng.below(1 + min(high - low, rng.pick((1, 3, high - low))))
        case _:
            return default
