"""The messages to one socket in one step, in a form in which two worlds can be compared."""

from collections.abc import Iterator, Sequence
from typing import Any

import msgspec

from photofinish.engine import Act, AnyGame, Expired, Rng, Seat, Viewer, replace
from photofinish.engine.convert import move as typed_move
from photofinish.replay import log
from photofinish_protocol import messages
from tests.games.leaks import ViewerOutput, unlawful
from tests.hunt.worlds.world import RecordedSocket

MASK = "0"


def public(game: AnyGame, state: Any) -> tuple[Any, ...]:
    """The public facts of a state besides the view: those from which the room makes clocks, race, mute and end."""
    clocks = tuple(it for it in game.timers(state) if not it.hidden)
    return clocks, game.race(state), game.muted(state), game.outcome(state)


def entry(stored: bytes) -> log.Entry:
    return log.read(stored)[2]


def output(socket: RecordedSocket, of: Any = messages.ServerMessage) -> ViewerOutput:
    """All messages to one socket in one step, or those of these kinds, with the log heads masked."""
    views = [it for it in socket.typed if isinstance(it, messages.View)]
    newest = views[-1] if views else None
    rest: list[Any] = []
    for it in socket.typed:
        if not isinstance(it, of):
            continue
        if isinstance(it, messages.View):
            masked = msgspec.structs.replace(it, head=MASK * len(it.head))
            if it is newest:  # its view is kept separately, so that its faces can be compared
                masked = msgspec.structs.replace(masked, view=None, last=())
            rest.append(msgspec.to_builtins(masked))
        elif isinstance(it, messages.RaceReport) and it.record is not None:
            rest.append(["race", it.key, it.number])  # a referee may see everything about a race
        else:
            rest.append(msgspec.to_builtins(it))
    rest.append([frame for frame in socket.frames if frame.startswith((b"dropped", b"closed"))])
    view = socket.view.view if socket.view is not None else None
    return ViewerOutput(view if newest is None else replace(newest.view, last=newest.last), rest)


def shown_on_the_way(
    game: AnyGame,
    key: bytes,
    viewer: Viewer,
    was: tuple[Any, Any],
    entries: tuple[Sequence[bytes], Sequence[bytes]],
) -> bool:
    """Whether one of several moves in a step lawfully showed a face that is hidden again at the end of the step."""
    before = game.view(was[0], viewer)
    played = (_played(game, key, state, made) for state, made in zip(was, entries, strict=True))
    for states in zip(*played, strict=False):
        one, other = (ViewerOutput(game.view(state, viewer), []) for state in states)
        if one.frame() != other.frame():
            return unlawful(game.faces, before, one, other) is None
        before = one.view
    return False


def _played(game: AnyGame, key: bytes, state: Any, entries: Sequence[bytes]) -> Iterator[Any]:
    """The states between the moves of one step."""
    for it in map(entry, entries):
        if isinstance(it, log.Step):
            event: Any
            if it.move is None:
                assert it.timer is not None
                event = Expired(it.timer)
            else:
                assert it.seat is not None
                event = Act(Seat(it.seat), typed_move(game, it.move))
            state = game.apply(state, event, Rng(key, it.step))
            yield state
