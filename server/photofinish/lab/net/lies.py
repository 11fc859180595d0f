"""The liars of the simulation (`lab/sim/liars.py`) as clients over real sockets."""

import asyncio
import socket
from random import Random
from typing import Any

from websockets.frames import Frame, Opcode

from photofinish.engine import Micros
from photofinish.lab.net.links.shape import MIX_A
from photofinish.lab.sim.liars import LIARS, Liar, LiarsRace
from photofinish.race import Params, Standing

EACH = "one lie per seat"
"""The name of a cell in which every seat of every room tells another lie. 8 rooms have enough seats for all lies."""
ALONE = ("forges every claim", "hoards, bites in every 10th race")
"""Lies that have their own cell, with enough races for a goal."""
SMALL_BUFFER = 2_304
"""Bytes. With such a receive buffer Linux delays ACKs that are not forced."""


def liar_of(lie: str, room: int, seat: int, turn: int = 0) -> Liar | None:
    """The liar in this seat in this round of a cell with this lie; None for an honest client."""
    if lie == EACH:
        return LIARS[(room * len(MIX_A) + seat + turn) % len(LIARS)]
    return next(it for it in LIARS if it.name == lie) if lie else None


def known(race: int, screen: Micros, seed: str) -> LiarsRace:
    """What a liar knows when this race begins. Over sockets races count from 1."""
    return LiarsRace(race - 1, Standing(screen), Params(), Random(f"{seed} {race}"))  # noqa: S311 - repeatable on purpose


def claim(liar: Liar | None, race: LiarsRace, pressed: int, screen: int) -> int | None:
    """The reaction time in µs that the client claims, given its true reaction and the delay of its screen."""
    if liar is None:
        return pressed
    says = liar.lie(race)
    if liar.is_silent:
        return None
    return pressed if says is None else round(1000 * says(pressed / 1000, screen / 1000))


def hold_pongs(connection: Any, seconds: float) -> None:
    """From now on delay each pong of this connection of the `websockets` library by this time."""
    send, loop = connection.protocol.send_frame, asyncio.get_running_loop()

    def later(frame: Frame) -> None:
        send(frame)
        connection.send_data()

    def held(frame: Frame) -> None:
        if frame.opcode is Opcode.PONG:
            loop.call_later(seconds, later, frame)
        else:
            send(frame)

    connection.protocol.send_frame = held


def shrink_buffer(connection: Any) -> None:
    """Make the kernel delay its ACKs as far as a program can."""
    connection.transport.get_extra_info("socket").setsockopt(
        socket.SOL_SOCKET, socket.SO_RCVBUF, SMALL_BUFFER
    )
