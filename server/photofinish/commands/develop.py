"""For people who work on Photofinish itself."""

from pathlib import Path

from photofinish.commands.new_game import BadName, write
from photofinish.commands.shared.base import BadUse, app, console


@app.command
def new_game(name: str, /, *, checkout: Path = Path()) -> int:
    """Write a small complete game into a checkout: rules, offers, view, bot and tests that pass.

    Parameters
    ----------
    name
        Folder and key of the game, such as high_card.
    checkout
        The checkout of Photofinish to write into.
    """
    try:
        files = write(name, checkout)
    except (BadName, OSError) as fault:
        raise BadUse(str(fault)) from fault
    for file in files:
        console.print(f"  {file}", highlight=False)
    console.print(
        f"Next: make playthroughs, then make test ARGS='-k {name}'. CONTRIBUTING.md explains each file.",
        highlight=False,
    )
    return 0
