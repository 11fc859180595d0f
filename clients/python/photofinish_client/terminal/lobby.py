"""The room before and after a game: the seats, the result, and the keys."""

from typing import Any

from rich import box
from rich.console import Group, RenderableType
from rich.table import Table as Grid
from rich.text import Text

from photofinish_client.terminal.scene import names_of
from photofinish_client.terminal.words import plain, seat_name, with_names
from photofinish_protocol.messages import Bot, Over, Place, Ready, Rematch, Request, Room, Start

LobbyKey = tuple[str, str, Request]
"""A key, what it does, and the message it sends."""


def draw_lobby(room: Room, you: int | None) -> RenderableType:
    grid = Grid("", "player", "", "wins", box=box.SIMPLE, expand=False, header_style="dim")
    for place in room.seats:
        name = Text(place.name or "free", style="bold" if place.name else "dim")
        if place.seat == you:
            name.append(" (you)", "cyan")
        if place.seat == room.host and place.kind == "player":
            name.append(" host", "yellow")
        grid.add_row(str(place.seat), name, _state(place), str(place.wins or ""))
    parts: list[RenderableType] = [Text(f"Room {room.room}: {plain(room.game)}", style="bold"), grid]
    if room.options:
        said = (f"{plain(key)} {_short(value)}" for key, value in room.options.items())
        parts.append(Text(" · ".join(said), style="dim"))
    if room.substitutes:
        parts.append(
            Text("Substitutes: anybody may take a seat whose player leaves the game.", style="yellow")
        )
    if room.dealing is not None:
        names = names_of(room, len(room.seats))
        awaited = ", ".join(seat_name(names, seat) for seat in room.dealing.seats)
        parts.append(Text(f"Dealing: waiting for the nonces of {awaited}.", style="bold"))
    return Group(*parts)


def draw_over(over: Over, room: Room | None) -> RenderableType:
    """Who won, and the scores, in order of the places that the game gives (points alone may mislead)."""
    names = names_of(room, len(over.scores))
    winners = " and ".join(seat_name(names, seat) for seat in over.winners) or "Nobody"
    places = over.places or tuple(1 if seat in over.winners else 2 for seat in range(len(over.scores)))
    grid = Grid("", "player", "score", box=box.SIMPLE, expand=False, header_style="dim")
    for place, seat in sorted((place, seat) for seat, place in enumerate(places)):
        cells = (f"{place}.", seat_name(names, seat), str(over.scores[seat]))
        grid.add_row(*(Text(it, style="bold green" if seat in over.winners else "") for it in cells))
    return Group(
        Text.assemble(
            (f"{winners} won", "bold green"), f": {with_names(over.why, names)}" if over.why else ""
        ),
        grid,
        Text(f"seed {over.seed}", style="dim", overflow="ellipsis", no_wrap=True),
    )


def lobby_keys(room: Room, you: int | None) -> list[LobbyKey]:
    """The keys while no game runs, and their messages."""
    mine = next((place for place in room.seats if place.seat == you), None)
    if mine is None:
        return []
    found: list[LobbyKey] = []
    if room.phase == "lobby" and mine.ready:
        found.append(("1", "Not ready after all", Ready(id=0, ready=False)))
    elif room.phase == "lobby":
        found.append(("1", "I am ready", Ready(id=0)))
    if room.host == you and room.phase == "lobby":
        if any(place.kind == "empty" for place in room.seats):
            found.append(("2", "Add a house bot", Bot(id=0)))
        found.append(("3", "Deal", Start(id=0)))
    if room.host == you and room.phase == "over":
        found.append(("1", "Another game", Rematch(id=0)))
    return found


def _state(place: Place) -> Text:
    if place.kind == "empty":
        return Text("")
    if place.kind == "bot":
        return Text("bot", style="dim")
    if not place.connected:
        return Text("away", style="red")
    return Text("ready", style="green") if place.ready else Text("not ready", style="dim")


def _short(value: Any) -> str:
    return ("yes" if value else "no") if isinstance(value, bool) else str(value)
