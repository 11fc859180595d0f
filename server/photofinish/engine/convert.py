"""Converts a game's values: states to and from bytes, moves from the wire, moves and options to plain data."""

from typing import Any

import msgspec

from photofinish.engine.game import AnyGame
from photofinish.engine.records import Move, Options

_pack = msgspec.msgpack.Encoder()


class BadMove(Exception):  # noqa: N818 - a refusal
    """Not a move of this game: unknown name, or a missing, wrong or extra field."""


class BadOptions(Exception):  # noqa: N818 - a refusal
    """Not options of this game."""


def move(game: AnyGame, sent: Any) -> Move:
    """The typed move. Raises `BadMove` with the reason."""
    if isinstance(sent, dict) and "t" not in sent:  # msgspec needs no tag where there is only one move
        raise BadMove("Object missing required field `t`")
    name = sent.get("t") if isinstance(sent, dict) else None
    # For a union msgspec inspects all of its types again at each call: 17 µs with the twelve moves of Cambio.
    kind = game.move_types.get(name, game.move_type) if isinstance(name, str) else game.move_type
    try:
        return msgspec.convert(sent, kind)  # type: ignore[no-any-return]  # the union is built at run time
    except (msgspec.ValidationError, RecursionError) as error:
        raise BadMove(_explained(error)) from error


def _explained(error: Exception) -> str:
    """The reason, with the name of the field added. For a missing or unknown field msgspec's reason has it already."""
    reason, _, where = str(error).partition(" - at `$")
    field = where.rstrip("`").lstrip(".")
    return f"{reason} in `{field}`" if field else reason


def plain(it: msgspec.Struct) -> dict[str, Any]:
    """A move or options as plain data for the wire."""
    made = msgspec.to_builtins(it)
    assert isinstance(made, dict)
    return made


def options(game: AnyGame, sent: Any) -> Options:
    try:
        return msgspec.convert(sent, game.options)  # type: ignore[no-any-return]  # likewise
    except (msgspec.ValidationError, RecursionError) as error:
        raise BadOptions(str(error)) from error


def pack(value: Any) -> bytes:
    return _pack.encode(value)


def unpack_state(game: AnyGame, raw: bytes) -> Any:
    return msgspec.msgpack.decode(raw, type=game.state)
