"""The record of a new room, from the message that asks for it."""

from photofinish.engine import AnyGame
from photofinish.room import requests
from photofinish.room.record import Chair, RoomRecord
from photofinish.room.seats import tokens
from photofinish.room.seats.lobby import RequestRefusal
from photofinish_protocol import messages
from photofinish_protocol.reasons import Reason


def new_record(code: str, game: AnyGame, request: messages.Create, seed: bytes) -> RoomRecord:
    """A room in the lobby with empty chairs. Raises `RequestRefusal` if the game refuses these options or seats."""
    seats = request.seats if request.seats is not None else game.seats.stop - 1
    if seats not in game.seats:
        raise RequestRefusal(
            Reason.BAD_OPTIONS, f"{game.title} is for {game.seats.start} to {game.seats.stop - 1} players."
        )
    return RoomRecord(
        code=code,
        game=game.key,
        rules=game.version,
        options=requests.checked_options(game, request.options, seats),
        capacity=seats,
        host=0,
        seed=seed,
        chairs=[Chair(key=n) for n in range(seats)],
        private=request.private,
        spectator_delay=request.spectator_delay,
        max_ping_ms=request.max_ping_ms,
        substitutes=request.substitutes,
        absent_seconds=request.absent_seconds,
        referee=tokens.digest(request.referee) if request.referee else b"",
        next_key=seats,
    )
