"""Play and watch in the terminal."""

from typing import Literal

from photofinish.commands.shared.base import (
    DEFAULT_URL,
    AtLeast0,
    AtLeast1,
    BadUse,
    Set,
    Url,
    app,
    chosen_options,
    console,
)
from photofinish.engine import Strength


@app.command
async def watch(url: Url = DEFAULT_URL, *, room: str) -> None:
    """Watch a table in the terminal.

    Parameters
    ----------
    room
        The room's code.
    """
    from photofinish_client.terminal import play as terminal  # noqa: PLC0415 - textual comes with [terminal]

    await terminal.watch(url, room)


@app.command
async def play(
    url: Url = DEFAULT_URL,
    *,
    room: str | None = None,
    game: str | None = None,
    seats: AtLeast1 | None = None,
    bots: AtLeast0 = 0,
    strength: Strength = Strength.MEDIUM,
    set: Set = (),  # noqa: A002 - what a person would type
    name: str = "",
) -> None:
    """Play in the terminal: join a room, or open a new one and fill it with bots.

    Without --room and --game you return to the seat that you left last. If there is none, you play Cambio with
    three bots.

    Parameters
    ----------
    room
        The code of a room to join.
    game
        The game of a new room.
    seats
        How many seats the room has. Default: yours and the bots'.
    bots
        How many house bots to play against.
    strength
        How well they play.
    set
        Options of the game, such as --set target_points=10.
    name
        Your name at the table.
    """
    from photofinish_client.terminal import play as terminal  # noqa: PLC0415 - textual comes with [terminal]

    if room is not None and game is not None:
        raise BadUse("--room joins a room and --game opens a new one: give one of the two.")
    level: Literal["easy", "medium", "strong"] = strength.value
    options = chosen_options(set)
    if seats is None and game is not None and bots:
        seats = bots + 1
    await terminal.play(
        url, room=room, game=game, seats=seats, bots=bots, strength=level, options=options, name=name,
        console=console,
    )  # fmt: skip
