"""A finished game as a file that anybody can check, and the states that follow from a log."""

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import msgspec

from photofinish.engine import Act, AnyGame, Expired, IllegalMove, Input, Seat, TableSetup, convert
from photofinish.engine.convert import BadMove, BadOptions
from photofinish.engine.rng import NotedRng, commitment, game_key
from photofinish.replay import log

FORMAT = "photofinish replay 1"
HEAD_WITHIN = 400
"""The head of a replay is within its first bytes: before it are the format, the commitment and the seed."""

REFUSED = (
    IllegalMove,
    BadMove,
    BadOptions,
    ArithmeticError,
    AssertionError,
    AttributeError,
    LookupError,
    RecursionError,
    TypeError,
    ValueError,
)
"""What the rules raise for a log that no server wrote."""


class LogLine(msgspec.Struct, frozen=True):
    """One entry of the log: its hash in hex, and its body exactly as it was hashed (JSON text)."""

    hash: str
    body: str


class Replay(msgspec.Struct, frozen=True):
    """The replay file. `entries` is the log; `seed` opens the commitment."""

    format: str
    commitment: str
    seed: str
    head: str
    entries: tuple[LogLine, ...]


def as_replay(seed: bytes, stored: Iterable[bytes]) -> bytes:
    """The replay file of the game with this log."""
    lines = []
    for entry in stored:
        hashed, body, _ = log.read(entry)
        lines.append(LogLine(hashed.hex(), body.decode()))
    head = lines[-1].hash if lines else ""
    replay = Replay(FORMAT, commitment(seed), seed.hex(), head, tuple(lines))
    return msgspec.json.format(msgspec.json.encode(replay), indent=1)


def head_of(beginning: bytes) -> str:
    """The head of a replay file, from its first `HEAD_WITHIN` bytes. Empty if these are not of a replay."""
    found = re.search(rb'"head": "([0-9a-f]{64})"', beginning)
    return found[1].decode() if found else ""


def read_replay(raw: bytes) -> Replay:
    """Raises `msgspec.ValidationError` or `msgspec.DecodeError` if it is not a replay file."""
    return msgspec.json.decode(raw, type=Replay)


def table_of(game: AnyGame, dealt: log.Dealt) -> TableSetup[Any]:
    """Raises `ValueError` if the game was played by rules that this release does not have."""
    if not game.plays(dealt.rules):
        raise ValueError(f"rules version {dealt.rules}; this release has {game.oldest} to {game.version}")
    options = convert.options(game, dealt.options)
    return TableSetup(dealt.seats, options, tuple(Seat(n) for n in dealt.previous), dealt.rules)


def input_of(game: AnyGame, step: log.Step) -> Input[Any]:
    if step.timer is not None:
        return Expired(step.timer)
    assert step.seat is not None
    return Act(Seat(step.seat), convert.move(game, step.move))


def states(
    games: Mapping[str, AnyGame], seed: bytes, entries: Iterable[log.Entry]
) -> Iterator[tuple[log.Entry, Any, NotedRng]]:
    """Every entry with the state after it and the random numbers it used. Raises what the rules raise."""
    game: AnyGame | None = None
    state: Any = None
    key = b""
    for entry in entries:
        rng = NotedRng(key, entry.step if isinstance(entry, log.Step) else 0)
        match entry:
            case log.Dealt():
                game = games[entry.game]
                key = game_key(seed, [bytes.fromhex(nonce) for nonce in entry.nonces])
                rng = NotedRng(key, 0)
                state = game.setup(table_of(game, entry), rng)
            case log.Step():
                assert game is not None
                state = game.apply(state, input_of(game, entry), rng)
            case _:
                pass
        yield entry, state, rng
