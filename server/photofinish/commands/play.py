"""Come to a table: play, watch, seat bots, see what is on."""

import secrets
from typing import Any, Literal

import msgspec

from photofinish.commands.base import DEFAULT_URL, Set, Url, app, console
from photofinish.commands.house_player import HousePlayer
from photofinish.engine import Strength
from photofinish.games import shelf
from photofinish_client import commands
from photofinish_client.bots import RandomPlayer
from photofinish_client.player import Player


@app.command
async def bot(
    url: Url = DEFAULT_URL,
    /,
    *,
    room: str,
    player: Literal["random", "house"] = "house",
    strength: Strength = Strength.STRONG,
    name: str = "",
    seat: int | None = None,
    games: int = 1,
    json: bool = False,
) -> None:
    """Sit a bot down in a room and let it play.

    Parameters
    ----------
    url
        Where the server is.
    room
        The room's code.
    player
        house plays well, random plays anything it is offered.
    strength
        How well.
    name
        What it is called at the table.
    seat
        Which seat; otherwise the first free one.
    games
        How many games it stays for.
    json
        Speak JSON instead of msgpack.
    """
    chosen = _player(player, strength)
    await commands.bot(
        url, room, chosen, name=name or f"{player} {secrets.randbelow(100)}", games=games, seat=seat,
        codec="json" if json else "msgpack", console=console,
    )  # fmt: skip


@app.command
async def host(
    url: Url = DEFAULT_URL,
    /,
    *,
    game: str,
    players: str = "house,house,house,house",
    games: int = 1,
    strength: Strength = Strength.STRONG,
    set: Set = (),  # noqa: A002 - what a person would type
) -> None:
    """Fill a table with headless players over real sockets and let them play.

    Parameters
    ----------
    url
        Where the server is.
    game
        Which game.
    players
        One entry a seat: house or random.
    games
        How many games.
    strength
        How well the house plays.
    set
        Options of the game, such as --set target_points=10.
    """
    seated: list[Player] = [
        _player("random" if it.strip() == "random" else "house", strength) for it in players.split(",")
    ]
    await commands.host(url, game, seated, games=games, options=_chosen(set), console=console)


def _chosen(pairs: tuple[str, ...]) -> dict[str, Any]:
    """`target_points=10` and its like, as the wire wants them."""
    chosen: dict[str, Any] = {}
    for pair in pairs:
        key, _, value = pair.partition("=")
        try:
            chosen[key] = msgspec.json.decode(value)
        except msgspec.DecodeError:
            chosen[key] = value
    return chosen


def _player(kind: Literal["random", "house"], strength: Strength) -> Player:
    return HousePlayer(shelf(), strength, secrets.token_bytes(16)) if kind == "house" else RandomPlayer()


@app.command
async def rooms(url: Url = DEFAULT_URL, /, *, game: str | None = None, skip: int = 0) -> None:
    """List the open rooms, those with a free seat first, a hundred at a time.

    Parameters
    ----------
    game
        Only rooms of this game.
    skip
        Leave out so many at the beginning.
    """
    await commands.rooms(url, game=game, skip=skip, console=console)


@app.command
async def games(url: Url = DEFAULT_URL, /) -> None:
    """List the games on the server's shelf."""
    await commands.games(url, console=console)


@app.command
async def watch(url: Url = DEFAULT_URL, /, *, room: str) -> None:
    """Watch a table in the terminal."""
    await commands.watch(url, room)


@app.command
async def play(
    url: Url = DEFAULT_URL,
    /,
    *,
    room: str | None = None,
    game: str | None = None,
    seats: int | None = None,
    bots: int = 0,
    strength: Strength = Strength.MEDIUM,
    set: Set = (),  # noqa: A002 - what a person would type
    name: str = "",
) -> None:
    """Play in the terminal: join a room, or open one of a game and fill it with bots. Cambio, if you say nothing.

    Parameters
    ----------
    url
        Where the server is.
    room
        The code of a room to join.
    game
        Or the game to open a room of.
    seats
        How many seats it has; otherwise yours and the bots'.
    bots
        How many bots of the house to play against.
    strength
        How well they play.
    set
        Options of the game, such as --set target_points=10.
    name
        What you are called at the table.
    """
    level: Literal["easy", "medium", "strong"] = strength.value
    if room is None and game is None:
        game, bots = "cambio", bots or 3  # whoever just wants to play
    if seats is None and game is not None and bots:
        seats = bots + 1
    await commands.play(
        url, room=room, game=game, seats=seats, bots=bots, strength=level, options=_chosen(set), name=name
    )
