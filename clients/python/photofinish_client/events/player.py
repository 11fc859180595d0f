"""A player of an event: it proves its key, enters, joins each table that it is called to, and plays there."""

import asyncio
from collections.abc import Callable
from contextlib import suppress

from photofinish_client.client import Table, connect
from photofinish_client.errors import RequestRefused
from photofinish_client.headless import get_ready
from photofinish_client.keys import PlayerKey
from photofinish_client.player import Player, sit
from photofinish_protocol.messages import Called, CheckIn, Enter
from photofinish_protocol.reasons import Reason


async def play_event(
    url: str,
    event: str,
    key: PlayerKey,
    name: str,
    player: Player,
    *,
    code: str = "",
    on_call: Callable[[Called], None] | None = None,
) -> None:
    """Enter the event, unless this key has entered, and play until cancelled or the connection ends."""
    async with connect(url, name=name, key=key) as table:
        for wish in (Enter(id=0, event=event, code=code), CheckIn(id=0, event=event)):
            try:
                await table.request(wish)
            except RequestRefused as no:
                if no.reason not in {Reason.ALREADY_ENTERED, Reason.WRONG_STATE, Reason.REGISTRATION_CLOSED}:
                    raise
        async for heard in table:
            if isinstance(heard, Called) and heard.event == event:
                if on_call is not None:
                    on_call(heard)
                with suppress(RequestRefused):  # the table has started without us, or is over
                    await _play(table, player, heard)


async def _play(table: Table, player: Player, called: Called) -> None:
    await take_called_seat(table, called)
    await get_ready(table)
    await sit(table, player)
    await asyncio.sleep(0)


async def take_called_seat(table: Table, called: Called) -> None:
    """Sit where this call leads (T68). Raises `RequestRefused`, and then we are still where we were.

    The server refuses `busy` and `not_called` before `in_a_room`: another table is only left for a seat that is free.
    """
    if table.room is not None and table.room.room == called.room:
        return
    try:
        await table.sit(called.event)
    except RequestRefused as no:
        if no.reason is not Reason.IN_A_ROOM:
            raise
        await table.leave()
        await table.sit(called.event)
