"""The script: one short game each, with one trouble, and the requirements that are looked at."""

from collections.abc import Callable
from typing import Final, Literal, NamedTuple

from photofinish.conformance.line import Trouble
from photofinish.conformance.requirements import Level
from photofinish.conformance.troubles import CutAt, CutTwice, FromTheFuture, LostView, NoTrouble, Restart

ALWAYS: Final = ("C1", "C2", "C3")


class Situation(NamedTuple):
    key: str
    title: str
    level: Level
    do: Literal["play", "watch"]
    trouble: Callable[[], Trouble]
    looks_at: tuple[str, ...]
    is_taken_over: bool = False
    turn_seconds: int = 20


SITUATIONS: Final[tuple[Situation, ...]] = (
    Situation("watch", "Watch a game to its end", "watcher", "watch", NoTrouble, ALWAYS),
    Situation("watch-future", "A server from the future", "watcher", "watch", FromTheFuture, (*ALWAYS, "C4")),
    Situation(
        "watch-cut",
        "The line is cut",
        "watcher",
        "watch",
        lambda: CutAt("view", 3),
        (*ALWAYS, "C5", "C6", "C4"),
    ),
    Situation(
        "watch-restart", "The server restarts", "watcher", "watch", Restart, (*ALWAYS, "C5", "C6", "C7")
    ),
    Situation(
        "play", "Play a game to its end", "player", "play", NoTrouble, (*ALWAYS, "P1", "P2", "P3", "P9")
    ),
    Situation(
        "play-future",
        "A server from the future",
        "player",
        "play",
        FromTheFuture,
        (*ALWAYS, "C4", "P1", "P2"),
    ),
    Situation(
        "play-cut-join",
        "Cut before the answer to `join`",
        "player",
        "play",
        lambda: CutAt("seated"),
        (*ALWAYS, "C5", "P4", "P1"),
    ),
    Situation(
        "play-cut-move",
        "Cut before the answer to a move",
        "player",
        "play",
        lambda: CutAt("move", 2),
        (*ALWAYS, "C5", "P5", "P6", "P1", "P2"),
    ),
    Situation(
        "play-cut-welcome",
        "The `welcome` of a resumed seat is lost",
        "player",
        "play",
        CutTwice,
        (*ALWAYS, "C5", "P5", "P1", "P2"),
    ),
    Situation(
        "play-cut-twice",
        "Cut, resumed, and cut again",
        "player",
        "play",
        lambda: CutTwice(second=CutAt("view", 2, socket=1)),
        (*ALWAYS, "C5", "P5", "P1", "P2"),
    ),
    Situation(
        "play-lost-view",
        "A view is lost",
        "player",
        "play",
        LostView,
        (*ALWAYS, "P8", "P5", "P1"),
        turn_seconds=3,
    ),
    Situation(
        "play-taken-over",
        "A newer connection takes the seat",
        "player",
        "play",
        NoTrouble,
        (*ALWAYS, "P7"),
        is_taken_over=True,
    ),
    Situation(
        "race", "Races in a game of several rounds", "racer", "play", NoTrouble, (*ALWAYS, "R1", "R2", "P1")
    ),
)
