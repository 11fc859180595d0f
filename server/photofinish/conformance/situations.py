"""The situations: one short game each, with one fault, and the requirements that are checked."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Final, Literal

from photofinish.conformance import troubles as t
from photofinish.conformance.checks.requirements import Level
from photofinish.conformance.line import Trouble

ALWAYS: Final = ("C1", "C2", "C3", "C8", "C10")
PLAYS: Final = (*ALWAYS, "P1", "P2")
SHORT: Final = {
    "target_points": 10,
    "race_min_ms": 500,
    "show_seconds": 1,
    "look_seconds": 20,
    "turn_seconds": 20,
}
LONGER: Final = {**SHORT, "target_points": 80}
HURRIED: Final = {**SHORT, "turn_seconds": 5, "look_seconds": 5}
IMPATIENT: Final = {**SHORT, "turn_seconds": 3}

Event = Literal[
    "", "taken_over", "kicked", "bad_token", "closed", "muted", "other_node", "owner_dies", "restart"
]
"""What happens outside the line: the examiner does it or waits for it."""


@dataclass(frozen=True)
class Situation:
    key: str
    title: str
    level: Level
    do: Literal["play", "watch"]
    trouble: Callable[[], Trouble]
    looks_at: tuple[str, ...]
    event: Event = ""
    games: int = 1
    codec: str = ""
    say: str = ""
    game: str = "cambio"
    seats: int = 4
    bots: int = 0
    options: dict[str, Any] = field(default_factory=lambda: SHORT)


def _watch(key: str, title: str, trouble: Callable[[], Trouble], *looks_at: str, **more: Any) -> Situation:
    return Situation(key, title, "watcher", "watch", trouble, (*ALWAYS, *looks_at), **more)


def _play(key: str, title: str, trouble: Callable[[], Trouble], *looks_at: str, **more: Any) -> Situation:
    return Situation(key, title, "player", "play", trouble, looks_at, **more)


def _race(key: str, title: str, trouble: Callable[[], Trouble], *looks_at: str) -> Situation:
    return Situation(key, title, "racer", "play", trouble, (*PLAYS, *looks_at), options=LONGER)


def _full(key: str, title: str, trouble: Callable[[], Trouble], *looks_at: str, **more: Any) -> Situation:
    return Situation(key, title, "full", "play", trouble, (*ALWAYS, *looks_at), **more)


CAME_BACK: Final = (*PLAYS, "C5", "P5")

SITUATIONS: Final[tuple[Situation, ...]] = (
    _watch("watch", "Watch a game to its end", t.NoTrouble, "C4"),
    _watch("watch-future", "A server from the future", t.UnknownFields, "C4"),
    _watch("watch-defaults", "Every field is sent", t.EveryDefault, "C9"),
    _watch("watch-cut", "The line is cut", lambda: t.CutAt("view", 3), "C5", "C6", "C4"),
    _watch("watch-bye", "`bye` with a time to wait", t.SaysBye, "C5", "C6", "C7"),
    _watch("watch-unread", "Closed with 4408: read too slowly", lambda: t.SaysBye(4408, retry_after_ms=0), "C5", "C6"),
    _watch("watch-closed", "Closed with 4400, for good", lambda: t.SaysBye(4400, retry=False), "C11", event="closed"),
    _play("play", "Play a game to its end", t.NoTrouble, *PLAYS, "P3", "P9"),
    _play("play-future", "A server from the future", t.UnknownFields, *PLAYS, "C4"),
    _play("play-defaults", "Every field is sent", t.EveryDefault, *PLAYS, "C9"),
    _play("play-cut-join", "Cut before the answer to `join`", lambda: t.CutAt("seated"), *ALWAYS, "C5", "P4", "P1"),
    _play("play-cut-before", "Cut before the answer to a move", lambda: t.CutAt("move", 2), *CAME_BACK, "P6"),
    _play(
        "play-cut-during", "Cut in the middle of the answer to a move", lambda: t.CutAt("move", 2, half=True),
        *CAME_BACK, "P6",
    ),
    _play(
        "play-cut-after", "Cut between the answer to a move and its view", lambda: t.CutAt("move", 2, behind=True),
        *CAME_BACK,
    ),
    _play("play-old-token", "The `welcome` of a resumed seat is lost", t.CutTwice, *CAME_BACK),
    _play(
        "play-new-token", "Cut, resumed, and cut again", lambda: t.CutTwice(second=t.CutAt("view", 2, socket=1)),
        *CAME_BACK,
    ),
    _play("play-bad-token", "The seat is gone after a cut", t.TokenGone, *ALWAYS, "P13", event="bad_token"),
    _play(
        "play-lost-view", "A view is lost: `from` does not fit", t.LostView, *ALWAYS, "P8", "P5", "P1",
        options=IMPATIENT,
    ),
    _play("play-skipped", "Views are skipped", t.SkippedViews, *PLAYS, "P10"),
    _play("play-unread", "The server skips views by itself: nothing is read", t.Unread, *PLAYS, "P10", options=LONGER),
    _play("play-late", "Views overtake the answer to a move", t.LateAnswers, *PLAYS, "P9"),
    _play("play-slow", "A slow line", t.Slow, *PLAYS, "P9"),
    _play("play-refused", "Moves are refused for every kind of reason", t.RefusesMoves, *PLAYS, "P11"),
    _play("play-not-yet", "`hello` and `join` are refused for the moment", t.NotYet, *PLAYS, "P12"),
    _play("play-clocks", "Short clocks", t.NoTrouble, *PLAYS, "P9", options=HURRIED),
    _play("play-eight", "A table with eight seats", t.NoTrouble, *PLAYS, "P3", "P9", seats=8, bots=6),
    _play("play-rematch", "A rematch", t.NoTrouble, *PLAYS, "P3", "P15", "P16", games=2),
    _play("play-taken-over", "A newer connection takes the seat", t.NoTrouble, *ALWAYS, "P7", event="taken_over"),
    _play("play-kicked", "The host kicks the player", t.NoTrouble, *ALWAYS, "P14", event="kicked"),
    _play("play-restart", "The server is stopped and started again", t.NoTrouble, *CAME_BACK, "C7", event="restart"),
    _play("play-home", "`seated` names another node in `home`", t.NoTrouble, *PLAYS, event="other_node"),
    _play("play-home-dead", "The node that `home` names dies", t.NoTrouble, *PLAYS, "P5", "P17", event="owner_dies"),
    _race("race", "Races in a game of several rounds", t.NoTrouble, "R1", "R2", "R3", "R4"),
    _race("race-untimed", "Races without `react_us`", t.Untimed, "R1", "R2"),
    _race("race-cut", "Cut while a move is held in a race", lambda: t.CutAt("pending", behind=True), "R1"),
    _full("play-json", "Speak JSON", t.NoTrouble, "P1", "F1", codec="json"),
    _full("play-msgpack", "Speak msgpack", t.NoTrouble, "P1", "F1", codec="msgpack"),
    _full(
        "play-muted", "A chat while the game forbids talk", t.ChatWhenMuted, "P2", "F2", event="muted",
        say="Good luck!", game="hameln_cave", seats=2, options={},
    ),
)  # fmt: skip
