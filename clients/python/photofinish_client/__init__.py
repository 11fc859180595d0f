"""The Python SDK: `async with connect(url) as table`, a `Player` with one method, bots and a terminal table."""

from photofinish_client.bots import RandomPlayer
from photofinish_client.client import Table, connect
from photofinish_client.errors import CutOff, MoveRefused, RequestRefused, SeatLost
from photofinish_client.player import Decision, Move, Player, Sitting, sit

__all__ = [
    "CutOff",
    "Decision",
    "Move",
    "MoveRefused",
    "Player",
    "RandomPlayer",
    "RequestRefused",
    "SeatLost",
    "Sitting",
    "Table",
    "connect",
    "sit",
]
