"""Headless bots: one in a room, or a whole table."""

import secrets
from typing import Literal

from photofinish.commands.shared.base import (
    DEFAULT_URL,
    AtLeast0,
    AtLeast1,
    BadUse,
    Json,
    Set,
    Url,
    app,
    chosen_options,
    console,
    print_json,
)  # fmt: skip
from photofinish.commands.shared.client_house_bot import ClientHouseBot
from photofinish.engine import Strength
from photofinish.games import all_games
from photofinish_client import commands
from photofinish_client.bots import RandomPlayer
from photofinish_client.player import Player


@app.command
async def bot(
    url: Url = DEFAULT_URL,
    *,
    room: str,
    player: Literal["random", "house"] = "house",
    strength: Strength = Strength.STRONG,
    name: str = "",
    seat: AtLeast0 | None = None,
    games: AtLeast1 = 1,
    json: bool = False,
) -> None:
    """Seat a bot in a room and let it play.

    Parameters
    ----------
    room
        The room's code.
    player
        house plays well, random plays random moves from its offers.
    strength
        How well the house bot plays.
    name
        Its name at the table.
    seat
        Which seat. Default: the first free one.
    games
        How many games it plays before it leaves.
    json
        Use JSON instead of msgpack.
    """
    chosen = _player(player, strength)
    await commands.bot(
        url, room, chosen, name=name or f"{player} {secrets.randbelow(100)}", games=games, seat=seat,
        codec="json" if json else "msgpack", console=console,
    )  # fmt: skip


@app.command
async def host(
    url: Url = DEFAULT_URL,
    *,
    game: str,
    players: str = "house,house,house,house",
    games: AtLeast1 = 1,
    strength: Strength = Strength.STRONG,
    set: Set = (),  # noqa: A002 - what a person would type
    json: Json = False,
) -> None:
    """Fill a table with headless players over real sockets and let them play.

    Parameters
    ----------
    game
        Which game.
    players
        One entry per seat: house or random.
    games
        How many games.
    strength
        How well the house bots play.
    set
        Options of the game, such as --set target_points=10.
    json
        One JSON object per game.
    """
    names = [it.strip() for it in players.split(",")]
    for it in names:
        if it not in ("house", "random"):
            raise BadUse(f"--players takes house and random, separated by commas, not {it!r}.")
    seated = [_player("random" if it == "random" else "house", strength) for it in names]
    played = await commands.host(
        url, game, seated, games=games, options=chosen_options(set), console=console, is_quiet=json
    )
    if json:
        for one in played[0]:
            print_json(commands.game_result(one, commands.player_names(len(seated))))


def _player(kind: Literal["random", "house"], strength: Strength) -> Player:
    return (
        ClientHouseBot(all_games(), strength, secrets.token_bytes(16)) if kind == "house" else RandomPlayer()
    )
