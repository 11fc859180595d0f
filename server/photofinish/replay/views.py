"""A finished game as one viewer saw it, step by step, for the browser's replay page."""

from collections.abc import Mapping
from typing import Any

from photofinish.engine import AnyGame, Viewer
from photofinish.engine.convert import plain
from photofinish.replay import log
from photofinish.replay.replay import Replay, states


def replay_views(replay: Replay, games: Mapping[str, AnyGame], viewer: Viewer) -> dict[str, Any]:
    """Names, result and all views of a replay. A viewer without a seat is a spectator. Raises ValueError."""
    entries = [log.parse(line.body) for line in replay.entries]
    first = entries[0] if entries else None
    if not isinstance(first, log.Dealt) or first.game not in games:
        raise ValueError("the replay does not start with the deal of a game that this server knows")
    game = games[first.game]
    seat = viewer if viewer is not None and viewer < first.seats else None
    steps: list[dict[str, Any]] = []
    races: list[dict[str, Any]] = []
    over: dict[str, Any] | None = None
    for entry, state, _ in states(games, bytes.fromhex(replay.seed), entries):
        match entry:
            case log.Dealt() | log.Step():
                view = game.view(state, seat)
                parts = plain(view)
                last = parts.pop("last", [])
                at = entry.at if isinstance(entry, log.Step) else 0
                steps.append({"at": at, "view": parts, "last": last})
            case log.Raced(record=record):
                races.append({"key": record.key, "step": len(steps) - 1})
            case log.Ended():
                over = {"winners": list(entry.winners), "why": entry.why, "scores": list(entry.scores)}
    return {
        "game": first.game,
        "room": first.room,
        "number": first.number,
        "names": list(first.names),
        "options": first.options,
        "seat": seat,
        "steps": steps,
        "races": races,
        "over": over,
    }
