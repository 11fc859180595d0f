"""List the rooms and the games of a server."""

from photofinish.commands.shared.base import (
    DEFAULT_URL,
    AtLeast0,
    BadUse,
    Json,
    Url,
    app,
    console,
    print_json,
)
from photofinish_client import commands


@app.command
async def rooms(
    url: Url = DEFAULT_URL, *, game: str | None = None, skip: AtLeast0 = 0, json: Json = False
) -> None:
    """List the open rooms, rooms with a free seat first, a hundred at a time.

    Parameters
    ----------
    game
        Only rooms of this game.
    skip
        Skip this number of rooms at the beginning.
    """
    if game is not None:
        known = [it.key for it in await commands.games(url, console=None)]
        if game not in known:
            raise BadUse(f"There is no game {game!r}. The games are: {', '.join(known)}.")
    found = await commands.rooms(url, game=game, skip=skip, console=None if json else console)
    if json:
        print_json(found)


@app.command
async def games(url: Url = DEFAULT_URL, *, json: Json = False) -> None:
    """List the games of the server."""
    found = await commands.games(url, console=None if json else console)
    if json:
        print_json(found)
