"""Hand-made server messages for the clients' tests."""

from typing import Any

from photofinish_protocol import messages as m
from photofinish_protocol.offers import Offer, OneOf

LIMITS = m.Limits(frame=16384, rate=50, burst=100, name=24, chat=280, remembered=64, emotes=("wow",))
NAMES = ("Ana", "Bo", "Cy", "Dee", "Eve", "Flo", "Gus", "Hal")


def welcome(next_id: int = 1, token: str | None = None, seat: int = 0) -> m.Welcome:
    resumed = m.Seated(room="ABCD", seat=seat, token=token) if token else None
    return m.Welcome(id=0, v=1, name="Ana", limits=LIMITS, next_id=next_id, server="s", resumed=resumed)


def seated(request_id: int, token: str = "first", seat: int = 0) -> m.Ack:
    return m.Ack(id=request_id, got=m.Seated(room="ABCD", seat=seat, token=token))


def view(seq: int, from_: int, **more: Any) -> m.View:
    plain: dict[str, Any] = {
        "room": "ABCD", "game": "cambio", "number": 1, "you": 0, "view": {}, "scores": (0, 0), "head": "h",
        "commitment": "c",
    }  # fmt: skip
    return m.View(seq=seq, from_=from_, **(plain | more))


def room(phase: Any = "playing", players: int = 4, **more: Any) -> m.Room:
    plain: dict[str, Any] = {
        "room": "ABCD", "game": "cambio", "number": 1, "host": 0, "options": {}, "private": False, "commitment": "c",
        "seats": tuple(
            m.Place(seat=n, kind="player", name=name, ready=True, connected=True)
            for n, name in enumerate(NAMES[:players])
        ),
    }  # fmt: skip
    return m.Room(phase=phase, **(plain | more))


SLAP = Offer(
    "slap", (OneOf(("seat", "slot", "mark"), ((0, 0, 4), (0, 1, 7), (1, 3, 9))),), text="Slap a card"
)
DRAW = Offer("draw", (OneOf(("from",), (("main",), ("discard",))),), text="Draw a card", awaited=True)
CALL = Offer("call", text="Call Cambio", awaited=True)
RACE = m.OpenRace(key="race:1", nonce="n1", moves=("slap",), closers=("draw", "call"))
